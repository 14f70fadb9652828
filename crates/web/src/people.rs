//! Everybody who has an account, for the owner.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::{UserId, users::UserSummary};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, App,
    caller::Caller,
    extract::QueryString,
    pagination::{Cursor, PAGE, next_cursor},
    users::RoleView,
};

/// A person, as the owner sees them.
#[derive(Serialize, ToSchema)]
pub(crate) struct PersonView {
    /// Their id.
    #[schema(value_type = Uuid)]
    id: UserId,
    /// Their e-mail address.
    email: String,
    /// What to call them.
    name: String,
    /// What they may do beyond their own things.
    role: RoleView,
    /// Since when they have an account.
    created_at: DateTime<Utc>,
    /// How many feeds they subscribe to.
    subscriptions: i64,
    /// When they were last here, to some minutes; null if never.
    last_seen_at: Option<DateTime<Utc>>,
}

impl From<UserSummary> for PersonView {
    fn from(person: UserSummary) -> Self {
        PersonView {
            id: person.user.id,
            email: person.user.email,
            name: person.user.name,
            role: person.user.role.into(),
            created_at: person.user.created_at,
            subscriptions: person.subscriptions,
            last_seen_at: person.last_seen_at,
        }
    }
}

/// People.
#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleView {
    /// This page of people.
    users: Vec<PersonView>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
}

/// Which people to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleQuery {
    /// Where to go on: `next_cursor` of the page before.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// List everybody who has an account
///
/// 50 a page, those who came first first. Only for the owner.
#[utoipa::path(get, path = "/api/admin/users", tag = "admin", params(PeopleQuery), responses(
    (status = 200, description = "A page of people", body = PeopleView),
    (status = 403, description = "Only the owner may see this"),
))]
pub(crate) async fn list_users(
    State(app): State<App>,
    caller: Caller,
    QueryString(query): QueryString<PeopleQuery>,
) -> Result<Json<PeopleView>, ApiError> {
    caller.must_be_owner()?;
    let after = query.cursor.map(Cursor::place).transpose()?.map(|(_, id)| UserId(id));
    let rows = app.accounts.users(after, PAGE + 1).await?;
    let (rows, next_cursor) = next_cursor(rows, |row| (row.user.created_at, row.user.id.into()));
    Ok(Json(PeopleView { users: rows.into_iter().map(PersonView::from).collect(), next_cursor }))
}
