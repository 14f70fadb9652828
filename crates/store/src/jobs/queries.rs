//! Queries for the API and the command line: list, retry, cancel.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{JobRecord, JobStatus};
use crate::{Db, Error, JobId, Result, Topic, Tx};

/// The rows that [`retry_all`] changes in one transaction.
const CHUNK: i64 = 1_000;

/// One job.
pub async fn get(db: &Db, id: JobId) -> Result<Option<JobRecord>> {
    db.read("select * from jobs where id = $1").bind(id).optional().await
}

/// Each status has its own index and order. SQLite uses a partial index only when the query repeats its condition word for
/// word.
macro_rules! list {
    ($which:literal, $order:literal) => {
        concat!(
            "select * from jobs where ",
            $which,
            " and (cast($1 as text) is null or kind = $1) order by ",
            $order,
            " limit $2"
        )
    };
}

/// Jobs, newest first. Queued jobs are in the order of their start.
pub async fn list(db: &Db, status: Option<JobStatus>, kind: Option<&str>, limit: i64) -> Result<Vec<JobRecord>> {
    let sql = match status {
        None => list!("true", "id desc"),
        Some(JobStatus::Queued) => list!("status = 'queued'", "run_at, id"),
        Some(JobStatus::Processing) => list!("status = 'processing'", "locked_at desc, id desc"),
        Some(JobStatus::Succeeded) => {
            list!("status = 'succeeded' and status in ('succeeded', 'failed')", "updated_at desc, id desc")
        }
        Some(JobStatus::Failed) => {
            list!("status = 'failed' and status in ('succeeded', 'failed')", "updated_at desc, id desc")
        }
    };
    db.read(sql).bind(kind.map(str::to_owned)).bind(limit).all().await
}

/// The sort key of a job in the list of `status`, from which [`list_page`] continues.
pub fn list_position(job: &JobRecord, status: Option<JobStatus>) -> DateTime<Utc> {
    match status {
        None => job.created_at,
        Some(JobStatus::Queued) => job.run_at,
        Some(JobStatus::Processing) => job.locked_at.unwrap_or(job.updated_at),
        Some(JobStatus::Succeeded | JobStatus::Failed) => job.updated_at,
    }
}

/// A page of a list, after the job at a position.
macro_rules! page {
    ($which:literal, $after:literal, $order:literal) => {
        concat!(
            "select * from jobs where ",
            $which,
            " and (cast($1 as text) is null or kind = $1) and ",
            $after,
            " order by ",
            $order,
            " limit $2"
        )
    };
}

/// The jobs of [`list()`] after the job with this [`list_position`] and id.
pub async fn list_page(
    db: &Db,
    status: Option<JobStatus>,
    kind: Option<&str>,
    after: Option<(DateTime<Utc>, Uuid)>,
    limit: i64,
) -> Result<Vec<JobRecord>> {
    let Some((at, id)) = after else { return list(db, status, kind, limit).await };
    let sql = match status {
        // Ids ascend with time, so the time is not needed.
        None => page!("true", "id < $4 and $3 = $3", "id desc"),
        Some(JobStatus::Queued) => page!("status = 'queued'", "(run_at, id) > ($3, $4)", "run_at, id"),
        Some(JobStatus::Processing) => {
            page!("status = 'processing'", "(locked_at, id) < ($3, $4)", "locked_at desc, id desc")
        }
        Some(JobStatus::Succeeded) => page!(
            "status = 'succeeded' and status in ('succeeded', 'failed')",
            "(updated_at, id) < ($3, $4)",
            "updated_at desc, id desc"
        ),
        Some(JobStatus::Failed) => page!(
            "status = 'failed' and status in ('succeeded', 'failed')",
            "(updated_at, id) < ($3, $4)",
            "updated_at desc, id desc"
        ),
    };
    db.read(sql).bind(kind.map(str::to_owned)).bind(limit).bind(at).bind(id).all().await
}

/// The result of a retry request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retried {
    /// The job is queued again with all its attempts.
    Queued,
    /// Only failed jobs can be retried.
    NotFailed(JobStatus),
    /// Another job with the same key is queued or running.
    KeyTaken,
    /// The job does not exist.
    Unknown,
}

/// Queues a failed job again, due now, and resets its attempts.
pub async fn retry(db: &Db, now: DateTime<Utc>, id: JobId) -> Result<Retried> {
    let written = db.transact(async |tx| {
        let query = tx.query(
            "update jobs set status = 'queued', attempts = 0, run_at = $1, updated_at = $1
             where id = $2 and status = 'failed'",
        );
        let written = query.bind(now).bind(id).execute().await?;
        if written > 0 {
            tx.announce(Topic::Jobs);
        }
        Ok(written)
    });
    match written.await {
        Ok(0) => Ok(get(db, id).await?.map_or(Retried::Unknown, |job| Retried::NotFailed(job.status))),
        Ok(_) => Ok(Retried::Queued),
        Err(Error::Conflict(_)) => Ok(Retried::KeyTaken),
        Err(error) => Err(error),
    }
}

/// Which failed jobs to retry.
#[derive(Debug, Clone, Default)]
pub struct RetryFilter {
    pub kind: Option<String>,
    /// A part of the last error.
    pub error: Option<String>,
}

/// Retries all failed jobs that match, except those whose key is taken. Returns how many.
///
/// Of several failed jobs with one key, only the newest is retried.
pub async fn retry_all(db: &Db, now: DateTime<Utc>, filter: &RetryFilter) -> Result<u64> {
    let mut total = 0;
    while let Some(retried) = db.transact(async |tx| retry_chunk(tx, now, filter).await).await? {
        total += retried;
    }
    Ok(total)
}

/// None when no job is left.
async fn retry_chunk(tx: &mut Tx, now: DateTime<Utc>, filter: &RetryFilter) -> Result<Option<u64>> {
    let ids = list_retryable(tx, filter).await?;
    if ids.is_empty() {
        return Ok(None);
    }
    tx.announce(Topic::Jobs);
    tx.query(
        "update jobs set status = 'queued', attempts = 0, run_at = $1, updated_at = $1
         where status = 'failed' and id in (select unhex(value) from json_each($2))",
    )
    .bind(now)
    .bind_ids(ids)
    .execute()
    .await
    .map(Some)
}

/// The newest failed jobs that match and whose key is free, one per key. A later call skips older ones with the same key,
/// because the key is taken by then.
async fn list_retryable(tx: &mut Tx, filter: &RetryFilter) -> Result<Vec<JobId>> {
    let found: Vec<(JobId, String, Option<String>)> = tx
        .query(
            "select f.id, f.kind, f.key from jobs f
             where f.status = 'failed' and f.status in ('succeeded', 'failed')
               and (cast($1 as text) is null or f.kind = $1)
               and (cast($2 as text) is null or f.last_error like $2 escape '!')
               and (f.key is null or not exists (
                 select 1 from jobs o where o.kind = f.kind and o.key = f.key and o.key is not null
                   and o.status in ('queued', 'processing')))
             order by f.updated_at desc, f.id desc limit $3",
        )
        .bind(filter.kind.clone())
        .bind(filter.error.as_deref().map(containing))
        .bind(CHUNK)
        .all()
        .await?;
    let mut keys = HashSet::new();
    let first_of_its_key = |(id, kind, key): (JobId, String, Option<String>)| match key {
        Some(key) => keys.insert((kind, key)).then_some(id),
        None => Some(id),
    };
    Ok(found.into_iter().filter_map(first_of_its_key).collect())
}

/// A pattern for `like … escape '!'` that matches `text` literally.
fn containing(text: &str) -> String {
    let text = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{text}%")
}

/// The result of a cancel request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// The job is failed and will not run.
    Failed,
    /// Only queued jobs can be cancelled.
    NotQueued(JobStatus),
    /// The job does not exist.
    Unknown,
}

/// Marks a queued job as failed, with `reason` as its error.
pub async fn cancel(db: &Db, now: DateTime<Utc>, id: JobId, reason: &str) -> Result<Cancelled> {
    let written = db
        .write(
            "update jobs set status = 'failed', last_error = $1, updated_at = $2 where id = $3 and status = 'queued'",
        )
        .bind(super::stored_error(reason))
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    if written > 0 {
        return Ok(Cancelled::Failed);
    }
    Ok(get(db, id).await?.map_or(Cancelled::Unknown, |job| Cancelled::NotQueued(job.status)))
}
