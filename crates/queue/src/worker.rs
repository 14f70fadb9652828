//! A worker: takes jobs, runs them, writes down how they ended, and keeps house.
//!
//! Four parts share [`Leases`], the jobs this process has leased: the claimer fills it, the slots run what is in it, the
//! recorder empties it, and the maintenance renews its leases and rescues what others let lapse.

mod claimer;
mod leases;
mod maintenance;
mod periodic;
mod recorder;
mod slot;

use std::{sync::Arc, time::Duration};

use store::{
    Clock, Db,
    jobs::{Ending, Finish},
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

/// Left of the time to stop for writing down what was cut off.
const TO_HAND_BACK: Duration = Duration::from_secs(2);

/// How a worker works.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a job stays with a worker that gives no sign of life.
    pub lease: Duration,
    /// How many jobs run at once in this process.
    pub concurrency: usize,
    /// The longest it waits before it looks for jobs by itself; five times longer while signals of other processes arrive.
    pub poll: Duration,
    /// How long stopping may take; jobs that are not done by then are handed back.
    pub grace: Duration,
    /// How long succeeded jobs are kept.
    pub keep_succeeded: Duration,
    /// How long failed jobs are kept.
    pub keep_failed: Duration,
    /// The machine's name, for people and for the health check.
    pub host: String,
    /// The program's version, for people.
    pub version: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            lease: Duration::from_secs(60),
            concurrency: 16,
            poll: Duration::from_secs(1),
            grace: Duration::from_secs(10),
            keep_succeeded: Duration::from_secs(24 * 60 * 60),
            keep_failed: Duration::from_secs(30 * 24 * 60 * 60),
            host: "localhost".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A worker process's share of the queue. Register kinds, then [`Worker::run`].
pub struct Worker {
    db: Db,
    clock: Clock,
    settings: Settings,
    id: String,
    registry: Registry,
    periodic: Vec<periodic::Periodic>,
}

/// What the parts of a running worker share.
struct Shared {
    db: Db,
    clock: Clock,
    settings: Settings,
    id: String,
    registry: Registry,
    periodic: Vec<periodic::Periodic>,
    leases: Leases,
    /// A slot came free or an end was written down: there may be room for more.
    room: Notify,
    stop: CancellationToken,
    /// No jobs at all: slots let go of what they run.
    cut_off: CancellationToken,
}

impl Worker {
    /// A worker that knows only the queue's own housekeeping.
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Worker {
        metrics::describe();
        // Random, so that a restarted process never takes its dead self's leases for its own.
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

    /// Its name, made anew at each start.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Runs jobs of type `J` with this context. Jobs of kinds that are not registered are left to other workers.
    ///
    /// A periodic job is also enqueued at each due time, once for all workers together. One run makes up for all due times
    /// that were missed while no worker ran.
    pub fn register<J: Job>(&mut self, context: J::Context) {
        if let Some((schedule, job)) = J::periodic(&context) {
            self.periodic.push(periodic::Periodic::new(schedule, job));
        }
        self.registry.insert(J::KIND.name, Registered::new::<J>(Arc::new(context)));
    }

    /// Works until `stop` is cancelled, then finishes or hands back what it holds within the grace time.
    ///
    /// Fails when one of its parts breaks, which is a mistake in the queue itself: restart the process.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Broken> {
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
            cut_off: CancellationToken::new(),
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
        let broken = tokio::select! {
            biased; // when told to stop, the parts end too
            () = shared.stop.cancelled() => None,
            _ = working.join_next() => Some(Broken("claiming or running jobs")),
            _ = &mut recorder => Some(Broken("writing down results")),
            _ = &mut maintenance => Some(Broken("keeping leases")),
        };
        shared.stop.cancel();
        wind_down(&shared, working).await;
        // The slots are gone and with them the senders: the recorder ends when everything is written.
        let in_time = recorder.is_finished() || tokio::time::timeout(TO_HAND_BACK, recorder).await.is_ok();
        maintenance.abort();
        listener.abort();
        if !in_time {
            tracing::warn!("stopped before all results were written; their jobs run again when the lease has lapsed");
        }
        if let Err(error) = store::workers::mark_gone(&shared.db, &shared.id).await {
            tracing::warn!(%error, "could not take back the sign of life");
        }
        tracing::info!(worker = shared.id, "worker stopped");
        broken.map_or(Ok(()), Err)
    }
}

/// A part of a worker ended before it was told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the worker's part for {0} broke; restart the process")]
pub struct Broken(&'static str);

/// Hands back what was not started, waits for what runs, and cuts it off in time to hand it back too.
async fn wind_down(shared: &Arc<Shared>, mut working: JoinSet<()>) {
    let grace = shared.settings.grace.saturating_sub(TO_HAND_BACK);
    hand_back(shared, shared.leases.take_waiting(), "not started").await;
    let all_done = async { while working.join_next().await.is_some() {} };
    if tokio::time::timeout(grace, all_done).await.is_err() {
        shared.cut_off.cancel();
        while working.join_next().await.is_some() {}
    }
    // The claimer may have had a claim on its way when it was told to stop; and these were cut off.
    hand_back(shared, shared.leases.take_unfinished(), "cut off").await;
}

async fn hand_back(shared: &Shared, jobs: Vec<leases::Lease>, why: &str) {
    if jobs.is_empty() {
        return;
    }
    let back = |lease: leases::Lease| Finish { id: lease.id, token: lease.token, ending: Ending::HandedBack };
    let finishes: Vec<Finish> = jobs.into_iter().map(back).collect();
    let count = finishes.len();
    match store::jobs::mark_finished(&shared.db, shared.clock.now(), &finishes).await {
        Ok(lost) => tracing::info!(count, lost, why, "handed jobs back"),
        Err(error) => {
            tracing::warn!(%error, count, "could not hand jobs back; they run again when the lease has lapsed");
        }
    }
}
