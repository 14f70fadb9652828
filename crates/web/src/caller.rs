//! Authentication: the user that a session cookie or an API token belongs to.

use accounts::{ActiveSession, SessionSecret};
use axum::extract::FromRequestParts;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, Method, header, request::Parts};
use store::{SessionId, TokenId, UserId, tokens::Scope, users::Role};

use crate::{ApiError, ApiState, Error, cookies::CookiePurpose};

/// The authenticated user of a request. A handler with this parameter runs only for authenticated requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub user_id: UserId,
    pub is_owner: bool,
    pub auth: AuthMethod,
}

/// How a request was authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// By the cookie of this session.
    Session(SessionId),
    /// By this API token.
    Token(TokenId, Scope),
}

impl Caller {
    /// Fails unless the user is an owner.
    pub(crate) fn require_owner(self) -> Result<(), ApiError> {
        if self.is_owner { Ok(()) } else { Err(Error::OwnerOnly.into()) }
    }

    /// Fails if a read-only token is used with an unsafe method.
    pub(crate) fn require_scope(self, method: &Method) -> Result<(), ApiError> {
        match self.auth {
            AuthMethod::Token(_, Scope::Read) if !method.is_safe() => Err(Error::ScopeMissing.into()),
            _ => Ok(()),
        }
    }
}

/// A caller with a session. API tokens cannot manage credentials or delete the account.
pub(crate) struct SessionCaller {
    pub user_id: UserId,
    pub session: SessionId,
}

/// The credential in a request, before it is checked.
pub(crate) enum Credential {
    /// An extension that a test or another layer has added. Clients cannot set extensions.
    Caller(Caller),
    /// The text after `Authorization: Bearer`.
    Bearer(String),
    /// A session cookie that this server has encrypted.
    Session(SessionSecret),
    /// A session cookie that cannot be decrypted.
    InvalidCookie,
    None,
}

/// The result of a successful authentication.
pub(crate) struct Authenticated {
    pub caller: Caller,
    /// The session cookie to send again, because its expiry has moved.
    pub renewed: Option<(SessionSecret, DateTime<Utc>)>,
}

impl Credential {
    /// The credential of a request. A bearer token takes precedence over a cookie.
    pub(crate) fn of(app: &ApiState, parts: &Parts) -> Credential {
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Credential::Caller(*caller);
        }
        if let Some(token) = bearer(&parts.headers) {
            return Credential::Bearer(token);
        }
        match session_secret(app, &parts.headers) {
            Some(secret) => Credential::Session(secret),
            None if app.site.cookies().is_sent(CookiePurpose::Session, &parts.headers) => Credential::InvalidCookie,
            None => Credential::None,
        }
    }

    /// Whether browsers send it automatically, also for pages of other sites.
    pub(crate) fn is_automatic(&self) -> bool {
        !matches!(self, Credential::Bearer(_))
    }

    /// Whether it is a cookie, which is cleared if it is not valid.
    pub(crate) fn is_cookie(&self) -> bool {
        matches!(self, Credential::Session(_) | Credential::InvalidCookie)
    }

    /// Finds the user.
    pub(crate) async fn authenticate(&self, app: &ApiState) -> Result<Authenticated, ApiError> {
        match self {
            Credential::Caller(caller) => Ok(Authenticated { caller: *caller, renewed: None }),
            Credential::Bearer(text) => {
                let token = app.accounts.find_token(text).await?.ok_or(Error::InvalidToken)?;
                let auth = AuthMethod::Token(token.token_id, token.scope);
                let is_owner = token.user.role == Role::Owner;
                Ok(Authenticated { caller: Caller { user_id: token.user.id, is_owner, auth }, renewed: None })
            }
            Credential::Session(secret) => {
                let session = app.accounts.find_session(secret).await?.ok_or(Error::SignInRequired)?;
                let renewed = session.renewed.then(|| (secret.clone(), session.expires_at));
                Ok(Authenticated { caller: of_session(&session), renewed })
            }
            Credential::InvalidCookie | Credential::None => Err(Error::SignInRequired.into()),
        }
    }
}

fn of_session(session: &ActiveSession) -> Caller {
    let is_owner = session.user.role == Role::Owner;
    Caller { user_id: session.user.id, is_owner, auth: AuthMethod::Session(session.public_id) }
}

/// The secret in the session cookie.
pub(crate) fn session_secret(app: &ApiState, headers: &HeaderMap) -> Option<SessionSecret> {
    let content = app.site.cookies().open(CookiePurpose::Session, headers)?;
    SessionSecret::parse(str::from_utf8(&content).ok()?)
}

/// The text after `Authorization: Bearer`. Several bearer headers are an empty, invalid token.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter().filter_map(token_of);
    let first = values.next()?;
    Some(if values.next().is_some() { String::new() } else { first })
}

/// Ignores other schemes, which may be for a reverse proxy.
fn token_of(value: &HeaderValue) -> Option<String> {
    let (scheme, token) = value.as_bytes().split_at_checked("bearer".len())?;
    let is_bearer = scheme.eq_ignore_ascii_case(b"bearer") && matches!(token.first(), None | Some(b' '));
    is_bearer.then(|| String::from_utf8_lossy(token).trim().to_owned())
}

impl FromRequestParts<ApiState> for Caller {
    type Rejection = ApiError;

    /// The caller that `access::require_caller` has authenticated.
    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, ApiError> {
        parts.extensions.get::<Caller>().copied().ok_or_else(|| Error::SignInRequired.into())
    }
}

impl FromRequestParts<ApiState> for SessionCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        match caller.auth {
            AuthMethod::Session(session) => Ok(SessionCaller { user_id: caller.user_id, session }),
            AuthMethod::Token(..) => Err(Error::SessionRequired.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_bearer_headers_are_invalid() {
        let token = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, value.parse().unwrap());
            }
            bearer(&headers)
        };
        let cases: [(&[&str], Option<&str>); 8] = [
            (&[], None),
            (&["Basic a2F3YXJh"], None),
            (&["Bearerkwb_x"], None),
            (&["Bearer kwb_x"], Some("kwb_x")),
            (&["bEARER   kwb_x "], Some("kwb_x")),
            (&["Bearer"], Some("")),
            (&["Basic a2F3YXJh", "Bearer kwb_x"], Some("kwb_x")),
            (&["Bearer kwb_x", "Bearer kwb_y"], Some("")),
        ];
        for (values, expected) in cases {
            assert_eq!(token(values).as_deref(), expected, "{values:?}");
        }
    }
}
