//! A sign-in attempt: the state that the browser keeps while the user is at the provider, and the callback.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use rand::RngExt as _;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::{OpenIdError, OpenIdSecret, ProviderId};

/// How long the user may take at the provider.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// Tolerated difference between the clocks of two of our machines.
const SKEW: TimeDelta = TimeDelta::minutes(1);

/// A sign-in attempt. Only the browser that began it may have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignInAttempt {
    pub provider: ProviderId,
    /// Returned in the callback; binds the callback to this browser.
    pub state: OpenIdSecret,
    /// Returned in the id token; binds the token to this attempt.
    pub nonce: OpenIdSecret,
    /// The PKCE code verifier; binds the code to this attempt.
    pub verifier: OpenIdSecret,
    pub started_at: DateTime<Utc>,
}

impl SignInAttempt {
    pub(super) fn new(provider: ProviderId, started_at: DateTime<Utc>) -> Self {
        Self { provider, state: random(), nonce: random(), verifier: random(), started_at }
    }

    /// The PKCE code challenge: the hash of the verifier.
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(digest(&SHA256, self.verifier.expose().as_bytes()))
    }

    /// Checks that a callback belongs to this attempt and is in time.
    pub(super) fn check(
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

/// The query of the callback.
#[derive(Clone, Default, Deserialize)]
pub struct Callback {
    pub code: Option<String>,
    pub state: Option<String>,
    /// The issuer that sent the callback (RFC 9207).
    pub iss: Option<String>,
    pub error: Option<String>,
    pub error_description: Option<String>,
}

impl fmt::Debug for Callback {
    /// Leaves out the code and the state, which are secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback").field("iss", &self.iss).field("error", &self.error).finish_non_exhaustive()
    }
}

/// Compares in constant time.
pub(super) fn is_same(text: &str, secret: &OpenIdSecret) -> bool {
    text.as_bytes().ct_eq(secret.expose().as_bytes()).into()
}

/// 256 random bits as base64url.
fn random() -> OpenIdSecret {
    OpenIdSecret::new(URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 32]>()))
}
