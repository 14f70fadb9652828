//! Registers the jobs of this crate. Each job is one file.

use queue::Worker;

use crate::{Accounts, prune_accounts::PruneAccounts};

/// Registers the jobs of accounts with a worker.
pub fn register_jobs(worker: &mut Worker, accounts: &Accounts) {
    worker.register::<PruneAccounts>(accounts.clone());
}
