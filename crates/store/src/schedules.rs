//! The table `job_schedules`: which due time of each periodic job was taken last.

use chrono::{DateTime, Utc};

use crate::{Result, Tx, clock};

/// What came of asking for a due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is the caller's, and nobody else's.
    Yes,
    /// It is the first time ever that anybody asks; the job runs from the next due time on.
    First,
    /// Somebody took it, or a later one.
    No,
}

/// Takes a due time for the caller, in whose transaction the job is enqueued. A time taken by a clock that has been set
/// back since does not count.
pub async fn take(tx: &mut Tx, kind: &str, due_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<Taken> {
    let first = tx
        .query("insert into job_schedules (kind, due_at) values ($1, $2) on conflict (kind) do nothing")
        .bind(kind.to_owned())
        .bind(due_at)
        .execute()
        .await?;
    if first > 0 {
        return Ok(Taken::First);
    }
    let taken = tx
        .query("update job_schedules set due_at = $2 where kind = $1 and (due_at < $2 or due_at > $3)")
        .bind(kind.to_owned())
        .bind(due_at)
        .bind(now + clock::FURTHEST_AHEAD)
        .execute()
        .await?;
    Ok(if taken > 0 { Taken::Yes } else { Taken::No })
}
