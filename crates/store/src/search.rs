//! Search: an index over the words of items, which narrows, and the texts to judge what it finds.
//!
//! The words are cut by the caller, so both databases hold the same. Each has its own index: FTS5 on SQLite, whose rows
//! lie in the order of the lists; GIN on PostgreSQL, with words for the day and the feed. Both find words by their
//! beginnings. What an index finds may be stale or
//! too much and is never trusted: the caller judges it by the texts.

mod expression;
mod index;
mod walk;

pub use expression::{Expression, Narrowing};
pub use index::{Chunk, add_pending, claim, forget};
pub use walk::Walk;

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, ItemId, Result, UserId, item_lists::Position};

/// What of an item can be searched.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemText {
    pub id: ItemId,
    pub feed_id: FeedId,
    pub published_at: DateTime<Utc>,
    /// As text.
    pub title: String,
    pub author: Option<String>,
    /// The beginning of it, as HTML that may end anywhere.
    pub content: Option<String>,
    pub summary: Option<String>,
}

/// What a person's feed is called.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedTitles {
    pub feed_id: FeedId,
    pub title: String,
    /// What the person calls it.
    pub own_title: Option<String>,
}

/// The columns of [`ItemText`], from `items` under the name `i`. What stands further down in a text is not searched.
macro_rules! text_columns {
    () => {
        "i.id, i.feed_id, i.published_at, i.title, i.author, substr(i.content, 1, 100000) as content,
         substr(i.summary, 1, 20000) as summary"
    };
}
use text_columns;

/// The items among these that the person has, in any order; without content and summary unless `whole`.
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

/// The person's newest items older than `before`, newest first.
pub async fn list_newest_texts(db: &Db, user: UserId, before: Position, most: usize) -> Result<Vec<ItemText>> {
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
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .all()
    .await
}

/// What the person's feeds are called.
pub async fn list_feed_titles(db: &Db, user: UserId) -> Result<Vec<FeedTitles>> {
    db.read(
        "select s.feed_id, f.title, s.title as own_title from subscriptions s join feeds f on f.id = s.feed_id
         where s.user_id = $1",
    )
    .bind(user)
    .all()
    .await
}

/// How many feeds there are, whoever reads them.
pub async fn count_feeds(db: &Db) -> Result<i64> {
    db.read("select count(*) from feeds").scalar().await
}
