//! Lines for the audit log, written where things happen. Never a secret, and never what was typed as the address of an
//! account that does not exist: people type their password there.

use std::net::IpAddr;

use store::UserId;

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

/// Somebody did not get in; the account is named only if there is one.
pub(crate) fn refused(event: &'static str, user: Option<UserId>, reason: &'static str, address: IpAddr) {
    let user_id = user.map(tracing::field::display);
    tracing::info!(target: "audit", event, user_id, reason, %address, "{event}");
}

/// Something that a person or the operator did to an account.
pub(crate) fn done(event: &'static str, user: UserId) {
    tracing::info!(target: "audit", event, user_id = %user, "{event}");
}

/// The same to one of its sessions, tokens or identities.
pub(crate) fn done_to(event: &'static str, user: UserId, what: impl std::fmt::Display) {
    tracing::info!(target: "audit", event, user_id = %user, what = %what, "{event}");
}
