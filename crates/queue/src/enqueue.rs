//! Adding jobs to the queue, usually in the caller's transaction, so that the job commits together with its cause.

use chrono::{DateTime, Utc};
pub use store::jobs::Enqueued;
use store::{Clock, Db, Tx, jobs::NewJob};

use crate::{Job, Priority};

/// The lane of jobs without one, for kinds with a lane limit.
const NO_LANE: &str = "-";
/// The limit of the columns `key` and `lane`.
const MAX_KEY_BYTES: usize = 512;

/// When a job may start, and its priority.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// The earliest start; now by default.
    pub run_at: Option<DateTime<Utc>>,
    pub priority: Option<Priority>,
}

/// Why a job could not be enqueued.
#[derive(Debug, thiserror::Error)]
pub enum EnqueueError {
    /// The payload cannot be serialised: a bug in the job's type.
    #[error("the job {kind} cannot be written as JSON")]
    Payload { kind: &'static str, source: serde_json::Error },
    /// The key or lane is empty or too long.
    #[error("the {what} of a job {kind} must have 1 to 512 bytes, and has {bytes}")]
    Name { kind: &'static str, what: &'static str, bytes: usize },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Enqueues a job unless its key exists.
pub async fn enqueue<J: Job>(tx: &mut Tx, clock: &Clock, job: &J, timing: Timing) -> Result<Enqueued, EnqueueError> {
    let row = new_row(job, clock.now(), timing)?;
    Ok(store::jobs::enqueue(tx, clock.now(), &row).await?)
}

/// [`enqueue`] without a transaction, in one round trip.
pub async fn enqueue_alone<J: Job>(db: &Db, clock: &Clock, job: &J, timing: Timing) -> Result<Enqueued, EnqueueError> {
    let row = new_row(job, clock.now(), timing)?;
    Ok(store::jobs::enqueue_alone(db, clock.now(), &row).await?)
}

/// Enqueues many jobs of one type with few statements. The results are in the order of the jobs.
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
        key: checked_name(kind.name, "key", job.key())?,
        key_scope: if job.key().is_some() { kind.key_scope } else { store::jobs::KeyScope::Active },
        lane: checked_name(kind.name, "lane", lane)?,
        payload,
        priority: timing.priority.unwrap_or(kind.priority) as i64,
        max_attempts: i64::from(kind.max_attempts.max(1)),
        run_at: timing.run_at.unwrap_or(now),
    })
}

/// Checks the length of a key or lane and replaces NUL, which PostgreSQL rejects.
fn checked_name(kind: &'static str, what: &'static str, text: Option<String>) -> Result<Option<String>, EnqueueError> {
    let Some(text) = text else { return Ok(None) };
    let text = text.replace('\0', "\u{fffd}");
    match text.len() {
        1..=MAX_KEY_BYTES => Ok(Some(text)),
        bytes => Err(EnqueueError::Name { kind, what, bytes }),
    }
}
