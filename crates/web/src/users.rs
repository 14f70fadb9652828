//! The person who is signed in: who they are, their password, their data, and how they leave.

use accounts::{ExportScope, Password};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use store::{
    UserId,
    users::{Role, User},
};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Error,
    access::ClientInfo,
    caller::{AuthMethod, Caller, SessionCaller},
    extract::JsonBody,
    session_cookies::clear_session_cookies,
};

/// What somebody may do beyond their own things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Role)]
pub(crate) enum RoleView {
    /// Nothing.
    Member,
    /// See users, jobs and feed health of the whole machine.
    Owner,
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        match role {
            Role::Member => RoleView::Member,
            Role::Owner => RoleView::Owner,
        }
    }
}

/// A person, as they see themselves.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserView {
    /// Their id.
    #[schema(value_type = Uuid)]
    id: UserId,
    /// Their e-mail address.
    email: String,
    /// What to call them.
    name: String,
    /// What they may do beyond their own things.
    role: RoleView,
    /// Whether they can sign in with a password.
    has_password: bool,
    /// Since when they have an account.
    created_at: DateTime<Utc>,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        UserView {
            id: user.id,
            email: user.email,
            name: user.name,
            role: user.role.into(),
            has_password: user.has_password,
            created_at: user.created_at,
        }
    }
}

/// What to change about oneself.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UserUpdate {
    /// What to call you: at most 255 characters; without any, the beginning of your address.
    #[schema(max_length = 255)]
    name: String,
}

/// Another password. Not for printing.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordUpdate {
    /// The one you have; null only if you have none.
    #[schema(format = Password)]
    current_password: Option<String>,
    /// 8 to 1,024 characters, and none of the first guesses.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    new_password: String,
}

/// Show who is signed in
#[utoipa::path(get, path = "/api/users/me", tag = "users", responses(
    (status = 200, description = "You", body = UserView),
))]
pub(crate) async fn get_me(State(app): State<ApiState>, caller: Caller) -> Result<Json<UserView>, ApiError> {
    let user = app.accounts.get_user(caller.user_id).await?.ok_or(Error::SignInRequired)?;
    Ok(Json(user.into()))
}

/// Change your name
#[utoipa::path(patch, path = "/api/users/me", tag = "users", request_body = UserUpdate, responses(
    (status = 200, description = "You, as you are called now", body = UserView),
))]
pub(crate) async fn update_me(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(change): JsonBody<UserUpdate>,
) -> Result<Json<UserView>, ApiError> {
    Ok(Json(app.accounts.rename_user(caller.user_id, &change.name).await?.into()))
}

/// Leave
///
/// Removes the account with everything of it: ways to sign in, sessions, tokens, subscriptions, what was read and starred,
/// folders and settings. Feeds and their items stay. There is no way back; `GET /api/users/me/export` gives you your data
/// first. Not for API tokens.
#[utoipa::path(delete, path = "/api/users/me", tag = "users", security(("session" = [])), responses(
    (status = 204, description = "You are gone"),
))]
pub(crate) async fn delete_me(State(app): State<ApiState>, caller: SessionCaller) -> Result<Response, ApiError> {
    app.accounts.delete_user(caller.user_id).await?;
    clear_session_cookies(&app, StatusCode::NO_CONTENT)
}

/// Change your password
///
/// Your other sessions end; API tokens stay. Wrong guesses of the current password are counted like those at sign-in. Not for
/// API tokens.
#[utoipa::path(put, path = "/api/users/me/password", tag = "users", security(("session" = [])), request_body = PasswordUpdate, responses(
    (status = 204, description = "The new one counts from now on"),
))]
pub(crate) async fn update_password(
    State(app): State<ApiState>,
    caller: SessionCaller,
    ClientInfo(client): ClientInfo,
    JsonBody(change): JsonBody<PasswordUpdate>,
) -> Result<StatusCode, ApiError> {
    let (current, new) = (change.current_password.map(Password::new), Password::new(change.new_password));
    let changed = app.accounts.update_password(caller.user_id, &caller.session, current.as_ref(), &new, &client).await;
    changed.map_err(|error| match error {
        error @ accounts::Error::WrongCurrentPassword => error.into(),
        error => ApiError::from(error).with_field("new_password"),
    })?;
    Ok(StatusCode::NO_CONTENT)
}

/// Export your data
///
/// Everything of yours but secrets, as one JSON file. With an API token, `identities`, `sessions` and `tokens` are left out.
#[utoipa::path(get, path = "/api/users/me/export", tag = "users", responses(
    (status = 200, description = "The file", content_type = "application/json", body = Object),
))]
pub(crate) async fn export_me(State(app): State<ApiState>, caller: Caller) -> Result<impl IntoResponse, ApiError> {
    let scope = match caller.auth {
        AuthMethod::Session(_) => ExportScope::Full,
        AuthMethod::Token(..) => ExportScope::WithoutCredentials,
    };
    let export = app.accounts.export(caller.user_id, scope).await?;
    Ok(([(header::CONTENT_DISPOSITION, "attachment; filename=\"kawaraban-export.json\"")], Json(export)))
}
