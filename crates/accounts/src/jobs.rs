//! The jobs of accounts. Each is a file of its own, and a line here.

use queue::Worker;

use crate::{Accounts, prune_accounts::PruneAccounts};

/// Lets a worker run the jobs of accounts.
pub fn register_jobs(worker: &mut Worker, accounts: &Accounts) {
    worker.register::<PruneAccounts>(accounts.clone());
}
