//! Search.

use axum::{Json, extract::State};
use read::{Cursor, ListedItem};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState,
    caller::Caller,
    extract::QueryString,
    items::{ItemView, place},
};

/// How many items a page has at the most.
const PAGE: usize = 50;

/// An item that was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchResultView {
    /// As in a list.
    #[serde(flatten)]
    item: ItemView,
    /// Where in its text something was found, as text on one line; the beginning if it was found elsewhere.
    snippet: String,
}

/// A page of what was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchResultsView {
    /// The newest first, 50 at the most. A page can be short, even empty, and not be the last one.
    items: Vec<SearchResultView>,
    /// What was looked for, without regard to case, width and accents: to mark it in the text.
    terms: Vec<String>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
    /// Whether there may be more on a next page.
    has_more: bool,
}

/// What to search for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// LocalizedText that must all be there, `"phrases"` or 「…」, and what must not be after a minus: `rust "borrow checker" -c`.
    /// `title:`, `author:` or `feed:` before any of them looks there alone.
    #[param(max_length = 200)]
    q: String,
    /// Where to go on: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Search items
///
/// In title, text, author and feed of everything that you read, the newest first. Latin words are found by their beginnings of
/// three letters or more, and whole in quotes or after a minus; Japanese ones wherever their characters stand together.
#[utoipa::path(get, path = "/api/search", tag = "items", params(SearchQuery), responses(
    (status = 200, description = "A page of items", body = SearchResultsView),
))]
pub(crate) async fn search_items(
    State(app): State<ApiState>,
    caller: Caller,
    QueryString(query): QueryString<SearchQuery>,
) -> Result<Json<SearchResultsView>, ApiError> {
    let before = query.cursor.as_deref().map(place).transpose()?;
    let found = app.reader.search_items(caller.user_id, &query.q, before, PAGE).await?;
    let view = |found: read::FoundItem| SearchResultView {
        item: ItemView::from(ListedItem::of(found.row)),
        snippet: found.snippet,
    };
    Ok(Json(SearchResultsView {
        items: found.items.into_iter().map(view).collect(),
        terms: found.terms,
        next_cursor: found.next.map(|next| Cursor(next).to_string()),
        has_more: found.next.is_some(),
    }))
}
