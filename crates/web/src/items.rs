//! Items: lists of them and single ones.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use read::{Cursor, ListQuery, ListedItem};
use serde::{Deserialize, Serialize};
use store::{
    FeedId, FolderId, ItemId,
    item_lists::{Filter, ItemContent, ItemDetail, ItemScope, Order, Position},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, App, Error,
    caller::Caller,
    extract::{PathId, QueryString},
};

/// How many items a page has, unless the client says otherwise, and the most it may ask for.
const PAGE: i64 = 50;
const MOST: i64 = 100;

/// An item in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemView {
    /// Its id, an ascending number.
    #[schema(pattern = "^[0-9]{1,18}$")]
    id: String,
    /// The feed it came with.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// Its title, as text.
    title: String,
    /// The page it is about.
    link: Option<String>,
    /// Who wrote it.
    author: Option<String>,
    /// How its text begins, on one line.
    excerpt: String,
    /// A picture of it.
    thumbnail_url: Option<String>,
    /// When it was published.
    published_at: DateTime<Utc>,
    /// Whether it has no date of its own, and this is when it was first seen.
    is_date_estimated: bool,
    /// Whether it is read.
    is_read: bool,
    /// Whether it has a star.
    is_starred: bool,
    /// How many bookmarks it has at Hatena.
    hatebu_count: i64,
    /// When they were last counted; null as long as nobody has.
    hatebu_fetched_at: Option<DateTime<Utc>>,
    /// All there is to read; only there with `include=content`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    details: Option<ItemContentView>,
}

/// All there is to read of an item.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemContentView {
    /// The whole text, as HTML that can do no harm.
    content: Option<String>,
    /// The summary, as HTML that can do no harm.
    summary: Option<String>,
    /// What its publisher files it under.
    categories: Vec<String>,
    /// What is attached to it.
    enclosures: Vec<EnclosureView>,
    /// Where it is talked about.
    comments_url: Option<String>,
}

/// An item with all there is to read.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemDetailView {
    /// Its id, an ascending number.
    #[schema(pattern = "^[0-9]{1,18}$")]
    id: String,
    /// The feed it came with.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// Its title, as text.
    title: String,
    /// The page it is about.
    link: Option<String>,
    /// Who wrote it.
    author: Option<String>,
    /// How its text begins, on one line.
    excerpt: String,
    /// The whole text, as HTML that can do no harm.
    content: Option<String>,
    /// The summary, as HTML that can do no harm.
    summary: Option<String>,
    /// What its publisher files it under.
    categories: Vec<String>,
    /// What is attached to it.
    enclosures: Vec<EnclosureView>,
    /// Where it is talked about.
    comments_url: Option<String>,
    /// A picture of it.
    thumbnail_url: Option<String>,
    /// When it was published.
    published_at: DateTime<Utc>,
    /// Whether it has no date of its own, and this is when it was first seen.
    is_date_estimated: bool,
    /// Whether it is read.
    is_read: bool,
    /// Whether it has a star.
    is_starred: bool,
    /// How many bookmarks it has at Hatena.
    hatebu_count: i64,
    /// When they were last counted; null as long as nobody has.
    hatebu_fetched_at: Option<DateTime<Utc>>,
}

/// Something attached to an item: a recording, a film, a picture.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct EnclosureView {
    /// Where it is.
    url: String,
    /// Its media type, as its publisher says.
    #[serde(rename = "type")]
    media_type: Option<String>,
    /// Its size in bytes, as its publisher says.
    length: Option<u64>,
}

/// A page of items.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemsView {
    /// 50 items at the most, or as many as `limit` says.
    items: Vec<ItemView>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
    /// Whether there is a next page.
    has_more: bool,
    /// The latest arrival that can be on this page. Marking everything as read with the `as_of` of the first page leaves
    /// unread what came after it was shown.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: String,
}

/// Which items to list.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemFilter {
    /// All of them.
    #[default]
    All,
    /// Those not read.
    Unread,
    /// Those with a star.
    Starred,
}

/// Which items come first.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemOrder {
    /// The newest.
    #[default]
    Newest,
    /// The oldest.
    Oldest,
}

/// What else an item in a list can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemInclude {
    /// All there is to read.
    Content,
}

/// Which of a feed's items to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedItemsQuery {
    /// Which of them; all unless said otherwise.
    #[param(inline)]
    filter: Option<ItemFilter>,
    /// Which come first; the newest unless said otherwise.
    #[param(inline)]
    order: Option<ItemOrder>,
    /// Where to go on: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Which items to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ItemsQuery {
    /// Only those of the feeds in this folder.
    #[param(value_type = Option<Uuid>)]
    folder: Option<FolderId>,
    /// Which of them; all unless said otherwise.
    #[param(inline)]
    filter: Option<ItemFilter>,
    /// Which come first; the newest unless said otherwise.
    #[param(inline)]
    order: Option<ItemOrder>,
    /// Where to go on: `next_cursor` of the page before.
    cursor: Option<String>,
    /// `content` brings all there is to read with each item: for clients that keep a copy.
    #[param(inline)]
    include: Option<ItemInclude>,
    /// How many items a page has; 50 unless said otherwise.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// List items of all feeds
///
/// Page by page, of all feeds that you read or of those in one folder.
#[utoipa::path(get, path = "/api/items", tag = "items", params(ItemsQuery), responses(
    (status = 200, description = "A page of items", body = ItemsView),
    (status = 404, description = "You have no such folder"),
))]
pub(crate) async fn list_items(
    State(app): State<App>,
    caller: Caller,
    QueryString(query): QueryString<ItemsQuery>,
) -> Result<Json<ItemsView>, ApiError> {
    let ItemsQuery { folder, filter, order, cursor, include, limit } = query;
    let most = limit.unwrap_or(PAGE);
    if !(1..=MOST).contains(&most) {
        return Err(ApiError::in_field("limit", Error::FieldUnusable));
    }
    let query = list_query(folder.map_or(ItemScope::All, ItemScope::Folder), FeedItemsQuery { filter, order, cursor })?;
    list(&app, caller, ListQuery { most, with_content: include == Some(ItemInclude::Content), ..query }).await
}

/// List items of a feed
///
/// 50 a page.
#[utoipa::path(get, path = "/api/feeds/{id}/items", tag = "items",
    params(("id" = Uuid, Path, description = "The feed"), FeedItemsQuery), responses(
    (status = 200, description = "A page of items", body = ItemsView),
))]
pub(crate) async fn list_feed_items(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    QueryString(query): QueryString<FeedItemsQuery>,
) -> Result<Json<ItemsView>, ApiError> {
    list(&app, caller, list_query(ItemScope::Feed(id), query)?).await
}

/// Read an item
///
/// It stays unread: mark it with `PUT /api/items/{id}/state`.
#[utoipa::path(get, path = "/api/items/{id}", tag = "items",
    params(("id" = String, Path, description = "The item", pattern = "^[0-9]{1,18}$")), responses(
    (status = 200, description = "The item with all there is to read", body = ItemDetailView),
))]
pub(crate) async fn get_item(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<ItemId>,
) -> Result<Json<ItemDetailView>, ApiError> {
    Ok(Json(ItemDetailView::from(app.reader.item(caller.user_id, id).await?)))
}

fn list_query(scope: ItemScope, query: FeedItemsQuery) -> Result<ListQuery, ApiError> {
    let order = match query.order.unwrap_or_default() {
        ItemOrder::Newest => Order::Newest,
        ItemOrder::Oldest => Order::Oldest,
    };
    let after = query.cursor.as_deref().map(place).transpose()?;
    let filter = query.filter.unwrap_or_default().into();
    Ok(ListQuery { scope, filter, order, after, most: PAGE, with_content: false })
}

async fn list(app: &App, caller: Caller, query: ListQuery) -> Result<Json<ItemsView>, ApiError> {
    let page = app.reader.list_items(caller.user_id, &query).await?;
    Ok(Json(ItemsView {
        items: page.items.into_iter().map(ItemView::from).collect(),
        next_cursor: page.next.map(|next| Cursor(next).to_string()),
        has_more: page.next.is_some(),
        as_of: page.as_of.to_string(),
    }))
}

/// The place in a list that a cursor names.
pub(crate) fn place(cursor: &str) -> Result<Position, ApiError> {
    let known = cursor.parse().map(|Cursor(position)| position);
    known.map_err(|_| Error::UnknownCursor.into())
}

impl From<ItemFilter> for Filter {
    fn from(filter: ItemFilter) -> Self {
        match filter {
            ItemFilter::All => Filter::All,
            ItemFilter::Unread => Filter::Unread,
            ItemFilter::Starred => Filter::Starred,
        }
    }
}

impl From<ListedItem> for ItemView {
    fn from(ListedItem { row, excerpt, content }: ListedItem) -> Self {
        ItemView {
            id: row.id.to_string(),
            feed_id: row.feed_id,
            title: row.title,
            link: row.link,
            author: row.author,
            excerpt,
            thumbnail_url: row.thumbnail_url,
            published_at: row.published_at,
            is_date_estimated: row.is_date_estimated,
            is_read: row.is_read,
            is_starred: row.is_starred,
            hatebu_count: row.hatebu_count,
            hatebu_fetched_at: row.hatebu_fetched_at,
            details: content.map(ItemContentView::from),
        }
    }
}

impl From<ItemContent> for ItemContentView {
    fn from(content: ItemContent) -> Self {
        ItemContentView {
            content: content.content,
            summary: content.summary,
            // Written by ourselves; whatever else is there is better not shown.
            categories: serde_json::from_str(&content.categories).unwrap_or_default(),
            enclosures: serde_json::from_str(&content.enclosures).unwrap_or_default(),
            comments_url: content.comments_url,
        }
    }
}

impl From<ItemDetail> for ItemDetailView {
    fn from(detail: ItemDetail) -> Self {
        let item = ItemView::from(ListedItem::of(detail.row));
        ItemDetailView {
            id: item.id,
            feed_id: item.feed_id,
            title: item.title,
            link: item.link,
            author: item.author,
            excerpt: item.excerpt,
            content: detail.content,
            summary: detail.summary,
            // Written by ourselves; whatever else is there is better not shown.
            categories: serde_json::from_str(&detail.categories).unwrap_or_default(),
            enclosures: serde_json::from_str(&detail.enclosures).unwrap_or_default(),
            comments_url: detail.comments_url,
            thumbnail_url: item.thumbnail_url,
            published_at: item.published_at,
            is_date_estimated: item.is_date_estimated,
            is_read: item.is_read,
            is_starred: item.is_starred,
            hatebu_count: item.hatebu_count,
            hatebu_fetched_at: item.hatebu_fetched_at,
        }
    }
}
