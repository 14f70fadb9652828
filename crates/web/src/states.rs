//! Read and starred states of items, and undo.

use axum::{Json, extract::State, response::IntoResponse};
use chrono::{DateTime, Utc};
use read::{MarkRead, MarkedAsRead, StatePatch};
use serde::{Deserialize, Serialize};
use store::{FeedId, FolderId, ItemId, Revised, UndoId, UserId, item_lists::ItemScope, states::ItemState};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Error,
    caller::Caller,
    extract::{JsonBody, OptionalJsonBody, PathId},
    items::ItemFilter,
    revision::with_revision,
};

const MAX_ITEMS: usize = 1_000;

/// The state of an item.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemStateView {
    /// Your id.
    #[schema(value_type = Uuid)]
    user_id: UserId,
    /// The id of the item.
    #[schema(pattern = "^[0-9]{1,18}$")]
    item_id: String,
    /// Whether it is read.
    is_read: bool,
    /// Whether it is starred.
    is_starred: bool,
    /// The time of the last change.
    updated_at: DateTime<Utc>,
}

/// The states of several items.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemStatesView {
    /// The states, sorted by item. Items of other feeds are omitted.
    states: Vec<ItemStateView>,
}

/// The result of marking items as read.
#[derive(Serialize, ToSchema)]
pub(crate) struct MarkedView {
    /// The token for `POST /api/undo`. It works once, for ten minutes.
    #[schema(value_type = Uuid)]
    undo_token: UndoId,
    /// The number of items that were unread before.
    marked: usize,
}

/// The result of an undo.
#[derive(Serialize, ToSchema)]
pub(crate) struct UndoneView {
    /// The number of items that are unread again.
    unread: usize,
}

/// Changes to the state of an item. Omitted fields stay the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ItemStatePatch {
    /// Whether the item is read.
    is_read: Option<bool>,
    /// Whether the item is starred.
    is_starred: Option<bool>,
}

/// The id of an item, as a string because JavaScript has no 64-bit integers.
#[derive(ToSchema)]
#[schema(value_type = String, pattern = "^[0-9]{1,18}$")]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ItemNumber(String);

/// Changes to the states of several items. Omitted fields stay the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ItemStatesPatch {
    /// The ids of the items.
    #[schema(min_items = 1, max_items = 1000, value_type = Vec<ItemNumber>)]
    ids: Vec<String>,
    /// Whether the item is read.
    is_read: Option<bool>,
    /// Whether the item is starred.
    is_starred: Option<bool>,
}

/// The items of a feed to mark as read. They must match all given conditions.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct MarkFeedRead {
    /// The `as_of` of a page of items: only items that had arrived by then, whatever their date.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: Option<String>,
    /// The id of an item: only this item and older ones.
    #[schema(pattern = "^[0-9]{1,18}$")]
    up_to: Option<String>,
    /// Only items published before this time.
    older_than: Option<DateTime<Utc>>,
    /// `starred` for starred items only.
    filter: Option<ItemFilter>,
}

/// The items to mark as read. They must match all given conditions.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct MarkItemsRead {
    /// The `as_of` of a page of items: only items that had arrived by then, whatever their date.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: Option<String>,
    /// The id of an item: only this item and older ones.
    #[schema(pattern = "^[0-9]{1,18}$")]
    up_to: Option<String>,
    /// Only items published before this time.
    older_than: Option<DateTime<Utc>>,
    /// `starred` for starred items only.
    filter: Option<ItemFilter>,
    /// Only items of the feeds in this folder.
    #[schema(value_type = Option<Uuid>)]
    folder: Option<FolderId>,
}

/// The operation to undo.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UndoRequest {
    /// The token in the response of the operation.
    #[schema(value_type = Uuid)]
    undo_token: UndoId,
}

/// Update the state of an item
///
/// Marks it as read or unread, starred or not. The operation is idempotent.
#[utoipa::path(put, path = "/api/items/{id}/state", tag = "items",
    params(("id" = String, Path, description = "The item", pattern = "^[0-9]{1,18}$")),
    request_body = ItemStatePatch, responses(
    (status = 200, description = "The updated state", body = ItemStateView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
))]
pub(crate) async fn update_item_state(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<ItemId>,
    JsonBody(patch): JsonBody<ItemStatePatch>,
) -> Result<impl IntoResponse, ApiError> {
    let patch = StatePatch { is_read: patch.is_read, is_starred: patch.is_starred };
    let state = app.reader.update_state(caller.user_id, id, patch).await?;
    Ok(with_revision(state.revision, Json(view(caller, state.value))))
}

/// Update the states of several items
///
/// Marks up to 1,000 items as read or unread, starred or not. Items of feeds that you do not subscribe to are ignored.
#[utoipa::path(post, path = "/api/items/state", tag = "items", request_body = ItemStatesPatch, responses(
    (status = 200, description = "The updated states", body = ItemStatesView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
))]
pub(crate) async fn update_item_states(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(patch): JsonBody<ItemStatesPatch>,
) -> Result<impl IntoResponse, ApiError> {
    if !(1..=MAX_ITEMS).contains(&patch.ids.len()) {
        return Err(Error::InvalidItemCount { min: 1, max: MAX_ITEMS }.into());
    }
    let ids = patch.ids.iter().map(|id| item("ids", id)).collect::<Result<Vec<_>, _>>()?;
    let change = StatePatch { is_read: patch.is_read, is_starred: patch.is_starred };
    let Revised { value, revision } = app.reader.update_states(caller.user_id, &ids, change).await?;
    let states = value.into_iter().map(|state| view(caller, state)).collect();
    Ok(with_revision(revision, Json(ItemStatesView { states })))
}

/// Mark items of all feeds as read
///
/// Marks all items without a body. With `as_of`, items that arrived after that page stay unread, also if their date is older.
/// `POST /api/undo` reverts it within ten minutes.
#[utoipa::path(post, path = "/api/items/read", tag = "items", request_body = Option<MarkItemsRead>, responses(
    (status = 200, description = "The items were marked", body = MarkedView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
    (status = 404, description = "The folder or item does not exist"),
))]
pub(crate) async fn mark_items_read(
    State(app): State<ApiState>,
    caller: Caller,
    OptionalJsonBody(mark): OptionalJsonBody<MarkItemsRead>,
) -> Result<impl IntoResponse, ApiError> {
    let scope = mark.folder.map_or(ItemScope::All, ItemScope::Folder);
    let MarkItemsRead { as_of, up_to, older_than, filter, .. } = mark;
    mark_read(&app, caller, scope, MarkFeedRead { as_of, up_to, older_than, filter }).await
}

/// Mark items of a feed as read
///
/// Marks all items without a body. With `as_of`, items that arrived after that page stay unread, also if their date is older.
/// `POST /api/undo` reverts it within ten minutes.
#[utoipa::path(post, path = "/api/feeds/{id}/read", tag = "items",
    params(("id" = Uuid, Path, description = "The feed")), request_body = Option<MarkFeedRead>, responses(
    (status = 200, description = "The items were marked", body = MarkedView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
))]
pub(crate) async fn mark_feed_read(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    OptionalJsonBody(mark): OptionalJsonBody<MarkFeedRead>,
) -> Result<impl IntoResponse, ApiError> {
    mark_read(&app, caller, ItemScope::Feed(id), mark).await
}

/// Undo marking items as read
///
/// Marks the same items as unread, if they are still read. A token works once, for ten minutes.
#[utoipa::path(post, path = "/api/undo", tag = "items", request_body = UndoRequest, responses(
    (status = 200, description = "The items are unread again", body = UndoneView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
    (status = 404, description = "The token is unknown, used or expired"),
))]
pub(crate) async fn undo_mark(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let undone = app.reader.undo(caller.user_id, request.undo_token).await?;
    Ok(with_revision(undone.revision, Json(UndoneView { unread: undone.value })))
}

async fn mark_read(
    app: &ApiState,
    caller: Caller,
    scope: ItemScope,
    mark: MarkFeedRead,
) -> Result<impl IntoResponse + use<>, ApiError> {
    let request = MarkRead {
        scope,
        is_starred: matches!(mark.filter, Some(ItemFilter::Starred)),
        as_of: mark.as_of.as_deref().map(|id| item("as_of", id)).transpose()?,
        up_to: mark.up_to.as_deref().map(|id| item("up_to", id)).transpose()?,
        older_than: mark.older_than,
    };
    let Revised { value, revision } = app.reader.mark_as_read(caller.user_id, &request).await?;
    let MarkedAsRead { undo, items } = value;
    Ok(with_revision(revision, Json(MarkedView { undo_token: undo, marked: items })))
}

fn item(field: &'static str, id: &str) -> Result<ItemId, ApiError> {
    let digits = id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|_| digits).ok_or_else(|| ApiError::in_field(field, Error::InvalidItemId))
}

fn view(caller: Caller, state: ItemState) -> ItemStateView {
    ItemStateView {
        user_id: caller.user_id,
        item_id: state.item_id.to_string(),
        is_read: state.is_read,
        is_starred: state.is_starred,
        updated_at: state.updated_at,
    }
}
