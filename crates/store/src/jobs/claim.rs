//! Finding due jobs, and claiming them with a lease.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use crate::{Db, JobId, LeaseToken, Query, Result, Tx, dialect};

/// The first waiting job of a kind and priority.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct DueKind {
    pub kind: String,
    pub priority: i64,
    /// When the first job may start. In the future if none is due yet.
    pub run_at: DateTime<Utc>,
}

/// The worker that claims jobs, and its lease.
#[derive(Debug, Clone)]
pub struct JobClaim {
    pub now: DateTime<Utc>,
    pub worker: String,
    pub token: LeaseToken,
    /// The end of the lease.
    pub expires_at: DateTime<Utc>,
}

/// A claimed job, with the columns needed to run it. Reading whole rows cost a fifth of the speed on SQLite.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ClaimedJob {
    pub id: JobId,
    pub kind: String,
    /// Jobs of one lane share a concurrency limit.
    pub lane: Option<String>,
    /// JSON.
    pub payload: String,
    /// 1 runs first, 4 last.
    pub priority: i64,
    /// Including this one.
    pub attempts: i64,
    pub max_attempts: i64,
    pub run_at: DateTime<Utc>,
}

/// Every kind and priority with queued jobs, and the time of the first one.
///
/// One seek in `jobs_ready` for each, however many jobs are queued. (For `(kind, priority) > (…)` SQLite would read a whole kind.)
pub async fn list_due(db: &Db) -> Result<Vec<DueKind>> {
    db.read(
        "with recursive head (id) as (
            select * from (
                select id from jobs where status = 'queued' order by kind, priority, run_at, id limit 1) as first
            union all
            select coalesce((
                select n.id from jobs n
                where n.status = 'queued' and n.kind = j.kind and n.priority > j.priority
                order by n.priority, n.run_at, n.id limit 1), (
                select n.id from jobs n
                where n.status = 'queued' and n.kind > j.kind
                order by n.kind, n.priority, n.run_at, n.id limit 1))
            from head join jobs j on j.id = head.id
        )
        select j.kind, j.priority, j.run_at from head join jobs j on j.id = head.id",
    )
    .all()
    .await
}

/// Claims at most `limit` due jobs of one kind and priority, oldest first.
pub async fn claim(db: &Db, claim: &JobClaim, kind: &str, priority: i64, limit: i64) -> Result<Vec<ClaimedJob>> {
    let query = db.write_either(dialect::CLAIM_SQLITE, dialect::CLAIM_POSTGRES);
    let jobs = bind(query, claim, kind, limit).bind(priority).all().await?;
    Ok(in_order(jobs))
}

/// How many jobs of a kind may run at once over all workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConcurrencyLimits {
    pub per_kind: Option<i64>,
    /// For each lane. All jobs of such a kind need a lane; one without is never claimed.
    pub per_lane: Option<i64>,
}

/// Claims at most `limit` due jobs of one kind within its concurrency limits. Lanes take turns, starting after `after_lane`.
///
/// Returns the jobs and the last lane that had a turn.
pub async fn claim_limited(
    db: &Db,
    claim: &JobClaim,
    kind: &str,
    limits: ConcurrencyLimits,
    limit: i64,
    after_lane: &str,
) -> Result<(Vec<ClaimedJob>, String)> {
    db.transact(async |tx| {
        // The lock makes counting and claiming atomic: otherwise two workers could both fill the last free slot.
        if !dialect::lock_soon(tx, kind).await? {
            return Ok((Vec::new(), after_lane.to_owned()));
        }
        let running = count_running(tx, kind).await?;
        let total: i64 = running.values().sum();
        let free = limit.min(limits.per_kind.map_or(limit, |limit| limit - total));
        let (jobs, last) = match limits.per_lane {
            None => (claim_by_priority(tx, claim, kind, free).await?, after_lane.to_owned()),
            Some(per_lane) => {
                let lanes = list_lanes(tx, kind, after_lane, free).await?;
                let room = |lane: &String| per_lane - running.get(lane).copied().unwrap_or(0);
                let lanes = lanes.into_iter().map(|lane| (room(&lane), lane)).collect();
                claim_by_lane(tx, claim, kind, free, lanes).await?
            }
        };
        Ok((in_order(jobs), last))
    })
    .await
}

async fn claim_by_priority(tx: &mut Tx, claim: &JobClaim, kind: &str, mut free: i64) -> Result<Vec<ClaimedJob>> {
    let mut jobs = Vec::new();
    for priority in 1..=4_i64 {
        if free <= 0 {
            break;
        }
        let query = tx.query_either(dialect::CLAIM_SQLITE, dialect::CLAIM_POSTGRES);
        let taken: Vec<ClaimedJob> = bind(query, claim, kind, free).bind(priority).all().await?;
        free -= count(&taken);
        jobs.extend(taken);
    }
    Ok(jobs)
}

async fn claim_by_lane(
    tx: &mut Tx,
    claim: &JobClaim,
    kind: &str,
    mut free: i64,
    lanes: Vec<(i64, String)>,
) -> Result<(Vec<ClaimedJob>, String)> {
    let mut jobs = Vec::new();
    let mut last = String::new();
    for (room, lane) in lanes {
        if free <= 0 {
            break;
        }
        if room > 0 {
            let query = tx.query_either(dialect::CLAIM_LANE_SQLITE, dialect::CLAIM_LANE_POSTGRES);
            let taken: Vec<ClaimedJob> = bind(query, claim, kind, free.min(room)).bind(lane.clone()).all().await?;
            free -= count(&taken);
            jobs.extend(taken);
        }
        last = lane;
    }
    Ok((jobs, last))
}

fn bind<'q>(query: Query<'q>, claim: &JobClaim, kind: &str, limit: i64) -> Query<'q> {
    query
        .bind(claim.now)
        .bind(claim.worker.clone())
        .bind(claim.token)
        .bind(claim.expires_at)
        .bind(limit)
        .bind(kind.to_owned())
}

fn count(jobs: &[ClaimedJob]) -> i64 {
    i64::try_from(jobs.len()).unwrap_or(i64::MAX)
}

/// `returning` guarantees no order.
fn in_order(mut jobs: Vec<ClaimedJob>) -> Vec<ClaimedJob> {
    jobs.sort_unstable_by_key(|job| (job.priority, job.run_at, job.id));
    jobs
}

async fn count_running(tx: &mut Tx, kind: &str) -> Result<HashMap<String, i64>> {
    let rows: Vec<(String, i64)> = tx
        .query("select coalesce(lane, ''), count(*) from jobs where status = 'processing' and kind = $1 group by lane")
        .bind(kind.to_owned())
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// Lanes with queued jobs, starting after `after` and wrapping around. One seek for each, however many jobs are queued.
async fn list_lanes(tx: &mut Tx, kind: &str, after: &str, free: i64) -> Result<Vec<String>> {
    // Some lanes may be full, so read more of them than there are free slots.
    let look = free.max(16) * 4;
    let mut lanes: Vec<String> = Vec::new();
    let starts = if after.is_empty() { vec![""] } else { vec![after, ""] };
    for start in starts {
        let found: Vec<(String,)> = tx
            .query(
                "with recursive head (id) as (
                    select * from (
                        select id from jobs where status = 'queued' and kind = $1 and lane is not null and lane > $2
                        order by lane, priority, run_at, id limit 1) as first
                    union all
                    select (
                        select n.id from jobs n
                        where n.status = 'queued' and n.kind = $1 and n.lane is not null and n.lane > j.lane
                        order by n.lane, n.priority, n.run_at, n.id limit 1)
                    from head join jobs j on j.id = head.id
                )
                select j.lane from head join jobs j on j.id = head.id limit $3",
            )
            .bind(kind.to_owned())
            .bind(start.to_owned())
            .bind(look)
            .all()
            .await?;
        for (lane,) in found {
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
    }
    Ok(lanes)
}
