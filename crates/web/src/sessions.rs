//! The browsers that a person is signed in with.

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

/// A browser that you are signed in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: SessionId,
    /// Whether it is the one that asks.
    is_current: bool,
    /// What the browser called itself when you signed in.
    user_agent: String,
    /// The address you signed in from.
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    /// How you signed in: `password`, `setup`, `registration`, `google` or `oidc`.
    method: Option<String>,
    /// When you signed in.
    created_at: DateTime<Utc>,
    /// When you were last here, to some minutes.
    seen_at: DateTime<Utc>,
    /// When it ends unless you come back.
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
/// The browsers that you are signed in with, the latest seen first. Not for API tokens.
#[utoipa::path(get, path = "/api/users/me/sessions", tag = "users", security(("session" = [])), responses(
    (status = 200, description = "Your sessions", body = Vec<SessionView>),
    (status = 403, description = "An API token may not do this"),
))]
pub(crate) async fn list_sessions(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<Json<Vec<SessionView>>, ApiError> {
    let sessions = app.accounts.list_sessions(caller.user_id).await?;
    Ok(Json(sessions.into_iter().map(|session| SessionView::new(session, caller.session)).collect()))
}

/// Sign out everywhere else
///
/// Ends all your sessions but this one. Not for API tokens.
#[utoipa::path(delete, path = "/api/users/me/sessions", tag = "users", security(("session" = [])), responses(
    (status = 204, description = "This session is the only one"),
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
/// Ending the one that asks is signing out. Not for API tokens.
#[utoipa::path(delete, path = "/api/users/me/sessions/{id}", tag = "users", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The session")), responses(
    (status = 204, description = "It has ended"),
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
