//! What can go wrong at sign-in with a provider, named for what can be done about it. No message holds a secret.

use std::sync::Arc;

/// Why a sign-in with a provider failed. The name of a variant is its code.
#[derive(Debug, Clone, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum OpenIdError {
    /// The provider does not answer: try again later.
    #[error("the provider cannot be reached: {source}")]
    ProviderUnreachable {
        #[source]
        source: Arc<net::Error>,
    },
    /// The operator's settings and the provider do not fit together: correct them.
    #[error("the provider and its settings do not fit together: {reason}")]
    ProviderMisconfigured { reason: String },
    /// The person said no at the provider.
    #[error("the sign-in was declined at the provider")]
    SignInRefused,
    /// The attempt is too old: begin again.
    #[error("the sign-in took too long")]
    SignInExpired,
    /// The answer does not belong to this attempt of this browser: begin again.
    #[error("the answer does not belong to this sign-in")]
    SignInMismatch,
    /// The answer is not what the provider would say to us: somebody tampers with it.
    #[error("the answer cannot be trusted: {0}")]
    ProviderForged(#[from] Forgery),
    /// The provider answered with an error, or with something that makes no sense: try again.
    #[error("the provider failed: {0}")]
    ProviderFailed(String),
}

impl OpenIdError {
    /// The code: in answers of the API and in the audit log.
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

/// What gave an answer away.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Forgery {
    /// It is not three parts of JSON and signature.
    #[error("the id token is not a signed token: {0}")]
    Malformed(&'static str),
    /// The signature's algorithm is weak, symmetric, or none at all.
    #[error("the id token is signed with {0}, which is not accepted")]
    Algorithm(String),
    /// None of the provider's keys is the one that it claims to be signed with.
    #[error("the id token is signed with a key that the provider does not have")]
    UnknownKey,
    /// The signature is wrong.
    #[error("the signature of the id token is wrong")]
    Signature,
    /// It was issued by another provider.
    #[error("the id token is another issuer's")]
    Issuer,
    /// It was issued to another client.
    #[error("the id token is for another client")]
    Audience,
    /// It is past its time.
    #[error("the id token has expired")]
    Expired,
    /// Its time has not come.
    #[error("the id token is not valid yet")]
    NotYetValid,
    /// It was issued for another attempt, or for none.
    #[error("the id token belongs to another sign-in")]
    Nonce,
    /// It was issued with another access token.
    #[error("the id token does not belong to its access token")]
    AccessToken,
    /// It names nobody, or nobody with an id that the protocol allows.
    #[error("the id token names no person")]
    Subject,
    /// The browser came back from another provider, or does not say from which.
    #[error("the browser came back from another provider")]
    CallbackIssuer,
    /// The page about the person is about another one.
    #[error("the provider's information is about another person")]
    Userinfo,
}
