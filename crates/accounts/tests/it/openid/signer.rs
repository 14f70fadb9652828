//! Signing keys, and id tokens built by hand: a library would not forge them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{
    self, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair as _, RsaKeyPair, RsaPublicKeyComponents,
};
use serde_json::{Value, json};

/// A key pair and its key id.
pub struct Signer {
    pub id: &'static str,
    pair: Pair,
}

enum Pair {
    Rsa(RsaKeyPair),
    Ec { pair: EcdsaKeyPair, curve: &'static str },
    Ed(Ed25519KeyPair),
}

impl Signer {
    pub fn rsa_a() -> Self {
        Self::rsa("rsa-a", include_bytes!("../../../testdata/openid/rsa-a.der"))
    }

    pub fn rsa_b() -> Self {
        Self::rsa("rsa-b", include_bytes!("../../../testdata/openid/rsa-b.der"))
    }

    fn rsa(id: &'static str, key: &[u8]) -> Self {
        Self { id, pair: Pair::Rsa(RsaKeyPair::from_pkcs8(key).unwrap()) }
    }

    pub fn p256() -> Self {
        Self::ec("ec-256", "P-256", &signature::ECDSA_P256_SHA256_FIXED_SIGNING)
    }

    pub fn p384() -> Self {
        Self::ec("ec-384", "P-384", &signature::ECDSA_P384_SHA384_FIXED_SIGNING)
    }

    fn ec(id: &'static str, curve: &'static str, algorithm: &'static EcdsaSigningAlgorithm) -> Self {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self { id, pair: Pair::Ec { pair: EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).unwrap(), curve } }
    }

    pub fn ed25519() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self { id: "ed", pair: Pair::Ed(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap()) }
    }

    /// The same key with another id.
    pub fn under(self, id: &'static str) -> Self {
        Self { id, ..self }
    }

    /// The public key as a JWK.
    pub fn jwk(&self) -> Value {
        let mut jwk = match &self.pair {
            Pair::Rsa(pair) => {
                let public: RsaPublicKeyComponents<Vec<u8>> = pair.public().into();
                json!({"kty": "RSA", "n": encode(public.n), "e": encode(public.e)})
            }
            Pair::Ec { pair, curve } => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(pair.public_key().as_ref().len() / 2);
                json!({"kty": "EC", "crv": curve, "x": encode(x), "y": encode(y)})
            }
            Pair::Ed(pair) => json!({"kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key())}),
        };
        jwk["kid"] = json!(self.id);
        jwk["use"] = json!("sig");
        jwk
    }

    pub fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let padding: &dyn signature::RsaEncoding = match algorithm {
                    "RS384" => &signature::RSA_PKCS1_SHA384,
                    "RS512" => &signature::RSA_PKCS1_SHA512,
                    "PS256" => &signature::RSA_PSS_SHA256,
                    "PS384" => &signature::RSA_PSS_SHA384,
                    "PS512" => &signature::RSA_PSS_SHA512,
                    _ => &signature::RSA_PKCS1_SHA256,
                };
                let mut signed = vec![0; pair.public().modulus_len()];
                pair.sign(padding, &random, message, &mut signed).unwrap();
                signed
            }
            Pair::Ec { pair, .. } => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Pair::Ed(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }
}

/// How a token gets its signature.
#[derive(Clone, Default)]
pub enum Signature {
    /// Signed with the first key of the provider.
    #[default]
    Right,
    /// Signed with this key.
    With(std::sync::Arc<Signer>),
    /// Signed with this shared secret.
    Hmac(Vec<u8>),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// Builds and signs a token.
pub fn token(header: &Value, claims: &Value, signature: &Signature, right: &Signer) -> String {
    let message = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
    let algorithm = header["alg"].as_str().unwrap_or_default();
    let signed = match signature {
        Signature::Right => right.sign(algorithm, message.as_bytes()),
        Signature::With(signer) => signer.sign(algorithm, message.as_bytes()),
        Signature::Hmac(secret) => {
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
            ring::hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
        }
        Signature::Bytes(bytes) => bytes.clone(),
    };
    format!("{message}.{}", encode(signed))
}

pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
