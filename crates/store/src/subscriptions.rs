//! The table `subscriptions`: which user reads which feed, the fetch interval, and the unread count.

mod queries;
mod transfer;
mod update;

pub use queries::{OpmlSubscription, Subscription, get, list, list_for_opml, list_unread_counts};
pub use transfer::{move_all, move_to};
pub use update::{
    FetchSchedule, SubscriptionPatch, advance_next_fetch, find_feed, get_schedule, set_folder_and_title, update,
};

use chrono::{DateTime, Utc};

use crate::{Db, Error, FeedId, Result, SubscriptionId, Tx, UserId, feeds, full_texts::FullText, users};

/// The maximum number of unread items of a new subscription. Older items start as read.
pub const UNREAD_AT_FIRST: i64 = 1_000;

/// The result of [`create`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionCreated {
    /// The subscription was created.
    New(SubscriptionId),
    /// The user has a subscription to this feed.
    Present(SubscriptionId),
    /// The user has reached the limit.
    Full,
}

/// Subscribes a user to a feed, with states for its items: the newest unread, older ones read.
pub async fn create(
    tx: &mut Tx,
    user: UserId,
    feed: FeedId,
    limit: i64,
    now: DateTime<Utc>,
) -> Result<SubscriptionCreated> {
    feeds::lock(tx, feed).await?;
    // Without the lock, two concurrent calls could exceed the limit.
    if !users::lock(tx, user).await? {
        return Err(Error::NotFound);
    }
    if let Some(id) = find_in(tx, user, feed).await? {
        return Ok(SubscriptionCreated::Present(id));
    }
    let count: i64 = tx.query("select count(*) from subscriptions where user_id = $1").bind(user).scalar().await?;
    if count >= limit {
        return Ok(SubscriptionCreated::Full);
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
    Ok(SubscriptionCreated::New(id))
}

/// Creates the user's states of the feed's items: the newest unread, older ones read.
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

/// Sets what a new subscription starts with: whether its items are read, and whether their pages are fetched.
pub async fn set_start(tx: &mut Tx, user: UserId, feed: FeedId, start_read: bool, full_text: FullText) -> Result<()> {
    if start_read {
        tx.query("update item_states set is_read = true where user_id = $1 and feed_id = $2")
            .bind(user)
            .bind(feed)
            .execute()
            .await?;
        recount(tx, user, feed).await?;
    }
    if full_text != FullText::default() {
        tx.query("update subscriptions set full_text = $3 where user_id = $1 and feed_id = $2")
            .bind(user)
            .bind(feed)
            .bind(full_text.as_str().to_owned())
            .execute()
            .await?;
    }
    Ok(())
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

/// Deletes a subscription with its item states. The feed rests if it is no longer in use. False if there is no subscription.
pub async fn delete(tx: &mut Tx, user: UserId, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    feeds::lock(tx, feed).await?;
    users::lock(tx, user).await?;
    delete_states(tx, user, feed).await?;
    let removed = tx
        .query("delete from subscriptions where user_id = $1 and feed_id = $2")
        .bind(user)
        .bind(feed)
        .execute()
        .await?;
    users::increment_revision(tx, user).await?;
    feeds::rest_if_unused(tx, feed, now).await?;
    Ok(removed > 0)
}

async fn delete_states(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<()> {
    // Through the feed's items: states have no index by user and feed.
    tx.query("delete from item_states where user_id = $1 and item_id in (select id from items where feed_id = $2)")
        .bind(user)
        .bind(feed)
        .execute()
        .await
        .map(drop)
}

/// The user's subscription to a feed.
pub async fn find(db: &Db, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = db.read("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}

/// The shortest interval among the subscribers, in minutes. None without subscribers.
pub async fn min_interval(db: &Db, feed: FeedId) -> Result<Option<i64>> {
    db.read("select min(fetch_interval_minutes) from subscriptions where feed_id = $1").bind(feed).scalar().await
}

/// The number of the user's subscriptions.
pub async fn count(db: &Db, user: UserId) -> Result<i64> {
    db.read("select count(*) from subscriptions where user_id = $1").bind(user).scalar().await
}

/// [`find`] inside a transaction.
pub async fn find_in(tx: &mut Tx, user: UserId, feed: FeedId) -> Result<Option<SubscriptionId>> {
    let found = tx.query("select id from subscriptions where user_id = $1 and feed_id = $2").bind(user).bind(feed);
    Ok(found.optional::<(SubscriptionId,)>().await?.map(|(id,)| id))
}
