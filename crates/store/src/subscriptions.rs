//! The table `subscriptions`: who reads which feed, how often it should be fetched, and how much of it is unread.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, Result, SubscriptionId, Tx, UserId, feeds};

/// What of a feed's past starts unread when somebody subscribes; the rest starts read.
const UNREAD_AT_FIRST: i64 = 1_000;

/// How an attempt to subscribe ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    Added(SubscriptionId),
    /// There was one already.
    Present(SubscriptionId),
    /// The person has as many as they may have.
    Full,
}

/// Subscribes a person to a feed, with what the feed already holds: the newest unread, older items read.
pub async fn add(tx: &mut Tx, user: UserId, feed: FeedId, limit: i64, now: DateTime<Utc>) -> Result<Added> {
    feeds::lock(tx, feed).await?;
    // One after another for one person, or two at once could both be the last that fits.
    tx.query_either(
        "select 1 from users where id = $1",
        "select cast(1 as bigint) from users where id = $1 for no key update",
    )
    .bind(user)
    .one::<(i64,)>()
    .await?;
    if let Some(id) = find_in(tx, user, feed).await? {
        return Ok(Added::Present(id));
    }
    let count: i64 = tx.query("select count(*) from subscriptions where user_id = $1").bind(user).scalar().await?;
    if count >= limit {
        return Ok(Added::Full);
    }
    let id = SubscriptionId::new();
    tx.query("insert into subscriptions (id, user_id, feed_id, created_at, updated_at) values ($1, $2, $3, $4, $4)")
        .bind(id)
        .bind(user)
        .bind(feed)
        .bind(now)
        .execute()
        .await?;
    tx.query("update feeds set rested_at = null where id = $1 and rested_at is not null").bind(feed).execute().await?;
    tx.query(
        "insert into item_states (user_id, item_id, feed_id, published_at, is_read, updated_at)
         select $1, id, feed_id, published_at, row_number() over (order by published_at desc, id desc) > $3, $4
         from items where feed_id = $2",
    )
    .bind(user)
    .bind(feed)
    .bind(UNREAD_AT_FIRST)
    .bind(now)
    .execute()
    .await?;
    tx.query(
        "update subscriptions set unread_count = (select count(*) from item_states
            where user_id = $2 and feed_id = $3 and is_read = false)
         where id = $1",
    )
    .bind(id)
    .bind(user)
    .bind(feed)
    .execute()
    .await?;
    Ok(Added::Added(id))
}

/// Ends a person's subscription with all its states; the feed rests when nobody else reads it. False if there is none.
pub async fn remove(tx: &mut Tx, user: UserId, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    feeds::lock(tx, feed).await?;
    // By way of the feed's items: a person's states have no index by feed.
    tx.query("delete from item_states where user_id = $1 and item_id in (select id from items where feed_id = $2)")
        .bind(user)
        .bind(feed)
        .execute()
        .await?;
    let removed = tx
        .query("delete from subscriptions where user_id = $1 and feed_id = $2")
        .bind(user)
        .bind(feed)
        .execute()
        .await?;
    tx.query(
        "update feeds set rested_at = $2
         where id = $1 and rested_at is null and not exists (select 1 from subscriptions where feed_id = $1)",
    )
    .bind(feed)
    .bind(now)
    .execute()
    .await?;
    Ok(removed > 0)
}

/// The subscription of a person to a feed.
pub async fn find(db: &Db, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = db.read("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}

/// How many subscriptions a person has.
pub async fn count(db: &Db, user: UserId) -> Result<i64> {
    db.read("select count(*) from subscriptions where user_id = $1").bind(user).scalar().await
}

async fn find_in(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = tx.query("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}
