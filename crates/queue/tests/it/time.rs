//! Delayed and periodic jobs.

use std::time::Duration;

use queue::{Attempt, Job, JobKind, Outcome, Schedule, Timing, WorkerSettings};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::fixture::{
    RunLog, Running, enqueue, enqueue_at, fast_settings, get, test_job, wait_for_status, wait_until, worker_with,
};

#[derive(Serialize, Deserialize)]
struct Daily;
impl Job for Daily {
    const KIND: JobKind = JobKind::new("daily");
    type Context = RunLog;
    fn periodic(_: &RunLog) -> Option<(Schedule, Self)> {
        Some((Schedule::Daily { hour: 3, minute: 0 }, Daily))
    }
    async fn run(self, log: &RunLog, _: Attempt) -> Outcome {
        log.note("ran");
        Outcome::Done
    }
}

fn clock() -> Clock {
    Clock::manual("2026-01-01T02:59:00Z".parse().unwrap())
}

on_both_databases!(job_waits_for_its_start_time);
async fn job_waits_for_its_start_time(db: TestDb) {
    let clock = clock();
    let in_an_hour = Timing { run_at: Some(clock.now() + Duration::from_secs(3600)), priority: None };
    let id = enqueue_at(&db, &clock, &test_job("later"), in_an_hour).await.id();
    let now = enqueue(&db, &clock, &test_job("now")).await.id();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), |_, _| async { Outcome::Done }));
    wait_for_status(&db, now, JobStatus::Succeeded).await;
    assert_eq!(get(&db, id).await.attempts, 0);
    clock.advance(Duration::from_secs(3600));
    wait_for_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
}

async fn is_scheduled(db: &TestDb) -> bool {
    let known: i64 = db.read("select count(*) from job_schedules where kind = 'daily'").scalar().await.unwrap();
    known == 1
}

on_both_databases!(each_due_time_runs_once_for_all_workers);
async fn each_due_time_runs_once_for_all_workers(db: TestDb) {
    let (clock, log) = (clock(), RunLog::default());
    let workers: Vec<Running> = (0..4)
        .map(|_| {
            let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
            worker.register::<Daily>(log.clone());
            Running::start(worker)
        })
        .collect();
    wait_until("the schedule to be stored", async || is_scheduled(&db).await).await;
    for day in 1..=3 {
        clock.advance(Duration::from_secs(if day == 1 { 60 } else { 86_400 }));
        wait_until("the run of the day", async || log.len() == day).await;
    }
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!(log.len(), 3, "three days, three runs, none before the first due time");
}

on_both_databases!(missed_days_are_run_once);
async fn missed_days_are_run_once(db: TestDb) {
    let (clock, log) = (clock(), RunLog::default());
    let start = |log: RunLog| {
        let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
        worker.register::<Daily>(log);
        Running::start(worker)
    };
    let first = start(log.clone());
    wait_until("the schedule to be stored", async || is_scheduled(&db).await).await;
    first.stop().await;
    clock.advance(Duration::from_secs(5 * 86_400));
    let second = start(log.clone());
    wait_until("the run", async || log.len() == 1).await;
    second.stop().await;
    let waiting = store::jobs::list(&db, Some(JobStatus::Queued), Some("daily"), 10).await.unwrap();
    assert_eq!((log.len(), waiting.len()), (1, 0));
}

on_both_databases!(schedules_and_jobs_survive_a_clock_set_back);
async fn schedules_and_jobs_survive_a_clock_set_back(db: TestDb) {
    let (clock, log) = (clock(), RunLog::default());
    let start = clock.now();
    let settings = WorkerSettings { far_ahead_interval: Duration::from_millis(50), ..fast_settings() };
    let mut worker = worker_with(&db, &clock, settings, |_, _| async { Outcome::Done });
    worker.register::<Daily>(log.clone());
    let running = Running::start(worker);
    wait_until("the schedule to be stored", async || is_scheduled(&db).await).await;
    clock.advance(Duration::from_secs(30 * 86_400));
    wait_until("the run of the wrong day", async || log.len() == 1).await;
    let in_an_hour = Timing { run_at: Some(clock.now() + Duration::from_secs(3600)), priority: None };
    let planned = enqueue_at(&db, &clock, &test_job("planned"), in_an_hour).await.id();

    clock.set(start);
    wait_for_status(&db, planned, JobStatus::Succeeded).await;
    wait_until("the run of today", async || log.len() == 2).await;
    clock.advance(Duration::from_secs(60));
    wait_until("the run of the next due time", async || log.len() == 3).await;
    running.stop().await;
}

on_both_databases!(old_jobs_are_pruned);
async fn old_jobs_are_pruned(db: TestDb) {
    let clock = clock();
    let id = enqueue(&db, &clock, &test_job("old")).await.id();
    let start = || Running::start(worker_with(&db, &clock, fast_settings(), |_, _| async { Outcome::Done }));
    let running = start();
    wait_for_status(&db, id, JobStatus::Succeeded).await;
    clock.advance(Duration::from_secs(25 * 3600));
    wait_until("the old job to be deleted", async || store::jobs::get(&db, id).await.unwrap().is_none()).await;
    running.stop().await;
}
