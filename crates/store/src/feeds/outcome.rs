//! The outcome of a fetch, as the row of its feed after it. Each write is fenced by the token of the claim: a fetch that has
//! lost its lease changes nothing.
//!
//! A refresh that was asked for after the fetch began makes the feed due again at once. One that seems to be asked for later
//! than the next fetch comes from a clock that has been set back since; it would make the feed due again for ever.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use super::{Claimed, FetchStatus};
use crate::{
    FeedId, LeaseToken, Result, Tx,
    columns::{self, Column},
    sql::Sql,
};

/// The row of a feed after a fetch. What the fetch did not change is as it was claimed.
#[derive(Debug, Clone)]
pub struct FetchRecord {
    pub feed: FeedId,
    /// The token of the claim.
    pub token: LeaseToken,
    pub started_at: DateTime<Utc>,
    pub now: DateTime<Utc>,
    pub next_fetch_at: DateTime<Utc>,
    pub status: FetchStatus,
    /// Failures in a row, including this one.
    pub consecutive_errors: i64,
    /// Responses in a row that were not feeds, including this one.
    pub parse_failures: i64,
    pub error_code: Option<&'static str>,
    /// The details, for the owner.
    pub error_message: Option<String>,
    /// The validators to send next time.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Where the validators came from, if redirects led there.
    pub final_url: Option<String>,
    /// The target of permanent redirects.
    pub moved_to: Option<String>,
    /// Fetches in a row that were redirected there.
    pub moved_seen: i64,
    pub title: String,
    pub site_url: Option<String>,
    /// SHA-256 of the body.
    pub content_hash: Option<String>,
    /// What the publisher asks for, as JSON.
    pub hints: Option<String>,
    /// Whether there is a new document.
    pub has_document: bool,
    /// The number of new items.
    pub items_added: i64,
}

impl FetchRecord {
    /// The row as it was claimed, without errors.
    pub fn of(
        feed: &Claimed,
        token: LeaseToken,
        started_at: DateTime<Utc>,
        now: DateTime<Utc>,
        next_fetch_at: DateTime<Utc>,
    ) -> FetchRecord {
        let feed = feed.clone();
        FetchRecord {
            feed: feed.id,
            token,
            started_at,
            now,
            next_fetch_at,
            status: FetchStatus::Active,
            consecutive_errors: 0,
            parse_failures: 0,
            error_code: None,
            error_message: None,
            etag: feed.etag,
            last_modified: feed.last_modified,
            final_url: feed.final_url,
            moved_to: feed.moved_to,
            moved_seen: feed.moved_seen,
            title: feed.title,
            site_url: feed.site_url,
            content_hash: feed.content_hash,
            hints: feed.hints,
            has_document: false,
            items_added: 0,
        }
    }
}

/// What a fetch sets in the row of its feed, in the order of the placeholders.
const COLUMNS: [Column<FetchRecord>; 21] = [
    Column::uuid("id", |one| one.feed.0),
    Column::uuid("token", |one| one.token.0),
    Column::time("started_at", |one| one.started_at),
    Column::time("now", |one| one.now),
    Column::time("next_fetch_at", |one| one.next_fetch_at),
    Column::text("fetch_status", |one| Some(one.status.as_str())),
    Column::number("consecutive_errors", |one| one.consecutive_errors),
    Column::number("parse_failures", |one| one.parse_failures),
    Column::text("error_code", |one| one.error_code),
    Column::text("error_message", |one| one.error_message.as_deref()),
    Column::text("etag", |one| one.etag.as_deref()),
    Column::text("last_modified", |one| one.last_modified.as_deref()),
    Column::text("final_url", |one| one.final_url.as_deref()),
    Column::text("moved_to", |one| one.moved_to.as_deref()),
    Column::number("moved_seen", |one| one.moved_seen),
    Column::text("title", |one| Some(&one.title)),
    Column::text("site_url", |one| one.site_url.as_deref()),
    Column::text("content_hash", |one| one.content_hash.as_deref()),
    Column::text("hints", |one| one.hints.as_deref()),
    Column::bool("has_document", |one| one.has_document),
    Column::number("items_added", |one| one.items_added),
];

/// The new values; `e` is the record, `f` the row.
const SET: &str = "fetch_status = e.fetch_status, consecutive_errors = e.consecutive_errors,
    parse_failures = e.parse_failures, error_code = e.error_code, error_message = e.error_message,
    last_fetched_at = e.now, etag = e.etag, last_modified = e.last_modified, final_url = e.final_url,
    moved_to = e.moved_to, moved_seen = e.moved_seen, title = e.title, site_url = e.site_url,
    content_hash = e.content_hash, hints = e.hints, items_added = f.items_added + e.items_added, lease_token = null,
    next_fetch_at = case when f.refresh_asked_at > e.started_at and f.refresh_asked_at < e.next_fetch_at
        then e.now else e.next_fetch_at end,
    document_at = case when e.has_document then e.now else f.document_at end,
    updated_at = case when e.has_document or e.error_code is not null then e.now else f.updated_at end";

/// All records with one trip to the server. A row that another transaction holds is passed over: that transaction may belong
/// to a process that has stopped, and the other records must not wait for it.
fn mark_postgres() -> Sql {
    let sql = "with ended as materialized (select * from {table}),
         ours as materialized (
            select f.id from feeds f join ended e on f.id = e.id and f.lease_token = e.token
            order by f.id for update of f skip locked)
         update feeds f set {set} from ours join ended e on e.id = ours.id where f.id = ours.id returning f.id";
    Sql::fill(&[sql], &[("set", SET)]).with("table", &columns::table(&COLUMNS))
}

/// One record. SQLite has one writer, so no row is locked.
fn mark_sqlite() -> Sql {
    let sql = "with ended ({names}) as (values {row})
         update feeds as f set {set} from ended e where f.id = e.id and f.lease_token = e.token";
    let row = Sql::placeholders(1, COLUMNS.len(), false);
    Sql::fill(&[sql], &[("set", SET)]).with("names", &columns::names("", &COLUMNS)).with("row", &row)
}

/// The feeds that [`mark_fetched`] has written, and those that it could not write. A feed in neither set has lost its lease.
#[derive(Debug, Default)]
pub struct Marked {
    /// The transaction holds the rows of these feeds until its end.
    pub held: HashSet<FeedId>,
    /// Another transaction holds the rows of these feeds. Try again with a new transaction.
    pub locked: HashSet<FeedId>,
}

/// Writes the outcomes of fetches, in the transaction that stores their items. It waits for no other transaction.
pub async fn mark_fetched(tx: &mut Tx, records: &[FetchRecord]) -> Result<Marked> {
    if tx.is_postgres() {
        let query = tx.query_built(mark_postgres());
        let held: Vec<(FeedId,)> = columns::bind_table(query, &COLUMNS, records).all().await?;
        let held = held.into_iter().map(|(id,)| id).collect();
        let locked = list_locked(tx, records, &held).await?;
        return Ok(Marked { held, locked });
    }
    let (sql, mut marked) = (mark_sqlite(), Marked::default());
    for record in records {
        let query = tx.query_built(sql.clone());
        let query = COLUMNS.iter().fold(query, |query, column| column.bind(query, record));
        if query.execute().await? > 0 {
            marked.held.insert(record.feed);
        }
    }
    Ok(marked)
}

/// Feeds that were not written although their lease is ours.
async fn list_locked(tx: &mut Tx, records: &[FetchRecord], held: &HashSet<FeedId>) -> Result<HashSet<FeedId>> {
    let missing: Vec<_> = records.iter().filter(|record| !held.contains(&record.feed)).collect();
    if missing.is_empty() {
        return Ok(HashSet::new());
    }
    let locked: Vec<(FeedId,)> = tx
        .query(
            "select f.id from feeds f join unnest(cast($1 as uuid[]), cast($2 as uuid[])) as e (id, token)
                on f.id = e.id and f.lease_token = e.token",
        )
        .bind_column(missing.iter().map(|record| record.feed.0).collect::<Vec<_>>())
        .bind_column(missing.iter().map(|record| record.token.0).collect::<Vec<_>>())
        .all()
        .await?;
    Ok(locked.into_iter().map(|(id,)| id).collect())
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
