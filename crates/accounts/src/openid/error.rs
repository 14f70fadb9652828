//! Errors of sign-in with a provider, named for what can be done about them. No message contains a secret.

use std::sync::Arc;

/// Why a sign-in with a provider failed. The name of a variant is its error code.
#[derive(Debug, Clone, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum OpenIdError {
    /// The provider does not answer: try again later.
    #[error("the provider cannot be reached: {source}")]
    ProviderUnreachable {
        #[source]
        source: Arc<net::Error>,
    },
    /// The settings do not match the provider: correct them.
    #[error("the provider and its settings do not fit together: {reason}")]
    ProviderMisconfigured { reason: String },
    /// The user declined at the provider.
    #[error("the sign-in was declined at the provider")]
    SignInRefused,
    /// The attempt is too old: begin again.
    #[error("the sign-in took too long")]
    SignInExpired,
    /// The callback does not belong to this attempt of this browser: begin again.
    #[error("the answer does not belong to this sign-in")]
    SignInMismatch,
    /// The response was not issued by the provider for this sign-in: it may be forged.
    #[error("the answer cannot be trusted: {0}")]
    ProviderForged(#[from] Forgery),
    /// The provider answered with an error or an invalid response: try again.
    #[error("the provider failed: {0}")]
    ProviderFailed(String),
}

impl OpenIdError {
    /// The error code in responses of the API and in the audit log.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    pub(super) fn misconfigured(reason: impl Into<String>) -> Self {
        Self::ProviderMisconfigured { reason: reason.into() }
    }

    pub(super) fn failed(reason: impl Into<String>) -> Self {
        Self::ProviderFailed(reason.into())
    }
}

/// The check that a response failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Forgery {
    /// It cannot be parsed.
    #[error("the id token is not a signed token: {0}")]
    Malformed(&'static str),
    /// The signature algorithm is weak, symmetric or `none`.
    #[error("the id token is signed with {0}, which is not accepted")]
    Algorithm(String),
    /// The provider does not have the key that the token names.
    #[error("the id token is signed with a key that the provider does not have")]
    UnknownKey,
    /// The signature does not match.
    #[error("the signature of the id token is wrong")]
    Signature,
    /// It was issued by another provider.
    #[error("the id token is another issuer's")]
    Issuer,
    /// It was issued to another client.
    #[error("the id token is for another client")]
    Audience,
    /// Its expiry is in the past.
    #[error("the id token has expired")]
    Expired,
    /// It was issued in the future.
    #[error("the id token is not valid yet")]
    NotYetValid,
    /// It was issued for another attempt.
    #[error("the id token belongs to another sign-in")]
    Nonce,
    /// It was issued with another access token.
    #[error("the id token does not belong to its access token")]
    AccessToken,
    /// The subject is missing or too long.
    #[error("the id token has no valid subject")]
    Subject,
    /// The callback names another issuer, or none although the provider promises one.
    #[error("the callback is from another provider")]
    CallbackIssuer,
    /// The userinfo response is about another user.
    #[error("the userinfo response is about another user")]
    Userinfo,
}
