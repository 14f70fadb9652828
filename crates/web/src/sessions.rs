//! The sessions of a user.

use std::net::IpAddr;

use accounts::SessionInfo;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use http::StatusCode;
use serde::Serialize;
use store::SessionId;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, caller::SessionCaller, extract::PathId, session_cookies::clear_session_cookies};

/// A session: a browser that you are signed in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionView {
    /// The id of the session.
    #[schema(value_type = Uuid)]
    id: SessionId,
    /// Whether it is the session of this request.
    is_current: bool,
    /// The user agent at sign-in.
    user_agent: String,
    /// The IP address at sign-in.
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    /// The sign-in method: `password`, `setup`, `registration`, `google` or `oidc`.
    method: Option<String>,
    /// The time of the sign-in.
    created_at: DateTime<Utc>,
    /// The time of the last use, accurate to some minutes.
    seen_at: DateTime<Utc>,
    /// The time the session expires, unless it is used.
    expires_at: DateTime<Utc>,
}

impl SessionView {
    fn new(session: SessionInfo, current: SessionId) -> Self {
        SessionView {
            id: session.id,
            is_current: session.id == current,
            user_agent: session.user_agent,
            address: session.address,
            method: session.method.map(|method| method.as_str().to_owned()),
            created_at: session.created_at,
            seen_at: session.seen_at,
            expires_at: session.expires_at,
        }
    }
}

/// List your sessions
///
/// The last used session first. Needs a session; API tokens cannot use it.
#[utoipa::path(get, path = "/api/users/me/sessions", tag = "users", security(("session" = [])), responses(
    (status = 200, description = "Your sessions", body = Vec<SessionView>),
    (status = 403, description = "The request uses an API token"),
))]
pub(crate) async fn list_sessions(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<Json<Vec<SessionView>>, ApiError> {
    let sessions = app.accounts.list_sessions(caller.user_id).await?;
    Ok(Json(sessions.into_iter().map(|session| SessionView::new(session, caller.session)).collect()))
}

/// End all other sessions
///
/// Ends all your sessions except the current one. Needs a session; API tokens cannot use it.
#[utoipa::path(delete, path = "/api/users/me/sessions", tag = "users", security(("session" = [])), responses(
    (status = 204, description = "Ended"),
))]
pub(crate) async fn delete_sessions(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<StatusCode, ApiError> {
    app.accounts.delete_other_sessions(caller.user_id, &caller.session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End a session
///
/// Ending the current session signs you out. Needs a session; API tokens cannot use it.
#[utoipa::path(delete, path = "/api/users/me/sessions/{id}", tag = "users", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The session")), responses(
    (status = 204, description = "Ended"),
))]
pub(crate) async fn delete_session(
    State(app): State<ApiState>,
    caller: SessionCaller,
    PathId(id): PathId<SessionId>,
) -> Result<Response, ApiError> {
    app.accounts.delete_session(caller.user_id, id).await?;
    match id == caller.session {
        true => clear_session_cookies(&app, StatusCode::NO_CONTENT),
        false => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}
