//! The daily job that deletes old checks.

use chrono::TimeDelta;
use queue::{Attempt, Job, JobKind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};
use store::watch;

use crate::Watcher;

/// Rows that one statement deletes.
const CHUNK: i64 = 5_000;

/// Deletes checks that are older than `WATCH_HISTORY_DAYS`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CleanChecks {}

impl Job for CleanChecks {
    const KIND: JobKind = JobKind { priority: Priority::Lowest, limit: Some(1), ..JobKind::new("clean_checks") };
    type Context = Watcher;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    fn periodic(_: &Watcher) -> Option<(Schedule, Self)> {
        Some((Schedule::Daily { hour: 3, minute: 30 }, CleanChecks {}))
    }

    async fn run(self, watcher: &Watcher, attempt: Attempt) -> Outcome {
        if watcher.history_days == 0 {
            return Outcome::Done;
        }
        let before = watcher.reader.clock().now() - TimeDelta::days(i64::from(watcher.history_days));
        while !attempt.stopping.is_cancelled() {
            match watch::delete_checks(watcher.reader.db(), before, CHUNK).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return Outcome::retry(format!("could not delete old checks: {error}")),
            }
        }
        Outcome::Done
    }
}
