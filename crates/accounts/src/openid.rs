//! The OpenID Connect protocol. `identities.rs` finds the account that the result belongs to.
//!
//! The authorization code flow with PKCE. [`Provider::begin`] returns the address to send the browser to and a
//! [`SignInAttempt`], which the browser keeps in an encrypted cookie. [`Provider::finish`] verifies the callback and returns
//! [`Claims`]. It trusts nothing that the browser sends, and of the provider only signed data.
//!
//! Start reading at [`Provider::finish`]; `openid/id_token.rs` has the checks of the id token.

mod attempt;
mod cache;
mod error;
mod exchange;
mod id_token;
mod keys;
mod metadata;
mod provider;
mod provider_client;
mod secret;

pub use attempt::{Callback, SignInAttempt};
pub use error::{Forgery, OpenIdError};
pub use provider::{Provider, ProviderId, ProviderSettings};
pub use secret::OpenIdSecret;

/// The verified claims of a provider about a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub provider: ProviderId,
    /// The issuer identifier. A subject is unique only within its issuer.
    pub issuer: String,
    /// The user's id at the issuer, at most 255 characters.
    pub subject: String,
    /// The e-mail address, not normalised.
    pub email: Option<String>,
    pub email_verified: bool,
    pub name: Option<String>,
}
