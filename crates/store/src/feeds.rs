//! The table `feeds`: shared by all subscribers, and its own fetch schedule.
//!
//! Code that changes the subscribers or the items of a feed calls [`lock`] first. Otherwise a new subscriber and a new item
//! could miss each other.

mod claim;
mod health;
mod outcome;
mod uses;

pub use claim::{Claim, Claimed, claim, claim_now, next_due_at, release, take};
pub use health::{FeedHealth, StatusCount, count_by_status, list_health};
pub use outcome::{FetchRecord, Marked, mark_fetched, mark_moved};
pub use uses::{FeedUse, is_named, sync_uses};
pub(crate) use uses::{is_unused, rest_if_unused};

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Db, FeedId, Result, Topic, Tx, UserId};

/// How many feeds one transaction of `refresh --all` makes due.
const REFRESH_CHUNK: usize = 500;

/// Whether a feed is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum FetchStatus {
    /// It is, and the last fetch went well.
    Active,
    /// It is, though the last fetch failed.
    Error,
    /// It is not fetched until a subscriber resumes it.
    Stopped,
}

impl FetchStatus {
    /// The stored name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            FetchStatus::Active => "active",
            FetchStatus::Error => "error",
            FetchStatus::Stopped => "stopped",
        }
    }
}

/// A feed, without its icon and the fetcher's notes.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Feed {
    pub id: FeedId,
    /// Where it is fetched from.
    pub feed_url: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    pub title: String,
    /// Where its entries come from.
    pub kind: String,
    /// Whether it has an icon.
    pub has_favicon: bool,
    pub fetch_status: FetchStatus,
    /// How often in a row fetching failed.
    pub consecutive_errors: i64,
    pub error_code: Option<String>,
    /// The details, for the owner.
    pub error_message: Option<String>,
    /// When it was last asked for.
    pub last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    pub next_fetch_at: DateTime<Utc>,
    /// When a user first subscribed to it.
    pub created_at: DateTime<Utc>,
}

/// A feed that was not known.
#[derive(Debug, Clone)]
pub struct NewFeed {
    /// Where it is fetched from.
    pub feed_url: String,
    pub host: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// What it calls itself, cut to 500 characters.
    pub title: String,
    /// Where its entries come from: `feed`, or a kind that a capability fetches.
    pub kind: &'static str,
    /// When it is to be fetched.
    pub next_fetch_at: DateTime<Utc>,
}

/// The columns of [`Feed`], from `feeds` under the name `f`.
macro_rules! feed_columns {
    () => {
        "f.id, f.feed_url, f.site_url, f.title, f.kind, f.favicon_mime is not null as has_favicon,
         cast(f.fetch_status as text) as fetch_status, f.consecutive_errors, f.error_code, f.error_message,
         f.last_fetched_at, f.next_fetch_at, f.created_at"
    };
}
pub(crate) use feed_columns;

/// Locks the feed's row until the transaction ends: other changes of its items or subscribers wait. False if it is gone.
pub async fn lock(tx: &mut Tx, feed: FeedId) -> Result<bool> {
    let query = tx.query_locking("select cast(1 as bigint) from feeds where id = $1", " for update");
    Ok(query.bind(feed).optional::<(i64,)>().await?.is_some())
}

/// The feed.
pub async fn get(db: &Db, feed: FeedId) -> Result<Option<Feed>> {
    db.read(concat!("select ", feed_columns!(), " from feeds f where f.id = $1")).bind(feed).optional().await
}

/// These feeds, in no particular order.
pub async fn list(db: &Db, feeds: &[FeedId]) -> Result<Vec<Feed>> {
    db.read(concat!("select ", feed_columns!(), " from feeds f where f.id in (select unhex(value) from json_each($1))"))
        .bind_ids(feeds.iter().copied())
        .all()
        .await
}

/// The feed, if this person subscribes to it.
pub async fn get_subscribed(db: &Db, user: UserId, feed: FeedId) -> Result<Option<Feed>> {
    db.read(concat!(
        "select ",
        feed_columns!(),
        " from feeds f join subscriptions s on s.feed_id = f.id where s.user_id = $1 and f.id = $2"
    ))
    .bind(user)
    .bind(feed)
    .optional()
    .await
}

/// The feed with this address.
pub async fn find_by_url(db: &Db, feed_url: &str) -> Result<Option<Feed>> {
    db.read(concat!("select ", feed_columns!(), " from feeds f where f.feed_url = $1"))
        .bind(feed_url.to_owned())
        .optional()
        .await
}

/// The ids of the feeds with these addresses.
pub async fn list_ids_by_url(db: &Db, feed_urls: Vec<String>) -> Result<Vec<(String, FeedId)>> {
    db.read("select feed_url, id from feeds where feed_url in (select value from json_each($1))")
        .bind_texts(feed_urls)
        .all()
        .await
}

/// The id of the feed with this address, in a transaction.
pub async fn find_id(tx: &mut Tx, feed_url: &str) -> Result<Option<FeedId>> {
    let found = tx.query("select id from feeds where feed_url = $1").bind(feed_url.to_owned());
    Ok(found.optional::<(FeedId,)>().await?.map(|(id,)| id))
}

/// Adds the feed unless its address is known, and locks it; tells whether it is new.
pub async fn add(tx: &mut Tx, new: &NewFeed, now: DateTime<Utc>) -> Result<(FeedId, bool)> {
    let added = tx
        .query(
            "insert into feeds (id, feed_url, host, site_url, title, kind, next_fetch_at, created_at, updated_at, rested_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8) on conflict (feed_url) do nothing returning id",
        )
        .bind(FeedId::new())
        .bind(new.feed_url.clone())
        .bind(new.host.clone())
        .bind(new.site_url.clone())
        .bind(new.title.clone())
        .bind(new.kind.to_owned())
        .bind(new.next_fetch_at)
        .bind(now)
        .optional::<(FeedId,)>()
        .await?;
    if let Some((id,)) = added {
        return Ok((id, true));
    }
    let (id,) =
        tx.query("select id from feeds where feed_url = $1").bind(new.feed_url.clone()).one::<(FeedId,)>().await?;
    lock(tx, id).await?;
    Ok((id, false))
}

/// Makes the feed due now, whatever its back-off; a fetch under way is followed by another. False if it is stopped.
pub async fn ask_refresh(tx: &mut Tx, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    let asked = tx
        .query(
            "update feeds set refresh_asked_at = $2,
                next_fetch_at = case when lease_token is not null and next_fetch_at > $2 then next_fetch_at else $2 end
             where id = $1 and fetch_status <> 'stopped'",
        )
        .bind(feed)
        .bind(now)
        .execute()
        .await?;
    Ok(asked > 0)
}

/// Makes every feed that is not stopped due now. Returns how many, and the feeds that other transactions held.
///
/// A few hundred at a time, and without waiting for other transactions: fetching starts with the first of them, and no
/// feed is kept from anything else meanwhile.
pub async fn ask_refresh_all(db: &Db, now: DateTime<Utc>) -> Result<(u64, Vec<FeedId>)> {
    let feeds: Vec<(FeedId,)> =
        db.read("select id from feeds where fetch_status <> 'stopped' and rested_at is null order by id").all().await?;
    let feeds: Vec<FeedId> = feeds.into_iter().map(|(id,)| id).collect();
    let mut skipped = Vec::new();
    for chunk in feeds.chunks(REFRESH_CHUNK) {
        skipped.extend(ask_refresh_of(db, chunk, now).await?);
    }
    Ok(((feeds.len() - skipped.len()) as u64, skipped))
}

/// Makes these feeds due now. Returns those that other transactions held.
pub async fn ask_refresh_of(db: &Db, feeds: &[FeedId], now: DateTime<Utc>) -> Result<Vec<FeedId>> {
    let asked = db.transact(async |tx| ask_refresh_in(tx, feeds, now).await).await?;
    let asked: HashSet<FeedId> = asked.into_iter().map(|(id,)| id).collect();
    Ok(feeds.iter().copied().filter(|feed| !asked.contains(feed)).collect())
}

/// On PostgreSQL a feed that another transaction holds is passed over.
async fn ask_refresh_in(tx: &mut Tx, feeds: &[FeedId], now: DateTime<Utc>) -> Result<Vec<(FeedId,)>> {
    tx.announce(Topic::Feeds);
    tx.query_either(
        "update feeds set refresh_asked_at = $2,
                next_fetch_at = case when lease_token is not null and next_fetch_at > $2 then next_fetch_at else $2 end
             where id in (select unhex(value) from json_each($1)) returning id",
        "with free as (
                select id from feeds where id in (select unhex(value) from json_each($1)) for update skip locked)
             update feeds f set refresh_asked_at = $2,
                next_fetch_at = case when lease_token is not null and next_fetch_at > $2 then next_fetch_at else $2 end
             from free where f.id = free.id returning f.id",
    )
    .bind_ids(feeds.iter().copied())
    .bind(now)
    .all()
    .await
}

/// How many feeds with subscribers are stopped.
pub async fn count_stopped(db: &Db) -> Result<i64> {
    db.read("select count(*) from feeds where fetch_status = 'stopped' and rested_at is null").scalar().await
}

/// Whether the feed rests for want of subscribers.
pub async fn is_resting(db: &Db, feed: FeedId) -> Result<bool> {
    db.read("select rested_at is not null from feeds where id = $1").bind(feed).scalar().await
}

/// When a refresh was last asked for.
pub async fn refresh_asked_at(db: &Db, feed: FeedId) -> Result<Option<DateTime<Utc>>> {
    db.read("select refresh_asked_at from feeds where id = $1").bind(feed).scalar().await
}

/// Makes a stopped feed due now. False if it is not stopped.
pub async fn resume(tx: &mut Tx, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    let resumed = tx
        .query(
            "update feeds set fetch_status = 'active', consecutive_errors = 0, parse_failures = 0, error_code = null,
                error_message = null, next_fetch_at = $2, lease_token = null, updated_at = $2
             where id = $1 and fetch_status = 'stopped'",
        )
        .bind(feed)
        .bind(now)
        .execute()
        .await?;
    Ok(resumed > 0)
}
