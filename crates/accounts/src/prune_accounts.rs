//! The job that removes expired sessions, set-up links and rate limits, every hour.

use std::time::Duration;

use queue::{Attempt, Job, Kind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};

use crate::Accounts;

/// Removes what has expired of accounts.
#[derive(Debug, Serialize, Deserialize)]
pub struct PruneAccounts {}

impl Job for PruneAccounts {
    const KIND: Kind = Kind { priority: Priority::Lowest, limit: Some(1), ..Kind::new("prune_accounts") };
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
            Err(error) => Outcome::retry(format!("could not remove what has expired: {error}")),
        }
    }
}
