//! The table `items`: the entries of feeds, shared by all subscribers. Here are the queries of a fetch; `item_lists` has the lists.

mod write;

pub(crate) use write::copied_columns;
pub use write::{ItemChange, NewItem, change, insert, insert_all, mark_seen};

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, ItemId, Query, Result, Tx, item_lists::beginning};

/// The keys and hashes of a stored item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KnownItem {
    pub id: ItemId,
    pub guid_or_id: Option<String>,
    pub link_key: Option<String>,
    /// For identity.
    pub content_hash: Option<String>,
    /// Of all fields from the publisher, to detect changes.
    pub digest: Option<String>,
    /// Of the sanitiser that wrote its HTML.
    pub sanitizer_version: i64,
    pub published_at: DateTime<Utc>,
    pub is_date_estimated: bool,
    /// When its document last contained it.
    pub seen_at: DateTime<Utc>,
}

/// Keys of the entries in a document.
#[derive(Debug, Clone, Default)]
pub struct ItemKeys {
    pub guids: Vec<String>,
    pub links: Vec<String>,
    pub contents: Vec<String>,
}

// Three queries rather than one with "or": each key has its own index.
const KNOWN: &str =
    "select id, guid_or_id, link_key, content_hash, digest, sanitizer_version, published_at, is_date_estimated, seen_at
     from items
     where id in (
        select id from items where feed_id = $1 and guid_or_id is not null and guid_or_id in (select value from json_each($2))
        union select id from items where feed_id = $1 and link_key in (select value from json_each($3))
        union select id from items where feed_id = $1 and content_hash in (select value from json_each($4)))
     order by id";

/// The items of a feed with any of the keys.
pub async fn list_known(db: &Db, feed: FeedId, keys: &ItemKeys) -> Result<Vec<KnownItem>> {
    bind_keys(db.read(KNOWN), feed, keys).all().await
}

/// [`list_known`] inside a transaction.
pub async fn list_known_in(tx: &mut Tx, feed: FeedId, keys: &ItemKeys) -> Result<Vec<KnownItem>> {
    bind_keys(tx.query(KNOWN), feed, keys).all().await
}

fn bind_keys<'a>(query: Query<'a>, feed: FeedId, keys: &ItemKeys) -> Query<'a> {
    query.bind(feed).bind_texts(keys.guids.clone()).bind_texts(keys.links.clone()).bind_texts(keys.contents.clone())
}

/// An item without a stored excerpt.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct WithoutExcerpt {
    pub id: ItemId,
    /// The beginning of the summary, or else of the content, as HTML cut at any point.
    pub beginning: Option<String>,
}

/// Items without a stored excerpt, newest first.
pub async fn list_without_excerpt(db: &Db, limit: i64) -> Result<Vec<WithoutExcerpt>> {
    db.read(concat!(
        "select i.id, ",
        beginning!(),
        " as beginning from items i where i.excerpt is null order by i.id desc limit $1"
    ))
    .bind(limit)
    .all()
    .await
}

/// Stores excerpts, except for items that have one.
pub async fn fill_excerpts(db: &Db, excerpts: &[(ItemId, String)]) -> Result<()> {
    db.transact(async |tx| {
        for (item, excerpt) in excerpts {
            tx.query("update items set excerpt = $2 where id = $1 and excerpt is null")
                .bind(*item)
                .bind(excerpt.clone())
                .execute()
                .await?;
        }
        Ok(())
    })
    .await
}

/// Creates a state of each new item for every subscriber, and counts them. The newest `unread` items are unread.
pub async fn fan_out(tx: &mut Tx, feed: FeedId, items: &[ItemId], unread: i64, now: DateTime<Utc>) -> Result<()> {
    fan_out_all(tx, items, now).await?;
    let beyond = i64::try_from(items.len()).unwrap_or(i64::MAX) - unread;
    if beyond <= 0 {
        return Ok(());
    }
    tx.query(
        "update item_states set is_read = true
         where user_id in (select user_id from subscriptions where feed_id = $3)
            and item_id in (select value from json_each($1)) and item_id not in (
                select id from items where id in (select value from json_each($1))
                order by published_at desc, id desc limit $2)",
    )
    .bind_numbers(items.iter().copied())
    .bind(unread)
    .bind(feed)
    .execute()
    .await?;
    tx.query("update subscriptions set unread_count = unread_count - $2 where feed_id = $1")
        .bind(feed)
        .bind(beyond)
        .execute()
        .await
        .map(drop)
}

/// Creates unread states of new items of any feeds for the subscribers of each feed, and counts them.
pub async fn fan_out_all(tx: &mut Tx, items: &[ItemId], now: DateTime<Utc>) -> Result<()> {
    for chunk in items.chunks(FAN_OUT_CHUNK) {
        tx.query_either(FAN_OUT_SQLITE, FAN_OUT_POSTGRES)
            .bind_numbers(chunk.iter().copied())
            .bind(now)
            .execute()
            .await?;
        tx.query_either(COUNT_SQLITE, COUNT_POSTGRES).bind_numbers(chunk.iter().copied()).execute().await?;
    }
    Ok(())
}

// The join order is fixed, items first: PostgreSQL keeps a plan that it made while the tables were small, and that plan would
// read all items for each fetch.
const FAN_OUT_SQLITE: &str = "insert into item_states (user_id, item_id, feed_id, published_at, updated_at)
    select s.user_id, i.id, i.feed_id, i.published_at, $2 from json_each($1) as arrived
    cross join items i on i.id = arrived.value cross join subscriptions s on s.feed_id = i.feed_id";
const FAN_OUT_POSTGRES: &str = "insert into item_states (user_id, item_id, feed_id, published_at, updated_at)
    select s.user_id, i.id, i.feed_id, i.published_at, $2 from json_each($1) as arrived
    cross join lateral (select id, feed_id, published_at from items where id = arrived.value limit 1) i
    join subscriptions s on s.feed_id = i.feed_id
    order by s.user_id, i.id";
const COUNT_SQLITE: &str = "update subscriptions set unread_count = unread_count + arrived.items
    from (select i.feed_id, count(*) as items from json_each($1) as arrived
        cross join items i on i.id = arrived.value group by i.feed_id) as arrived
    where subscriptions.feed_id = arrived.feed_id";
const COUNT_POSTGRES: &str = "update subscriptions set unread_count = unread_count + arrived.items
    from (select i.feed_id, count(*) as items from json_each($1) as arrived
        cross join lateral (select feed_id from items where id = arrived.value limit 1) i group by i.feed_id) as arrived
    where subscriptions.feed_id = arrived.feed_id";

/// The maximum number of items in one statement. A feed may have thousands of subscribers.
const FAN_OUT_CHUNK: usize = 250;
