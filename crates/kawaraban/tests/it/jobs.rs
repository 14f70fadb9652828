//! `jobs`: the queue from the command line.

use serde_json::Value;
use store::{
    Clock, Db, JobId,
    jobs::{self, JobStatus, KeyScope, NewJob},
};
use testkit::{TestDb, on_both_databases};

use crate::process::Program;

async fn enqueue(db: &Db, kind: &str, key: Option<&str>) -> JobId {
    let now = Clock::system().now();
    let job = NewJob {
        kind: kind.to_owned(),
        key: key.map(str::to_owned),
        key_scope: KeyScope::Active,
        lane: None,
        payload: "{\"spot\":\"金閣寺\"}".to_owned(),
        priority: 2,
        max_attempts: 3,
        run_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let id = jobs::enqueue(&mut tx, now, &job).await.unwrap().id();
    tx.commit().await.unwrap();
    id
}

async fn fail(db: &Db, id: JobId, error: &str) {
    jobs::cancel(db, Clock::system().now(), id, error).await.unwrap();
}

async fn status(db: &Db, id: JobId) -> JobStatus {
    jobs::get(db, id).await.unwrap().unwrap().status
}

on_both_databases!(jobs_are_listed_and_shown);
async fn jobs_are_listed_and_shown(db: TestDb) {
    let first = enqueue(&db, "draw", Some("plan/金閣寺")).await;
    let second = enqueue(&db, "fetch", None).await;
    fail(&db, second, "timed out\n\twhile \x1b[31mconnecting").await;
    let program = Program::on(&db);

    let listed = program.run(&["jobs", "list"]).await.expect_code(0).stdout;
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 2, "{listed}");
    assert_eq!(lines[0][..4], [second.to_string().as_str(), "failed", "fetch", "0/3"], "the newest first");
    assert_eq!(lines[0][5..], ["", "timed out  while  [31mconnecting"], "nothing that moves a cursor");
    assert_eq!((lines[1][1], lines[1][5]), ("queued", "plan/金閣寺"));

    let counted = async |arguments: &[&str]| {
        let all = [&["jobs", "list"], arguments].concat();
        program.run(&all).await.expect_code(0).stdout.lines().count()
    };
    assert_eq!(counted(&["--status", "failed"]).await, 1);
    assert_eq!(counted(&["--status", "processing"]).await, 0);
    assert_eq!(counted(&["--kind", "draw"]).await, 1);
    assert_eq!(counted(&["--limit", "1"]).await, 1);

    let json = program.run(&["jobs", "list", "--json"]).await.expect_code(0).stdout;
    let jobs: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (jobs.len(), &jobs[1]["id"], &jobs[1]["payload"]["spot"]),
        (2, &first.to_string().into(), &"金閣寺".into())
    );
    assert!(jobs[1]["last_error"].is_null() && jobs[1].get("lease_token").is_none());

    let shown = program.run(&["jobs", "show", &second.to_string()]).await.expect_code(0).stdout;
    assert!(shown.contains("status: failed\n") && shown.contains("payload: {\"spot\":\"金閣寺\"}\n"), "{shown}");
    let shown = program.run(&["jobs", "show", &first.to_string(), "--json"]).await.expect_code(0).stdout;
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap()["kind"], "draw");
}

on_both_databases!(failed_jobs_are_retried_one_by_one);
async fn failed_jobs_are_retried_one_by_one(db: TestDb) {
    let program = Program::on(&db);
    let id = enqueue(&db, "draw", Some("k")).await;
    let retry = async || program.run(&["jobs", "retry", &id.to_string()]).await;
    let waiting = retry().await.expect_code(1);
    assert!(waiting.stderr.contains("is queued: only a failed job can be retried"), "{waiting:?}");

    fail(&db, id, "broken").await;
    assert!(retry().await.expect_code(0).stdout.contains("is queued again"));
    assert_eq!(status(&db, id).await, JobStatus::Queued);

    fail(&db, id, "broken").await;
    enqueue(&db, "draw", Some("k")).await;
    let taken = retry().await.expect_code(1);
    assert!(taken.stderr.contains("another job with its kind and key"), "{taken:?}");
    assert_eq!(status(&db, id).await, JobStatus::Failed);
}

on_both_databases!(failed_jobs_are_retried_by_filter);
async fn failed_jobs_are_retried_by_filter(db: TestDb) {
    let program = Program::on(&db);
    let mut ids = Vec::new();
    for (kind, error) in [("draw", "timed out"), ("draw", "refused"), ("fetch", "timed out")] {
        let id = enqueue(&db, kind, None).await;
        fail(&db, id, error).await;
        ids.push(id);
    }
    let retry = async |arguments: &[&str]| {
        let all = [&["jobs", "retry"], arguments].concat();
        program.run(&all).await.expect_code(0).stdout
    };
    assert_eq!(retry(&["--kind", "nothing"]).await, "no failed job matches, nothing changed\n");
    assert_eq!(retry(&["--kind", "draw", "--error", "timed"]).await, "1 job is queued again\n");
    assert_eq!(status(&db, ids[0]).await, JobStatus::Queued);
    assert_eq!(retry(&["--all"]).await, "2 jobs are queued again\n");
}

on_both_databases!(queued_jobs_are_cancelled);
async fn queued_jobs_are_cancelled(db: TestDb) {
    let program = Program::on(&db);
    let id = enqueue(&db, "draw", None).await;
    let cancel = async |reason: &[&str]| {
        let id = id.to_string();
        let all = [&["jobs", "cancel", &id], reason].concat();
        program.run(&all).await
    };
    assert!(cancel(&["--reason", "not needed"]).await.expect_code(0).stdout.contains("is cancelled"));
    let job = jobs::get(&db, id).await.unwrap().unwrap();
    assert_eq!((job.status, job.last_error.as_deref()), (JobStatus::Failed, Some("not needed")));
    let again = cancel(&[]).await.expect_code(1);
    assert!(again.stderr.contains("is failed: only a queued job can be cancelled"), "{again:?}");
}

on_both_databases!(unknown_job_is_an_error);
async fn unknown_job_is_an_error(db: TestDb) {
    let id = JobId::new().to_string();
    for command in ["show", "retry", "cancel"] {
        let finished = Program::on(&db).run(&["jobs", command, &id]).await.expect_code(1);
        assert!(finished.stderr.contains(&format!("there is no job {id}")), "{finished:?}");
    }
}
