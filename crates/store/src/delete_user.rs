//! Deletes a user with all their data. Feeds and items stay; feeds without a subscriber rest.

use chrono::{DateTime, Utc};

use crate::{Change, Db, Error, FeedId, Result, Tx, UserId, feeds::is_unused, users};

/// Deletes a user with all their data, in one transaction. False if there is no such user.
pub async fn delete(db: &Db, user: UserId, now: DateTime<Utc>) -> Result<bool> {
    db.transact(async |tx| delete_in(tx, user, now).await).await
}

async fn delete_in(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<bool> {
    tx.allow_long_statements().await?;
    // Feeds are locked before the user, as in every change of subscriptions.
    let subscribed = list_feeds(tx, user).await?;
    lock_feeds(tx, &subscribed).await?;
    if !users::lock(tx, user).await? {
        return Ok(false);
    }
    if list_feeds(tx, user).await? != subscribed {
        // The user subscribed to another feed before the lock.
        return Err(tx.retry_with(Error::Locked(None)));
    }
    // One statement for the large table. Foreign keys delete the rest with the user.
    tx.query("delete from item_states where user_id = $1").bind(user).execute().await?;
    tx.query("delete from users where id = $1").bind(user).execute().await?;
    tx.query(concat!(
        "update feeds set rested_at = $2
         where id in (select unhex(value) from json_each($1)) and rested_at is null and ",
        is_unused!()
    ))
    .bind_ids(subscribed)
    .bind(now)
    .execute()
    .await?;
    tx.changed(Change::User(user));
    Ok(true)
}

/// [`crate::feeds::lock`] for all of them in the order of their ids, in one statement.
async fn lock_feeds(tx: &mut Tx, feeds: &[FeedId]) -> Result<()> {
    let query = tx.query_locking(
        "select id from feeds where id in (select unhex(value) from json_each($1)) order by id",
        " for update",
    );
    query.bind_ids(feeds.iter().copied()).all::<(FeedId,)>().await.map(drop)
}

/// The feeds of a user's subscriptions, in lock order.
async fn list_feeds(tx: &mut Tx, user: UserId) -> Result<Vec<FeedId>> {
    let feeds: Vec<(FeedId,)> =
        tx.query("select feed_id from subscriptions where user_id = $1 order by feed_id").bind(user).all().await?;
    Ok(feeds.into_iter().map(|(feed,)| feed).collect())
}

/// An item that the user has read or starred, for the export of their data.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ReadOrStarredItem {
    pub link: Option<String>,
    pub title: String,
    pub feed_url: String,
    pub published_at: DateTime<Utc>,
    pub is_read: bool,
    pub is_starred: bool,
    /// When the user last changed either state.
    pub updated_at: DateTime<Utc>,
}

/// All items that the user has read or starred, in the order of arrival. Not in pages: PostgreSQL would sort the remaining
/// items for every page.
pub async fn list_for_export(db: &Db, user: UserId) -> Result<Vec<ReadOrStarredItem>> {
    db.read(
        "select i.link, i.title, f.feed_url, i.published_at, s.is_read, s.is_starred, s.updated_at
         from item_states s join items i on i.id = s.item_id join feeds f on f.id = i.feed_id
         where s.user_id = $1 and (s.is_read = true or s.is_starred = true)
         order by s.item_id",
    )
    .bind(user)
    .all()
    .await
}
