//! Lists of items as one person sees them, from the indexes over `item_states` and `items`.
//!
//! A page is found in two steps: its keys from an index alone, then the rows of those keys. So a list costs the same
//! however much has been read, and the planner of either database has nothing to choose.

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
    /// The feed it came with.
    pub feed_id: FeedId,
    /// Its title, as text.
    pub title: String,
    /// The page it is about.
    pub link: Option<String>,
    pub author: Option<String>,
    /// When it was published, or first seen.
    pub published_at: DateTime<Utc>,
    /// Whether that is when it was first seen.
    pub is_date_estimated: bool,
    pub thumbnail_url: Option<String>,
    /// How many bookmarks it has.
    pub hatebu_count: i64,
    /// When they were last asked for.
    pub hatebu_fetched_at: Option<DateTime<Utc>>,
    /// Whether the person has read it.
    pub is_read: bool,
    /// Whether the person has starred it.
    pub is_starred: bool,
    /// How its text begins: plain text on one line. None for an item that arrived before excerpts were stored.
    pub excerpt: Option<String>,
    /// Without an excerpt, how the summary begins, or the content if there is none: HTML, cut anywhere.
    pub beginning: Option<String>,
}

/// An item with all there is to read.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemDetail {
    /// What lists show of it.
    #[sqlx(flatten)]
    pub row: ItemRow,
    /// The whole text as HTML, sanitised.
    pub content: Option<String>,
    /// The summary as HTML, sanitised.
    pub summary: Option<String>,
    /// What it is filed under at its publisher's, a JSON list.
    pub categories: String,
    /// What is attached to it, a JSON list.
    pub enclosures: String,
    /// Where it is talked about.
    pub comments_url: Option<String>,
}

/// Whose items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those of all feeds of the person.
    All,
    /// Those of one feed.
    Feed(FeedId),
    /// Those of the feeds in one folder.
    Folder(FolderId),
}

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// All.
    All,
    /// Those not read.
    Unread,
    /// Those with a star.
    Starred,
}

/// Which comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The newest.
    Newest,
    /// The oldest.
    Oldest,
}

/// The place of an item in every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::FromRow)]
pub struct Position {
    pub published_at: DateTime<Utc>,
    /// Its id, which decides between those of one moment.
    #[sqlx(rename = "item_id")]
    pub id: ItemId,
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub scope: Scope,
    pub filter: Filter,
    pub order: Order,
    /// The last item of the page before.
    pub after: Option<Position>,
    /// The most items.
    pub most: i64,
}

/// The items of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub items: Vec<ItemRow>,
    /// What the next page comes after, if there is one.
    pub next: Option<Position>,
}

impl Position {
    /// After every item there can be.
    pub fn newest() -> Position {
        let day = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(NaiveDate::MAX);
        Position { published_at: day.and_time(NaiveTime::MIN).and_utc(), id: ItemId(i64::MAX) }
    }

    /// Before every item there can be.
    pub fn oldest() -> Position {
        let day = NaiveDate::from_ymd_opt(1, 1, 1).unwrap_or(NaiveDate::MIN);
        Position { published_at: day.and_time(NaiveTime::MIN).and_utc(), id: ItemId(0) }
    }
}

/// The columns of [`ItemRow`], from `items` under the name `i` and `item_states` under the name `s`.
macro_rules! row_columns {
    () => {
        concat!("i.id, i.feed_id, i.title, i.link, i.author, i.published_at, i.is_date_estimated, i.thumbnail_url, i.hatebu_count,
         i.hatebu_fetched_at, i.excerpt, s.is_read, s.is_starred,
         case when i.excerpt is null then ", beginning!(), " end as beginning")
    };
}

/// How the text of `items` under the name `i` begins: HTML, cut anywhere. Long enough for a line of text behind some markup.
macro_rules! beginning {
    () => {
        "substr(case when i.summary <> '' then i.summary else i.content end, 1, 800)"
    };
}
pub(crate) use beginning;

/// The items of a page, in its order.
pub async fn list(db: &Db, user: UserId, page: &Page) -> Result<Listed> {
    let most = usize::try_from(page.most).unwrap_or_default();
    let mut keys = keys::list(db, user, &Page { most: page.most + 1, ..*page }).await?;
    let has_more = keys.len() > most;
    keys.truncate(most);
    let next = keys.last().copied().filter(|_| has_more);
    let items = list_by_ids(db, user, &keys.iter().map(|key| key.id).collect::<Vec<_>>()).await?;
    Ok(Listed { items, next })
}

/// The person's items with these ids, in the order of the ids; those they do not have are left out.
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

/// The item with all there is to read, if the person has it.
pub async fn get(db: &Db, user: UserId, item: ItemId) -> Result<Option<ItemDetail>> {
    db.read(concat!(
        "select ",
        row_columns!(),
        ", i.content, i.summary, i.categories, i.enclosures, i.comments_url
         from item_states s join items i on i.id = s.item_id where s.user_id = $1 and s.item_id = $2"
    ))
    .bind(user)
    .bind(item)
    .optional()
    .await
}

/// Where the item stands in lists, if the person has it.
pub async fn find_position(db: &Db, user: UserId, item: ItemId) -> Result<Option<Position>> {
    db.read("select published_at, item_id from item_states where user_id = $1 and item_id = $2")
        .bind(user)
        .bind(item)
        .optional()
        .await
}

/// The id of the latest arrival of all: what comes later has a greater one.
pub async fn latest_arrival(db: &Db) -> Result<ItemId> {
    db.read("select coalesce(max(id), 0) from items").scalar().await
}
