//! Lines of the audit log. They contain no secret, and no address of an account that does not exist: users sometimes type
//! their password into that field.
//!
//! This crate writes a line for each change, and for a password change that fails. `web` writes the lines of failed sign-ins
//! with [`log_failure`]: it also sees requests that fail before this crate is called, and it knows the error code.

use std::net::IpAddr;

use store::UserId;

/// A sign-in of any kind failed.
pub const SIGN_IN_FAILED: &str = "sign_in_failed";
/// An attempt was rejected because there were too many.
pub const THROTTLED: &str = "throttled";
/// An attempt to link an identity failed.
pub const IDENTITY_LINK_FAILED: &str = "identity_link_failed";

/// How a user signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignInMethod {
    /// With a password.
    Password,
    /// With the set-up link.
    Setup,
    /// By registering.
    Registration,
    /// With Google.
    Google,
    /// With another OpenID provider.
    Oidc,
}

impl SignInMethod {
    /// The name in the database and in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            SignInMethod::Password => "password",
            SignInMethod::Setup => "setup",
            SignInMethod::Registration => "registration",
            SignInMethod::Google => "google",
            SignInMethod::Oidc => "oidc",
        }
    }
}

/// Logs a change to an account that a client made.
pub(crate) fn log_change(event: &'static str, user: UserId, method: &'static str, address: IpAddr) {
    tracing::info!(target: "audit", event, user_id = %user, method, %address, "{event}");
}

/// Logs a failure with an error code as its reason. `user` is the account, if it exists.
pub fn log_failure(
    event: &'static str,
    user: Option<UserId>,
    method: &'static str,
    reason: &'static str,
    address: IpAddr,
) {
    let user_id = user.map(tracing::field::display);
    tracing::info!(target: "audit", event, user_id, method, reason, %address, "{event}");
}

/// Logs a change to an account.
pub(crate) fn log_user_change(event: &'static str, user: UserId) {
    tracing::info!(target: "audit", event, user_id = %user, "{event}");
}

/// Logs a change to a session, token or identity of an account.
pub(crate) fn log_credential_change(event: &'static str, user: UserId, what: impl std::fmt::Display) {
    tracing::info!(target: "audit", event, user_id = %user, what = %what, "{event}");
}
