//! Lines of the audit log. They never hold a secret, nor the address that was typed for an account that does not exist:
//! people type their password there.
//!
//! This crate writes the lines of what has happened, and of a password change that fails. `web` writes those of failed
//! sign-ins with [`refused`]: it also sees what fails before this crate is called, and it knows the code of the answer.

use std::net::IpAddr;

use store::UserId;

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

/// Something that a person or the operator did to an account.
pub(crate) fn done(event: &'static str, user: UserId) {
    tracing::info!(target: "audit", event, user_id = %user, "{event}");
}

/// The same to one of its sessions, tokens or identities.
pub(crate) fn done_to(event: &'static str, user: UserId, what: impl std::fmt::Display) {
    tracing::info!(target: "audit", event, user_id = %user, what = %what, "{event}");
}
