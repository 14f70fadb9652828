//! The job that deletes old jobs, every hour, in chunks.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::{Clock, Db, jobs, jobs::JobStatus};

use crate::{Attempt, Job, JobKind, Outcome, Priority, Schedule, time::earlier};

/// Small enough not to block other writers.
const CHUNK: i64 = 1_000;

/// Deletes jobs that ended long enough ago.
#[derive(Serialize, Deserialize)]
pub(crate) struct PruneJobs {}

/// The database, and how long ended jobs stay in it.
pub(crate) struct History {
    pub db: Db,
    pub clock: Clock,
    pub keep_succeeded: Duration,
    pub keep_failed: Duration,
}

impl Job for PruneJobs {
    const KIND: JobKind = JobKind { priority: Priority::Lowest, limit: Some(1), ..JobKind::new("prune_jobs") };
    type Context = History;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    fn periodic(_: &History) -> Option<(Schedule, Self)> {
        Some((Schedule::Every(Duration::from_secs(60 * 60)), PruneJobs {}))
    }

    async fn run(self, history: &History, attempt: Attempt) -> Outcome {
        match prune(history, &attempt).await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::retry(format!("could not delete old jobs: {error}")),
        }
    }
}

async fn prune(history: &History, attempt: &Attempt) -> store::Result<()> {
    let History { db, clock, .. } = history;
    let mut deleted = 0;
    for (status, kept) in [(JobStatus::Succeeded, history.keep_succeeded), (JobStatus::Failed, history.keep_failed)] {
        let before = earlier(clock.now(), kept);
        loop {
            let chunk = jobs::prune(db, status, before, CHUNK).await?;
            deleted += chunk;
            if chunk < CHUNK.unsigned_abs() || attempt.stopping.is_cancelled() {
                break;
            }
            // Let other writers run between the chunks.
            tokio::task::yield_now().await;
        }
    }
    if deleted > 0 {
        tracing::info!(deleted, "deleted old jobs");
    }
    Ok(())
}
