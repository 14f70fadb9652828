//! The table `jobs`: the rows of the durable queue. The crate `queue` has its rules.
//!
//! A row goes queued → processing → succeeded or failed, and back to queued for another attempt. The worker that processes it
//! holds a lease and names the lease token in every write. A write with an old token changes nothing.

mod claim;
mod enqueue;
mod finish;
mod queries;
mod stats;

pub use claim::{ClaimedJob, ConcurrencyLimits, DueKind, JobClaim, claim, claim_limited, list_due};
pub use enqueue::{Enqueued, NewJob, enqueue, enqueue_alone, enqueue_many};
pub use finish::{
    AttemptEnd, FinishedAttempt, mark_finished, next_lapse_at, prune, release_lapsed, renew, requeue_far_ahead,
};
pub use queries::{Cancelled, Retried, RetryFilter, cancel, get, list, list_page, list_position, retry, retry_all};
pub use stats::{KindStats, TableHealth, count_by_kind, table_health};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{JobId, LeaseToken};

/// The status of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum JobStatus {
    /// Waiting for its time or for a worker.
    Queued,
    /// Claimed by a worker.
    Processing,
    /// Done.
    Succeeded,
    /// Given up. It can be retried by hand.
    Failed,
}

/// How long a key stays unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum KeyScope {
    /// While the job is queued or processing.
    Active,
    /// As long as the row exists. Such rows are never pruned.
    Forever,
}

/// A row of `jobs`.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub struct JobRecord {
    pub id: JobId,
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
    pub status: JobStatus,
    pub attempts: i64,
    pub max_attempts: i64,
    pub run_at: DateTime<Utc>,
    pub last_error: Option<String>,
    /// When the lease was claimed or last renewed.
    pub locked_at: Option<DateTime<Utc>>,
    pub locked_by: Option<String>,
    #[serde(skip)]
    pub lease_token: Option<LeaseToken>,
    pub lease_expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Longer errors are cut.
const MAX_ERROR_CHARS: usize = 4_000;

/// An error as it is stored: cut, and without NUL, which PostgreSQL rejects.
fn stored_error(error: &str) -> String {
    error.chars().take(MAX_ERROR_CHARS).map(|c| if c == '\0' { '\u{fffd}' } else { c }).collect()
}
