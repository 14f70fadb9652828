//! How jobs end: done, retried, given up, panicked, timed out, unreadable.

use std::time::Duration;

use queue::{Attempt, Backoff, Enqueued, Job, Kind, Outcome};
use serde::{Deserialize, Serialize};
use store::{Clock, jobs::JobStatus};
use testkit::{TestDb, on_both_databases};

use crate::stage::{Act, Log, Running, act, actor, get, put, quick, until, until_status};

on_both_databases!(a_job_runs_once_and_is_done);
async fn a_job_runs_once_and_is_done(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let id = put(&db, &clock, &act("hello")).await.id();
    let noted = log.clone();
    let running = Running::start(actor(&db, &clock, quick(), move |job, attempt| {
        noted.note(format!("{} {} {}", job.name, attempt.number, attempt.is_last));
        async { Outcome::Done }
    }));
    let job = until_status(&db, id, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, job.locked_by, job.last_error), (1, None, None));
    running.stop().await;
    assert_eq!(log.all(), ["hello 1 false"]);
}

on_both_databases!(failures_are_retried_until_the_attempts_are_used_up);
async fn failures_are_retried_until_the_attempts_are_used_up(db: TestDb) {
    let (clock, log) = (Clock::system(), Log::default());
    let doomed = put(&db, &clock, &act("doomed")).await.id();
    let flaky = put(&db, &clock, &act("flaky")).await.id();
    let noted = log.clone();
    let running = Running::start(actor(&db, &clock, quick(), move |job, attempt| {
        noted.note(&job.name);
        let outcome = match (job.name.as_str(), attempt.number) {
            ("flaky", 2) => Outcome::Done,
            (_, number) => Outcome::retry(format!("failed at attempt {number}")),
        };
        async { outcome }
    }));
    let job = until_status(&db, doomed, JobStatus::Failed).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (3, Some("failed at attempt 3")));
    let job = until_status(&db, flaky, JobStatus::Succeeded).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (2, Some("failed at attempt 1")), "the reason is kept");
    running.stop().await;
    assert_eq!(log.len(), 5);
}

on_both_databases!(giving_up_is_final_until_a_person_retries);
async fn giving_up_is_final_until_a_person_retries(db: TestDb) {
    let clock = Clock::system();
    let id = put(&db, &clock, &act("gone")).await.id();
    let log = Log::default();
    let noted = log.clone();
    let running = Running::start(actor(&db, &clock, quick(), move |_, _| {
        noted.note("ran");
        let outcome = if noted.len() == 1 { Outcome::give_up("the page is gone") } else { Outcome::Done };
        async { outcome }
    }));
    let job = until_status(&db, id, JobStatus::Failed).await;
    assert_eq!((job.attempts, job.last_error.as_deref()), (1, Some("the page is gone")));
    assert_eq!(store::jobs::retry(&db, clock.now(), id).await.unwrap(), store::jobs::Retried::Queued);
    until_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
    assert_eq!(log.len(), 2);
}

on_both_databases!(a_panic_fails_its_job_and_no_other);
async fn a_panic_fails_its_job_and_no_other(db: TestDb) {
    let clock = Clock::system();
    let bad = put(&db, &clock, &act("panic")).await.id();
    let good = put(&db, &clock, &act("good")).await.id();
    let settings = queue::Settings { concurrency: 1, ..quick() };
    let running = Running::start(actor(&db, &clock, settings, |job: Act, _| {
        assert!(job.name != "panic", "before the first await");
        async { Outcome::Done }
    }));
    until_status(&db, good, JobStatus::Succeeded).await;
    let job = until_status(&db, bad, JobStatus::Failed).await;
    assert_eq!(job.attempts, 3);
    assert!(job.last_error.unwrap().contains("panicked: before the first await"));
    running.stop().await;
}

on_both_databases!(an_attempt_that_takes_too_long_is_stopped);
async fn an_attempt_that_takes_too_long_is_stopped(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Slow;
    impl Job for Slow {
        const KIND: Kind = Kind { max_attempts: 1, timeout: Duration::from_millis(50), ..Kind::new("slow") };
        type Context = ();
        async fn run(self, (): &(), _: Attempt) -> Outcome {
            std::future::pending().await
        }
    }
    let clock = Clock::system();
    let id = put(&db, &clock, &Slow).await.id();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
    worker.register::<Slow>(());
    let running = Running::start(worker);
    let job = until_status(&db, id, JobStatus::Failed).await;
    assert_eq!(job.last_error.as_deref(), Some("the job took longer than 0.05 s"));
    running.stop().await;
}

on_both_databases!(a_payload_that_cannot_be_read_is_not_tried_again);
async fn a_payload_that_cannot_be_read_is_not_tried_again(db: TestDb) {
    let clock = Clock::system();
    let id = put(&db, &clock, &act("x")).await.id();
    db.write("update jobs set payload = '[\"not\", \"an\", \"act\", 4]'").execute().await.unwrap();
    let running = Running::start(actor(&db, &clock, quick(), |_, _| async { Outcome::Done }));
    let job = until_status(&db, id, JobStatus::Failed).await;
    assert_eq!(job.attempts, 1);
    assert!(job.last_error.unwrap().starts_with("the payload cannot be read"));
    running.stop().await;
}

on_both_databases!(kinds_nobody_registered_are_left_alone);
async fn kinds_nobody_registered_are_left_alone(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Foreign;
    impl Job for Foreign {
        const KIND: Kind = Kind { priority: queue::Priority::High, ..Kind::new("foreign") };
        type Context = ();
        async fn run(self, (): &(), _: Attempt) -> Outcome {
            Outcome::Done
        }
    }
    let clock = Clock::system();
    let foreign = put(&db, &clock, &Foreign).await.id();
    let ours = put(&db, &clock, &act("ours")).await.id();
    let running = Running::start(actor(&db, &clock, quick(), |_, _| async { Outcome::Done }));
    until_status(&db, ours, JobStatus::Succeeded).await;
    running.stop().await;
    let job = get(&db, foreign).await;
    assert_eq!((job.status, job.attempts), (JobStatus::Queued, 0));
}

on_both_databases!(a_job_is_enqueued_with_its_cause_or_not_at_all);
async fn a_job_is_enqueued_with_its_cause_or_not_at_all(db: TestDb) {
    let clock = Clock::system();
    let keyed = Act { name: "a".into(), key: Some("k".into()) };
    let mut tx = db.begin().await.unwrap();
    queue::enqueue(&mut tx, &clock, &keyed, queue::Timing::default()).await.unwrap();
    tx.rollback().await.unwrap();
    let first = put(&db, &clock, &keyed).await;
    assert!(matches!(first, Enqueued::Added(_)), "the rollback took the first away");
    assert_eq!(put(&db, &clock, &keyed).await, Enqueued::Exists(first.id()));
    let mut tx = db.begin().await.unwrap();
    for bad in [String::new(), "x".repeat(513)] {
        let job = Act { name: "a".into(), key: Some(bad) };
        let refused = queue::enqueue(&mut tx, &clock, &job, queue::Timing::default()).await;
        assert!(matches!(refused, Err(queue::EnqueueError::Name { what: "key", .. })));
    }
    let nul = Act { name: "nul \0 in it".into(), key: Some("nul \0".into()) };
    queue::enqueue(&mut tx, &clock, &nul, queue::Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
}

on_both_databases!(delays_grow_between_attempts);
async fn delays_grow_between_attempts(db: TestDb) {
    #[derive(Serialize, Deserialize)]
    struct Delayed;
    impl Job for Delayed {
        const KIND: Kind = Kind {
            backoff: Backoff { first: Duration::from_secs(100), most: Duration::from_secs(3600) },
            ..Kind::new("delayed")
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
    let id = put(&db, &clock, &Delayed).await.id();
    let mut worker = queue::Worker::new(db.db(), clock.clone(), quick());
    worker.register::<Delayed>(());
    let running = Running::start(worker);
    until("the first failure", async || get(&db, id).await.last_error.is_some()).await;
    let job = get(&db, id).await;
    let delay = (job.run_at - clock.now()).num_seconds();
    assert!((50..=100).contains(&delay), "{delay}");
    clock.advance(Duration::from_secs(100));
    until("the second failure", async || get(&db, id).await.last_error.as_deref() == Some("twice")).await;
    assert_eq!((get(&db, id).await.run_at - clock.now()).num_seconds(), 7, "the delay that the handler asked for");
    clock.advance(Duration::from_secs(7));
    until_status(&db, id, JobStatus::Succeeded).await;
    running.stop().await;
}
