//! Concurrency: per worker, per kind, per lane; and what goes first.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use queue::{Attempt, Job, Kind, Outcome, Priority, Settings, Timing};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::stage::{Gate, Log, Running, act, actor, put, put_at, quick, until, until_status};

/// How many run now, and how many ran at once at most.
#[derive(Clone, Default)]
struct Crowd {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
}

impl Crowd {
    async fn stay(&self, gate: &Gate) -> Outcome {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
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
    const KIND: Kind = Kind { lane_limit: Some(2), ..Kind::new("laned") };
    type Context = (Gate, Log);
    async fn run(self, (gate, log): &(Gate, Log), _: Attempt) -> Outcome {
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
    const KIND: Kind = Kind { limit: Some(3), ..Kind::new("few") };
    type Context = (Crowd, Gate);
    async fn run(self, (crowd, gate): &(Crowd, Gate), _: Attempt) -> Outcome {
        crowd.stay(gate).await
    }
}

on_both_databases!(a_worker_runs_no_more_than_its_slots);
async fn a_worker_runs_no_more_than_its_slots(db: TestDb) {
    let (clock, crowd, gate) = (Clock::system(), Crowd::default(), Gate::shut());
    for n in 0..10 {
        put(&db, &clock, &act(&n.to_string())).await;
    }
    let (c, g) = (crowd.clone(), gate.clone());
    let settings = Settings { concurrency: 4, ..quick() };
    let running = Running::start(actor(&db, &clock, settings, move |_, _| {
        let (c, g) = (c.clone(), g.clone());
        async move { c.stay(&g).await }
    }));
    until("four running", async || Crowd::get(&crowd.now) == 4).await;
    gate.open(10);
    until("all done", async || Crowd::get(&crowd.ended) == 10).await;
    assert_eq!(Crowd::get(&crowd.most), 4);
    running.stop().await;
}

on_both_databases!(a_kind_keeps_its_limit_over_all_workers);
async fn a_kind_keeps_its_limit_over_all_workers(db: TestDb) {
    let (clock, crowd, gate) = (Clock::system(), Crowd::default(), Gate::shut());
    for _ in 0..12 {
        put(&db, &clock, &Few).await;
    }
    let workers: Vec<Running> = (0..3)
        .map(|_| {
            let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
            worker.register::<Few>((crowd.clone(), gate.clone()));
            Running::start(worker)
        })
        .collect();
    until("three running", async || Crowd::get(&crowd.now) == 3).await;
    gate.open(12);
    until("all done", async || Crowd::get(&crowd.ended) == 12).await;
    assert_eq!(Crowd::get(&crowd.most), 3);
    for worker in workers {
        worker.stop().await;
    }
}

on_both_databases!(a_busy_lane_does_not_hold_up_the_others);
async fn a_busy_lane_does_not_hold_up_the_others(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), Log::default());
    let mut slow: Vec<Laned> = (0..200).map(|_| Laned("slow.example".into())).collect();
    slow.push(Laned(String::new()));
    slow.extend((0..20).map(|n| Laned(format!("host{n}.example"))));
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &slow, Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
    worker.register::<Laned>((gate.clone(), log.clone()));
    let running = Running::start(worker);
    until("the other lanes", async || log.all().iter().filter(|lane| *lane != "slow.example").count() == 21).await;
    assert_eq!(log.all().iter().filter(|lane| *lane == "slow.example").count(), 2, "the lane's limit");
    gate.open(3);
    until("the lane going on", async || log.all().iter().filter(|lane| *lane == "slow.example").count() == 5).await;
    gate.open(1_000);
    running.stop().await;
}

on_both_databases!(urgent_jobs_go_first);
async fn urgent_jobs_go_first(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let mut last = None;
    for (name, priority) in
        [("lowest", Priority::Lowest), ("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)]
    {
        let timing = Timing { run_at: None, priority: Some(priority) };
        last.get_or_insert(put_at(&db, &clock, &act(name), timing).await.id());
    }
    let l = log.clone();
    let settings = Settings { concurrency: 1, ..quick() };
    let running = Running::start(actor(&db, &clock, settings, move |job, _| {
        l.note(&job.name);
        async { Outcome::Done }
    }));
    until_status(&db, last.unwrap(), JobStatus::Succeeded).await;
    assert_eq!(log.all(), ["high", "normal", "low", "lowest"]);
    running.stop().await;
}

on_both_databases!(thousands_of_short_jobs_all_run_once);
async fn thousands_of_short_jobs_all_run_once(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let jobs: Vec<_> = (0..3_000).map(|n| act(&n.to_string())).collect();
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &jobs, Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let workers: Vec<Running> = (0..3)
        .map(|_| {
            let l = log.clone();
            Running::start(actor(&db, &clock, quick(), move |job, _| {
                l.note(&job.name);
                async { Outcome::Done }
            }))
        })
        .collect();
    until("all of them", async || {
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
