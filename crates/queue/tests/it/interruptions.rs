//! Workers that stop, stall or lose a lease: no job is lost, no result overwritten.

use std::time::Duration;

use queue::{Outcome, WorkerSettings};
use store::{
    Clock, LeaseToken,
    jobs::{self, JobClaim, JobStatus},
};
use testkit::{TestDb, on_both_databases};

use crate::fixture::{
    Gate, RunLog, Running, enqueue, fast_settings, get, test_job, wait_for_status, wait_until, worker_with,
};

on_both_databases!(stopping_finishes_running_and_returns_the_rest);
async fn stopping_finishes_running_and_returns_the_rest(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), RunLog::default());
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(enqueue(&db, &clock, &test_job(&n.to_string())).await.id());
    }
    let (g, l) = (gate.clone(), log.clone());
    let running = Running::start(worker_with(
        &db,
        &clock,
        WorkerSettings { concurrency: 2, ..fast_settings() },
        move |job, _| {
            let (g, l) = (g.clone(), l.clone());
            async move {
                l.note(&job.name);
                g.pass().await;
                Outcome::Done
            }
        },
    ));
    wait_until("two running", async || log.len() == 2).await;
    running.stop.cancel();
    gate.open(2);
    running.task.await.unwrap().unwrap();
    let mut ended = Vec::new();
    for id in ids {
        let job = get(&db, id).await;
        ended.push((job.status, job.attempts));
    }
    assert_eq!(ended.iter().filter(|end| **end == (JobStatus::Succeeded, 1)).count(), 2, "{ended:?}");
    assert_eq!(ended.iter().filter(|end| **end == (JobStatus::Queued, 0)).count(), 3, "{ended:?}");
    let heartbeats: i64 = db.read("select count(*) from workers").scalar().await.unwrap();
    assert_eq!(heartbeats, 0, "the heartbeat is deleted");
}

on_both_databases!(unfinished_job_is_returned_after_the_grace);
async fn unfinished_job_is_returned_after_the_grace(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let id = enqueue(&db, &clock, &test_job("endless")).await.id();
    let l = log.clone();
    let settings = WorkerSettings { grace: Duration::from_millis(100), ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, move |_, _| {
        l.note("ran");
        std::future::pending()
    }));
    wait_until("it running", async || log.len() == 1).await;
    running.stop().await;
    let job = get(&db, id).await;
    assert_eq!((job.status, job.attempts, job.locked_by), (JobStatus::Queued, 0, None));
}

on_both_databases!(long_job_keeps_its_lease);
async fn long_job_keeps_its_lease(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), RunLog::default());
    let id = enqueue(&db, &clock, &test_job("long")).await.id();
    let settings = WorkerSettings { lease: Duration::from_millis(600), ..fast_settings() };
    let workers: Vec<Running> = (0..2)
        .map(|_| {
            let (g, l) = (gate.clone(), log.clone());
            Running::start(worker_with(&db, &clock, settings.clone(), move |_, _| {
                let (g, l) = (g.clone(), l.clone());
                async move {
                    l.note("ran");
                    g.pass().await;
                    Outcome::Done
                }
            }))
        })
        .collect();
    wait_until("it running", async || log.len() == 1).await;
    let first = get(&db, id).await.lease_expires_at.unwrap();
    wait_until("several renewals", async || {
        get(&db, id).await.lease_expires_at.is_some_and(|at| at > first + chrono::TimeDelta::milliseconds(1_500))
    })
    .await;
    gate.open(9);
    let job = wait_for_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, log.len()), (1, 1));
    for worker in workers {
        worker.stop().await;
    }
}

on_both_databases!(jobs_of_a_dead_worker_are_rescued);
async fn jobs_of_a_dead_worker_are_rescued(db: TestDb) {
    let clock = Clock::system();
    let id = enqueue(&db, &clock, &test_job("orphan")).await.id();
    let used_up = enqueue(&db, &clock, &test_job("used up")).await.id();
    db.write("update jobs set attempts = 2 where id = $1").bind(used_up).execute().await.unwrap();
    // A worker that dies: it claims the jobs and does nothing else.
    let now = clock.now();
    let dead =
        JobClaim { now, worker: "dead".into(), token: LeaseToken::new(), expires_at: now + Duration::from_millis(300) };
    assert_eq!(jobs::claim(&db, &dead, "act", 2, 10).await.unwrap().len(), 2);
    let running = Running::start(worker_with(&db, &clock, fast_settings(), |_, attempt| async move {
        assert_eq!(attempt.number, 2);
        Outcome::Done
    }));
    let job = wait_for_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!(job.attempts, 2);
    assert!(job.last_error.unwrap().contains("worker dead died"));
    let job = wait_for_status(&db, used_up, JobStatus::Failed).await;
    assert_eq!(job.attempts, 3, "a job that kills its workers fails in the end");
    running.stop().await;
}

on_both_databases!(job_with_a_lost_lease_is_stopped);
async fn job_with_a_lost_lease_is_stopped(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let id = enqueue(&db, &clock, &test_job("stolen")).await.id();
    struct Dropped(RunLog);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.note("stopped");
        }
    }
    let l = log.clone();
    let settings = WorkerSettings { lease: Duration::from_millis(300), ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, move |_, _| {
        let l = l.clone();
        async move {
            l.note("ran");
            let _dropped = Dropped(l);
            std::future::pending().await
        }
    }));
    wait_until("it running", async || log.len() == 1).await;
    // Another worker has claimed it, with its own token.
    let other = LeaseToken::new();
    db.write("update jobs set lease_token = $1, locked_by = 'other', lease_expires_at = $2 where id = $3")
        .bind(other)
        .bind(clock.now() + Duration::from_secs(600))
        .bind(id)
        .execute()
        .await
        .unwrap();
    wait_until("the job to be stopped", async || log.all() == ["ran", "stopped"]).await;
    running.stop().await;
    let job = get(&db, id).await;
    assert_eq!(
        (job.status, job.lease_token, job.locked_by.as_deref()),
        (JobStatus::Processing, Some(other), Some("other"))
    );
}

on_both_databases!(jobs_claimed_ahead_too_long_are_returned);
async fn jobs_claimed_ahead_too_long_are_returned(db: TestDb) {
    // Short jobs make the worker claim many ahead; then slow ones fill its slots.
    let (clock, gate) = (Clock::system(), Gate::shut());
    let mut batch: Vec<_> = (0..2_000).map(|_| test_job("short")).collect();
    batch.extend((0..200).map(|_| test_job("slow")));
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &batch, queue::Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let g = gate.clone();
    let running = Running::start(worker_with(
        &db,
        &clock,
        WorkerSettings { concurrency: 4, ..fast_settings() },
        move |job, _| {
            let g = g.clone();
            async move {
                if job.name == "slow" {
                    g.pass().await;
                }
                Outcome::Done
            }
        },
    ));
    wait_until("the waiting jobs to be returned", async || {
        let stats = jobs::count_by_kind(&db, clock.now()).await.unwrap();
        stats.iter().any(|s| s.kind == "act" && s.running == 4 && s.ready == 196)
    })
    .await;
    gate.open(1_000);
    running.stop().await;
}

on_both_databases!(heartbeats_are_stored);
async fn heartbeats_are_stored(db: TestDb) {
    let clock = Clock::system();
    let settings = WorkerSettings { host: "here".into(), ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, |_, _| async { Outcome::Done }));
    wait_until("a sign", async || store::workers::last_seen_at(&db, "here", clock.now()).await.unwrap().is_some())
        .await;
    assert_eq!(store::workers::last_seen_at(&db, "elsewhere", clock.now()).await.unwrap(), None);
    let early = clock.now() - chrono::TimeDelta::days(30);
    assert_eq!(
        store::workers::last_seen_at(&db, "here", early).await.unwrap(),
        None,
        "the heartbeat of a wrong clock is ignored"
    );
    running.stop().await;
}
