//! Full-text search of items.

use axum::{Json, extract::State};
use read::{ItemCursor, ListedItem};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState, Language,
    caller::Caller,
    extract::QueryString,
    items::{self, ItemView, parse_cursor},
};

/// Items per page.
const PAGE_SIZE: usize = 50;

/// An item in the search results.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchResultView {
    /// The item, as in a list.
    #[serde(flatten)]
    item: ItemView,
    /// The text around a match, on one line. The beginning of the text if the match is elsewhere.
    snippet: String,
}

/// A page of search results.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchResultsView {
    /// At most 50 items, the newest first. A page can be short or empty without being the last one.
    items: Vec<SearchResultView>,
    /// The search terms to highlight. Case, width and accents do not matter.
    terms: Vec<String>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
    /// Whether there may be a next page.
    has_more: bool,
}

/// Parameters of a search.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Words, `"phrases"` or 「…」 that must all occur. A minus excludes a term: `rust "borrow checker" -c`. The prefixes
    /// `title:`, `author:` and `feed:` search only there.
    #[param(max_length = 200)]
    q: String,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// Search items
///
/// Searches title, text, author and feed title of the items of your subscriptions, the newest first. Latin terms of three or
/// more letters match the beginning of a word; in quotes or after a minus they match whole words. Japanese terms match
/// anywhere.
#[utoipa::path(get, path = "/api/search", tag = "items", params(SearchQuery), responses(
    (status = 200, description = "A page of results", body = SearchResultsView),
))]
pub(crate) async fn search_items(
    State(app): State<ApiState>,
    caller: Caller,
    QueryString(query): QueryString<SearchQuery>,
    language: Language,
) -> Result<Json<SearchResultsView>, ApiError> {
    let before = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let found = app.reader.search_items(caller.user_id, &query.q, before, PAGE_SIZE).await?;
    let view = |found: read::SearchHit| SearchResultView {
        item: items::view(ListedItem::of(found.row), language),
        snippet: found.snippet,
    };
    Ok(Json(SearchResultsView {
        items: found.items.into_iter().map(view).collect(),
        terms: found.terms,
        next_cursor: found.next.map(|next| ItemCursor(next).to_string()),
        has_more: found.next.is_some(),
    }))
}
