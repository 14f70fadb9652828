//! Parses and validates id tokens (OpenID Connect Core, section 3.1.3.7).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::digest::digest;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::attempt::is_same;
use super::keys::{Algorithm, SignedMessage};
use super::metadata::Metadata;
use super::provider_client::quote;
use super::{Forgery, OpenIdSecret};

/// Tolerated difference between the provider's clock and ours.
const SKEW_SECONDS: f64 = 60.0;

/// The limit of the protocol.
const MAX_SUBJECT_CHARS: usize = 255;

/// Limit of names and e-mail addresses.
const MAX_TEXT_CHARS: usize = 255;

/// A parsed id token that is not verified yet.
pub(super) struct IdToken<'a> {
    header: Header,
    algorithm: Algorithm,
    message: &'a str,
    payload: Vec<u8>,
    signature: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Payload {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    // Seconds since 1970, fractions allowed.
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    at_hash: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// The values that the claims of an id token must have.
pub(super) struct ExpectedClaims<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a OpenIdSecret,
    pub(super) access_token: Option<&'a str>,
    pub(super) now: DateTime<Utc>,
}

/// The claims about the user, from an id token or a userinfo response.
#[derive(Deserialize)]
pub(super) struct UserClaims {
    #[serde(rename = "sub")]
    pub(super) subject: String,
    email: Option<String>,
    email_verified: Option<BoolOrText>,
    name: Option<String>,
    preferred_username: Option<String>,
}

/// Some providers write `"true"` instead of `true`.
#[derive(Deserialize)]
#[serde(untagged)]
enum BoolOrText {
    Bool(bool),
    Text(String),
}

impl<'a> IdToken<'a> {
    /// Parses a token and checks that its algorithm is accepted.
    pub(super) fn parse(text: &'a str) -> Result<Self, Forgery> {
        let (message, signature) = text.rsplit_once('.').ok_or(Forgery::Malformed("it has no parts"))?;
        let (header, payload) = message.split_once('.').ok_or(Forgery::Malformed("it has two parts"))?;
        let decode =
            |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Forgery::Malformed("a part is not base64url"));
        let header: Header =
            serde_json::from_slice(&decode(header)?).map_err(|_| Forgery::Malformed("its header is not valid"))?;
        if header.crit.is_some() {
            return Err(Forgery::Malformed("it requires an extension"));
        }
        let algorithm = Algorithm::parse(&header.alg).ok_or_else(|| Forgery::Algorithm(quote(&header.alg, &[])))?;
        Ok(Self { payload: decode(payload)?, signature: decode(signature)?, header, algorithm, message })
    }

    /// Whether it names the key that signed it.
    pub(super) fn has_key_id(&self) -> bool {
        self.header.kid.is_some()
    }

    /// The message and its signature.
    pub(super) fn signed(&self) -> SignedMessage<'_> {
        SignedMessage {
            message: self.message.as_bytes(),
            signature: &self.signature,
            algorithm: self.algorithm,
            algorithm_name: &self.header.alg,
            key_id: self.header.kid.as_deref(),
        }
    }

    /// Validates the claims and returns those about the user.
    pub(super) fn validate(&self, expected: &ExpectedClaims<'_>) -> Result<UserClaims, Forgery> {
        let malformed = |_| Forgery::Malformed("its claims are not valid");
        let payload: Payload = serde_json::from_slice(&self.payload).map_err(malformed)?;
        if !expected.metadata.is_issuer(&payload.iss) {
            return Err(Forgery::Issuer);
        }
        if !payload.is_for(expected.client_id) {
            return Err(Forgery::Audience);
        }
        payload.check_time(expected.now)?;
        if !payload.nonce.as_deref().is_some_and(|nonce| is_same(nonce, expected.nonce)) {
            return Err(Forgery::Nonce);
        }
        if let (Some(hash), Some(access_token)) = (&payload.at_hash, expected.access_token)
            && *hash != self.access_token_hash(access_token)
        {
            return Err(Forgery::AccessToken);
        }
        if payload.sub.is_empty() || payload.sub.chars().count() > MAX_SUBJECT_CHARS {
            return Err(Forgery::Subject);
        }
        serde_json::from_slice(&self.payload).map_err(malformed)
    }

    /// The claim `at_hash`: the left half of the hash (OpenID Connect Core, section 3.1.3.6).
    fn access_token_hash(&self, access_token: &str) -> String {
        let hash = digest(self.algorithm.digest(), access_token.as_bytes());
        let (left, _) = hash.as_ref().split_at(hash.as_ref().len() / 2);
        URL_SAFE_NO_PAD.encode(left)
    }
}

impl Payload {
    /// Whether this client is in the audience. A token for several clients must name this one in `azp`.
    fn is_for(&self, client_id: &str) -> bool {
        let (named, several) = match &self.aud {
            Audience::One(one) => (one == client_id, false),
            Audience::Several(all) => (all.iter().any(|one| one == client_id), all.len() > 1),
        };
        let is_authorized = self.azp.as_deref().map_or(!several, |party| party == client_id);
        named && is_authorized
    }

    fn check_time(&self, now: DateTime<Utc>) -> Result<(), Forgery> {
        let now = now.timestamp() as f64;
        if self.exp + SKEW_SECONDS <= now {
            return Err(Forgery::Expired);
        }
        let from = self.iat.max(self.nbf.unwrap_or(self.iat));
        if from - SKEW_SECONDS > now { Err(Forgery::NotYetValid) } else { Ok(()) }
    }
}

impl UserClaims {
    pub(super) fn email(&self) -> Option<String> {
        let email = self.email.as_deref().map(str::trim);
        email.filter(|text| !text.is_empty() && text.chars().count() <= MAX_TEXT_CHARS).map(str::to_owned)
    }

    pub(super) fn email_verified(&self) -> bool {
        match &self.email_verified {
            Some(BoolOrText::Bool(value)) => *value,
            Some(BoolOrText::Text(text)) => text == "true",
            None => false,
        }
    }

    /// The name on one line, cut to [`MAX_TEXT_CHARS`].
    pub(super) fn name(&self) -> Option<String> {
        let name = self.name.as_ref().or(self.preferred_username.as_ref())?;
        let name: String = name.chars().filter(|character| !character.is_control()).take(MAX_TEXT_CHARS).collect();
        let name = name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }
}
