//! Running jobs with a worker, as a process does.

use std::time::Duration;

use queue::{Job, Timing, Worker};
use read::{FetchArticle, FetchIcon, ImportFeed};
use store::jobs::{self, JobStatus};
use tokio_util::sync::CancellationToken;

use crate::test_reader::TestReader;

/// Enqueues the job, lets a worker run it, and waits until it has succeeded.
pub async fn run_job<J: Job>(test: &TestReader, job: J, context: J::Context) {
    let mut tx = test.db.begin().await.unwrap();
    let id = queue::enqueue(&mut tx, &test.clock, &job, Timing::default()).await.unwrap().id();
    tx.commit().await.unwrap();
    let mut worker = empty_worker(test);
    worker.register::<J>(context);
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker.run(stop.clone()));
    let succeeded = async {
        while jobs::get(&test.db, id).await.unwrap().unwrap().status != JobStatus::Succeeded {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), succeeded).await.expect("the job succeeds within a minute");
    stop.cancel();
    working.await.unwrap().unwrap();
}

/// A worker for the jobs that follow a subscription.
pub fn worker(test: &TestReader) -> Worker {
    let mut worker = empty_worker(test);
    worker.register::<FetchArticle>(test.reader.clone());
    worker.register::<FetchIcon>(test.reader.clone());
    worker.register::<ImportFeed>(test.reader.clone());
    worker
}

fn empty_worker(test: &TestReader) -> Worker {
    let settings = queue::WorkerSettings { poll: Duration::from_millis(20), ..queue::WorkerSettings::default() };
    Worker::new(test.db.clone(), test.clock.clone(), settings)
}

/// Runs the jobs of [`worker`] until none is left. While none is running, the clock moves, so that retries become due.
pub async fn run_jobs(test: &TestReader) {
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker(test).run(stop.clone()));
    let active = "select count(*) from jobs
        where kind in ('fetch_article', 'fetch_icon', 'import_feed') and status in ('queued', 'processing')";
    let running = "select count(*) from jobs where kind in ('fetch_article', 'fetch_icon', 'import_feed') and status = 'processing'";
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    while test.count(active).await > 0 {
        assert!(tokio::time::Instant::now() < deadline, "jobs are still active after a minute");
        if test.count(running).await == 0 {
            test.clock.advance(Duration::from_secs(5));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    working.await.unwrap().unwrap();
}
