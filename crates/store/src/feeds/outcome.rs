//! How a fetch ended. Every write names the token of the claim: whoever has lost the lease changes nothing.
//!
//! A refresh that was asked for after the fetch began makes the feed due again at once. One that seems to be asked for later
//! than the next fetch comes from a clock that has been set back since; it would make the feed due again for ever.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use super::FetchStatus;
use crate::{
    Db, FeedId, LeaseToken, Query, Result, Tx,
    columns::{self, Column},
    sql::Sql,
};

/// Which fetch ended, and when to fetch next.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    pub feed: FeedId,
    /// The token of the claim.
    pub token: LeaseToken,
    pub started_at: DateTime<Utc>,
    pub now: DateTime<Utc>,
    pub next_fetch_at: DateTime<Utc>,
}

/// The document is as it was.
#[derive(Debug, Clone)]
pub struct Unchanged {
    pub ended: Ended,
    /// The validators to send next time.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Where they came from, if redirects led there.
    pub final_url: Option<String>,
    /// Where permanent redirects led, if they did.
    pub moved: Moved,
}

/// There is a new document.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Which fetch ended, its validators, and where it was led.
    pub unchanged: Unchanged,
    /// What the feed calls itself.
    pub title: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// SHA-256 of the body.
    pub content_hash: String,
    /// What the publisher asks for, as JSON.
    pub hints: Option<String>,
    /// How many items are new.
    pub items_added: i64,
}

/// Where permanent redirects led, and how often in a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved {
    pub to: Option<String>,
    pub seen: i64,
}

/// The fetch failed.
#[derive(Debug, Clone)]
pub struct Failed {
    pub ended: Ended,
    /// Whether it is tried again.
    pub status: FetchStatus,
    /// How often in a row it failed, with this.
    pub consecutive_errors: i64,
    /// How often in a row what came was not a feed, with this.
    pub parse_failures: i64,
    pub error_code: &'static str,
    /// The details, for the owner.
    pub error_message: String,
}

/// Writes down that there is nothing new. False if the lease was lost.
pub async fn mark_unchanged(db: &Db, unchanged: &Unchanged) -> Result<bool> {
    let query = db.write(
        "update feeds set fetch_status = 'active', consecutive_errors = 0, parse_failures = 0, error_code = null,
            error_message = null, last_fetched_at = $4, etag = $6, last_modified = $7, final_url = $8, moved_to = $9, moved_seen = $10,
            lease_token = null, next_fetch_at = case when refresh_asked_at > $3 and refresh_asked_at < $5 then $4 else $5 end
         where id = $1 and lease_token = $2",
    );
    Ok(bind_unchanged(query, unchanged).execute().await? > 0)
}

/// Whose row a transaction holds after [`mark_all_fetched`]. A feed in neither set has lost its lease.
#[derive(Debug, Default)]
pub struct Marked {
    /// Feeds that are marked. The transaction holds their rows until its end.
    pub held: HashSet<FeedId>,
    /// Feeds whose rows another transaction holds; nothing was written. Try again with a new transaction.
    pub locked: HashSet<FeedId>,
}

/// Writes down new documents, in the transaction that stores their items. It waits for no other transaction.
pub async fn mark_all_fetched(tx: &mut Tx, fetched: &[Fetched]) -> Result<Marked> {
    if tx.is_postgres() {
        let held = mark_postgres(tx, fetched).await?;
        let locked = list_locked(tx, fetched, &held).await?;
        return Ok(Marked { held, locked });
    }
    let mut marked = Marked::default();
    for one in fetched {
        if mark_fetched(tx, one).await? {
            marked.held.insert(one.unchanged.ended.feed);
        }
    }
    Ok(marked)
}

/// Feeds that were not marked although their lease is ours.
async fn list_locked(tx: &mut Tx, fetched: &[Fetched], held: &HashSet<FeedId>) -> Result<HashSet<FeedId>> {
    let missing: Vec<_> =
        fetched.iter().map(|one| one.unchanged.ended).filter(|ended| !held.contains(&ended.feed)).collect();
    if missing.is_empty() {
        return Ok(HashSet::new());
    }
    let locked: Vec<(FeedId,)> = tx
        .query(
            "select f.id from feeds f join unnest(cast($1 as uuid[]), cast($2 as uuid[])) as e (id, token)
                on f.id = e.id and f.lease_token = e.token",
        )
        .bind_column(missing.iter().map(|ended| ended.feed.0).collect::<Vec<_>>())
        .bind_column(missing.iter().map(|ended| ended.token.0).collect::<Vec<_>>())
        .all()
        .await?;
    Ok(locked.into_iter().map(|(id,)| id).collect())
}

/// All with one trip to the server. A row that another transaction holds is passed over: that transaction may belong to a
/// process that has stopped, and the other documents must not wait for it.
async fn mark_postgres(tx: &mut Tx, fetched: &[Fetched]) -> Result<HashSet<FeedId>> {
    let columns: [Column<Fetched>; 15] = [
        Column::uuid("id", |one| one.unchanged.ended.feed.0),
        Column::uuid("token", |one| one.unchanged.ended.token.0),
        Column::time("started_at", |one| one.unchanged.ended.started_at),
        Column::time("now", |one| one.unchanged.ended.now),
        Column::time("next_fetch_at", |one| one.unchanged.ended.next_fetch_at),
        Column::text("etag", |one| one.unchanged.etag.as_deref()),
        Column::text("last_modified", |one| one.unchanged.last_modified.as_deref()),
        Column::text("final_url", |one| one.unchanged.final_url.as_deref()),
        Column::text("moved_to", |one| one.unchanged.moved.to.as_deref()),
        Column::number("moved_seen", |one| one.unchanged.moved.seen),
        Column::text("title", |one| Some(&one.title)),
        Column::text("site_url", |one| one.site_url.as_deref()),
        Column::text("content_hash", |one| Some(&one.content_hash)),
        Column::text("hints", |one| one.hints.as_deref()),
        Column::number("items_added", |one| one.items_added),
    ];
    let sql = Sql::from(
        "with ended as materialized (select * from {table}),
         ours as materialized (
            select f.id from feeds f join ended e on f.id = e.id and f.lease_token = e.token
            order by f.id for update of f skip locked)
         update feeds f set fetch_status = 'active', consecutive_errors = 0, parse_failures = 0, error_code = null,
            error_message = null, last_fetched_at = e.now, etag = e.etag, last_modified = e.last_modified,
            final_url = e.final_url, moved_to = e.moved_to, moved_seen = e.moved_seen, lease_token = null,
            next_fetch_at = case when f.refresh_asked_at > e.started_at and f.refresh_asked_at < e.next_fetch_at
                then e.now else e.next_fetch_at end,
            title = e.title, site_url = e.site_url, content_hash = e.content_hash, hints = e.hints,
            items_added = f.items_added + e.items_added, document_at = e.now, updated_at = e.now
         from ours join ended e on e.id = ours.id
         where f.id = ours.id
         returning f.id",
    );
    let query = tx.query_built(sql.with("table", &columns::table(&columns)));
    let ours: Vec<(FeedId,)> = columns::bind_table(query, &columns, fetched).all().await?;
    Ok(ours.into_iter().map(|(id,)| id).collect())
}

/// Writes down a new document. False if the lease was lost.
pub async fn mark_fetched(tx: &mut Tx, fetched: &Fetched) -> Result<bool> {
    let query = tx.query(
        "update feeds set fetch_status = 'active', consecutive_errors = 0, parse_failures = 0, error_code = null,
            error_message = null, last_fetched_at = $4, etag = $6, last_modified = $7, final_url = $8, moved_to = $9, moved_seen = $10,
            lease_token = null, next_fetch_at = case when refresh_asked_at > $3 and refresh_asked_at < $5 then $4 else $5 end,
            title = $11, site_url = $12, content_hash = $13, hints = $14, items_added = items_added + $15,
            document_at = $4, updated_at = $4
         where id = $1 and lease_token = $2",
    );
    let changed = bind_unchanged(query, &fetched.unchanged)
        .bind(fetched.title.clone())
        .bind(fetched.site_url.clone())
        .bind(fetched.content_hash.clone())
        .bind(fetched.hints.clone())
        .bind(fetched.items_added)
        .execute()
        .await?;
    Ok(changed > 0)
}

fn bind_unchanged<'a>(query: Query<'a>, unchanged: &Unchanged) -> Query<'a> {
    bind_ended(query, &unchanged.ended)
        .bind(unchanged.etag.clone())
        .bind(unchanged.last_modified.clone())
        .bind(unchanged.final_url.clone())
        .bind(unchanged.moved.to.clone())
        .bind(unchanged.moved.seen)
}

fn bind_ended<'a>(query: Query<'a>, ended: &Ended) -> Query<'a> {
    query.bind(ended.feed).bind(ended.token).bind(ended.started_at).bind(ended.now).bind(ended.next_fetch_at)
}

/// Writes down a failure. False if the lease was lost.
pub async fn mark_failed(tx: &mut Tx, failed: &Failed) -> Result<bool> {
    let query = tx.query(
        "update feeds set fetch_status = $6, consecutive_errors = $7, parse_failures = $8, error_code = $9,
            error_message = $10, last_fetched_at = $4, updated_at = $4, lease_token = null,
            next_fetch_at = case when refresh_asked_at > $3 and refresh_asked_at < $5 then $4 else $5 end
         where id = $1 and lease_token = $2",
    );
    let changed = bind_ended(query, &failed.ended)
        .bind(failed.status)
        .bind(failed.consecutive_errors)
        .bind(failed.parse_failures)
        .bind(failed.error_code.to_owned())
        .bind(failed.error_message.clone())
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Gives the feed its new address. The new address must be free.
pub async fn mark_moved(tx: &mut Tx, feed: FeedId, feed_url: &str, host: &str, now: DateTime<Utc>) -> Result<()> {
    tx.query(
        "update feeds set feed_url = $2, host = $3, moved_to = null, moved_seen = 0, updated_at = $4 where id = $1",
    )
    .bind(feed)
    .bind(feed_url.to_owned())
    .bind(host.to_owned())
    .bind(now)
    .execute()
    .await
    .map(drop)
}
