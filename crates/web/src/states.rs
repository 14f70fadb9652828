//! What a person has read and starred, and taking it back.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use read::{MarkRead, Marked, StatePatch};
use serde::{Deserialize, Serialize};
use store::{FeedId, FolderId, ItemId, UndoId, UserId, item_lists::ItemScope, states::ItemState};
use utoipa::ToSchema;

use crate::{
    ApiError, App, Error,
    caller::Caller,
    extract::{JsonBody, OptionalJsonBody, PathId},
    items::ItemFilter,
};

const MOST_ITEMS: usize = 1_000;

/// What you have done with an item.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemStateView {
    /// You.
    #[schema(value_type = Uuid)]
    user_id: UserId,
    /// The item.
    #[schema(pattern = "^[0-9]{1,18}$")]
    item_id: String,
    /// Whether it is read.
    is_read: bool,
    /// Whether it has a star.
    is_starred: bool,
    /// When that last changed.
    updated_at: DateTime<Utc>,
}

/// What you have done with several items.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemStatesView {
    /// In the order of the items; those that you do not have are left out.
    states: Vec<ItemStateView>,
}

/// What was marked as read.
#[derive(Serialize, ToSchema)]
pub(crate) struct MarkedView {
    /// Takes it back with `POST /api/undo`, once, for ten minutes.
    #[schema(value_type = Uuid)]
    undo_token: UndoId,
    /// How many items were unread before.
    marked: usize,
}

/// What was taken back.
#[derive(Serialize, ToSchema)]
pub(crate) struct UndoneView {
    /// How many items are unread again.
    unread: usize,
}

/// What to change about an item; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ItemStatePatch {
    /// Read or unread.
    is_read: Option<bool>,
    /// With a star or without.
    is_starred: Option<bool>,
}

/// The id of an item, written as a string: JSON has no 64-bit numbers.
#[derive(ToSchema)]
#[schema(value_type = String, pattern = "^[0-9]{1,18}$")]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ItemNumber(String);

/// What to change about several items; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ItemStatesPatch {
    /// The items.
    #[schema(min_items = 1, max_items = 1000, value_type = Vec<ItemNumber>)]
    ids: Vec<String>,
    /// Read or unread.
    is_read: Option<bool>,
    /// With a star or without.
    is_starred: Option<bool>,
}

/// Which of a feed's items to mark as read: those that meet all conditions given.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct FeedMark {
    /// `as_of` of a page of items: nothing that arrived after that page was made, whatever its date.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: Option<String>,
    /// An item: itself and what stands behind it in a list that begins with the newest.
    #[schema(pattern = "^[0-9]{1,18}$")]
    up_to: Option<String>,
    /// Only what was published before this time.
    older_than: Option<DateTime<Utc>>,
    /// Only those with a star, or all.
    filter: Option<ItemFilter>,
}

/// Which items to mark as read: those that meet all conditions given.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct ItemsMark {
    /// `as_of` of a page of items: nothing that arrived after that page was made, whatever its date.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: Option<String>,
    /// An item: itself and what stands behind it in a list that begins with the newest.
    #[schema(pattern = "^[0-9]{1,18}$")]
    up_to: Option<String>,
    /// Only what was published before this time.
    older_than: Option<DateTime<Utc>>,
    /// Only those with a star, or all.
    filter: Option<ItemFilter>,
    /// Only those of the feeds in this folder.
    #[schema(value_type = Option<Uuid>)]
    folder: Option<FolderId>,
}

/// What to take back.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UndoRequest {
    /// The token that marking gave.
    #[schema(value_type = Uuid)]
    undo_token: UndoId,
}

/// Mark an item
///
/// As read or unread, with a star or without. Asking twice is the same as asking once.
#[utoipa::path(put, path = "/api/items/{id}/state", tag = "items",
    params(("id" = String, Path, description = "The item", pattern = "^[0-9]{1,18}$")),
    request_body = ItemStatePatch, responses(
    (status = 200, description = "Its state as it is now", body = ItemStateView),
))]
pub(crate) async fn update_item_state(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<ItemId>,
    JsonBody(patch): JsonBody<ItemStatePatch>,
) -> Result<Json<ItemStateView>, ApiError> {
    let patch = StatePatch { is_read: patch.is_read, is_starred: patch.is_starred };
    let state = app.reader.change_state(caller.user_id, id, patch).await?;
    Ok(Json(view(caller, state)))
}

/// Mark several items
///
/// Up to 1,000 at once, as read or unread, with a star or without. Items that you do not have are left out.
#[utoipa::path(post, path = "/api/items/state", tag = "items", request_body = ItemStatesPatch, responses(
    (status = 200, description = "Their states as they are now", body = ItemStatesView),
))]
pub(crate) async fn update_item_states(
    State(app): State<App>,
    caller: Caller,
    JsonBody(patch): JsonBody<ItemStatesPatch>,
) -> Result<Json<ItemStatesView>, ApiError> {
    if !(1..=MOST_ITEMS).contains(&patch.ids.len()) {
        return Err(Error::InvalidItemCount { min: 1, max: MOST_ITEMS }.into());
    }
    let ids = patch.ids.iter().map(|id| item("ids", id)).collect::<Result<Vec<_>, _>>()?;
    let change = StatePatch { is_read: patch.is_read, is_starred: patch.is_starred };
    let states = app.reader.change_states(caller.user_id, &ids, change).await?;
    Ok(Json(ItemStatesView { states: states.into_iter().map(|state| view(caller, state)).collect() }))
}

/// Mark items of all feeds as read
///
/// All of them without a body. With `as_of`, only what had arrived when that page of items was made, so nothing is marked
/// that you have not been shown: what arrived later stays unread, also when its date is older than what you saw.
/// All of it can be taken back for ten minutes.
#[utoipa::path(post, path = "/api/items/read", tag = "items", request_body = Option<ItemsMark>, responses(
    (status = 200, description = "What was marked", body = MarkedView),
    (status = 404, description = "You have no such folder or item"),
))]
pub(crate) async fn mark_items_read(
    State(app): State<App>,
    caller: Caller,
    OptionalJsonBody(mark): OptionalJsonBody<ItemsMark>,
) -> Result<Json<MarkedView>, ApiError> {
    let scope = mark.folder.map_or(ItemScope::All, ItemScope::Folder);
    let ItemsMark { as_of, up_to, older_than, filter, .. } = mark;
    mark_read(&app, caller, scope, FeedMark { as_of, up_to, older_than, filter }).await
}

/// Mark items of a feed as read
///
/// All of them without a body. With `as_of`, only what had arrived when that page of items was made, so nothing is marked
/// that you have not been shown: what arrived later stays unread, also when its date is older than what you saw.
/// All of it can be taken back for ten minutes.
#[utoipa::path(post, path = "/api/feeds/{id}/read", tag = "items",
    params(("id" = Uuid, Path, description = "The feed")), request_body = Option<FeedMark>, responses(
    (status = 200, description = "What was marked", body = MarkedView),
))]
pub(crate) async fn mark_feed_read(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    OptionalJsonBody(mark): OptionalJsonBody<FeedMark>,
) -> Result<Json<MarkedView>, ApiError> {
    mark_read(&app, caller, ItemScope::Feed(id), mark).await
}

/// Take back what was marked as read
///
/// Makes exactly those items unread again that were marked and are still read. A token works once, for ten minutes.
#[utoipa::path(post, path = "/api/undo", tag = "items", request_body = UndoRequest, responses(
    (status = 200, description = "What was taken back", body = UndoneView),
    (status = 404, description = "The token is unknown, was used, or is older than ten minutes"),
))]
pub(crate) async fn undo_mark(
    State(app): State<App>,
    caller: Caller,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<Json<UndoneView>, ApiError> {
    let unread = app.reader.undo(caller.user_id, request.undo_token).await?;
    Ok(Json(UndoneView { unread }))
}

async fn mark_read(app: &App, caller: Caller, scope: ItemScope, mark: FeedMark) -> Result<Json<MarkedView>, ApiError> {
    let request = MarkRead {
        scope,
        is_starred: matches!(mark.filter, Some(ItemFilter::Starred)),
        as_of: mark.as_of.as_deref().map(|id| item("as_of", id)).transpose()?,
        up_to: mark.up_to.as_deref().map(|id| item("up_to", id)).transpose()?,
        older_than: mark.older_than,
    };
    let Marked { undo, items } = app.reader.mark_as_read(caller.user_id, &request).await?;
    Ok(Json(MarkedView { undo_token: undo, marked: items }))
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
