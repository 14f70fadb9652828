//! The worker of this process and the jobs it knows. Each capability crate brings its own; they are registered here.

mod prune_accounts;

use std::time::Duration;

use accounts::Accounts;
use queue::{Settings, Worker};
use read::{CleanItems, CountBookmarks, FetchIcon, FillExcerpts, ImportFeed, Reader};

use self::prune_accounts::PruneAccounts;
use crate::{VERSION, config::Config, host};

/// A worker with every kind of job this program has. The queue brings its own housekeeping.
pub fn worker(reader: &Reader, accounts: &Accounts, config: &Config, grace: Duration) -> Worker {
    let mut worker = idle_worker(reader, config, grace);
    read_jobs(&mut worker, reader);
    let accounts = accounts.clone();
    worker.register(move |_: PruneAccounts, _| prune_accounts::run(accounts.clone()));
    worker.repeat(PruneAccounts::SCHEDULE, PruneAccounts {});
    worker
}

/// A worker that subscribes to the feeds of files, for a command that waits for it.
pub fn import_worker(reader: &Reader, config: &Config, grace: Duration) -> Worker {
    let mut worker = idle_worker(reader, config, grace);
    register_import(&mut worker, reader);
    worker
}

fn idle_worker(reader: &Reader, config: &Config, grace: Duration) -> Worker {
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
    Worker::new(reader.db().clone(), reader.clock().clone(), settings)
}

fn register_import(worker: &mut Worker, reader: &Reader) {
    let own = reader.clone();
    worker.register(move |job: ImportFeed, attempt| {
        let reader = own.clone();
        async move { reader.import_feed(job, attempt).await }
    });
}

/// The jobs of Read.
fn read_jobs(worker: &mut Worker, reader: &Reader) {
    let own = reader.clone();
    worker.register(move |_: CleanItems, attempt| {
        let reader = own.clone();
        async move { reader.clean_items(attempt).await }
    });
    worker.repeat(CleanItems::SCHEDULE, CleanItems {});
    let own = reader.clone();
    worker.register(move |_: FillExcerpts, attempt| {
        let reader = own.clone();
        async move { reader.fill_excerpts(attempt).await }
    });
    worker.repeat(FillExcerpts::SCHEDULE, FillExcerpts {});
    register_import(worker, reader);
    let own = reader.clone();
    worker.register(move |job: FetchIcon, attempt| {
        let reader = own.clone();
        async move { reader.fetch_icon(job, attempt).await }
    });
    if let Some(hatebu) = reader.hatebu() {
        let own = reader.clone();
        worker.register(move |_: CountBookmarks, attempt| {
            let reader = own.clone();
            async move { reader.count_bookmarks(attempt).await }
        });
        worker.repeat(CountBookmarks::schedule(hatebu), CountBookmarks {});
    }
}
