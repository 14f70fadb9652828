//! Lines of the audit log. They never hold a secret, nor the address that was typed for an account that does not exist:
//! people type their password there.
//!
//! This crate writes the lines of what it decides. `web` uses [`refused`] for what it alone sees fail: rate limits,
//! sign-ins with a provider, API tokens.

use std::net::IpAddr;

use store::UserId;

use crate::{Client, Result};

/// An attempt to sign in, in any way, failed.
pub const SIGN_IN_FAILED: &str = "sign_in_failed";
/// An attempt was not looked at because there were too many.
pub const THROTTLED: &str = "throttled";
/// An attempt to link an identity failed.
pub const IDENTITY_LINK_FAILED: &str = "identity_link_failed";

/// How somebody got in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// With a password.
    Password,
    /// With the set-up link.
    Setup,
    /// By making an account.
    Registration,
    /// With Google.
    Google,
    /// With another provider.
    Oidc,
}

impl Method {
    /// As it is stored and logged.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Password => "password",
            Method::Setup => "setup",
            Method::Registration => "registration",
            Method::Google => "google",
            Method::Oidc => "oidc",
        }
    }
}

/// Something about an account of a person, seen from an address.
pub(crate) fn happened(event: &'static str, user: UserId, method: &'static str, address: IpAddr) {
    tracing::info!(target: "audit", event, user_id = %user, method, %address, "{event}");
}

/// A refusal: the way that was tried, the reason as a code, and the client's address. The account is named if it exists.
pub fn refused(event: &'static str, user: Option<UserId>, method: &'static str, reason: &'static str, address: IpAddr) {
    let user_id = user.map(tracing::field::display);
    tracing::info!(target: "audit", event, user_id, method, reason, %address, "{event}");
}

/// Writes the line of a sign-in that failed; returns its outcome.
pub(crate) fn note_failure<T>(outcome: Result<T>, user: Option<UserId>, method: Method, client: &Client) -> Result<T> {
    if let Err(error) = &outcome
        && error.is_audited()
    {
        refused(SIGN_IN_FAILED, user, method.as_str(), error.code(), client.address);
    }
    outcome
}

/// Something that a person or the operator did to an account.
pub(crate) fn done(event: &'static str, user: UserId) {
    tracing::info!(target: "audit", event, user_id = %user, "{event}");
}

/// The same to one of its sessions, tokens or identities.
pub(crate) fn done_to(event: &'static str, user: UserId, what: impl std::fmt::Display) {
    tracing::info!(target: "audit", event, user_id = %user, what = %what, "{event}");
}
