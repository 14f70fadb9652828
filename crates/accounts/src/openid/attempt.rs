//! One attempt to sign in: what the browser keeps while it is away, and what it comes back with.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use rand::RngExt as _;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::{OpenIdError, ProviderId, Secret};

/// How long a person may take at the provider.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// How far the clocks of two of our machines may be apart.
const SKEW: TimeDelta = TimeDelta::minutes(1);

/// An attempt to sign in, to be kept by the browser that began it and by nobody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Which provider the browser was sent to.
    pub provider: ProviderId,
    /// Comes back in the address: the answer belongs to this browser.
    pub state: Secret,
    /// Comes back in the id token: the token belongs to this attempt.
    pub nonce: Secret,
    /// Proves to the provider that whoever brings the code also began the attempt (PKCE).
    pub verifier: Secret,
    pub started_at: DateTime<Utc>,
}

impl Attempt {
    pub(super) fn new(provider: ProviderId, started_at: DateTime<Utc>) -> Self {
        Self { provider, state: random(), nonce: random(), verifier: random(), started_at }
    }

    /// What the provider is told of the verifier before the browser leaves: its hash.
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(digest(&SHA256, self.verifier.expose().as_bytes()))
    }

    /// Whether this is the attempt that the browser comes back from, and in time.
    pub(super) fn judge(
        &self,
        provider: ProviderId,
        state: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), OpenIdError> {
        let same_state = state.is_some_and(|state| is_same(state, &self.state));
        if self.provider != provider || !same_state {
            return Err(OpenIdError::SignInMismatch);
        }
        let age = now - self.started_at;
        if age > LIFETIME || age < -SKEW { Err(OpenIdError::SignInExpired) } else { Ok(()) }
    }
}

/// What the browser comes back with: the query of the callback, as it stands there.
#[derive(Clone, Default, Deserialize)]
pub struct Callback {
    /// To be exchanged for the id token.
    pub code: Option<String>,
    /// The state of the attempt.
    pub state: Option<String>,
    /// Which provider it comes from (RFC 9207).
    pub iss: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
    pub error_description: Option<String>,
}

impl fmt::Debug for Callback {
    /// Leaves out what is secret: the code and the state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback").field("iss", &self.iss).field("error", &self.error).finish_non_exhaustive()
    }
}

/// Compares in a time that tells nothing about where the texts differ.
pub(super) fn is_same(text: &str, secret: &Secret) -> bool {
    text.as_bytes().ct_eq(secret.expose().as_bytes()).into()
}

/// 256 random bits, in letters that need no escaping anywhere.
fn random() -> Secret {
    Secret::new(URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 32]>()))
}
