//! The whole texts of items, which are fetched from their pages: columns of `items`.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, ItemId, Result, Tx, UserId};

/// Whether a subscriber wants the whole texts of a feed's items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::Type, serde::Deserialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum FullText {
    /// Only when the reader asks for one.
    #[default]
    Off,
    /// Of all items.
    On,
    /// Of items with a short text, if their pages have a longer one.
    Auto,
}

impl FullText {
    /// The stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            FullText::Off => "off",
            FullText::On => "on",
            FullText::Auto => "auto",
        }
    }
}

/// The page of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemLink {
    pub id: ItemId,
    pub link: String,
}

/// What is known about an item before its page is fetched.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemSource {
    pub feed_id: FeedId,
    pub link: Option<String>,
    /// What the feed says, as HTML.
    pub content: Option<String>,
    pub summary: Option<String>,
    /// Whether a subscriber wants the whole text in any case.
    pub is_wanted: bool,
    /// The rules of its feed, as JSON.
    pub rules: Option<String>,
}

/// An item whose page can be fetched.
pub async fn get_source(db: &Db, item: ItemId) -> Result<Option<ItemSource>> {
    db.read(
        "select i.feed_id, i.link, i.content, i.summary,
            exists (select 1 from subscriptions s where s.feed_id = i.feed_id and s.full_text = 'on') as is_wanted,
            (select f.article_rules from feeds f where f.id = i.feed_id) as rules
         from items i where i.id = $1",
    )
    .bind(item)
    .optional()
    .await
}

/// Items without a whole text that a subscriber wants: all of a feed with `on`, those shorter than `short` characters of
/// HTML with `auto`.
macro_rules! wanted {
    () => {
        "i.link is not null and i.full_text_at is null and exists (
            select 1 from subscriptions s where s.feed_id = i.feed_id and (s.full_text = 'on'
                or s.full_text = 'auto' and coalesce(length(i.content), 0) < $2 and coalesce(length(i.summary), 0) < $2))"
    };
}

/// The wanted items among `items`.
pub async fn list_wanted(tx: &mut Tx, items: impl IntoIterator<Item = ItemId>, short: i64) -> Result<Vec<ItemLink>> {
    tx.query(concat!(
        "select i.id, i.link from items i where i.id in (select value from json_each($1)) and ",
        wanted!(),
        " order by i.id desc"
    ))
    .bind_numbers(items)
    .bind(short)
    .all()
    .await
}

/// The newest wanted items of a feed.
pub async fn list_newest_wanted(tx: &mut Tx, feed: FeedId, short: i64, limit: i64) -> Result<Vec<ItemLink>> {
    tx.query(concat!(
        "select i.id, i.link from (select * from items where feed_id = $1 order by id desc limit $3) i where ",
        wanted!(),
        " order by i.id desc"
    ))
    .bind(feed)
    .bind(short)
    .bind(limit)
    .all()
    .await
}

/// Stores the whole text of an item, or why there is none. An error keeps the text of an earlier fetch.
pub async fn store(
    tx: &mut Tx,
    item: ItemId,
    html: Option<&str>,
    error: Option<&'static str>,
    now: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "update items set full_text = coalesce($2, full_text), full_text_error = $3, full_text_at = $4 where id = $1",
    )
    .bind(item)
    .bind(html.map(str::to_owned))
    .bind(error.map(str::to_owned))
    .bind(now)
    .execute()
    .await
    .map(drop)
}

/// The rules of a feed as JSON, and how many subscribers share them.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedRules {
    pub rules: Option<String>,
    pub subscribers: i64,
}

/// The rules of a feed, if the user subscribes to it.
pub async fn get_rules(db: &Db, user: UserId, feed: FeedId) -> Result<Option<FeedRules>> {
    db.read(
        "select f.article_rules as rules, (select count(*) from subscriptions o where o.feed_id = f.id) as subscribers
         from feeds f join subscriptions s on s.feed_id = f.id where s.user_id = $1 and f.id = $2",
    )
    .bind(user)
    .bind(feed)
    .optional()
    .await
}

/// Stores the rules of a feed. The pages of its newest items count as not fetched.
pub async fn set_rules(tx: &mut Tx, feed: FeedId, rules: Option<&str>, newest: i64) -> Result<()> {
    tx.query("update feeds set article_rules = $2 where id = $1")
        .bind(feed)
        .bind(rules.map(str::to_owned))
        .execute()
        .await?;
    tx.query(
        "update items set full_text_at = null where id in (
            select id from items where feed_id = $1 order by id desc limit $2)",
    )
    .bind(feed)
    .bind(newest)
    .execute()
    .await
    .map(drop)
}

/// The page of the newest item of a feed.
pub async fn newest_link(db: &Db, feed: FeedId) -> Result<Option<String>> {
    let newest = "select link from items where feed_id = $1 and link is not null order by id desc limit 1";
    Ok(db.read(newest).bind(feed).optional::<(String,)>().await?.map(|(link,)| link))
}
