//! The job that removes the history of other jobs, every hour, in chunks.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::{Clock, Db, jobs, jobs::JobStatus};

use crate::{Attempt, Job, Kind, Outcome, Priority, Schedule, moment::earlier};

/// Small enough not to hold the writer up.
const CHUNK: i64 = 1_000;

pub(crate) const SCHEDULE: Schedule = Schedule::Every(Duration::from_secs(60 * 60));

/// Removes jobs that ended long enough ago.
#[derive(Serialize, Deserialize)]
pub(crate) struct PruneJobs {}

impl Job for PruneJobs {
    const KIND: Kind = Kind { priority: Priority::Lowest, limit: Some(1), ..Kind::new("prune_jobs") };

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }
}

/// How long jobs are kept after they ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retention {
    pub succeeded: Duration,
    pub failed: Duration,
}

pub(crate) async fn run(db: Db, clock: Clock, retention: Retention, attempt: Attempt) -> Outcome {
    let mut removed = 0;
    for (status, kept) in [(JobStatus::Succeeded, retention.succeeded), (JobStatus::Failed, retention.failed)] {
        let before = earlier(clock.now(), kept);
        loop {
            match jobs::prune(&db, status, before, CHUNK).await {
                Ok(chunk) => {
                    removed += chunk;
                    if chunk < CHUNK.unsigned_abs() || attempt.stopping.is_cancelled() {
                        break;
                    }
                }
                Err(error) => return Outcome::retry(format!("could not remove old jobs: {error}")),
            }
            // Others get their turn between the chunks.
            tokio::task::yield_now().await;
        }
    }
    if removed > 0 {
        tracing::info!(removed, "removed the history of old jobs");
    }
    Outcome::Done
}
