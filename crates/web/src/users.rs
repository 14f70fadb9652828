//! The signed-in user: name, password, data export and deletion.

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

/// The role of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Role)]
pub(crate) enum RoleView {
    /// Can use their own data only.
    Member,
    /// Can also see the users, jobs and feed health of this server.
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

/// The signed-in user.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserView {
    /// The id of the user.
    #[schema(value_type = Uuid)]
    id: UserId,
    /// The e-mail address.
    email: String,
    /// The user's name.
    name: String,
    /// The role of the user.
    role: RoleView,
    /// Whether the account has a password.
    has_password: bool,
    /// The time the account was created.
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

/// Changes to your account.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UserUpdate {
    /// Your name, at most 255 characters. If empty, it becomes the part of your address before the `@`.
    #[schema(max_length = 255)]
    name: String,
}

// Not `Debug`: it contains passwords.
/// Your current and new password.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordUpdate {
    /// The current password. Null only if the account has no password.
    #[schema(format = Password)]
    current_password: Option<String>,
    /// 8 to 1,024 characters. Common passwords are rejected.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    new_password: String,
}

/// Get your account
#[utoipa::path(get, path = "/api/users/me", tag = "users", responses(
    (status = 200, description = "Your account", body = UserView),
))]
pub(crate) async fn get_me(State(app): State<ApiState>, caller: Caller) -> Result<Json<UserView>, ApiError> {
    let user = app.accounts.get_user(caller.user_id).await?.ok_or(Error::SignInRequired)?;
    Ok(Json(user.into()))
}

/// Update your name
#[utoipa::path(patch, path = "/api/users/me", tag = "users", request_body = UserUpdate, responses(
    (status = 200, description = "The updated account", body = UserView),
))]
pub(crate) async fn update_me(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(change): JsonBody<UserUpdate>,
) -> Result<Json<UserView>, ApiError> {
    Ok(Json(app.accounts.rename_user(caller.user_id, &change.name).await?.into()))
}

/// Delete your account
///
/// Deletes the account and all its data: identities, sessions, tokens, subscriptions, item states, folders and settings. Feeds
/// and items are shared and stay. This cannot be undone; `GET /api/users/me/export` exports your data first. Needs a session;
/// API tokens cannot use it.
#[utoipa::path(delete, path = "/api/users/me", tag = "users", security(("session" = [])), responses(
    (status = 204, description = "Deleted"),
))]
pub(crate) async fn delete_me(State(app): State<ApiState>, caller: SessionCaller) -> Result<Response, ApiError> {
    app.accounts.delete_user(caller.user_id).await?;
    clear_session_cookies(&app, StatusCode::NO_CONTENT)
}

/// Update your password
///
/// Ends your other sessions; API tokens stay valid. Wrong current passwords are limited like those at sign-in. Needs a
/// session; API tokens cannot use it.
#[utoipa::path(put, path = "/api/users/me/password", tag = "users", security(("session" = [])), request_body = PasswordUpdate, responses(
    (status = 204, description = "Updated"),
))]
pub(crate) async fn update_password(
    State(app): State<ApiState>,
    caller: SessionCaller,
    ClientInfo(client): ClientInfo,
    JsonBody(change): JsonBody<PasswordUpdate>,
) -> Result<StatusCode, ApiError> {
    let (current, new) = (change.current_password.map(Password::new), Password::new(change.new_password));
    let updated = app.accounts.update_password(caller.user_id, &caller.session, current.as_ref(), &new, &client).await;
    updated.map_err(|error| match error {
        error @ accounts::Error::WrongCurrentPassword => error.into(),
        error => ApiError::from(error).with_field("new_password"),
    })?;
    Ok(StatusCode::NO_CONTENT)
}

/// Export your data
///
/// All your data without secrets, as a JSON file. With an API token, `identities`, `sessions` and `tokens` are omitted.
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
