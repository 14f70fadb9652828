//! The job that deletes expired sessions, set-up links and throttle buckets, every hour.

use std::time::Duration;

use queue::{Attempt, Job, JobKind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};

use store::{sessions, setup_links, throttles};

use crate::{Accounts, Result};

/// Rows per transaction, so that other writers do not wait long.
const CHUNK: i64 = 1_000;

/// The number of deleted rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    pub sessions: u64,
    pub setup_links: u64,
    /// Buckets that are full again.
    pub throttles: u64,
}

/// The job. It has no payload.
#[derive(Debug, Serialize, Deserialize)]
pub struct PruneAccounts {}

impl Job for PruneAccounts {
    const KIND: JobKind = JobKind { priority: Priority::Lowest, limit: Some(1), ..JobKind::new("prune_accounts") };
    type Context = Accounts;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    fn periodic(_: &Accounts) -> Option<(Schedule, Self)> {
        Some((Schedule::Every(Duration::from_secs(60 * 60)), PruneAccounts {}))
    }

    async fn run(self, accounts: &Accounts, _attempt: Attempt) -> Outcome {
        match accounts.prune().await {
            Ok(_) => Outcome::Done,
            Err(error) => Outcome::retry(format!("cannot delete expired sessions, links and throttles: {error}")),
        }
    }
}

impl Accounts {
    /// Deletes expired rows, in chunks.
    pub async fn prune(&self) -> Result<Pruned> {
        let now = self.clock.now();
        let mut pruned = Pruned { setup_links: setup_links::prune(&self.db, now).await?, ..Pruned::default() };
        loop {
            let chunk = sessions::prune(&self.db, now, CHUNK).await?;
            pruned.sessions += chunk;
            if chunk < CHUNK.unsigned_abs() {
                break;
            }
            // Lets other writers go between two chunks.
            tokio::task::yield_now().await;
        }
        loop {
            let chunk = throttles::prune(&self.db, now, CHUNK).await?;
            pruned.throttles += chunk;
            if chunk < CHUNK.unsigned_abs() {
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(pruned)
    }
}
