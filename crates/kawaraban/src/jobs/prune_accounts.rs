//! The job that removes what has expired of accounts, every hour: sessions, set-up links, buckets.

use std::time::Duration;

use accounts::Accounts;
use queue::{Job, Kind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};

/// Removes what has expired of accounts.
#[derive(Serialize, Deserialize)]
pub struct PruneAccounts {}

impl Job for PruneAccounts {
    const KIND: Kind = Kind { priority: Priority::Lowest, limit: Some(1), ..Kind::new("prune_accounts") };

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }
}

impl PruneAccounts {
    /// When it runs.
    pub const SCHEDULE: Schedule = Schedule::Every(Duration::from_secs(60 * 60));
}

/// Removes it; a second run finds nothing.
pub async fn run(accounts: Accounts) -> Outcome {
    match accounts.prune().await {
        Ok(_) => Outcome::Done,
        Err(error) => Outcome::retry(format!("could not remove what has expired: {error}")),
    }
}
