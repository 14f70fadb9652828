//! Full-text search: an index that finds candidates by their words, and the texts to check them with.
//!
//! The caller splits texts into words, so both databases index the same words. SQLite has FTS5, with rows in list order.
//! PostgreSQL has GIN, with extra words for the day and the feed. Both find words by prefix. Results of the index may be stale or
//! too many, so the caller checks them against the texts.

mod expression;
mod index;
mod walk;

pub use expression::{Expression, IndexQuery};
pub use index::{IndexBatch, claim, mark_pending};
pub use walk::Walk;

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, ItemId, Result, UserId, item_lists::Position};

/// The searchable texts of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemText {
    pub id: ItemId,
    pub feed_id: FeedId,
    pub published_at: DateTime<Utc>,
    /// Plain text.
    pub title: String,
    pub author: Option<String>,
    /// The beginning, as HTML cut at any point.
    pub content: Option<String>,
    pub summary: Option<String>,
}

/// The titles of a subscribed feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedTitles {
    pub feed_id: FeedId,
    pub title: String,
    pub own_title: Option<String>,
}

/// The columns of [`ItemText`], from `items` as `i`. Only the beginning of a text is searched.
macro_rules! text_columns {
    () => {
        "i.id, i.feed_id, i.published_at, i.title, i.author, substr(coalesce(i.full_text, i.content), 1, 100000) as content,
         substr(i.summary, 1, 20000) as summary"
    };
}
use text_columns;

/// The user's items among `items`, in any order. Content and summary are empty unless `whole`.
pub async fn list_texts(
    db: &Db,
    user: UserId,
    items: impl IntoIterator<Item = ItemId>,
    whole: bool,
) -> Result<Vec<ItemText>> {
    let heads = "select i.id, i.feed_id, i.published_at, i.title, i.author, null as content, null as summary
        from item_states s join items i on i.id = s.item_id
        where s.user_id = $1 and s.item_id in (select value from json_each($2))";
    let texts = concat!(
        "select ",
        text_columns!(),
        " from item_states s join items i on i.id = s.item_id
         where s.user_id = $1 and s.item_id in (select value from json_each($2))"
    );
    db.read(if whole { texts } else { heads }).bind(user).bind_numbers(items).all().await
}

/// The user's items before the position `before`, newest first.
pub async fn list_newest_texts(db: &Db, user: UserId, before: Position, limit: usize) -> Result<Vec<ItemText>> {
    db.read(concat!(
        "select ",
        text_columns!(),
        " from (
            select published_at, item_id from item_states
            where user_id = $1 and published_at <= $2 and (published_at, item_id) < ($2, $3)
            order by published_at desc, item_id desc limit $4) as s
         join items i on i.id = s.item_id order by s.published_at desc, s.item_id desc"
    ))
    .bind(user)
    .bind(before.published_at)
    .bind(before.id)
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .all()
    .await
}

/// The titles of the user's feeds.
pub async fn list_feed_titles(db: &Db, user: UserId) -> Result<Vec<FeedTitles>> {
    db.read(
        "select s.feed_id, f.title, s.title as own_title from subscriptions s join feeds f on f.id = s.feed_id
         where s.user_id = $1",
    )
    .bind(user)
    .all()
    .await
}

/// The number of feeds of all users.
pub async fn count_feeds(db: &Db) -> Result<i64> {
    db.read("select count(*) from feeds").scalar().await
}
