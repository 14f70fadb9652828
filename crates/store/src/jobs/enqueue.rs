//! New jobs, in the caller's transaction.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use super::KeyScope;
use crate::{Db, JobId, Query, Result, Topic, Tx};

/// A job to enqueue.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub kind: String,
    /// Unique within the kind, for as long as `key_scope` says.
    pub key: Option<String>,
    pub key_scope: KeyScope,
    /// Jobs of one lane share a concurrency limit.
    pub lane: Option<String>,
    /// JSON.
    pub payload: String,
    /// 1 runs first, 4 last.
    pub priority: i64,
    pub max_attempts: i64,
    pub run_at: DateTime<Utc>,
}

/// The result of enqueueing a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enqueued {
    /// The job was added.
    Added(JobId),
    /// A job with the same key exists. Nothing was added.
    Exists(JobId),
}

impl Enqueued {
    /// The id of the new or existing job.
    pub fn id(self) -> JobId {
        match self {
            Enqueued::Added(id) | Enqueued::Exists(id) => id,
        }
    }
}

const INSERT: &str = "insert into jobs
    (id, kind, key, key_scope, lane, payload, priority, max_attempts, run_at, created_at, updated_at)";
const COLUMNS: usize = 11;
const RETURNING: &str = "on conflict do nothing returning id";
const INSERT_ONE: &str = "insert into jobs
    (id, kind, key, key_scope, lane, payload, priority, max_attempts, run_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id";

fn bind<'q>(query: Query<'q>, id: JobId, now: DateTime<Utc>, job: &NewJob) -> Query<'q> {
    query
        .bind(id)
        .bind(job.kind.clone())
        .bind(job.key.clone())
        .bind(job.key_scope)
        .bind(job.lane.clone())
        .bind(job.payload.clone())
        .bind(job.priority)
        .bind(job.max_attempts)
        .bind(job.run_at)
        .bind(now)
        .bind(now)
}

/// Adds a job unless its key exists.
pub async fn enqueue(tx: &mut Tx, now: DateTime<Utc>, job: &NewJob) -> Result<Enqueued> {
    let outcomes = enqueue_many(tx, now, std::slice::from_ref(job)).await?;
    outcomes.first().copied().ok_or(crate::Error::NotFound)
}

/// [`enqueue`] in its own transaction. A new job takes one round trip.
pub async fn enqueue_alone(db: &Db, now: DateTime<Utc>, job: &NewJob) -> Result<Enqueued> {
    let id = JobId::new();
    let added: Option<(JobId,)> = bind(db.write(INSERT_ONE), id, now, job).optional().await?;
    if added.is_some() {
        db.signals().announce(Topic::Jobs);
        return Ok(Enqueued::Added(id));
    }
    db.transact(async |tx| existing(tx, now, id, job).await).await
}

/// Adds many jobs with few statements. The results are in the order of `jobs`.
pub async fn enqueue_many(tx: &mut Tx, now: DateTime<Utc>, jobs: &[NewJob]) -> Result<Vec<Enqueued>> {
    let rows: Vec<(JobId, &NewJob)> = jobs.iter().map(|job| (JobId::new(), job)).collect();
    let added: Vec<(JobId,)> =
        tx.insert_many(INSERT, COLUMNS, RETURNING, &rows, |query, (id, job)| bind(query, *id, now, job)).await?;
    if !added.is_empty() {
        tx.announce(Topic::Jobs);
    }
    if added.len() == rows.len() {
        return Ok(rows.into_iter().map(|(id, _)| Enqueued::Added(id)).collect());
    }
    let added: HashSet<JobId> = added.into_iter().map(|(id,)| id).collect();
    let mut outcomes = Vec::with_capacity(rows.len());
    for (id, job) in rows {
        outcomes.push(if added.contains(&id) { Enqueued::Added(id) } else { existing(tx, now, id, job).await? });
    }
    Ok(outcomes)
}

/// The job with the key. If that one has ended since the insert, inserts the new one again.
async fn existing(tx: &mut Tx, now: DateTime<Utc>, id: JobId, job: &NewJob) -> Result<Enqueued> {
    for _ in 0..3 {
        let found: Option<(JobId,)> = tx
            .query(
                "select id from jobs where kind = $1 and key = $2 and key_scope = 'forever'
                 union all
                 select id from jobs where kind = $1 and key = $2 and key is not null and status in ('queued', 'processing')
                 limit 1",
            )
            .bind(job.kind.clone())
            .bind(job.key.clone())
            .optional()
            .await?;
        if let Some((found,)) = found {
            return Ok(Enqueued::Exists(found));
        }
        let added: Vec<(JobId,)> =
            tx.insert_many(INSERT, COLUMNS, RETURNING, &[job], |query, job| bind(query, id, now, job)).await?;
        if !added.is_empty() {
            tx.announce(Topic::Jobs);
            return Ok(Enqueued::Added(id));
        }
    }
    // The key conflicts with a row of another open transaction, which this one cannot see.
    Err(crate::Error::NotFound)
}
