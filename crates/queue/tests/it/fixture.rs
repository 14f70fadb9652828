//! Shared by the tests: a job with a handler from the test, and a worker to run it.

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use queue::{Attempt, Backoff, Enqueued, Job, JobKind, Outcome, Timing, Worker, WorkerSettings};
use serde::{Deserialize, Serialize};
use store::{
    Clock, Db, JobId,
    jobs::{self, JobStatus},
};
use tokio::{sync::Semaphore, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// A job whose handler comes from the test.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct TestJob {
    pub name: String,
    pub key: Option<String>,
}

/// The handler of a [`TestJob`].
type Handler = Box<dyn Fn(TestJob, Attempt) -> Pin<Box<dyn Future<Output = Outcome> + Send>> + Send + Sync>;

impl Job for TestJob {
    const KIND: JobKind = JobKind { backoff: Backoff::IMMEDIATE, ..JobKind::new("act") };
    type Context = Handler;
    async fn run(self, handler: &Handler, attempt: Attempt) -> Outcome {
        handler(self, attempt).await
    }
    fn key(&self) -> Option<String> {
        self.key.clone()
    }
}

pub fn test_job(name: &str) -> TestJob {
    TestJob { name: name.to_owned(), key: None }
}

pub fn fast_settings() -> WorkerSettings {
    WorkerSettings { poll: Duration::from_millis(50), lease: Duration::from_secs(5), ..WorkerSettings::default() }
}

/// Entries of handlers, in order.
#[derive(Clone, Default)]
pub struct RunLog(Arc<Mutex<Vec<String>>>);

impl RunLog {
    pub fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }
    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
    pub fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// A running worker, stopped by the test.
pub struct Running {
    pub stop: CancellationToken,
    pub task: JoinHandle<Result<(), queue::WorkerError>>,
}

impl Running {
    pub fn start(worker: Worker) -> Running {
        let stop = CancellationToken::new();
        Running { task: tokio::spawn(worker.run(stop.clone())), stop }
    }
    pub async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
    }
}

/// A worker that runs `TestJob`s with `handler`.
pub fn worker_with<R>(
    db: &Db,
    clock: &Clock,
    settings: WorkerSettings,
    handler: impl Fn(TestJob, Attempt) -> R + Send + Sync + 'static,
) -> Worker
where
    R: Future<Output = Outcome> + Send + 'static,
{
    let mut worker = Worker::new(db.clone(), clock.clone(), settings);
    worker.register::<TestJob>(Box::new(move |job, attempt| Box::pin(handler(job, attempt))));
    worker
}

pub async fn enqueue<J: Job>(db: &Db, clock: &Clock, job: &J) -> Enqueued {
    enqueue_at(db, clock, job, Timing::default()).await
}

pub async fn enqueue_at<J: Job>(db: &Db, clock: &Clock, job: &J, timing: Timing) -> Enqueued {
    let mut tx = db.begin().await.unwrap();
    let enqueued = queue::enqueue(&mut tx, clock, job, timing).await.unwrap();
    tx.commit().await.unwrap();
    enqueued
}

pub async fn get(db: &Db, id: JobId) -> jobs::JobRecord {
    jobs::get(db, id).await.unwrap().unwrap()
}

pub async fn wait_for_status(db: &Db, id: JobId, status: JobStatus) -> jobs::JobRecord {
    wait_until("a job's status", async || get(db, id).await.status == status).await;
    get(db, id).await
}

/// Waits until `is_true`, and panics with `what` after 30 seconds.
pub async fn wait_until(what: &str, mut is_true: impl AsyncFnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while !is_true().await {
        assert!(tokio::time::Instant::now() < deadline, "timed out waiting for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Jobs wait here until the test opens it.
#[derive(Clone)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    pub fn shut() -> Gate {
        Gate(Arc::new(Semaphore::new(0)))
    }
    pub fn open(&self, count: usize) {
        self.0.add_permits(count);
    }
    pub async fn pass(&self) {
        self.0.acquire().await.unwrap().forget();
    }
}
