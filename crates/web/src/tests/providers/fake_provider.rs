//! A minimal OpenID provider on loopback. The tests of `accounts` have one that forges responses.

use std::sync::{Arc, Mutex, MutexGuard};

use ::accounts::openid::{OpenIdSecret, Provider, ProviderId, ProviderSettings};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use net::Url;
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};
use store::Clock;
use testkit::origin::{Origin, Seen, answer, ok};

/// The provider. It has one user.
pub(crate) struct FakeProvider {
    origin: Origin,
    state: Arc<Mutex<ProviderState>>,
}

struct ProviderState {
    key: EcdsaKeyPair,
    issuer: String,
    user: Value,
    /// The nonce of the current sign-in.
    nonce: String,
    signs_badly: bool,
    refuses_exchange: bool,
}

impl FakeProvider {
    pub(crate) async fn start() -> FakeProvider {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key.as_ref(), &random).unwrap();
        let user = json!({ "sub": "1", "email": "ann@example.com", "email_verified": true, "name": "Ann" });
        let (issuer, nonce) = (String::new(), String::new());
        let state = Arc::new(Mutex::new(ProviderState {
            key,
            issuer,
            user,
            nonce,
            signs_badly: false,
            refuses_exchange: false,
        }));
        let serving = Arc::clone(&state);
        let origin = Origin::serve(move |seen| serving.lock().unwrap().answer(seen)).await;
        let fake = FakeProvider { origin, state };
        fake.state().issuer = fake.issuer();
        fake
    }

    pub(crate) fn issuer(&self) -> String {
        self.origin.url("")
    }

    fn state(&self) -> MutexGuard<'_, ProviderState> {
        self.state.lock().unwrap()
    }

    pub(crate) fn set_user(&self, user: Value) {
        self.state().user = user;
    }

    pub(crate) fn sign_badly(&self) {
        self.state().signs_badly = true;
    }

    pub(crate) fn refuse_exchange(&self) {
        self.state().refuses_exchange = true;
    }

    /// A client for this provider.
    pub(crate) fn provider(&self, clock: Clock) -> Provider {
        let settings = ProviderSettings {
            id: ProviderId::Oidc,
            name: "Double".to_owned(),
            issuer: self.issuer().parse().unwrap(),
            client_id: "kawaraban".to_owned(),
            client_secret: OpenIdSecret::new("secret"),
            redirect_url: "http://localhost:8080/auth/oidc/callback".parse().unwrap(),
        };
        Provider::new(settings, net::Client::new(net::ClientSettings::default()).unwrap(), clock)
    }

    /// Signs the user in at the provider and returns the path of the callback.
    pub(crate) fn visit(&self, url: &str) -> String {
        let url: Url = url.parse().unwrap();
        let parameter = |name: &str| url.query_pairs().find(|(found, _)| found == name).unwrap().1.into_owned();
        self.state().nonce = parameter("nonce");
        format!("/auth/oidc/callback?code=1&state={}", parameter("state"))
    }
}

impl ProviderState {
    fn answer(&self, seen: &Seen) -> Vec<u8> {
        let issuer = &self.issuer;
        match seen.target.as_str() {
            "/.well-known/openid-configuration" => ok(json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"),
                "jwks_uri": format!("{issuer}/jwks"),
            })
            .to_string()),
            "/jwks" => {
                let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
                let key = json!({ "kty": "EC", "crv": "P-256", "kid": "1", "x": encode(x), "y": encode(y) });
                ok(json!({ "keys": [key] }).to_string())
            }
            "/token" if self.refuses_exchange => answer("HTTP/1.1 500 Internal Server Error\r\n", ""),
            "/token" => {
                let tokens = json!({ "access_token": "a", "token_type": "Bearer", "id_token": self.id_token() });
                ok(tokens.to_string())
            }
            _ => answer("HTTP/1.1 404 Not Found\r\n", ""),
        }
    }

    fn id_token(&self) -> String {
        // The clock of these tests is at this time or some minutes later.
        let mut claims = json!({ "iss": self.issuer, "aud": "kawaraban", "nonce": self.nonce, "iat": 1_794_801_600_i64, "exp": 1_794_805_200_i64 });
        claims.as_object_mut().unwrap().extend(self.user.as_object().unwrap().clone());
        let header = json!({ "alg": "ES256", "kid": "1" });
        let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let message = if self.signs_badly { "something else" } else { &signed };
        let signature = self.key.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{signed}.{}", encode(signature))
    }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
