//! Ends of jobs: done, retried, given up, panicked, timed out, unreadable.

use std::time::Duration;

use queue::{Attempt, Backoff, Enqueued, Job, JobKind, Outcome};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::fixture::{
    RunLog, Running, TestJob, enqueue, fast_settings, get, test_job, wait_for_status, wait_until, worker_with,
};

on_both_databases!(a_job_runs_once_and_is_done);
async fn a_job_runs_once_and_is_done(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let id = enqueue(&db, &clock, &test_job("hello")).await.id();
    let noted = log.clone();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), move |job, attempt| {
        noted.note(format!("{} {} {}", job.name, attempt.number, attempt.is_last));
        async { Outcome::Done }
    }));
    let job = wait_for_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, job.locked_by, job.last_error), (1, None, None));
    running.stop().await;
    assert_eq!(log.all(), ["hello 1 false"]);
}

on_both_databases!(failures_are_retried_up_to_max_attempts);
async fn failures_are_retried_up_to_max_attempts(db: TestDb) {
    let (clock, log) = (Clock::system(), RunLog::default());
    let doomed = enqueue(&db, &clock, &test_job("doomed")).await.id();
    let flaky = enqueue(&db, &clock, &test_job("flaky")).await.id();
    let noted = log.clone();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), move |job, attempt| {
        noted.note(&job.name);
        let outcome = match (job.name.as_str(), attempt.number) {
            ("flaky", 2) => Outcome::Done,
            (_, number) => Outcome::retry(format!("failed at attempt {number}")),
        };
        async { outcome }
    }));
    let job = wait_for_status(&db, doomed, JobStatus::Failed).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (3, Some("failed at attempt 3")));
    let job = wait_for_status(&db, flaky, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (2, Some("failed at attempt 1")), "the last error stays");
    running.stop().await;
    assert_eq!(log.len(), 5);
}

on_both_databases!(given_up_job_runs_again_only_by_hand);
async fn given_up_job_runs_again_only_by_hand(db: TestDb) {
    let clock = Clock::system();
    let id = enqueue(&db, &clock, &test_job("gone")).await.id();
    let log = RunLog::default();
    let noted = log.clone();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), move |_, _| {
        noted.note("ran");
        let outcome = if noted.len() == 1 { Outcome::give_up("the page is gone") } else { Outcome::Done };
        async { outcome }
    }));
    let job = wait_for_status(&db, id, JobStatus::Failed).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (1, Some("the page is gone")));
    assert_eq!(store::jobs::retry(&db, clock.now(), id).await.unwrap(), store::jobs::Retried::Queued);
    wait_for_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
    assert_eq!(log.len(), 2);
}

on_both_databases!(panic_fails_only_its_job);
async fn panic_fails_only_its_job(db: TestDb) {
    let clock = Clock::system();
    let bad = enqueue(&db, &clock, &test_job("panic")).await.id();
    let good = enqueue(&db, &clock, &test_job("good")).await.id();
    let settings = queue::WorkerSettings { concurrency: 1, ..fast_settings() };
    let running = Running::start(worker_with(&db, &clock, settings, |job: TestJob, _| {
        assert!(job.name != "panic", "before the first await");
        async { Outcome::Done }
    }));
    wait_for_status(&db, good, JobStatus::Succeeded).await;
    let job = wait_for_status(&db, bad, JobStatus::Failed).await;
    assert_eq!(job.attempts, 3);
    assert!(job.last_error.unwrap().contains("panicked: before the first await"));
    running.stop().await;
}

on_both_databases!(attempt_is_stopped_at_its_timeout);
async fn attempt_is_stopped_at_its_timeout(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Slow;
    impl Job for Slow {
        const KIND: JobKind = JobKind { max_attempts: 1, timeout: Duration::from_millis(50), ..JobKind::new("slow") };
        type Context = ();
        async fn run(self, (): &(), _: Attempt) -> Outcome {
            std::future::pending().await
        }
    }
    let clock = Clock::system();
    let id = enqueue(&db, &clock, &Slow).await.id();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
    worker.register::<Slow>(());
    let running = Running::start(worker);
    let job = wait_for_status(&db, id, JobStatus::Failed).await;
    assert_eq!(job.last_error.as_deref(), Some("the job took longer than 0.05 s"));
    running.stop().await;
}

on_both_databases!(unreadable_payload_is_not_retried);
async fn unreadable_payload_is_not_retried(db: TestDb) {
    let clock = Clock::system();
    let id = enqueue(&db, &clock, &test_job("x")).await.id();
    db.write("update jobs set payload = '[\"not\", \"an\", \"act\", 4]'").execute().await.unwrap();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), |_, _| async { Outcome::Done }));
    let job = wait_for_status(&db, id, JobStatus::Failed).await;
    assert_eq!(job.attempts, 1);
    assert!(job.last_error.unwrap().starts_with("the payload cannot be read"));
    running.stop().await;
}

on_both_databases!(unregistered_kinds_are_left_alone);
async fn unregistered_kinds_are_left_alone(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Foreign;
    impl Job for Foreign {
        const KIND: JobKind = JobKind { priority: queue::Priority::High, ..JobKind::new("foreign") };
        type Context = ();
        async fn run(self, (): &(), _: Attempt) -> Outcome {
            Outcome::Done
        }
    }
    let clock = Clock::system();
    let foreign = enqueue(&db, &clock, &Foreign).await.id();
    let ours = enqueue(&db, &clock, &test_job("ours")).await.id();
    let running = Running::start(worker_with(&db, &clock, fast_settings(), |_, _| async { Outcome::Done }));
    wait_for_status(&db, ours, JobStatus::Succeeded).await;
    running.stop().await;
    let job = get(&db, foreign).await;
    assert_eq!((job.status, job.attempts), (JobStatus::Queued, 0));
}

on_both_databases!(job_is_enqueued_with_its_transaction);
async fn job_is_enqueued_with_its_transaction(db: TestDb) {
    let clock = Clock::system();
    let keyed = TestJob { name: "a".into(), key: Some("k".into()) };
    let mut tx = db.begin().await.unwrap();
    queue::enqueue(&mut tx, &clock, &keyed, queue::Timing::default()).await.unwrap();
    tx.rollback().await.unwrap();
    let first = enqueue(&db, &clock, &keyed).await;
    assert!(matches!(first, Enqueued::Added(_)), "the first was rolled back");
    assert_eq!(enqueue(&db, &clock, &keyed).await, Enqueued::Exists(first.id()));
    let mut tx = db.begin().await.unwrap();
    for bad in [String::new(), "x".repeat(513)] {
        let job = TestJob { name: "a".into(), key: Some(bad) };
        let refused = queue::enqueue(&mut tx, &clock, &job, queue::Timing::default()).await;
        assert!(matches!(refused, Err(queue::EnqueueError::Name { what: "key", .. })));
    }
    let nul = TestJob { name: "nul \0 in it".into(), key: Some("nul \0".into()) };
    queue::enqueue(&mut tx, &clock, &nul, queue::Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
}

on_both_databases!(delays_grow_between_attempts);
async fn delays_grow_between_attempts(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Delayed;
    impl Job for Delayed {
        const KIND: JobKind = JobKind {
            backoff: Backoff { first: Duration::from_secs(100), max: Duration::from_secs(3600) },
            ..JobKind::new("delayed")
        };
        type Context = ();
        async fn run(self, (): &(), attempt: Attempt) -> Outcome {
            match attempt.number {
                1 => Outcome::retry("once"),
                2 => Outcome::Retry { error: "twice".into(), after: Some(Duration::from_secs(7)) },
                _ => Outcome::Done,
            }
        }
    }
    let clock = Clock::manual("2026-01-01T00:00:00Z".parse().unwrap());
    let id = enqueue(&db, &clock, &Delayed).await.id();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), fast_settings());
    worker.register::<Delayed>(());
    let running = Running::start(worker);
    wait_until("the first failure", async || get(&db, id).await.last_error.is_some()).await;
    let job = get(&db, id).await;
    let delay = (job.run_at - clock.now()).num_seconds();
    assert!((50..=100).contains(&delay), "{delay}");
    clock.advance(Duration::from_secs(100));
    wait_until("the second failure", async || get(&db, id).await.last_error.as_deref() == Some("twice")).await;
    assert_eq!((get(&db, id).await.run_at - clock.now()).num_seconds(), 7, "the handler's own delay");
    clock.advance(Duration::from_secs(7));
    wait_for_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
}
