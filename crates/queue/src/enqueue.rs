//! Putting jobs on the queue, usually in the caller's transaction: the work and the reason for it become true together.

use chrono::{DateTime, Utc};
pub use store::jobs::Enqueued;
use store::{Clock, Db, Tx, jobs::NewJob};

use crate::{Job, Priority};

/// The lane of jobs that name none, where lanes are limited.
const NO_LANE: &str = "-";
/// What the columns `key` and `lane` hold.
const MOST_KEY_BYTES: usize = 512;

/// When and how soon.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// Not before this time; now if not given.
    pub run_at: Option<DateTime<Utc>>,
    pub priority: Option<Priority>,
}

/// Why a job could not be enqueued.
#[derive(Debug, thiserror::Error)]
pub enum EnqueueError {
    /// Its value has no JSON; a mistake in the job's type.
    #[error("the job {kind} cannot be written as JSON")]
    Payload { kind: &'static str, source: serde_json::Error },
    /// Its key or lane is empty or too long.
    #[error("the {what} of a job {kind} must have 1 to 512 bytes, and has {bytes}")]
    Name { kind: &'static str, what: &'static str, bytes: usize },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Enqueues a job, or reports the one that has its key.
pub async fn enqueue<J: Job>(tx: &mut Tx, clock: &Clock, job: &J, timing: Timing) -> Result<Enqueued, EnqueueError> {
    let row = new_row(job, clock.now(), timing)?;
    Ok(store::jobs::enqueue(tx, clock.now(), &row).await?)
}

/// Enqueues a job that belongs to no transaction, in one round trip, or reports the one that has its key.
pub async fn enqueue_alone<J: Job>(db: &Db, clock: &Clock, job: &J, timing: Timing) -> Result<Enqueued, EnqueueError> {
    let row = new_row(job, clock.now(), timing)?;
    Ok(store::jobs::enqueue_alone(db, clock.now(), &row).await?)
}

/// Enqueues many jobs of one type with few statements; the answers are in the order of the jobs.
pub async fn enqueue_many<J: Job>(
    tx: &mut Tx,
    clock: &Clock,
    jobs: &[J],
    timing: Timing,
) -> Result<Vec<Enqueued>, EnqueueError> {
    let now = clock.now();
    let rows = jobs.iter().map(|job| new_row(job, now, timing)).collect::<Result<Vec<_>, _>>()?;
    Ok(store::jobs::enqueue_many(tx, now, &rows).await?)
}

fn new_row<J: Job>(job: &J, now: DateTime<Utc>, timing: Timing) -> Result<NewJob, EnqueueError> {
    let kind = J::KIND;
    let payload = serde_json::to_string(job).map_err(|source| EnqueueError::Payload { kind: kind.name, source })?;
    let lane = job.lane().or_else(|| kind.lane_limit.map(|_| NO_LANE.to_owned()));
    Ok(NewJob {
        kind: kind.name.to_owned(),
        key: fitting(kind.name, "key", job.key())?,
        key_scope: if job.key().is_some() { kind.key_scope } else { store::jobs::KeyScope::Active },
        lane: fitting(kind.name, "lane", lane)?,
        payload,
        priority: timing.priority.unwrap_or(kind.priority) as i64,
        max_attempts: i64::from(kind.max_attempts.max(1)),
        run_at: timing.run_at.unwrap_or(now),
    })
}

/// Text for a column, without the NUL that PostgreSQL refuses.
fn fitting(kind: &'static str, what: &'static str, text: Option<String>) -> Result<Option<String>, EnqueueError> {
    let Some(text) = text else { return Ok(None) };
    let text = text.replace('\0', "\u{fffd}");
    match text.len() {
        1..=MOST_KEY_BYTES => Ok(Some(text)),
        bytes => Err(EnqueueError::Name { kind, what, bytes }),
    }
}
