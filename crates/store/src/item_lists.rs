//! A user's item lists, read from the indexes over `item_states` and `items`.
//!
//! A page takes two steps: its keys from one index, then the rows of those keys. So its cost does not depend on the number of
//! items read, and neither planner has a choice.

mod contents;
mod keys;

pub use contents::{ItemContent, list_contents};
pub use keys::explain;

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::{Db, FeedId, FolderId, ItemId, Result, UserId};

/// An item in a list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemRow {
    pub id: ItemId,
    pub feed_id: FeedId,
    /// Plain text.
    pub title: String,
    pub link: Option<String>,
    pub author: Option<String>,
    /// The publication time, or the time of arrival if the feed gives none.
    pub published_at: DateTime<Utc>,
    /// Whether `published_at` is the time of arrival.
    pub is_date_estimated: bool,
    pub thumbnail_url: Option<String>,
    pub hatebu_count: i64,
    pub hatebu_fetched_at: Option<DateTime<Utc>>,
    pub is_read: bool,
    pub is_starred: bool,
    /// The beginning of the text, plain and on one line. None for an item that arrived before excerpts were stored.
    pub excerpt: Option<String>,
    /// Only without an excerpt: the beginning of the summary, or else of the content, as HTML cut at any point.
    pub beginning: Option<String>,
}

/// An item with its content.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemDetail {
    #[sqlx(flatten)]
    pub row: ItemRow,
    /// Sanitised HTML.
    pub content: Option<String>,
    /// Sanitised HTML.
    pub summary: Option<String>,
    /// A JSON array.
    pub categories: String,
    /// A JSON array.
    pub enclosures: String,
    pub comments_url: Option<String>,
    #[sqlx(flatten)]
    pub full_text: ItemFullText,
}

/// The whole text of an item, from its page.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemFullText {
    /// Sanitised HTML.
    pub full_text: Option<String>,
    /// The code of the problem with the page.
    pub full_text_error: Option<String>,
    /// Whether the user wants to see it instead of the feed's text.
    pub is_full_text_wanted: bool,
}

/// The columns of [`ItemFullText`], of the items `i` with states `s`.
macro_rules! full_text_columns {
    () => {
        "i.full_text, i.full_text_error, exists (select 1 from subscriptions p
            where p.user_id = s.user_id and p.feed_id = i.feed_id and p.full_text <> 'off') as is_full_text_wanted"
    };
}
use full_text_columns;

/// The feeds of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemScope {
    /// All of the user's feeds.
    All,
    /// One feed.
    Feed(FeedId),
    /// The feeds of one folder.
    Folder(FolderId),
}

/// The items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// All items.
    All,
    /// Unread items.
    Unread,
    /// Starred items.
    Starred,
}

/// The order of a list, by [`Position`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    Newest,
    /// Oldest first.
    Oldest,
}

/// The sort key of an item in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::FromRow)]
pub struct Position {
    pub published_at: DateTime<Utc>,
    /// Orders items with the same time.
    #[sqlx(rename = "item_id")]
    pub id: ItemId,
}

/// Selects a page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageQuery {
    pub scope: ItemScope,
    pub filter: Filter,
    pub order: Order,
    /// The position of the last item on the previous page.
    pub after: Option<Position>,
    pub limit: i64,
}

/// The items of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemRows {
    pub items: Vec<ItemRow>,
    /// The position of the last item, if there is a next page.
    pub next: Option<Position>,
}

impl Position {
    /// A position after every possible item.
    pub fn newest() -> Position {
        let day = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(NaiveDate::MAX);
        Position { published_at: day.and_time(NaiveTime::MIN).and_utc(), id: ItemId(i64::MAX) }
    }

    /// A position before every possible item.
    pub fn oldest() -> Position {
        let day = NaiveDate::from_ymd_opt(1, 1, 1).unwrap_or(NaiveDate::MIN);
        Position { published_at: day.and_time(NaiveTime::MIN).and_utc(), id: ItemId(0) }
    }
}

/// The columns of [`ItemRow`], from `items` as `i` and `item_states` as `s`.
macro_rules! row_columns {
    () => {
        concat!("i.id, i.feed_id, i.title, i.link, i.author, i.published_at, i.is_date_estimated, i.thumbnail_url, i.hatebu_count,
         i.hatebu_fetched_at, i.excerpt, s.is_read, s.is_starred,
         case when i.excerpt is null then ", beginning!(), " end as beginning")
    };
}

/// The beginning of the text of `items` as `i`: HTML cut at any point, long enough for a line of text after some markup.
macro_rules! beginning {
    () => {
        "substr(case when i.summary <> '' then i.summary else i.content end, 1, 800)"
    };
}
pub(crate) use beginning;

/// The items of a page.
pub async fn list(db: &Db, user: UserId, page: &PageQuery) -> Result<ItemRows> {
    let limit = usize::try_from(page.limit).unwrap_or_default();
    let mut keys = keys::list(db, user, &PageQuery { limit: page.limit + 1, ..*page }).await?;
    let has_more = keys.len() > limit;
    keys.truncate(limit);
    let next = keys.last().copied().filter(|_| has_more);
    let items = list_by_ids(db, user, &keys.iter().map(|key| key.id).collect::<Vec<_>>()).await?;
    Ok(ItemRows { items, next })
}

/// The user's items among `ids`, in that order.
pub async fn list_by_ids(db: &Db, user: UserId, ids: &[ItemId]) -> Result<Vec<ItemRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<ItemRow> = db
        .read(concat!(
            "select ",
            row_columns!(),
            " from item_states s join items i on i.id = s.item_id
             where s.user_id = $1 and s.item_id in (select value from json_each($2))"
        ))
        .bind(user)
        .bind_numbers(ids.iter().copied())
        .all()
        .await?;
    let mut by_id: HashMap<ItemId, ItemRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

/// The item with its content, if the user has it.
pub async fn get(db: &Db, user: UserId, item: ItemId) -> Result<Option<ItemDetail>> {
    db.read(concat!(
        "select ",
        row_columns!(),
        ", i.content, i.summary, i.categories, i.enclosures, i.comments_url, ",
        full_text_columns!(),
        " from item_states s join items i on i.id = s.item_id where s.user_id = $1 and s.item_id = $2"
    ))
    .bind(user)
    .bind(item)
    .optional()
    .await
}

/// The position of the item, if the user has it.
pub async fn find_position(db: &Db, user: UserId, item: ItemId) -> Result<Option<Position>> {
    db.read("select published_at, item_id from item_states where user_id = $1 and item_id = $2")
        .bind(user)
        .bind(item)
        .optional()
        .await
}

/// The id of the latest item of all feeds. Items that arrive later have a greater id.
pub async fn latest_arrival(db: &Db) -> Result<ItemId> {
    db.read("select coalesce(max(id), 0) from items").scalar().await
}
