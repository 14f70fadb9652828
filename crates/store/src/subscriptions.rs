//! The table `subscriptions`: who reads which feed, how often it should be fetched, and how much of it is unread.

mod change;
mod queries;
mod transfer;

pub use change::{Schedule, SubscriptionPatch, bring_nearer, change, find_feed, schedule, set_folder_and_title};
pub use queries::{ExportedSubscription, Subscription, get, list, list_for_export, list_unread_counts};
pub use transfer::{move_all, move_to};

use chrono::{DateTime, Utc};

use crate::{Db, Error, FeedId, Result, SubscriptionId, Tx, UserId, feeds, users};

/// What of a feed's past starts unread when somebody subscribes; the rest starts read.
pub const UNREAD_AT_FIRST: i64 = 1_000;

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
    if !users::lock(tx, user).await? {
        return Err(Error::NotFound);
    }
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
    add_states(tx, user, feed, now).await?;
    recount(tx, user, feed).await?;
    Ok(Added::Added(id))
}

/// Gives a person what the feed already holds: the newest unread, older items read.
async fn add_states(tx: &mut Tx, user: UserId, feed: FeedId, now: DateTime<Utc>) -> Result<()> {
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
    .await
    .map(drop)
}

async fn recount(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<()> {
    tx.query(
        "update subscriptions set unread_count = (select count(*) from item_states
            where user_id = $1 and feed_id = $2 and is_read = false)
         where user_id = $1 and feed_id = $2",
    )
    .bind(user)
    .bind(feed)
    .execute()
    .await
    .map(drop)
}

/// Ends a person's subscription with all its states; the feed rests if it is no longer in use. False if there is none.
pub async fn remove(tx: &mut Tx, user: UserId, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    feeds::lock(tx, feed).await?;
    users::lock(tx, user).await?;
    remove_states(tx, user, feed).await?;
    let removed = tx
        .query("delete from subscriptions where user_id = $1 and feed_id = $2")
        .bind(user)
        .bind(feed)
        .execute()
        .await?;
    feeds::rest_if_unused(tx, feed, now).await?;
    Ok(removed > 0)
}

async fn remove_states(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<()> {
    // By way of the feed's items: a person's states have no index by feed.
    tx.query("delete from item_states where user_id = $1 and item_id in (select id from items where feed_id = $2)")
        .bind(user)
        .bind(feed)
        .execute()
        .await
        .map(drop)
}

/// The subscription of a person to a feed.
pub async fn find(db: &Db, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = db.read("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}

/// The least interval that a subscriber wants, in minutes; none without subscribers.
pub async fn least_interval(db: &Db, feed: FeedId) -> Result<Option<i64>> {
    db.read("select min(fetch_interval_minutes) from subscriptions where feed_id = $1").bind(feed).scalar().await
}

/// How many subscriptions a person has.
pub async fn count(db: &Db, user: UserId) -> Result<i64> {
    db.read("select count(*) from subscriptions where user_id = $1").bind(user).scalar().await
}

/// The same inside a transaction.
pub async fn find_in(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = tx.query("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}
