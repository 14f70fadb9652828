//! A worker: claims jobs, runs them, stores their results, and does the queue's maintenance.
//!
//! Four parts share [`Leases`], the jobs leased by this process: the claimer adds jobs, the slots run them, the recorder removes
//! them, and maintenance renews their leases and rescues lapsed jobs of other workers.

mod claimer;
mod leases;
mod maintenance;
mod periodic;
mod recorder;
mod slot;

use std::{sync::Arc, time::Duration};

use store::{
    Clock, Db,
    jobs::{AttemptEnd, FinishedAttempt},
};
use tokio::{sync::Notify, task::JoinSet};
use tokio_util::sync::CancellationToken;

use self::leases::Leases;
use crate::{
    Job,
    handler::{Registered, Registry},
    metrics,
    prune_jobs::{History, PruneJobs},
};

/// The part of the grace time reserved for returning interrupted jobs to the queue.
const RETURN_TIME: Duration = Duration::from_secs(2);

/// The settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Other workers rescue a job whose lease was not renewed for this time.
    pub lease: Duration,
    /// The jobs that run at once in this process.
    pub concurrency: usize,
    /// The polling interval. Five times longer while signals of other processes arrive.
    pub poll: Duration,
    /// How long stopping may take. Jobs that are not done by then return to the queue.
    pub grace: Duration,
    /// How often to search for jobs that a wrong clock has planned far ahead. The search reads the index of all queued jobs.
    pub far_ahead_interval: Duration,
    pub keep_succeeded: Duration,
    pub keep_failed: Duration,
    /// The host name, for the health check and for display.
    pub host: String,
    /// The program's version, for display.
    pub version: String,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        WorkerSettings {
            lease: Duration::from_secs(60),
            concurrency: 16,
            poll: Duration::from_secs(1),
            grace: Duration::from_secs(10),
            far_ahead_interval: Duration::from_secs(10 * 60),
            keep_succeeded: Duration::from_secs(24 * 60 * 60),
            keep_failed: Duration::from_secs(30 * 24 * 60 * 60),
            host: "localhost".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A worker. Register kinds, then call [`Worker::run`].
pub struct Worker {
    db: Db,
    clock: Clock,
    settings: WorkerSettings,
    id: String,
    registry: Registry,
    periodic: Vec<periodic::Periodic>,
}

/// State shared by the parts of a running worker.
struct Shared {
    db: Db,
    clock: Clock,
    settings: WorkerSettings,
    id: String,
    registry: Registry,
    periodic: Vec<periodic::Periodic>,
    leases: Leases,
    /// Notified when a slot becomes free or a result was stored: the claimer may claim more.
    room: Notify,
    stop: CancellationToken,
    /// Cancelled when the grace time is over: slots drop their jobs.
    abort: CancellationToken,
}

impl Worker {
    /// A worker with only the queue's own jobs.
    pub fn new(db: Db, clock: Clock, settings: WorkerSettings) -> Worker {
        metrics::describe();
        // Random, so that a restarted process never mistakes old leases for its own.
        let id = format!("{}:{}:{}", settings.host, std::process::id(), uuid::Uuid::new_v4().simple());
        let history = History {
            db: db.clone(),
            clock: clock.clone(),
            keep_succeeded: settings.keep_succeeded,
            keep_failed: settings.keep_failed,
        };
        let mut worker = Worker { db, clock, settings, id, registry: Registry::default(), periodic: Vec::new() };
        worker.register::<PruneJobs>(history);
        worker
    }

    /// Random for each start.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Runs jobs of type `J` with this context. Jobs of kinds that are not registered are left to other workers.
    ///
    /// A periodic job is also enqueued at each due time, once for all workers. After a time without workers, it runs once for all
    /// missed due times.
    pub fn register<J: Job>(&mut self, context: J::Context) {
        if let Some((schedule, job)) = J::periodic(&context) {
            self.periodic.push(periodic::Periodic::new(schedule, job));
        }
        self.registry.insert(J::KIND.name, Registered::new::<J>(Arc::new(context)));
    }

    /// Runs jobs until `stop` is cancelled, then finishes its jobs or returns them to the queue within the grace time.
    ///
    /// Fails when one of its parts ends early, which is a bug in the queue. Restart the process then.
    pub async fn run(self, stop: CancellationToken) -> Result<(), WorkerError> {
        let Worker { db, clock, settings, id, registry, periodic } = self;
        let (ended, results) = tokio::sync::mpsc::unbounded_channel();
        let slots = settings.concurrency.max(1);
        let leases = Leases::new(slots);
        let shared = Arc::new(Shared {
            db,
            clock,
            settings,
            id,
            registry,
            periodic,
            leases,
            room: Notify::new(),
            stop,
            abort: CancellationToken::new(),
        });
        tracing::info!(worker = shared.id, slots, "worker started");
        let mut recorder = tokio::spawn(recorder::run(shared.clone(), results));
        let mut maintenance = tokio::spawn(maintenance::run(shared.clone()));
        let listener = tokio::spawn({
            let db = shared.db.clone();
            async move { db.listen().await }
        });
        let mut working = JoinSet::new();
        working.spawn(claimer::run(shared.clone()));
        for slot in 0..slots {
            working.spawn(slot::run(shared.clone(), slot, ended.clone()));
        }
        drop(ended);
        let failed = tokio::select! {
            biased; // `stop` also ends the parts
            () = shared.stop.cancelled() => None,
            _ = working.join_next() => Some(WorkerError("claiming or running jobs")),
            _ = &mut recorder => Some(WorkerError("storing results")),
            _ = &mut maintenance => Some(WorkerError("maintenance")),
        };
        shared.stop.cancel();
        shut_down(&shared, working).await;
        // The slots have dropped their senders, so the recorder ends when all results are stored.
        let in_time = recorder.is_finished() || tokio::time::timeout(RETURN_TIME, recorder).await.is_ok();
        maintenance.abort();
        listener.abort();
        if !in_time {
            tracing::warn!("stopped before all results were stored; their jobs run again after the lease has lapsed");
        }
        if let Err(error) = store::workers::delete(&shared.db, &shared.id).await {
            tracing::warn!(%error, "could not delete the heartbeat");
        }
        tracing::info!(worker = shared.id, "worker stopped");
        failed.map_or(Ok(()), Err)
    }
}

/// A part of a worker ended before the worker was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the worker's task for {0} ended unexpectedly; restart the process")]
pub struct WorkerError(&'static str);

/// Returns unstarted jobs to the queue and waits for running ones. After the grace time, interrupts and returns those too.
async fn shut_down(shared: &Arc<Shared>, mut working: JoinSet<()>) {
    let grace = shared.settings.grace.saturating_sub(RETURN_TIME);
    return_jobs(shared, shared.leases.take_waiting(), "not started").await;
    let all_ended = async { while working.join_next().await.is_some() {} };
    if tokio::time::timeout(grace, all_ended).await.is_err() {
        shared.abort.cancel();
        while working.join_next().await.is_some() {}
    }
    // Interrupted jobs, and jobs of a claim that was in flight when the worker stopped.
    return_jobs(shared, shared.leases.take_unfinished(), "interrupted").await;
}

async fn return_jobs(shared: &Shared, jobs: Vec<leases::Lease>, why: &str) {
    if jobs.is_empty() {
        return;
    }
    let returned =
        |lease: leases::Lease| FinishedAttempt { id: lease.id, token: lease.token, end: AttemptEnd::Returned };
    let finishes: Vec<FinishedAttempt> = jobs.into_iter().map(returned).collect();
    let count = finishes.len();
    match store::jobs::mark_finished(&shared.db, shared.clock.now(), &finishes).await {
        Ok(lost) => tracing::info!(count, lost, why, "returned jobs to the queue"),
        Err(error) => {
            tracing::warn!(%error, count, "could not return jobs to the queue; they run again after the lease has lapsed");
        }
    }
}
