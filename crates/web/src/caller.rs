//! Who is asking: whoever the session cookie or the API token belongs to. This file is the whole decision.

use accounts::{ActiveSession, SessionSecret};
use axum::extract::FromRequestParts;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, Method, header, request::Parts};
use store::{SessionId, TokenId, UserId, tokens::Scope, users::Role};

use crate::{ApiError, ApiState, Error, cookies::CookiePurpose};

/// The person who asks. A handler that takes one is never called without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// Who they are; every query on their data takes it.
    pub user_id: UserId,
    /// Whether the machine is theirs to look after.
    pub is_owner: bool,
    /// What they have shown.
    pub auth: AuthMethod,
}

/// What somebody has shown to prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// The cookie of this session.
    Session(SessionId),
    /// This API token.
    Token(TokenId, Scope),
}

impl Caller {
    /// Refuses whoever does not look after the machine.
    pub fn must_be_owner(self) -> Result<(), ApiError> {
        if self.is_owner { Ok(()) } else { Err(Error::OwnerOnly.into()) }
    }

    /// Refuses a token that may only read what would change something.
    pub(crate) fn must_be_allowed(self, method: &Method) -> Result<(), ApiError> {
        match self.auth {
            AuthMethod::Token(_, Scope::Read) if !method.is_safe() => Err(Error::ScopeMissing.into()),
            _ => Ok(()),
        }
    }
}

/// The person who asks, signed in with a browser: ways of getting in, and leaving, are not for API tokens.
pub(crate) struct SessionCaller {
    /// Who they are.
    pub user_id: UserId,
    /// The session that asks.
    pub session: SessionId,
}

/// What the request shows of who is asking.
pub(crate) enum Credential {
    /// Put there by a test or a layer of ours: an extension cannot come from outside.
    Caller(Caller),
    /// The header `Authorization: Bearer` with this, whatever it is.
    Bearer(String),
    /// A session cookie that we made.
    Session(SessionSecret),
    /// A session cookie that nobody can use.
    FalseCookie,
    /// Nothing.
    Nothing,
}

/// Somebody who was recognised.
pub(crate) struct Authenticated {
    pub caller: Caller,
    /// The cookie to send again, because the session lasts longer now.
    pub renewed: Option<(SessionSecret, DateTime<Utc>)>,
}

impl Credential {
    /// A token counts before a cookie: whoever sets the header means it.
    pub(crate) fn by(app: &ApiState, parts: &Parts) -> Credential {
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Credential::Caller(*caller);
        }
        if let Some(token) = bearer(&parts.headers) {
            return Credential::Bearer(token);
        }
        match session_secret(app, &parts.headers) {
            Some(secret) => Credential::Session(secret),
            None if app.site.cookies().is_sent(CookiePurpose::Session, &parts.headers) => Credential::FalseCookie,
            None => Credential::Nothing,
        }
    }

    /// Whether a browser sends it by itself, for whichever page makes it ask.
    pub(crate) fn is_sent_unasked(&self) -> bool {
        !matches!(self, Credential::Bearer(_))
    }

    /// Whether the browser keeps a cookie that is of no use, once nobody was recognised by it.
    pub(crate) fn is_cookie(&self) -> bool {
        matches!(self, Credential::Session(_) | Credential::FalseCookie)
    }

    /// Who it is.
    pub(crate) async fn identify(&self, app: &ApiState) -> Result<Authenticated, ApiError> {
        match self {
            Credential::Caller(caller) => Ok(Authenticated { caller: *caller, renewed: None }),
            Credential::Bearer(text) => {
                let shown = app.accounts.find_token(text).await?.ok_or(Error::InvalidToken)?;
                let auth = AuthMethod::Token(shown.token_id, shown.scope);
                let is_owner = shown.user.role == Role::Owner;
                Ok(Authenticated { caller: Caller { user_id: shown.user.id, is_owner, auth }, renewed: None })
            }
            Credential::Session(secret) => {
                let session = app.accounts.find_session(secret).await?.ok_or(Error::SignInRequired)?;
                let renewed = session.renewed.then(|| (secret.clone(), session.expires_at));
                Ok(Authenticated { caller: of_session(&session), renewed })
            }
            Credential::FalseCookie | Credential::Nothing => Err(Error::SignInRequired.into()),
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

/// What stands behind `Authorization: Bearer`; several headers are none that we know.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter().filter_map(token_of);
    let first = values.next()?;
    Some(if values.next().is_some() { String::new() } else { first })
}

/// Other schemes belong to somebody else, a proxy in front of us for example.
fn token_of(value: &HeaderValue) -> Option<String> {
    let (scheme, token) = value.as_bytes().split_at_checked("bearer".len())?;
    let is_bearer = scheme.eq_ignore_ascii_case(b"bearer") && matches!(token.first(), None | Some(b' '));
    is_bearer.then(|| String::from_utf8_lossy(token).trim().to_owned())
}

impl FromRequestParts<ApiState> for Caller {
    type Rejection = ApiError;

    /// The one whom the door let in.
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
    fn only_one_bearer_is_a_token() {
        let shown = |values: &[&str]| {
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
            assert_eq!(shown(values).as_deref(), expected, "{values:?}");
        }
    }
}
