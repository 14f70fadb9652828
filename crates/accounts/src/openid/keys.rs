//! The provider's public keys, and verification of signatures.
//!
//! It uses ring, which is already there for TLS. JWT libraries would add a second cryptography library.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::{digest, signature};
use serde::Deserialize;

use super::provider_client::ProviderClient;
use super::{Forgery, OpenIdError};
use net::Url;

/// The accepted signature algorithms. All are asymmetric: a key that verifies a symmetric signature can also forge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    /// The algorithm with exactly this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            "EdDSA" => Self::EdDsa,
            _ => return None,
        })
    }

    /// Its hash function.
    pub(super) fn digest(self) -> &'static digest::Algorithm {
        match self {
            Self::Rs256 | Self::Ps256 | Self::Es256 => &digest::SHA256,
            Self::Rs384 | Self::Ps384 | Self::Es384 => &digest::SHA384,
            Self::Rs512 | Self::Ps512 | Self::EdDsa => &digest::SHA512,
        }
    }
}

/// The usable keys of a provider.
#[derive(Debug)]
pub(super) struct SigningKeys(Vec<Key>);

#[derive(Debug)]
struct Key {
    id: Option<String>,
    algorithm_name: Option<String>,
    public: PublicKey,
}

#[derive(Debug)]
enum PublicKey {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

#[derive(Deserialize)]
struct JwkSet {
    keys: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl SigningKeys {
    /// Fetches the keys of the provider.
    pub(super) async fn fetch(client: &ProviderClient, url: &Url) -> Result<Self, OpenIdError> {
        let jwks: JwkSet = client.fetch("its keys", url).await?;
        Ok(Self::parse(jwks))
    }

    /// Ignores unknown keys, as RFC 7517 section 5 recommends.
    fn parse(jwks: JwkSet) -> Self {
        Self(jwks.keys.into_iter().filter_map(|key| Key::parse(serde_json::from_value(key).ok()?)).collect())
    }

    /// Verifies a signature with the key that the message names, or with any key if it names none.
    pub(super) fn verify(&self, signed: &SignedMessage<'_>) -> Result<(), Forgery> {
        let mut candidates = self.0.iter().filter(|key| key.can_verify(signed)).peekable();
        if candidates.peek().is_none() {
            return Err(Forgery::UnknownKey);
        }
        if candidates.any(|key| key.public.verify(signed)) { Ok(()) } else { Err(Forgery::Signature) }
    }
}

/// A message with its signature and the header fields about it.
pub(super) struct SignedMessage<'a> {
    pub(super) message: &'a [u8],
    pub(super) signature: &'a [u8],
    pub(super) algorithm: Algorithm,
    pub(super) algorithm_name: &'a str,
    pub(super) key_id: Option<&'a str>,
}

impl Key {
    fn parse(key: Jwk) -> Option<Self> {
        let for_signatures = key.usage.as_deref().is_none_or(|usage| usage == "sig")
            && key.key_ops.as_ref().is_none_or(|ops| ops.iter().any(|op| op == "verify"));
        let bytes = |text: &Option<String>| URL_SAFE_NO_PAD.decode(text.as_ref()?.trim_end_matches('=')).ok();
        let point = |size: usize| {
            let (x, y) = (bytes(&key.x)?, bytes(&key.y)?);
            // 4 marks an uncompressed point: both coordinates follow (SEC 1, section 2.3.3).
            (x.len() == size && y.len() == size).then(|| [&[4], x.as_slice(), y.as_slice()].concat())
        };
        let public = match (key.kty.as_str(), key.crv.as_deref()) {
            ("RSA", _) => PublicKey::Rsa { n: without_zeros(bytes(&key.n)?), e: without_zeros(bytes(&key.e)?) },
            ("EC", Some("P-256")) => PublicKey::P256(point(32)?),
            ("EC", Some("P-384")) => PublicKey::P384(point(48)?),
            ("OKP", Some("Ed25519")) => PublicKey::Ed25519(bytes(&key.x)?),
            _ => return None,
        };
        for_signatures.then_some(Self { id: key.kid, algorithm_name: key.alg, public })
    }

    fn can_verify(&self, signed: &SignedMessage<'_>) -> bool {
        let same_id = signed.key_id.is_none_or(|id| self.id.as_deref() == Some(id));
        same_id
            && self.algorithm_name.as_deref().is_none_or(|name| name == signed.algorithm_name)
            && self.public.is_for(signed.algorithm)
    }
}

impl PublicKey {
    /// Whether this type of key supports the algorithm. A token cannot make another type of key verify it.
    fn is_for(&self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Es256 => matches!(self, Self::P256(_)),
            Algorithm::Es384 => matches!(self, Self::P384(_)),
            Algorithm::EdDsa => matches!(self, Self::Ed25519(_)),
            _ => matches!(self, Self::Rsa { .. }),
        }
    }

    fn verify(&self, signed: &SignedMessage<'_>) -> bool {
        let simple = |algorithm: &'static dyn signature::VerificationAlgorithm, key: &[u8]| {
            signature::UnparsedPublicKey::new(algorithm, key).verify(signed.message, signed.signature)
        };
        let verified = match self {
            Self::Rsa { n, e } => rsa(signed.algorithm).ok_or(ring::error::Unspecified).and_then(|parameters| {
                signature::RsaPublicKeyComponents { n, e }.verify(parameters, signed.message, signed.signature)
            }),
            Self::P256(point) => simple(&signature::ECDSA_P256_SHA256_FIXED, point),
            Self::P384(point) => simple(&signature::ECDSA_P384_SHA384_FIXED, point),
            Self::Ed25519(key) => simple(&signature::ED25519, key),
        };
        verified.is_ok()
    }
}

/// Accepts RSA keys from 2,048 bits.
fn rsa(algorithm: Algorithm) -> Option<&'static signature::RsaParameters> {
    Some(match algorithm {
        Algorithm::Rs256 => &signature::RSA_PKCS1_2048_8192_SHA256,
        Algorithm::Rs384 => &signature::RSA_PKCS1_2048_8192_SHA384,
        Algorithm::Rs512 => &signature::RSA_PKCS1_2048_8192_SHA512,
        Algorithm::Ps256 => &signature::RSA_PSS_2048_8192_SHA256,
        Algorithm::Ps384 => &signature::RSA_PSS_2048_8192_SHA384,
        Algorithm::Ps512 => &signature::RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}

/// Strips leading zero bytes, which some providers send and ring rejects.
fn without_zeros(mut bytes: Vec<u8>) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes.drain(..zeros);
    bytes
}
