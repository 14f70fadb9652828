//! Claims: leases on feeds that are due.

use chrono::{DateTime, Utc};

use super::FetchStatus;
use crate::{Db, FeedId, LeaseToken, Result, Tx, clock};

/// What to claim.
#[derive(Debug, Clone)]
pub struct Claim {
    pub now: DateTime<Utc>,
    /// When other workers may claim them.
    pub lease_until: DateTime<Utc>,
    /// Fences every later write.
    pub token: LeaseToken,
    /// The maximum number of feeds.
    pub most: i64,
    /// The maximum for one host, including feeds that other workers have.
    pub per_host: i64,
    /// The kinds that the worker can fetch.
    pub kinds: Vec<String>,
}

/// A feed to fetch, with what the last fetches stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Claimed {
    pub id: FeedId,
    /// Where its entries come from.
    pub kind: String,
    pub feed_url: String,
    pub title: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// The validators of the last answer.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// SHA-256 of the last body.
    pub content_hash: Option<String>,
    pub fetch_status: FetchStatus,
    /// Failures in a row.
    pub consecutive_errors: i64,
    /// Responses in a row that were not feeds.
    pub parse_failures: i64,
    /// The target of permanent redirects at the last fetch.
    pub moved_to: Option<String>,
    /// Fetches in a row that were redirected there.
    pub moved_seen: i64,
    /// Where the last answer came from, if redirects led there.
    pub final_url: Option<String>,
    /// What the publisher asks for, as JSON.
    pub hints: Option<String>,
    /// How many items have arrived so far.
    pub items_added: i64,
    /// The least interval among its subscribers and the files that name it.
    pub interval_minutes: Option<i64>,
    /// When its icon was last looked for.
    pub favicon_checked_at: Option<DateTime<Utc>>,
}

/// The columns of [`Claimed`].
macro_rules! claimed_columns {
    () => {
        "id, kind, feed_url, title, site_url, etag, last_modified, content_hash,
         cast(fetch_status as text) as fetch_status, consecutive_errors, parse_failures, moved_to, moved_seen, final_url,
         hints, items_added, favicon_checked_at,
         (select min(minutes) from (
            select fetch_interval_minutes as minutes from subscriptions s where s.feed_id = feeds.id
            union all select interval_minutes from feed_uses u where u.feed_id = feeds.id) i) as interval_minutes"
    };
}

/// Claims feeds of these kinds that are due and in use, the longest due first, no more from a host than it may have at once.
///
/// A feed that is planned further ahead than any feed can be is due too: a clock was ahead when it was planned.
pub async fn claim(db: &Db, claim: &Claim) -> Result<Vec<Claimed>> {
    let ids = if db.is_postgres() { claim_ids_postgres(db, claim).await? } else { claim_ids_sqlite(db, claim).await? };
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    db.read(concat!(
        "select ",
        claimed_columns!(),
        " from feeds where lease_token = $1 and id in (select unhex(value) from json_each($2))"
    ))
    .bind(claim.token)
    .bind_ids(ids)
    .all()
    .await
}

/// One call, so that a process that stops at any moment leaves no lock behind; see migrations 6 and 8.
async fn claim_ids_postgres(db: &Db, claim: &Claim) -> Result<Vec<FeedId>> {
    let ids: Vec<(FeedId,)> = db
        .write("select claim_due_feeds($1, $2, $3, $4, $5, $6, $7)")
        .bind(claim.now)
        .bind(claim.now + clock::MAX_AHEAD)
        .bind(claim.lease_until)
        .bind(claim.token)
        .bind(claim.most)
        .bind(claim.per_host)
        .bind_texts(claim.kinds.clone())
        .all()
        .await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// One ordered seek in the index for each kind, as `cross join` and the correlated lists make SQLite do it.
const CHOOSE_SQLITE: &str = "with busy as (
        select host, count(*) as fetches from feeds
        where lease_token is not null and next_fetch_at > $1 and next_fetch_at <= $2 group by host),
    due as (
        select f.id, f.host, f.next_fetch_at from json_each($5) k cross join feeds f on f.id in (
            select id from feeds
            where kind = k.value and fetch_status <> 'stopped' and rested_at is null and next_fetch_at <= $1
                and host not in (select host from busy where fetches >= $4)
            order by next_fetch_at limit $3 * 10)
        union all
        select f.id, f.host, f.next_fetch_at from json_each($5) k cross join feeds f on f.id in (
            select id from feeds
            where kind = k.value and fetch_status <> 'stopped' and rested_at is null and next_fetch_at > $2
                and host not in (select host from busy where fetches >= $4)
            order by next_fetch_at limit $3 * 10)),
    placed as (
        select id, next_fetch_at, row_number() over (partition by host order by next_fetch_at)
            + coalesce((select fetches from busy where busy.host = due.host), 0) as place
        from due)
    select id from placed where place <= $4 order by next_fetch_at limit $3";

/// The same for SQLite, whose only writer needs no locks.
async fn claim_ids_sqlite(db: &Db, claim: &Claim) -> Result<Vec<FeedId>> {
    db.transact(async |tx| claim_in(tx, claim).await).await
}

async fn claim_in(tx: &mut Tx, claim: &Claim) -> Result<Vec<FeedId>> {
    let ids: Vec<(FeedId,)> = tx
        .query(CHOOSE_SQLITE)
        .bind(claim.now)
        .bind(claim.now + clock::MAX_AHEAD)
        .bind(claim.most)
        .bind(claim.per_host)
        .bind_texts(claim.kinds.clone())
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

/// Claims this feed now, even if it is not due. `None` if it is stopped, rests, or another worker has it.
pub async fn claim_now(
    db: &Db,
    feed: FeedId,
    token: LeaseToken,
    now: DateTime<Utc>,
    lease_until: DateTime<Utc>,
) -> Result<Option<Claimed>> {
    let sql = concat!(
        "update feeds set lease_token = $2, next_fetch_at = $3
         where id = $1 and fetch_status <> 'stopped' and rested_at is null
            and (lease_token is null or next_fetch_at <= $4 or next_fetch_at > $5) returning ",
        claimed_columns!()
    );
    db.write(sql).bind(feed).bind(token).bind(lease_until).bind(now).bind(now + clock::MAX_AHEAD).optional().await
}

/// Ends a claim without an outcome: the feed is due at `due_at`.
pub async fn release(db: &Db, feed: FeedId, token: LeaseToken, due_at: DateTime<Utc>) -> Result<()> {
    db.write("update feeds set lease_token = null, next_fetch_at = $3 where id = $1 and lease_token = $2")
        .bind(feed)
        .bind(token)
        .bind(due_at)
        .execute()
        .await
        .map(drop)
}

/// When the next feed of these kinds is due, or a lease ends.
pub async fn next_due_at(db: &Db, kinds: Vec<String>) -> Result<Option<DateTime<Utc>>> {
    let first = db.read(
        "select min((select next_fetch_at from feeds
            where kind = k.value and fetch_status <> 'stopped' and rested_at is null order by next_fetch_at limit 1))
         from json_each($1) k",
    );
    first.bind_texts(kinds).scalar().await
}

/// Claims a feed for a fetch that has ended already, in the transaction that stores its outcome. A worker that has the feed
/// loses its lease. `None` if the feed is gone.
pub async fn take(tx: &mut Tx, feed: FeedId, token: LeaseToken) -> Result<Option<Claimed>> {
    let sql = concat!("update feeds set lease_token = $2 where id = $1 returning ", claimed_columns!());
    tx.query(sql).bind(feed).bind(token).optional().await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One ordered seek for each kind, and no pass over all feeds.
    #[tokio::test]
    async fn the_plan_on_sqlite_seeks_each_kind() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = format!("sqlite://{}", folder.path().join("k.db").display());
        let db = Db::open(&url.parse().unwrap(), 2).await.unwrap();
        db.migrate().await.unwrap();
        fill(&db).await;
        let sql: &'static str = format!("explain query plan {CHOOSE_SQLITE}").leak();
        let now: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().unwrap();
        let query = db.read(sql).bind(now).bind(now + clock::MAX_AHEAD).bind(20_i64).bind(2_i64);
        let steps: Vec<(i64, i64, i64, String)> = query.bind_texts(vec!["feed".to_owned()]).all().await.unwrap();
        let steps: Vec<String> = steps.into_iter().map(|(_, _, _, step)| step).collect();
        let seeks = |how: &str| {
            steps.iter().filter(|step| step.contains(&format!("feeds_due (kind=? AND next_fetch_at{how}?)"))).count()
        };
        assert_eq!((seeks("<"), seeks(">")), (1, 1), "{steps:#?}");
        assert!(!steps.iter().any(|step| step == "SCAN feeds" || step == "SCAN f"), "{steps:#?}");
    }

    async fn fill(db: &Db) {
        let mut tx = db.begin().await.unwrap();
        for kind in ["feed", "digest"] {
            tx.query(
                "insert into feeds (id, feed_url, host, title, kind, next_fetch_at)
                 with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
                 select randomblob(16), $1 || i, $1 || i, '?', $1, '2026-01-01T00:00:00.000000+00:00' from n",
            )
            .bind(kind.to_owned())
            .execute()
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
        db.write("analyze").execute().await.unwrap();
    }
}
