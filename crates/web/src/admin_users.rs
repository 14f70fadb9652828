//! The list of users, for owners.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::{UserId, users::UserSummary};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState,
    caller::Caller,
    extract::QueryString,
    pagination::{Cursor, PAGE_SIZE, next_cursor},
    users::RoleView,
};

/// A user, as owners see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserSummaryView {
    /// The id of the user.
    #[schema(value_type = Uuid)]
    id: UserId,
    /// The e-mail address.
    email: String,
    /// The user's name.
    name: String,
    /// The role of the user.
    role: RoleView,
    /// The time the account was created.
    created_at: DateTime<Utc>,
    /// The number of subscriptions.
    subscriptions: i64,
    /// The time of the last request, accurate to some minutes; null if the user has never signed in.
    last_seen_at: Option<DateTime<Utc>>,
}

impl From<UserSummary> for UserSummaryView {
    fn from(listed: UserSummary) -> Self {
        UserSummaryView {
            id: listed.user.id,
            email: listed.user.email,
            name: listed.user.name,
            role: listed.user.role.into(),
            created_at: listed.user.created_at,
            subscriptions: listed.subscriptions,
            last_seen_at: listed.last_seen_at,
        }
    }
}

/// A page of users.
#[derive(Serialize, ToSchema)]
pub(crate) struct UsersView {
    /// The users of this page.
    users: Vec<UserSummaryView>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// Parameters of the list of users.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct UsersQuery {
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// List all users
///
/// 50 users per page, the oldest account first. For owners only.
#[utoipa::path(get, path = "/api/admin/users", tag = "admin", params(UsersQuery), responses(
    (status = 200, description = "A page of users", body = UsersView),
    (status = 403, description = "Not an owner"),
))]
pub(crate) async fn list_users(
    State(app): State<ApiState>,
    caller: Caller,
    QueryString(query): QueryString<UsersQuery>,
) -> Result<Json<UsersView>, ApiError> {
    caller.require_owner()?;
    let after = query.cursor.map(Cursor::position).transpose()?.map(|(_, id)| UserId(id));
    let rows = app.accounts.list_users(after, PAGE_SIZE + 1).await?;
    let (rows, next_cursor) = next_cursor(rows, |row| (row.user.created_at, row.user.id.into()));
    Ok(Json(UsersView { users: rows.into_iter().map(UserSummaryView::from).collect(), next_cursor }))
}
