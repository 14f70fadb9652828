//! An OpenID provider on loopback that validates requests like a real one and can send forged responses.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use accounts::openid::{
    Callback, Claims, OpenIdError, OpenIdSecret, Provider, ProviderId, ProviderSettings, SignInAttempt,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use net::Url;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use store::Clock;
use testkit::origin::{Origin, Seen, answer, ok};

use super::signer::{Signature, Signer, encode, token};

pub const CLIENT_ID: &str = "kawaraban & co";
pub const CLIENT_SECRET: &str = "s3cret:with/odd+letters%";
pub const ACCESS_TOKEN: &str = "access-hunter2";
pub const REDIRECT_URL: &str = "https://news.test/auth/oidc/callback";

/// The provider.
pub struct FakeProvider {
    pub origin: Origin,
    pub clock: Clock,
    state: Arc<Mutex<ProviderState>>,
}

/// The keys of the provider and its forged responses.
pub struct ProviderState {
    pub keys: Vec<Arc<Signer>>,
    pub describe: fn(&mut Value),
    /// Changes each id token before it is signed.
    pub draft: Box<dyn Fn(&mut Draft) + Send>,
    /// Changes the response of the token endpoint.
    pub hand_out: fn(&mut Value),
    pub userinfo: Value,
    /// Responses that replace the usual ones, by path.
    pub instead: HashMap<&'static str, Vec<u8>>,
    /// The address of the keys, if it is on another host.
    pub keys_elsewhere: Option<String>,
    /// Accepts the client's secret only in the body, whatever the metadata say.
    pub refuses_header: bool,
    codes: HashMap<String, HashMap<String, String>>,
    issuer: String,
    clock: Clock,
}

/// An id token before it is signed.
pub struct Draft {
    pub header: Value,
    pub claims: Value,
    pub signature: Signature,
}

impl FakeProvider {
    pub async fn start() -> Self {
        let clock = Clock::manual("2026-11-16T04:00:00Z".parse().unwrap());
        let state = Arc::new(Mutex::new(ProviderState {
            keys: vec![Arc::new(Signer::rsa_a())],
            describe: |_| (),
            draft: Box::new(|_| ()),
            hand_out: |_| (),
            userinfo: json!({}),
            instead: HashMap::new(),
            keys_elsewhere: None,
            refuses_header: false,
            codes: HashMap::new(),
            issuer: String::new(),
            clock: clock.clone(),
        }));
        let serving = Arc::clone(&state);
        let origin = Origin::serve(move |seen| serving.lock().unwrap().answer(seen)).await;
        let fake = Self { origin, clock, state };
        fake.state().issuer = fake.issuer();
        fake
    }

    /// The state, to be changed.
    pub fn state(&self) -> MutexGuard<'_, ProviderState> {
        self.state.lock().unwrap()
    }

    /// Changes every id token before it is signed.
    pub fn forge(&self, draft: impl Fn(&mut Draft) + Send + 'static) {
        self.state().draft = Box::new(draft);
    }

    pub fn issuer(&self) -> String {
        self.origin.url("")
    }

    pub fn settings(&self) -> ProviderSettings {
        ProviderSettings {
            id: ProviderId::Oidc,
            name: "Double".to_owned(),
            issuer: self.issuer().parse().unwrap(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: OpenIdSecret::new(CLIENT_SECRET),
            redirect_url: REDIRECT_URL.parse().unwrap(),
        }
    }

    /// A client for this provider, with a network that reaches only the configured issuer.
    pub fn provider(&self) -> Provider {
        self.provider_with(net::ClientSettings::default())
    }

    pub fn provider_with(&self, settings: net::ClientSettings) -> Provider {
        Provider::new(self.settings(), net::Client::new(settings).unwrap(), self.clock.clone())
    }

    /// Does what the browser and the user do at the provider.
    pub fn visit(&self, url: &Url) -> Callback {
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let mut provider = self.state();
        let code = format!("code-hunter2-{}", provider.codes.len());
        let state = query.get("state").cloned();
        provider.codes.insert(code.clone(), query);
        Callback { code: Some(code), state, ..Callback::default() }
    }

    /// Signs in with a new client that has nothing cached.
    pub async fn sign_in(&self) -> Result<Claims, OpenIdError> {
        self.sign_in_with(&self.provider()).await
    }

    pub async fn sign_in_with(&self, provider: &Provider) -> Result<Claims, OpenIdError> {
        let (attempt, callback) = self.begin_and_visit(provider).await?;
        provider.finish(&attempt, &callback).await
    }

    /// Begins an attempt and visits the provider.
    pub async fn begin_and_visit(&self, provider: &Provider) -> Result<(SignInAttempt, Callback), OpenIdError> {
        let (url, attempt) = provider.begin().await?;
        Ok((attempt, self.visit(&url)))
    }

    /// The number of requests to this path.
    pub fn request_count(&self, path: &str) -> usize {
        self.origin.seen().iter().filter(|seen| seen.target == path).count()
    }
}

impl ProviderState {
    fn answer(&mut self, seen: &Seen) -> Vec<u8> {
        if let Some(bytes) = self.instead.get(seen.target.as_str()) {
            return bytes.clone();
        }
        match seen.target.as_str() {
            "/.well-known/openid-configuration" => ok(self.description().to_string()),
            "/jwks" => ok(json!({"keys": self.keys.iter().map(|key| key.jwk()).collect::<Vec<_>>()}).to_string()),
            "/token" => self.redeem(seen).unwrap_or_else(|error| {
                answer("HTTP/1.1 400 Bad Request\r\n", json!({"error": error, "error_description": "no"}).to_string())
            }),
            "/userinfo" if seen.header("authorization") == Some(&format!("Bearer {ACCESS_TOKEN}")) => {
                ok(self.userinfo.to_string())
            }
            _ => answer("HTTP/1.1 404 Not Found\r\n", ""),
        }
    }

    fn description(&self) -> Value {
        let issuer = &self.issuer;
        let mut description = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/jwks"),
            "userinfo_endpoint": format!("{issuer}/userinfo"),
        });
        if let Some(url) = &self.keys_elsewhere {
            description["jwks_uri"] = json!(url);
        }
        (self.describe)(&mut description);
        description
    }

    /// Checks client, code, redirect address and PKCE. A code works once.
    fn redeem(&mut self, seen: &Seen) -> Result<Vec<u8>, &'static str> {
        let form: HashMap<_, _> = url::form_urlencoded::parse(&seen.body).into_owned().collect();
        let in_body = (form.get("client_id"), form.get("client_secret"));
        let by_body = in_body == (Some(&CLIENT_ID.to_owned()), Some(&CLIENT_SECRET.to_owned()));
        let by_header = !self.refuses_header && seen.header("authorization").is_some_and(is_basic);
        if !by_body && !by_header {
            return Err("invalid_client");
        }
        let asked = form.get("code").and_then(|code| self.codes.remove(code)).ok_or("invalid_grant")?;
        let challenge = encode(digest(&SHA256, form.get("code_verifier").ok_or("invalid_grant")?.as_bytes()));
        if asked.get("code_challenge") != Some(&challenge) || form.get("redirect_uri") != asked.get("redirect_uri") {
            return Err("invalid_grant");
        }
        let mut tokens =
            json!({"access_token": ACCESS_TOKEN, "token_type": "Bearer", "id_token": self.id_token(&asked)});
        (self.hand_out)(&mut tokens);
        Ok(ok(tokens.to_string()))
    }

    fn id_token(&self, asked: &HashMap<String, String>) -> String {
        let (key, now) = (&self.keys[0], self.clock.now().timestamp());
        let mut draft = Draft {
            header: json!({"alg": "RS256", "kid": key.id, "typ": "JWT"}),
            claims: json!({
                "iss": self.issuer, "sub": "user-1", "aud": asked["client_id"], "nonce": asked["nonce"],
                "iat": now, "exp": now + 300, "email": "hana@news.test", "email_verified": true, "name": "Hana",
            }),
            signature: Signature::Right,
        };
        (self.draft)(&mut draft);
        token(&draft.header, &draft.claims, &draft.signature, key)
    }
}

/// Whether the header has the right id and secret.
fn is_basic(header: &str) -> bool {
    let pair = STANDARD.decode(header.strip_prefix("Basic ").unwrap_or_default()).unwrap_or_default();
    let pair = String::from_utf8(pair).unwrap_or_default();
    let unescape = |text: &str| {
        let text = format!("x={text}");
        url::form_urlencoded::parse(text.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    pair.split_once(':').is_some_and(|(id, secret)| unescape(id) == CLIENT_ID && unescape(secret) == CLIENT_SECRET)
}
