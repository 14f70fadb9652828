//! Sign-in with an OpenID provider: the protocol, and nothing of ours. Whose account it is, is decided elsewhere.
//!
//! The authorization code flow with PKCE. [`Provider::begin`] makes the address that the browser is sent to and an
//! [`Attempt`], which the browser keeps (encrypted) until it comes back; [`Provider::finish`] judges what it came back with
//! and returns [`Claims`]. Nothing in between is trusted: not the browser, and the provider only as far as its signature.
//!
//! Start reading at [`Provider::finish`]; what makes an id token a good one is in `openid/id_token.rs`.

mod attempt;
mod cache;
mod error;
mod exchange;
mod id_token;
mod keys;
mod metadata;
mod provider;
mod secret;
mod wire;

pub use attempt::{Attempt, Callback};
pub use error::{Forgery, OpenIdError};
pub use provider::{Provider, ProviderId, ProviderSettings};
pub use secret::Secret;

/// What the provider says about the person, after everything was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Which of the configured providers it was.
    pub provider: ProviderId,
    /// The provider's own name for itself: a subject means something only together with it.
    pub issuer: String,
    /// The person's id at the issuer, at most 255 characters.
    pub subject: String,
    /// The e-mail address, as the provider writes it.
    pub email: Option<String>,
    /// Whether the provider says that the address is the person's own.
    pub email_verified: bool,
    /// What the person is called.
    pub name: Option<String>,
}
