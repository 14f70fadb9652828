//! Taking feeds that are due, for a while.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, LeaseToken, Result, Tx, clock};

/// Who takes how many, until when.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// The time.
    pub now: DateTime<Utc>,
    /// When others may take them again.
    pub lease_until: DateTime<Utc>,
    /// Names the taker in every later write.
    pub token: LeaseToken,
    /// The most to take.
    pub most: i64,
    /// The most from one host, with those that others have.
    pub per_host: i64,
}

/// A feed to fetch, with the fetcher's notes on it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Claimed {
    /// Its id.
    pub id: FeedId,
    /// Where it is.
    pub feed_url: String,
    /// What it calls itself.
    pub title: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// The validators of the last answer.
    pub etag: Option<String>,
    /// The same.
    pub last_modified: Option<String>,
    /// SHA-256 of the last body.
    pub content_hash: Option<String>,
    /// How often in a row fetching failed.
    pub consecutive_errors: i64,
    /// How often in a row what came was not a feed.
    pub parse_failures: i64,
    /// Where permanent redirects led the last time.
    pub moved_to: Option<String>,
    /// How often in a row they did.
    pub moved_seen: i64,
    /// Where the last answer came from, if redirects led there.
    pub final_url: Option<String>,
    /// What the publisher asks for, as JSON.
    pub hints: Option<String>,
    /// How many items have arrived so far.
    pub items_added: i64,
    /// The least interval among its subscribers.
    pub interval_minutes: Option<i64>,
    /// When its icon was last looked for.
    pub favicon_checked_at: Option<DateTime<Utc>>,
}

/// Takes feeds that are due and have a subscriber, the longest due first, no more from a host than it may have at once.
///
/// A feed that is planned further ahead than any feed can be is due too: a clock was ahead when it was planned.
pub async fn claim(db: &Db, claim: &Claim) -> Result<Vec<Claimed>> {
    let ids = if db.is_postgres() { claim_ids_postgres(db, claim).await? } else { claim_ids_sqlite(db, claim).await? };
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    db.read(
        "select id, feed_url, title, site_url, etag, last_modified, content_hash, consecutive_errors,
            parse_failures, moved_to, moved_seen, final_url, hints, items_added, favicon_checked_at,
            (select min(fetch_interval_minutes) from subscriptions s where s.feed_id = feeds.id) as interval_minutes
         from feeds where lease_token = $1 and id in (select unhex(value) from json_each($2))",
    )
    .bind(claim.token)
    .bind_ids(ids)
    .all()
    .await
}

/// One call, so that a process that stops at any moment leaves no lock behind; see migration 6.
async fn claim_ids_postgres(db: &Db, claim: &Claim) -> Result<Vec<FeedId>> {
    let ids: Vec<(FeedId,)> = db
        .write("select claim_due_feeds($1, $2, $3, $4, $5, $6)")
        .bind(claim.now)
        .bind(claim.now + clock::FURTHEST_AHEAD)
        .bind(claim.lease_until)
        .bind(claim.token)
        .bind(claim.most)
        .bind(claim.per_host)
        .all()
        .await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// The same for SQLite, whose only writer needs no locks.
async fn claim_ids_sqlite(db: &Db, claim: &Claim) -> Result<Vec<FeedId>> {
    db.transact(async |tx| claim_in(tx, claim).await).await
}

async fn claim_in(tx: &mut Tx, claim: &Claim) -> Result<Vec<FeedId>> {
    let ids: Vec<(FeedId,)> = tx
        .query(
            "with busy as (
                select host, count(*) as fetches from feeds
                where lease_token is not null and next_fetch_at > $1 and next_fetch_at <= $2 group by host),
             due as (
                select * from (
                    select id, host, next_fetch_at from feeds
                    where fetch_status <> 'stopped' and rested_at is null and next_fetch_at <= $1
                        and host not in (select host from busy where fetches >= $4)
                    order by next_fetch_at limit $3 * 10)
                union all
                select * from (
                    select id, host, next_fetch_at from feeds
                    where fetch_status <> 'stopped' and rested_at is null and next_fetch_at > $2
                        and host not in (select host from busy where fetches >= $4)
                    order by next_fetch_at limit $3 * 10)),
             placed as (
                select id, next_fetch_at, row_number() over (partition by host order by next_fetch_at)
                    + coalesce((select fetches from busy where busy.host = due.host), 0) as place
                from due)
             select id from placed where place <= $4 order by next_fetch_at limit $3",
        )
        .bind(claim.now)
        .bind(claim.now + clock::FURTHEST_AHEAD)
        .bind(claim.most)
        .bind(claim.per_host)
        .all()
        .await?;
    let ids: Vec<FeedId> = ids.into_iter().map(|(id,)| id).collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    tx.query(
        "update feeds set lease_token = $1, next_fetch_at = $2 where id in (select unhex(value) from json_each($3))",
    )
    .bind(claim.token)
    .bind(claim.lease_until)
    .bind_ids(ids.iter().copied())
    .execute()
    .await?;
    Ok(ids)
}

/// Hands a feed back as it was taken, due at once.
pub async fn release(db: &Db, feed: FeedId, token: LeaseToken, now: DateTime<Utc>) -> Result<()> {
    db.write("update feeds set lease_token = null, next_fetch_at = $3 where id = $1 and lease_token = $2")
        .bind(feed)
        .bind(token)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// When the next feed is due, or a lease ends.
pub async fn next_due_at(db: &Db) -> Result<Option<DateTime<Utc>>> {
    let first = db.read(
        "select next_fetch_at from feeds where fetch_status <> 'stopped' and rested_at is null
         order by next_fetch_at limit 1",
    );
    Ok(first.optional::<(DateTime<Utc>,)>().await?.map(|(at,)| at))
}

/// Takes a feed for a fetch that is done already, in the transaction that stores it. Who had it changes nothing any more.
pub async fn take(tx: &mut Tx, feed: FeedId, token: LeaseToken) -> Result<bool> {
    let taken = tx.query("update feeds set lease_token = $2 where id = $1").bind(feed).bind(token).execute().await?;
    Ok(taken > 0)
}
