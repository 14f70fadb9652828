//! The table `job_schedules`: the last claimed due time of each periodic job.

use chrono::{DateTime, Utc};

use crate::{Result, Tx, clock};

/// The result of [`claim`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleClaim {
    /// The caller has claimed the due time.
    Claimed,
    /// The schedule is new. The job runs from the next due time on.
    First,
    /// Another worker has claimed this or a later due time.
    AlreadyClaimed,
}

/// Claims a due time in the transaction that enqueues the job. A stored time so far ahead that the clock was wrong is
/// overwritten.
pub async fn claim(tx: &mut Tx, kind: &str, due_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<ScheduleClaim> {
    let first = tx
        .query("insert into job_schedules (kind, due_at) values ($1, $2) on conflict (kind) do nothing")
        .bind(kind.to_owned())
        .bind(due_at)
        .execute()
        .await?;
    if first > 0 {
        return Ok(ScheduleClaim::First);
    }
    let claimed = tx
        .query("update job_schedules set due_at = $2 where kind = $1 and (due_at < $2 or due_at > $3)")
        .bind(kind.to_owned())
        .bind(due_at)
        .bind(now + clock::MAX_AHEAD)
        .execute()
        .await?;
    Ok(if claimed > 0 { ScheduleClaim::Claimed } else { ScheduleClaim::AlreadyClaimed })
}
