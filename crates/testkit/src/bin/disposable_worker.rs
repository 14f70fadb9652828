//! A worker process that tests kill. It runs `entry` jobs on the database of its first argument, with a lease in milliseconds,
//! its second. Each attempt inserts a row into the test's table `ledger`.

use std::time::Duration;

use queue::{Attempt, Backoff, Job, JobKind, Outcome, Worker, WorkerSettings};
use serde::{Deserialize, Serialize};
use store::{Clock, Db};
use tokio_util::sync::CancellationToken;

/// A job that writes a row to the ledger.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Whether the attempt waits until the test inserts this process's number into `released`.
    held: bool,
}

impl Job for Entry {
    const KIND: JobKind = JobKind { backoff: Backoff::IMMEDIATE, max_attempts: 1_000, ..JobKind::new("entry") };
    type Context = Db;

    async fn run(self, db: &Db, attempt: Attempt) -> Outcome {
        enter(db, self, attempt).await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (url, lease) =
        arguments.next().zip(arguments.next()).ok_or("usage: disposable_worker DATABASE_URL LEASE_MS")?;
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let db = Db::open(&url.parse()?, 8).await?;
    let settings = WorkerSettings {
        lease: Duration::from_millis(lease.parse()?),
        concurrency: 8,
        poll: Duration::from_millis(200),
        ..WorkerSettings::default()
    };
    let mut worker = Worker::new(db.clone(), Clock::system(), settings);
    worker.register::<Entry>(db);
    println!("{}", worker.id());
    Ok(worker.run(CancellationToken::new()).await?)
}

async fn enter(db: &Db, entry: Entry, attempt: Attempt) -> Outcome {
    let me = i64::from(std::process::id());
    let written = db
        .write("insert into ledger (job, attempt, process) values ($1, $2, $3)")
        .bind(attempt.id)
        .bind(i64::from(attempt.number))
        .bind(me)
        .execute()
        .await;
    if let Err(error) = written {
        return Outcome::retry(error);
    }
    while entry.held && !is_released(db, me).await {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Long enough to be killed meanwhile.
    tokio::time::sleep(Duration::from_millis(u64::from(attempt.id.0.as_bytes()[15] % 8))).await;
    Outcome::Done
}

async fn is_released(db: &Db, me: i64) -> bool {
    let rows = db.read("select count(*) from released where process = $1").bind(me).scalar::<i64>().await;
    rows.is_ok_and(|count| count > 0)
}
