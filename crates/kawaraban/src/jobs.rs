//! The worker of this process and the jobs it knows. Each capability crate brings its own; they are registered here.

use std::time::Duration;

use queue::{Settings, Worker};
use store::{Clock, Db};

use crate::{VERSION, config::Config, host};

/// A worker with every kind of job this program has. The queue brings its own housekeeping.
pub fn worker(db: Db, clock: Clock, config: &Config, grace: Duration) -> Worker {
    let settings = Settings {
        lease: config.job_lease,
        concurrency: config.job_concurrency,
        grace,
        keep_succeeded: config.job_keep_succeeded,
        keep_failed: config.job_keep_failed,
        host: host::name(),
        version: VERSION.to_owned(),
        ..Settings::default()
    };
    Worker::new(db, clock, settings)
}
