//! Lists of items, and single items.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use read::{ItemCursor, ListQuery, ListedItem};
use serde::{Deserialize, Serialize};
use store::{
    FeedId, FolderId, ItemId,
    item_lists::{Filter, ItemContent, ItemDetail, ItemScope, Order, Position},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState, Error, Language,
    caller::Caller,
    error::page_problem_text,
    extract::{PathId, QueryString},
};

const DEFAULT_LIMIT: i64 = 50;
const MAX_LIMIT: i64 = 100;

/// An item in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemView {
    /// The id, an ascending number.
    #[schema(pattern = "^[0-9]{1,18}$")]
    id: String,
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The title, as plain text.
    title: String,
    /// The address of the page.
    link: Option<String>,
    /// The author.
    author: Option<String>,
    /// The beginning of the text, on one line.
    excerpt: String,
    /// The address of an image.
    thumbnail_url: Option<String>,
    /// The time of publication.
    published_at: DateTime<Utc>,
    /// Whether the item has no date and `published_at` is the time it was first seen.
    is_date_estimated: bool,
    /// Whether it is read.
    is_read: bool,
    /// Whether it is starred.
    is_starred: bool,
    /// The number of Hatena bookmarks.
    hatebu_count: i64,
    /// The time the bookmarks were last counted; null before the first count.
    hatebu_fetched_at: Option<DateTime<Utc>>,
    /// The content. Only with `include=content`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    details: Option<ItemContentView>,
}

/// The content of an item.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemContentView {
    /// The full text, as sanitised HTML.
    content: Option<String>,
    /// The summary, as sanitised HTML.
    summary: Option<String>,
    /// The categories of the publisher.
    categories: Vec<String>,
    /// The attachments.
    enclosures: Vec<EnclosureView>,
    /// The address of the comments.
    comments_url: Option<String>,
    /// The whole text from the page of the item, as sanitised HTML; null unless it was fetched.
    full_text: Option<String>,
    /// Why the page could not be read, in the language of the request.
    full_text_error: Option<String>,
    /// Whether your subscription shows the whole text, if there is one, instead of the feed's.
    prefers_full_text: bool,
}

/// An item with its content.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemDetailView {
    /// The id, an ascending number.
    #[schema(pattern = "^[0-9]{1,18}$")]
    id: String,
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The title, as plain text.
    title: String,
    /// The address of the page.
    link: Option<String>,
    /// The author.
    author: Option<String>,
    /// The beginning of the text, on one line.
    excerpt: String,
    /// The full text, as sanitised HTML.
    content: Option<String>,
    /// The summary, as sanitised HTML.
    summary: Option<String>,
    /// The categories of the publisher.
    categories: Vec<String>,
    /// The attachments.
    enclosures: Vec<EnclosureView>,
    /// The address of the comments.
    comments_url: Option<String>,
    /// The whole text from the page of the item, as sanitised HTML; null unless it was fetched.
    full_text: Option<String>,
    /// Why the page could not be read, in the language of the request.
    full_text_error: Option<String>,
    /// Whether your subscription shows the whole text, if there is one, instead of the feed's.
    prefers_full_text: bool,
    /// The address of an image.
    thumbnail_url: Option<String>,
    /// The time of publication.
    published_at: DateTime<Utc>,
    /// Whether the item has no date and `published_at` is the time it was first seen.
    is_date_estimated: bool,
    /// Whether it is read.
    is_read: bool,
    /// Whether it is starred.
    is_starred: bool,
    /// The number of Hatena bookmarks.
    hatebu_count: i64,
    /// The time the bookmarks were last counted; null before the first count.
    hatebu_fetched_at: Option<DateTime<Utc>>,
}

/// An attachment of an item, such as an audio file, a video or an image.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct EnclosureView {
    /// The address of the attachment.
    url: String,
    /// The media type that the publisher declares.
    #[serde(rename = "type")]
    media_type: Option<String>,
    /// The size in bytes that the publisher declares.
    length: Option<u64>,
}

/// A page of items.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemsView {
    /// The items, at most `limit`.
    items: Vec<ItemView>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
    /// Whether there is a next page.
    has_more: bool,
    /// The latest item that can be on this page. Pass the `as_of` of the first page when marking items as read, so that items
    /// that arrived later stay unread.
    #[schema(pattern = "^[0-9]{1,18}$")]
    as_of: String,
}

/// A filter of items.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemFilter {
    /// All items.
    #[default]
    All,
    /// Unread items.
    Unread,
    /// Starred items.
    Starred,
}

/// The order of items.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemOrder {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first.
    Oldest,
}

/// Additional parts of an item in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemInclude {
    /// The content.
    Content,
}

/// Parameters of the items of a feed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedItemsQuery {
    /// Only items that match this filter. Defaults to `all`.
    #[param(inline)]
    filter: Option<ItemFilter>,
    /// The order. Defaults to `newest`.
    #[param(inline)]
    order: Option<ItemOrder>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
    /// `content` adds the content of each item, for clients that store a copy.
    #[param(inline)]
    include: Option<ItemInclude>,
    /// The maximum number of items per page. Defaults to 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Parameters of the items of all feeds.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ItemsQuery {
    /// Only items of the feeds in this folder.
    #[param(value_type = Option<Uuid>)]
    folder: Option<FolderId>,
    /// Only items that match this filter. Defaults to `all`.
    #[param(inline)]
    filter: Option<ItemFilter>,
    /// The order. Defaults to `newest`.
    #[param(inline)]
    order: Option<ItemOrder>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
    /// `content` adds the content of each item, for clients that store a copy.
    #[param(inline)]
    include: Option<ItemInclude>,
    /// The maximum number of items per page. Defaults to 50.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// List items of all feeds
///
/// The items of all your subscriptions, or of those in one folder.
#[utoipa::path(get, path = "/api/items", tag = "items", params(ItemsQuery), responses(
    (status = 200, description = "A page of items", body = ItemsView),
    (status = 404, description = "The folder does not exist"),
))]
pub(crate) async fn list_items(
    State(app): State<ApiState>,
    caller: Caller,
    QueryString(query): QueryString<ItemsQuery>,
    language: Language,
) -> Result<Json<ItemsView>, ApiError> {
    let ItemsQuery { folder, filter, order, cursor, include, limit } = query;
    let scope = folder.map_or(ItemScope::All, ItemScope::Folder);
    list(&app, caller, list_query(scope, FeedItemsQuery { filter, order, cursor, include, limit })?, language).await
}

/// List items of a feed
///
/// Like `GET /api/items`, for one of your subscriptions.
#[utoipa::path(get, path = "/api/feeds/{id}/items", tag = "items",
    params(("id" = Uuid, Path, description = "The feed"), FeedItemsQuery), responses(
    (status = 200, description = "A page of items", body = ItemsView),
))]
pub(crate) async fn list_feed_items(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    QueryString(query): QueryString<FeedItemsQuery>,
    language: Language,
) -> Result<Json<ItemsView>, ApiError> {
    list(&app, caller, list_query(ItemScope::Feed(id), query)?, language).await
}

/// Get an item
///
/// Does not mark it as read: use `PUT /api/items/{id}/state` for that.
#[utoipa::path(get, path = "/api/items/{id}", tag = "items",
    params(("id" = String, Path, description = "The item", pattern = "^[0-9]{1,18}$")), responses(
    (status = 200, description = "The item with its content", body = ItemDetailView),
))]
pub(crate) async fn get_item(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<ItemId>,
    language: Language,
) -> Result<Json<ItemDetailView>, ApiError> {
    Ok(Json(detail_view(app.reader.get_item(caller.user_id, id).await?, language)))
}

/// Get the whole text of an item
///
/// Fetches the page of the item unless its text is stored. A page that cannot be read has `full_text_error`.
#[utoipa::path(post, path = "/api/items/{id}/full-text", tag = "items",
    params(("id" = String, Path, description = "The item", pattern = "^[0-9]{1,18}$")), responses(
    (status = 200, description = "The item with its whole text, or with the reason why there is none", body = ItemDetailView),
    (status = 503, description = "The page cannot be fetched now"),
))]
pub(crate) async fn get_full_text(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<ItemId>,
    language: Language,
) -> Result<Json<ItemDetailView>, ApiError> {
    Ok(Json(detail_view(app.reader.get_full_text(caller.user_id, id).await?, language)))
}

fn list_query(scope: ItemScope, query: FeedItemsQuery) -> Result<ListQuery, ApiError> {
    let order = match query.order.unwrap_or_default() {
        ItemOrder::Newest => Order::Newest,
        ItemOrder::Oldest => Order::Oldest,
    };
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::in_field("limit", Error::FieldUnusable));
    }
    let after = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let filter = query.filter.unwrap_or_default().into();
    let with_content = query.include == Some(ItemInclude::Content);
    Ok(ListQuery { scope, filter, order, after, limit, with_content })
}

async fn list(
    app: &ApiState,
    caller: Caller,
    query: ListQuery,
    language: Language,
) -> Result<Json<ItemsView>, ApiError> {
    let page = app.reader.list_items(caller.user_id, &query).await?;
    Ok(Json(ItemsView {
        items: page.items.into_iter().map(|item| view(item, language)).collect(),
        next_cursor: page.next.map(|next| ItemCursor(next).to_string()),
        has_more: page.next.is_some(),
        as_of: page.as_of.to_string(),
    }))
}

/// The position of a cursor in a list.
pub(crate) fn parse_cursor(cursor: &str) -> Result<Position, ApiError> {
    let parsed = cursor.parse().map(|ItemCursor(position)| position);
    parsed.map_err(|_| Error::UnknownCursor.into())
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

pub(crate) fn view(ListedItem { row, excerpt, content }: ListedItem, language: Language) -> ItemView {
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
        details: content.map(|content| content_view(content, language)),
    }
}

fn content_view(content: ItemContent, language: Language) -> ItemContentView {
    ItemContentView {
        content: content.content,
        summary: content.summary,
        // This server writes the JSON; invalid values are not shown.
        categories: serde_json::from_str(&content.categories).unwrap_or_default(),
        enclosures: serde_json::from_str(&content.enclosures).unwrap_or_default(),
        comments_url: content.comments_url,
        full_text: content.full_text.full_text,
        full_text_error: content.full_text.full_text_error.map(|code| page_problem_text(&code, language)),
        prefers_full_text: content.full_text.is_full_text_wanted,
    }
}

fn detail_view(detail: ItemDetail, language: Language) -> ItemDetailView {
    let ItemDetail { row, content, summary, categories, enclosures, comments_url, full_text } = detail;
    let content = ItemContent { id: row.id, content, summary, categories, enclosures, comments_url, full_text };
    let (item, content) = (view(ListedItem::of(row), language), content_view(content, language));
    ItemDetailView {
        id: item.id,
        feed_id: item.feed_id,
        title: item.title,
        link: item.link,
        author: item.author,
        excerpt: item.excerpt,
        content: content.content,
        summary: content.summary,
        categories: content.categories,
        enclosures: content.enclosures,
        comments_url: content.comments_url,
        full_text: content.full_text,
        full_text_error: content.full_text_error,
        prefers_full_text: content.prefers_full_text,
        thumbnail_url: item.thumbnail_url,
        published_at: item.published_at,
        is_date_estimated: item.is_date_estimated,
        is_read: item.is_read,
        is_starred: item.is_starred,
        hatebu_count: item.hatebu_count,
        hatebu_fetched_at: item.hatebu_fetched_at,
    }
}
