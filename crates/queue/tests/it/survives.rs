//! Stopping, stalling and losing: nothing is lost, nothing is overwritten.

use std::time::Duration;

use queue::{Outcome, Settings};
use store::{
    Clock, LeaseToken,
    jobs::{self, Claim, JobStatus},
};
use testkit::{TestDb, on_both_databases};

use crate::stage::{Gate, Log, Running, act, actor, get, put, quick, until, until_status};

on_both_databases!(stopping_waits_for_what_runs_and_hands_back_the_rest);
async fn stopping_waits_for_what_runs_and_hands_back_the_rest(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), Log::default());
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(put(&db, &clock, &act(&n.to_string())).await.id());
    }
    let (g, l) = (gate.clone(), log.clone());
    let running = Running::start(actor(&db, &clock, Settings { concurrency: 2, ..quick() }, move |job, _| {
        let (g, l) = (g.clone(), l.clone());
        async move {
            l.note(&job.name);
            g.pass().await;
            Outcome::Done
        }
    }));
    until("two running", async || log.len() == 2).await;
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
    let signs: i64 = db.read("select count(*) from workers").scalar().await.unwrap();
    assert_eq!(signs, 0, "no sign of life remains");
}

on_both_databases!(a_job_that_does_not_end_in_time_is_handed_back);
async fn a_job_that_does_not_end_in_time_is_handed_back(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let id = put(&db, &clock, &act("endless")).await.id();
    let l = log.clone();
    let settings = Settings { grace: Duration::from_millis(100), ..quick() };
    let running = Running::start(actor(&db, &clock, settings, move |_, _| {
        l.note("ran");
        std::future::pending()
    }));
    until("it running", async || log.len() == 1).await;
    running.stop().await;
    let job = get(&db, id).await;
    assert_eq!((job.status, job.attempts, job.locked_by), (JobStatus::Queued, 0, None));
}

on_both_databases!(a_long_job_keeps_its_lease_by_heartbeat);
async fn a_long_job_keeps_its_lease_by_heartbeat(db: TestDb) {
    let (clock, gate, log) = (Clock::system(), Gate::shut(), Log::default());
    let id = put(&db, &clock, &act("long")).await.id();
    let settings = Settings { lease: Duration::from_millis(600), ..quick() };
    let workers: Vec<Running> = (0..2)
        .map(|_| {
            let (g, l) = (gate.clone(), log.clone());
            Running::start(actor(&db, &clock, settings.clone(), move |_, _| {
                let (g, l) = (g.clone(), l.clone());
                async move {
                    l.note("ran");
                    g.pass().await;
                    Outcome::Done
                }
            }))
        })
        .collect();
    until("it running", async || log.len() == 1).await;
    let first = get(&db, id).await.lease_expires_at.unwrap();
    until("several renewals", async || {
        get(&db, id).await.lease_expires_at.is_some_and(|at| at > first + chrono::TimeDelta::milliseconds(1_500))
    })
    .await;
    gate.open(9);
    let job = until_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, log.len()), (1, 1));
    for worker in workers {
        worker.stop().await;
    }
}

on_both_databases!(jobs_of_a_dead_worker_are_rescued_and_the_attempt_counts);
async fn jobs_of_a_dead_worker_are_rescued_and_the_attempt_counts(db: TestDb) {
    let clock = Clock::system();
    let id = put(&db, &clock, &act("orphan")).await.id();
    let used_up = put(&db, &clock, &act("used up")).await.id();
    db.write("update jobs set attempts = 2 where id = $1").bind(used_up).execute().await.unwrap();
    // A worker that dies: it takes the jobs and is never heard of again.
    let now = clock.now();
    let dead =
        Claim { now, worker: "dead".into(), token: LeaseToken::new(), expires_at: now + Duration::from_millis(300) };
    assert_eq!(jobs::claim(&db, &dead, "act", 2, 10).await.unwrap().len(), 2);
    let running = Running::start(actor(&db, &clock, quick(), |_, attempt| async move {
        assert_eq!(attempt.number, 2);
        Outcome::Done
    }));
    let job = until_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!(job.attempts, 2);
    assert!(job.last_error.unwrap().contains("worker dead died"));
    let job = until_status(&db, used_up, JobStatus::Failed).await;
    assert_eq!(job.attempts, 3, "a job that kills its workers comes to an end");
    running.stop().await;
}

on_both_databases!(a_job_whose_lease_was_taken_is_stopped);
async fn a_job_whose_lease_was_taken_is_stopped(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let id = put(&db, &clock, &act("stolen")).await.id();
    struct Dropped(Log);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.note("stopped");
        }
    }
    let l = log.clone();
    let settings = Settings { lease: Duration::from_millis(300), ..quick() };
    let running = Running::start(actor(&db, &clock, settings, move |_, _| {
        let l = l.clone();
        async move {
            l.note("ran");
            let _dropped = Dropped(l);
            std::future::pending().await
        }
    }));
    until("it running", async || log.len() == 1).await;
    // Another worker has it now, with a token of its own.
    let other = LeaseToken::new();
    db.write("update jobs set lease_token = $1, locked_by = 'other', lease_expires_at = $2 where id = $3")
        .bind(other)
        .bind(clock.now() + Duration::from_secs(600))
        .bind(id)
        .execute()
        .await
        .unwrap();
    until("it being stopped", async || log.all() == ["ran", "stopped"]).await;
    running.stop().await;
    let job = get(&db, id).await;
    assert_eq!(
        (job.status, job.lease_token, job.locked_by.as_deref()),
        (JobStatus::Processing, Some(other), Some("other"))
    );
}

on_both_databases!(jobs_held_too_long_ahead_go_back);
async fn jobs_held_too_long_ahead_go_back(db: TestDb) {
    // Short jobs make the worker take many ahead; then slow ones fill its slots.
    let (clock, gate) = (Clock::system(), Gate::shut());
    let mut batch: Vec<_> = (0..2_000).map(|_| act("short")).collect();
    batch.extend((0..200).map(|_| act("slow")));
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &clock, &batch, queue::Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    let g = gate.clone();
    let running = Running::start(actor(&db, &clock, Settings { concurrency: 4, ..quick() }, move |job, _| {
        let g = g.clone();
        async move {
            if job.name == "slow" {
                g.pass().await;
            }
            Outcome::Done
        }
    }));
    until("only what runs being held", async || {
        let stats = jobs::count_by_kind(&db, clock.now()).await.unwrap();
        stats.iter().any(|s| s.kind == "act" && s.running == 4 && s.ready == 196)
    })
    .await;
    gate.open(1_000);
    running.stop().await;
}

on_both_databases!(signs_of_life_are_given);
async fn signs_of_life_are_given(db: TestDb) {
    let clock = Clock::system();
    let settings = Settings { host: "here".into(), ..quick() };
    let running = Running::start(actor(&db, &clock, settings, |_, _| async { Outcome::Done }));
    until("a sign", async || store::workers::last_seen_at(&db, "here", clock.now()).await.unwrap().is_some()).await;
    assert_eq!(store::workers::last_seen_at(&db, "elsewhere", clock.now()).await.unwrap(), None);
    let early = clock.now() - chrono::TimeDelta::days(30);
    assert_eq!(
        store::workers::last_seen_at(&db, "here", early).await.unwrap(),
        None,
        "given by a clock that was ahead"
    );
    running.stop().await;
}
