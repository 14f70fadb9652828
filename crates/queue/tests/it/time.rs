//! Jobs that wait for their time, and jobs that come again.

use std::time::Duration;

use queue::{Attempt, Job, Kind, Outcome, Schedule, Timing};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::stage::{Log, Running, act, actor, get, put, put_at, quick, until, until_status};

#[derive(Serialize, Deserialize)]
struct Daily;
impl Job for Daily {
    const KIND: Kind = Kind::new("daily");
    type Context = Log;
    fn periodic(_: &Log) -> Option<(Schedule, Self)> {
        Some((Schedule::Daily { hour: 3, minute: 0 }, Daily))
    }
    async fn run(self, log: &Log, _: Attempt) -> Outcome {
        log.note("ran");
        Outcome::Done
    }
}

fn clock() -> Clock {
    Clock::manual("2026-01-01T02:59:00Z".parse().unwrap())
}

on_both_databases!(a_job_waits_for_its_time);
async fn a_job_waits_for_its_time(db: TestDb) {
    let clock = clock();
    let in_an_hour = Timing { run_at: Some(clock.now() + Duration::from_secs(3600)), priority: None };
    let id = put_at(&db, &clock, &act("later"), in_an_hour).await.id();
    let now = put(&db, &clock, &act("now")).await.id();
    let running = Running::start(actor(&db, &clock, quick(), |_, _| async { Outcome::Done }));
    until_status(&db, now, JobStatus::Succeeded).await;
    assert_eq!(get(&db, id).await.attempts, 0);
    clock.advance(Duration::from_secs(3600));
    until_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
}

on_both_databases!(each_due_time_is_one_run_however_many_workers);
async fn each_due_time_is_one_run_however_many_workers(db: TestDb) {
    let (clock, log) = (clock(), Log::default());
    let workers: Vec<Running> = (0..4)
        .map(|_| {
            let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
            worker.register::<Daily>(log.clone());
            Running::start(worker)
        })
        .collect();
    until("the schedule being known", async || {
        let known: i64 = db.read("select count(*) from job_schedules where kind = 'daily'").scalar().await.unwrap();
        known == 1
    })
    .await;
    for day in 1..=3 {
        clock.advance(Duration::from_secs(if day == 1 { 60 } else { 86_400 }));
        until("the day's run", async || log.len() == day).await;
    }
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!(log.len(), 3, "three days, three runs, none before the first due time");
}

on_both_databases!(days_missed_are_made_up_for_by_one_run);
async fn days_missed_are_made_up_for_by_one_run(db: TestDb) {
    let (clock, log) = (clock(), Log::default());
    let start = |log: Log| {
        let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
        worker.register::<Daily>(log);
        Running::start(worker)
    };
    let first = start(log.clone());
    until("the schedule being known", async || {
        let known: i64 = db.read("select count(*) from job_schedules where kind = 'daily'").scalar().await.unwrap();
        known == 1
    })
    .await;
    first.stop().await;
    clock.advance(Duration::from_secs(5 * 86_400));
    let second = start(log.clone());
    until("the run", async || log.len() == 1).await;
    second.stop().await;
    let waiting = store::jobs::list(&db, Some(JobStatus::Queued), Some("daily"), 10).await.unwrap();
    assert_eq!((log.len(), waiting.len()), (1, 0));
}

on_both_databases!(history_is_pruned_by_the_clock);
async fn history_is_pruned_by_the_clock(db: TestDb) {
    let clock = clock();
    let id = put(&db, &clock, &act("old")).await.id();
    let start = || Running::start(actor(&db, &clock, quick(), |_, _| async { Outcome::Done }));
    let running = start();
    until_status(&db, id, JobStatus::Succeeded).await;
    clock.advance(Duration::from_secs(25 * 3600));
    until("the old job being removed", async || store::jobs::get(&db, id).await.unwrap().is_none()).await;
    running.stop().await;
}
