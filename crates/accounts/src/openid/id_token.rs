//! The id token: taken apart, and held against everything that it must say (OpenID Connect Core, section 3.1.3.7).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::digest::digest;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::attempt::is_same;
use super::keys::{Algorithm, Signed};
use super::metadata::Metadata;
use super::wire::quote;
use super::{Forgery, Secret};

/// How far the provider's clock may be from ours, in seconds.
const SKEW_SECONDS: f64 = 60.0;

/// The longest subject that the protocol allows.
const MAX_SUBJECT_CHARS: usize = 255;

/// The longest name and address that are taken over.
const MAX_TEXT_CHARS: usize = 255;

/// An id token, taken apart and not yet trusted.
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

/// What an id token must agree with.
pub(super) struct Expected<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a Secret,
    pub(super) access_token: Option<&'a str>,
    pub(super) now: DateTime<Utc>,
}

/// What an id token, or the page about the person, says about them.
#[derive(Deserialize)]
pub(super) struct Person {
    #[serde(rename = "sub")]
    pub(super) subject: String,
    email: Option<String>,
    email_verified: Option<Truth>,
    name: Option<String>,
    preferred_username: Option<String>,
}

/// Some providers write the word instead of the value.
#[derive(Deserialize)]
#[serde(untagged)]
enum Truth {
    Value(bool),
    Word(String),
}

impl<'a> IdToken<'a> {
    /// Takes a token apart; nothing is believed yet but which algorithm it claims.
    pub(super) fn parse(text: &'a str) -> Result<Self, Forgery> {
        let (message, signature) = text.rsplit_once('.').ok_or(Forgery::Malformed("it has no parts"))?;
        let (header, payload) = message.split_once('.').ok_or(Forgery::Malformed("it has two parts"))?;
        let decode =
            |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Forgery::Malformed("a part is not base64url"));
        let header: Header =
            serde_json::from_slice(&decode(header)?).map_err(|_| Forgery::Malformed("its header makes no sense"))?;
        if header.crit.is_some() {
            return Err(Forgery::Malformed("it demands an extension"));
        }
        let algorithm = Algorithm::parse(&header.alg).ok_or_else(|| Forgery::Algorithm(quote(&header.alg, &[])))?;
        Ok(Self { payload: decode(payload)?, signature: decode(signature)?, header, algorithm, message })
    }

    /// Whether it says which key it was signed with.
    pub(super) fn names_its_key(&self) -> bool {
        self.header.kid.is_some()
    }

    /// What has to be verified.
    pub(super) fn signed(&self) -> Signed<'_> {
        Signed {
            message: self.message.as_bytes(),
            signature: &self.signature,
            algorithm: self.algorithm,
            algorithm_name: &self.header.alg,
            key_id: self.header.kid.as_deref(),
        }
    }

    /// Who it is about, if it was issued by this provider, to us, now, for this attempt.
    pub(super) fn judge(&self, expected: &Expected<'_>) -> Result<Person, Forgery> {
        let malformed = |_| Forgery::Malformed("its claims make no sense");
        let payload: Payload = serde_json::from_slice(&self.payload).map_err(malformed)?;
        if !expected.metadata.is_named(&payload.iss) {
            return Err(Forgery::Issuer);
        }
        if !payload.is_for(expected.client_id) {
            return Err(Forgery::Audience);
        }
        payload.judge_time(expected.now)?;
        if !payload.nonce.as_deref().is_some_and(|nonce| is_same(nonce, expected.nonce)) {
            return Err(Forgery::Nonce);
        }
        if let (Some(hash), Some(access_token)) = (&payload.at_hash, expected.access_token)
            && *hash != self.left_half_of_hash(access_token)
        {
            return Err(Forgery::AccessToken);
        }
        if payload.sub.is_empty() || payload.sub.chars().count() > MAX_SUBJECT_CHARS {
            return Err(Forgery::Subject);
        }
        serde_json::from_slice(&self.payload).map_err(malformed)
    }

    /// Core, section 3.1.3.6.
    fn left_half_of_hash(&self, access_token: &str) -> String {
        let hash = digest(self.algorithm.digest(), access_token.as_bytes());
        let (left, _) = hash.as_ref().split_at(hash.as_ref().len() / 2);
        URL_SAFE_NO_PAD.encode(left)
    }
}

impl Payload {
    /// A token for several clients must say which of them asked for it.
    fn is_for(&self, client_id: &str) -> bool {
        let (named, several) = match &self.aud {
            Audience::One(one) => (one == client_id, false),
            Audience::Several(all) => (all.iter().any(|one| one == client_id), all.len() > 1),
        };
        let asked = self.azp.as_deref().map_or(!several, |party| party == client_id);
        named && asked
    }

    fn judge_time(&self, now: DateTime<Utc>) -> Result<(), Forgery> {
        let now = now.timestamp() as f64;
        if self.exp + SKEW_SECONDS <= now {
            return Err(Forgery::Expired);
        }
        let from = self.iat.max(self.nbf.unwrap_or(self.iat));
        if from - SKEW_SECONDS > now { Err(Forgery::NotYetValid) } else { Ok(()) }
    }
}

impl Person {
    pub(super) fn email(&self) -> Option<String> {
        let email = self.email.as_deref().map(str::trim);
        email.filter(|text| !text.is_empty() && text.chars().count() <= MAX_TEXT_CHARS).map(str::to_owned)
    }

    pub(super) fn email_verified(&self) -> bool {
        match &self.email_verified {
            Some(Truth::Value(value)) => *value,
            Some(Truth::Word(word)) => word == "true",
            None => false,
        }
    }

    /// The name, on one line and not too long.
    pub(super) fn name(&self) -> Option<String> {
        let name = self.name.as_ref().or(self.preferred_username.as_ref())?;
        let name: String = name.chars().filter(|character| !character.is_control()).take(MAX_TEXT_CHARS).collect();
        let name = name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }
}
