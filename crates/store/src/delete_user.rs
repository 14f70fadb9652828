//! A person leaves, with everything of theirs; feeds and items stay, and what nobody reads any more rests.

use chrono::{DateTime, Utc};

use crate::{Change, Db, Error, FeedId, Result, Tx, UserId, feeds::is_unused, users};

/// Removes a person with everything of theirs, in one transaction. False if there is no such person.
pub async fn remove_user(db: &Db, user: UserId, now: DateTime<Utc>) -> Result<bool> {
    db.transact(async |tx| remove_user_in(tx, user, now).await).await
}

async fn remove_user_in(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<bool> {
    tx.allow_long_statements().await?;
    // First feeds, then the person, like everybody who changes who subscribes to what.
    let subscribed = list_feeds(tx, user).await?;
    lock_feeds(tx, &subscribed).await?;
    if !users::lock(tx, user).await? {
        return Ok(false);
    }
    if list_feeds(tx, user).await? != subscribed {
        // The user subscribed to another feed before the lock.
        return Err(tx.retry_with(Error::Locked(None)));
    }
    // One statement for the large table; the rest follows the person by its foreign keys.
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

/// [`crate::feeds::lock`] for all of them, one after another in their order, in one statement.
async fn lock_feeds(tx: &mut Tx, feeds: &[FeedId]) -> Result<()> {
    let query = tx.query_locking(
        "select id from feeds where id in (select unhex(value) from json_each($1)) order by id",
        " for update",
    );
    query.bind_ids(feeds.iter().copied()).all::<(FeedId,)>().await.map(drop)
}

/// The feeds a person subscribes to, in the order in which everybody locks them.
async fn list_feeds(tx: &mut Tx, user: UserId) -> Result<Vec<FeedId>> {
    let feeds: Vec<(FeedId,)> =
        tx.query("select feed_id from subscriptions where user_id = $1 order by feed_id").bind(user).all().await?;
    Ok(feeds.into_iter().map(|(feed,)| feed).collect())
}

/// An item that a person has read or starred.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KeptItem {
    /// The page it is about.
    pub link: Option<String>,
    /// Its title, as text.
    pub title: String,
    pub feed_url: String,
    /// When it was published, or first seen.
    pub published_at: DateTime<Utc>,
    /// Whether the person has read it.
    pub is_read: bool,
    /// Whether the person has starred it.
    pub is_starred: bool,
    /// When they last changed either.
    pub updated_at: DateTime<Utc>,
}

/// What a person has read or starred, in the order of arrival: what goes with them. All at once, because PostgreSQL would
/// sort what is left for every page.
pub async fn list_kept(db: &Db, user: UserId) -> Result<Vec<KeptItem>> {
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
