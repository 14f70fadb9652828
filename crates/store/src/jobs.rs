//! The table `jobs`: the durable queue's rows. What the queue does with them is in the crate `queue`.
//!
//! A row goes queued → processing → succeeded or failed, and back to queued for another attempt. Who processes it
//! holds a lease and names its token in every write; whoever lost the lease changes nothing.

mod claim;
mod enqueue;
mod finish;
mod queries;
mod stats;

pub use claim::{Claim, ClaimedJob, Due, Limits, claim, claim_limited, list_due};
pub use enqueue::{Enqueued, NewJob, enqueue, enqueue_alone, enqueue_many};
pub use finish::{Ending, Finish, mark_finished, next_lapse_at, prune, release_lapsed, renew, requeue_far_ahead};
pub use queries::{Cancelled, Retried, RetryFilter, cancel, get, list, list_page, place, retry, retry_all};
pub use stats::{KindStats, TableHealth, count_by_kind, table_health};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{JobId, LeaseToken};

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum JobStatus {
    /// Waiting for its time or for a worker.
    Queued,
    /// Held by a worker.
    Processing,
    /// Done.
    Succeeded,
    /// Given up; a person may retry it.
    Failed,
}

/// How long a key is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum KeyScope {
    /// While the job is queued or processing.
    Active,
    /// As long as the row exists; such rows are never pruned.
    Forever,
}

/// A job as it stands in the table.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    /// What makes it one of its kind.
    pub key: Option<String>,
    /// How long the key is taken.
    pub key_scope: KeyScope,
    /// The lane whose concurrency limit it shares.
    pub lane: Option<String>,
    /// What to do it with, as JSON.
    pub payload: String,
    /// 1 goes first, 4 last.
    pub priority: i64,
    /// Where it is in its life.
    pub status: JobStatus,
    /// How often it was started.
    pub attempts: i64,
    /// How often it may be started.
    pub max_attempts: i64,
    /// Not before this time.
    pub run_at: DateTime<Utc>,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When the lease was taken or last renewed.
    pub locked_at: Option<DateTime<Utc>>,
    pub locked_by: Option<String>,
    #[serde(skip)]
    pub lease_token: Option<LeaseToken>,
    pub lease_expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    /// When the row last changed.
    pub updated_at: DateTime<Utc>,
}

/// The longest error that is kept, in characters.
const MOST_ERROR_CHARS: usize = 4_000;

/// An error as it is kept: cut, and without the NUL that PostgreSQL refuses.
fn kept_error(error: &str) -> String {
    error.chars().take(MOST_ERROR_CHARS).map(|c| if c == '\0' { '\u{fffd}' } else { c }).collect()
}
