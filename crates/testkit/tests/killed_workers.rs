//! Workers are killed and suspended; no job is lost, done twice or stuck.
//!
//! `KILL_ROUNDS` sets the number of rounds (`make soak`: hundreds); the default is a few dozen on each database.
#![cfg(test)]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use store::{
    Clock, Db, JobId,
    jobs::{self, JobStatus, KeyScope, NewJob},
};
use testkit::{TestDb, on_both_databases};

const LEASE_MS: i64 = 3_000;
const JOBS_A_ROUND: usize = 30;

/// A worker process, killed when dropped.
struct Process {
    child: Child,
    id: String,
    stderr: Arc<Mutex<String>>,
}

impl Process {
    fn start(db: &TestDb) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_disposable_worker"))
            .args([db.url(), &LEASE_MS.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut id = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut id).unwrap();
        let stderr = Arc::new(Mutex::new(String::new()));
        let (heard, mut pipe) = (stderr.clone(), child.stderr.take().unwrap());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                heard.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Process { child, id: id.trim().to_owned(), stderr }
    }

    fn number(&self) -> i64 {
        i64::from(self.child.id())
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates tables and triggers that record every attempt, completion and rescue.
async fn create_triggers(db: &Db) {
    let statements: &[&str] = if db.is_postgres() {
        &[
            "create table ledger (job uuid not null, attempt bigint not null, process bigint not null)",
            "create table released (process bigint not null)",
            "create table completions (job uuid not null)",
            "create table rescues (job uuid not null, lapsed_at timestamptz not null, rescued_at timestamptz not null)",
            "create function note_end() returns trigger language plpgsql as $$ begin
                if new.status = 'succeeded' then insert into completions values (new.id); end if;
                if old.status = 'processing' and new.status = 'queued' and new.last_error like 'the worker%'
                then insert into rescues values (new.id, old.lease_expires_at, new.updated_at); end if;
                return new; end $$",
            "create trigger ends after update on jobs for each row execute function note_end()",
        ]
    } else {
        &[
            "create table ledger (job blob not null, attempt integer not null, process integer not null) strict",
            "create table released (process integer not null) strict",
            "create table completions (job blob not null) strict",
            "create table rescues (job blob not null, lapsed_at text not null, rescued_at text not null) strict",
            "create trigger completed after update on jobs when new.status = 'succeeded'
             begin insert into completions values (new.id); end",
            "create trigger rescued after update on jobs
             when old.status = 'processing' and new.status = 'queued' and new.last_error like 'the worker%'
             begin insert into rescues values (new.id, old.lease_expires_at, new.updated_at); end",
        ]
    };
    for sql in statements {
        db.write(sql).execute().await.unwrap();
    }
}

async fn enqueue(db: &Db, count: usize, held: bool) -> Vec<JobId> {
    let now = Clock::system().now();
    let job = NewJob {
        kind: "entry".into(),
        key: None,
        key_scope: KeyScope::Active,
        lane: None,
        payload: format!("{{\"held\": {held}}}"),
        priority: 2,
        max_attempts: 1_000,
        run_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let added = jobs::enqueue_many(&mut tx, now, &vec![job; count]).await.unwrap();
    tx.commit().await.unwrap();
    added.into_iter().map(jobs::Enqueued::id).collect()
}

async fn count(db: &Db, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

async fn until(what: &str, mut is_true: impl AsyncFnMut() -> bool) {
    let patience = tokio::time::Instant::now() + Duration::from_secs(90);
    while !is_true().await {
        assert!(tokio::time::Instant::now() < patience, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "how `make soak` asks for more")]
fn rounds() -> usize {
    std::env::var("KILL_ROUNDS").ok().map_or(30, |rounds| rounds.parse().expect("KILL_ROUNDS is a number"))
}

on_both_databases!(killed_workers_lose_and_repeat_no_job);
async fn killed_workers_lose_and_repeat_no_job(db: TestDb) {
    create_triggers(&db).await;
    let mut workers: Vec<Process> = (0..3).map(|_| Process::start(&db)).collect();
    let rounds = rounds();
    let mut jobs = Vec::new();
    for round in 0..rounds {
        jobs.extend(enqueue(&db, JOBS_A_ROUND, false).await);
        // At a different time in each round, so that kills hit claims, runs and results alike.
        let progress = i64::try_from(jobs.len() - JOBS_A_ROUND + (round * 7) % JOBS_A_ROUND).unwrap() / 2;
        until("some progress", async || count(&db, "select count(*) from completions").await >= progress).await;
        workers[round % 3].signal(Signal::SIGKILL);
        workers[round % 3] = Process::start(&db);
    }
    let total = i64::try_from(jobs.len()).unwrap();
    until("all jobs being done", async || {
        count(&db, "select count(*) from jobs where kind = 'entry' and status = 'succeeded'").await == total
    })
    .await;
    drop(workers);

    assert_eq!(count(&db, "select count(distinct job) from completions").await, total, "none lost");
    assert_eq!(count(&db, "select count(*) from completions").await, total, "none completed twice");
    assert_eq!(count(&db, "select count(distinct job) from ledger").await, total, "none done without having run");
    let attempts = count(&db, "select count(*) from ledger").await;
    let counted: i64 =
        db.read("select cast(sum(attempts) as bigint) from jobs where kind = 'entry'").scalar().await.unwrap();
    assert!(counted >= attempts, "a killed attempt counts: {counted} counted, {attempts} begun");
    let rescues = count(&db, "select count(*) from rescues").await;
    assert!(rescues > 0, "the kills hit something");
    // A living worker rescues every job within one lease after its lease has lapsed.
    let late: Vec<(chrono::DateTime<chrono::Utc>, chrono::DateTime<chrono::Utc>)> =
        db.read("select lapsed_at, rescued_at from rescues").all().await.unwrap();
    let longest = late.iter().map(|(lapsed, rescued)| *rescued - *lapsed).max().unwrap_or_default();
    assert!(longest.num_milliseconds() < LEASE_MS, "a job was stuck for {longest} beyond its lease");
    println!(
        "{rounds} kills, {total} jobs, {attempts} attempts, {rescues} rescues, the latest {} ms after the lapse",
        longest.num_milliseconds()
    );
}

on_both_databases!(suspended_worker_changes_nothing_after_its_lease);
async fn suspended_worker_changes_nothing_after_its_lease(db: TestDb) {
    create_triggers(&db).await;
    let sleeper = Process::start(&db);
    let id = enqueue(&db, 1, true).await[0];
    until("the first worker having the job", async || count(&db, "select count(*) from ledger").await == 1).await;
    sleeper.signal(Signal::SIGSTOP);
    let successor = Process::start(&db);
    until("the second worker having the job", async || count(&db, "select count(*) from ledger").await == 2).await;
    let held = jobs::get(&db, id).await.unwrap().unwrap();
    assert_eq!(
        (held.status, held.attempts, held.locked_by.as_deref()),
        (JobStatus::Processing, 2, Some(successor.id.as_str()))
    );

    // The first worker continues and tries to store its result.
    let release = "insert into released (process) values ($1)";
    db.write(release).bind(sleeper.number()).execute().await.unwrap();
    sleeper.signal(Signal::SIGCONT);
    until("the first worker noticing", async || sleeper.stderr.lock().unwrap().contains("lost")).await;
    let after = jobs::get(&db, id).await.unwrap().unwrap();
    assert_eq!(
        (after.status, after.attempts, after.lease_token, after.locked_by),
        (held.status, held.attempts, held.lease_token, held.locked_by),
    );
    assert_eq!(count(&db, "select count(*) from completions").await, 0);

    db.write(release).bind(successor.number()).execute().await.unwrap();
    until("the second worker finishing", async || {
        jobs::get(&db, id).await.unwrap().unwrap().status == JobStatus::Succeeded
    })
    .await;
    assert_eq!(count(&db, "select count(*) from completions").await, 1);
}
