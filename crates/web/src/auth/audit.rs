//! Audit lines of failed sign-ins: one for each failed request to a sign-in path, whichever layer fails.

use std::net::IpAddr;

use accounts::{
    SignInMethod,
    audit::{self, IDENTITY_LINK_FAILED, SIGN_IN_FAILED, THROTTLED},
    openid::ProviderId,
};
use axum::{
    extract::{FromRequestParts, MatchedPath, Path, Request, State},
    middleware::Next,
    response::Response,
};
use http::{StatusCode, request::Parts};
use store::UserId;

use super::attempt;
use crate::{ApiError, Site};

/// The reason if the client disconnects before the response.
const CANCELLED: &str = "cancelled";

/// An attempt to sign in or to link an identity. It logs a line if it fails, or if it is dropped before its end.
pub(crate) struct AuditedAttempt {
    event: &'static str,
    user: Option<UserId>,
    method: &'static str,
    address: IpAddr,
    has_ended: bool,
}

impl AuditedAttempt {
    fn sign_in(method: &'static str, address: IpAddr) -> Self {
        AuditedAttempt { event: SIGN_IN_FAILED, user: None, method, address, has_ended: false }
    }

    /// An attempt to link an identity.
    pub(crate) fn link(user: UserId, method: &'static str, address: IpAddr) -> Self {
        AuditedAttempt { event: IDENTITY_LINK_FAILED, user: Some(user), method, address, has_ended: false }
    }

    /// The attempt succeeded, or goes on in another request.
    pub(crate) fn succeed(mut self) {
        self.has_ended = true;
    }

    /// The attempt failed with this error code.
    pub(crate) fn fail(mut self, reason: &'static str) {
        self.end(reason);
    }

    fn end(&mut self, reason: &'static str) {
        self.has_ended = true;
        audit::log_failure(self.event, self.user, self.method, reason, self.address);
    }
}

impl Drop for AuditedAttempt {
    fn drop(&mut self) {
        if !self.has_ended {
            self.end(CANCELLED);
        }
    }
}

/// A response extension with the reason of a failure, for responses without an [`ApiError`] or with a known account.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailedAttempt {
    pub reason: &'static str,
    /// The account, if it exists.
    pub user: Option<UserId>,
}

impl FailedAttempt {
    fn of(response: &Response) -> Option<FailedAttempt> {
        let extensions = response.extensions();
        let of_error = || {
            let error = extensions.get::<ApiError>().cloned().or_else(|| ApiError::of_status(response.status()))?;
            Some(FailedAttempt { reason: error.code(), user: None })
        };
        extensions.get::<FailedAttempt>().copied().or_else(of_error)
    }
}

/// Logs each failed request to a sign-in path. It is outside `timeouts.rs`, so it also sees timeouts and panics.
pub(crate) async fn audit_sign_ins(State(site): State<Site>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Some(method) = sign_in_method(&mut parts).await else {
        return next.run(Request::from_parts(parts, body)).await;
    };
    let address = site.client_address(&parts);
    // Linking and signing in share the callback path; the cookie tells them apart.
    let link = attempt::read_cookie(&site, &parts.headers).and_then(|pending| pending.link);
    let mut attempt = match link.filter(|_| parts.uri.path().ends_with("/callback")) {
        Some(link) => AuditedAttempt::link(link.user_id, method, address),
        None => AuditedAttempt::sign_in(method, address),
    };
    let response = next.run(Request::from_parts(parts, body)).await;
    match FailedAttempt::of(&response) {
        Some(failed) => {
            attempt.user = attempt.user.or(failed.user);
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                attempt.event = THROTTLED;
            }
            attempt.fail(failed.reason);
        }
        None => attempt.succeed(),
    }
    response
}

/// The sign-in method of this route; `None` for other routes and unknown providers.
async fn sign_in_method(parts: &mut Parts) -> Option<&'static str> {
    let route = parts.extensions.get::<MatchedPath>()?.clone();
    match route.as_str() {
        "/auth/local/login" => Some(SignInMethod::Password.as_str()),
        "/auth/local/register" => Some(SignInMethod::Registration.as_str()),
        "/auth/setup" => Some(SignInMethod::Setup.as_str()),
        "/auth/{provider}/login" | "/auth/{provider}/callback" => {
            let Path(name) = Path::<String>::from_request_parts(parts, &()).await.ok()?;
            name.parse().ok().map(ProviderId::as_str)
        }
        _ => None,
    }
}
