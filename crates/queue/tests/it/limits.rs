//! Concurrency limits per worker, kind and lane, and priorities.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use queue::{Attempt, Job, JobKind, Outcome, Priority, Timing, WorkerSettings};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::fixture::{
    Gate, RunLog, Running, enqueue, enqueue_at, fast_settings, test_job, wait_for_status, wait_until, worker_with,
};

/// Counts running jobs and their maximum.
#[derive(Clone, Default)]
struct ConcurrencyMeter {
    now: Arc<AtomicUsize>,
    max: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
}

impl ConcurrencyMeter {
    async fn run_until_open(&self, gate: &Gate) -> Outcome {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.max.fetch_max(now, Ordering::SeqCst);
        gate.pass().await;
        self.now.fetch_sub(1, Ordering::SeqCst);
        self.ended.fetch_add(1, Ordering::SeqCst);
        Outcome::Done
    }
    fn get(which: &Arc<AtomicUsize>) -> usize {
        which.load(Ordering::SeqCst)
    }
}

#[derive(Serialize, Deserialize)]
struct Laned(String);
impl Job for Laned {
    const KIND: JobKind = JobKind { lane_limit: Some(2), ..JobKind::new("laned") };
    type Context = (Gate, RunLog);
    async fn run(self, (gate, log): &(Gate, RunLog), _: Attempt) -> Outcome {
        log.note(&self.0);
        if self.0 == "slow.example" {
            gate.pass().await;
        }
        Outcome::Done
    }
    fn lane(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.clone())
    }
}

#[derive(Serialize, Deserialize)]
struct Few;
impl Job for Few {
    const KIND: JobKind = JobKind { limit: Some(3), ..JobKind::new("few") };
    type Context = (ConcurrencyMeter, Gate);
    async fn run(self, (meter, gate): &(ConcurrencyMeter, Gate), _: Attempt) -> Outcome {
        meter.run_until_open(gate).await
    }
}

on_both_databases!(worker_runs_at_most_its_slots);
async fn worker_runs_at_most_its_slots(db: TestDb) {
    let (clock, meter, gate) = (Clock::system(), ConcurrencyMeter::default(), Gate::shut());
    for n in 0..10 {
        enqueue(&db, &clock, &test_job(&n.to_string())).await;
    }
    let (c, g) = (meter.clone(), gate.clone());
    let settings = WorkerSettings { concurrency: 4, ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, move |_, _| {
        let (c, g) = (c.clone(), g.clone());
        async move { c.run_until_open(&g).await }
    }));
    wait_until("four running", async || ConcurrencyMeter::get(&meter.now) == 4).await;
    gate.open(10);
    wait_until("all done", async || ConcurrencyMeter::get(&meter.ended) == 10).await;
    assert_eq!(ConcurrencyMeter::get(&meter.max), 4);
    running.stop().await;
}

on_both_databases!(kind_limit_holds_over_all_workers);
async fn kind_limit_holds_over_all_workers(db: TestDb) {
    let (clock, meter, gate) = (Clock::system(), ConcurrencyMeter::default(), Gate::shut());
    for _ in 0..12 {
        enqueue(&db, &clock, &Few).await;
    }
    let workers: Vec<Running> = (0..3)
        .map(|_| {
            let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
            worker.register::<Few>((meter.clone(), gate.clone()));
            Running::start(worker)
        })
        .collect();
    wait_until("three running", async || ConcurrencyMeter::get(&meter.now) == 3).await;
    gate.open(12);
    wait_until("all done", async || ConcurrencyMeter::get(&meter.ended) == 12).await;
    assert_eq!(ConcurrencyMeter::get(&meter.max), 3);
    for worker in workers {
        worker.stop().await;
    }
}

on_both_databases!(busy_lane_does_not_block_others);
async fn busy_lane_does_not_block_others(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), RunLog::default());
    let mut slow: Vec<Laned> = (0..200).map(|_| Laned("slow.example".into())).collect();
    slow.push(Laned(String::new()));
    slow.extend((0..20).map(|n| Laned(format!("host{n}.example"))));
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &slow, Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
    worker.register::<Laned>((gate.clone(), log.clone()));
    let running = Running::start(worker);
    wait_until("the other lanes", async || log.all().iter().filter(|lane| *lane != "slow.example").count() == 21).await;
    assert_eq!(log.all().iter().filter(|lane| *lane == "slow.example").count(), 2, "the lane's limit");
    gate.open(3);
    wait_until("the lane going on", async || log.all().iter().filter(|lane| *lane == "slow.example").count() == 5)
        .await;
    gate.open(1_000);
    running.stop().await;
}

on_both_databases!(jobs_run_by_priority);
async fn jobs_run_by_priority(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let mut last = None;
    for (name, priority) in
        [("lowest", Priority::Lowest), ("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)]
    {
        let timing = Timing { run_at: None, priority: Some(priority) };
        last.get_or_insert(enqueue_at(&db, &clock, &test_job(name), timing).await.id());
    }
    let l = log.clone();
    let settings = WorkerSettings { concurrency: 1, ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, move |job, _| {
        l.note(&job.name);
        async { Outcome::Done }
    }));
    wait_for_status(&db, last.unwrap(), JobStatus::Succeeded).await;
    assert_eq!(log.all(), ["high", "normal", "low", "lowest"]);
    running.stop().await;
}

on_both_databases!(thousands_of_short_jobs_all_run_once);
async fn thousands_of_short_jobs_all_run_once(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let jobs: Vec<_> = (0..3_000).map(|n| test_job(&n.to_string())).collect();
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &jobs, Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let workers: Vec<Running> = (0..3)
        .map(|_| {
            let l = log.clone();
            Running::start(worker_with(&db, &clock, fast_settings(), move |job, _| {
                l.note(&job.name);
                async { Outcome::Done }
            }))
        })
        .collect();
    wait_until("all of them", async || {
        store::jobs::list(&db, Some(JobStatus::Succeeded), Some("act"), 5_000).await.unwrap().len() == 3_000
    })
    .await;
    for worker in workers {
        worker.stop().await;
    }
    let mut names: Vec<usize> = log.all().iter().map(|name| name.parse().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, (0..3_000).collect::<Vec<_>>());
}
