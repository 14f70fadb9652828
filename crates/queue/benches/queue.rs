//! Compares the queue with a hand-written claim/complete loop on the same table in the same run: 20,000 empty jobs.
//!
//! Machines are noisy, so the budgets apply to the median of the rounds' ratios. Run it with `make bench`, which starts a
//! PostgreSQL server with default durability. It fails when a budget is missed.
#![expect(clippy::unwrap_used, reason = "a failed measurement ends the run")]

use std::{
    collections::HashMap,
    process::ExitCode,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use queue::{Attempt, Job, JobKind, Outcome, Timing, Worker, WorkerSettings};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, SqlitePool, sqlite::SqliteConnectOptions};
use store::{Clock, Db};
use testkit::TestDb;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const JOBS: usize = 20_000;
const BATCH: i64 = 100;
const ROUNDS: usize = 5;
const INSERTS: usize = 500;
/// A single job takes one round trip, like a plain insert.
const INSERT_BUDGET: f64 = 1.5;
const STARTS: u32 = 300;
const START_BUDGET: f64 = 25.0;

#[derive(Serialize, Deserialize)]
struct Nothing {}
impl Job for Nothing {
    const KIND: JobKind = JobKind::new("nothing");
    type Context = Arc<AtomicUsize>;
    async fn run(self, done: &Arc<AtomicUsize>, _: Attempt) -> Outcome {
        done.fetch_add(1, Ordering::Relaxed);
        Outcome::Done
    }
}

#[derive(Serialize, Deserialize)]
struct Numbered(u32);
impl Job for Numbered {
    const KIND: JobKind = JobKind::new("numbered");
    type Context = Starts;
    async fn run(self, started: &Starts, _: Attempt) -> Outcome {
        started.lock().unwrap().insert(self.0, Instant::now());
        Outcome::Done
    }
}

/// When each numbered job started.
type Starts = Arc<Mutex<HashMap<u32, Instant>>>;

#[tokio::main]
async fn main() -> ExitCode {
    println!("{JOBS} empty jobs, {ROUNDS} rounds, best and median jobs/s; ratio = median of the rounds' own ratios\n");
    println!("| database | hand-written loop | the queue, default settings | ratio | budget |");
    println!("|---|---:|---:|---:|---:|");
    let postgres = measure("PostgreSQL", &TestDb::postgres().await, 0.8).await;
    let sqlite = measure("SQLite", &TestDb::sqlite().await, 0.5).await;
    let inserts = measure_inserts(&TestDb::postgres().await).await;
    let starts = measure_starts(&TestDb::postgres().await).await;
    if postgres && sqlite && inserts && starts { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn measure(name: &str, db: &TestDb, budget: f64) -> bool {
    let (mut by_hand, mut by_queue, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (hand, queue) = if round % 2 == 0 {
            let hand = rate(db, hand_written(db)).await;
            (hand, rate(db, queue(db)).await)
        } else {
            let queue = rate(db, queue(db)).await;
            (rate(db, hand_written(db)).await, queue)
        };
        // The first round fills caches and is not counted.
        if round > 0 {
            by_hand.push(hand);
            by_queue.push(queue);
            ratios.push(queue / hand);
        }
    }
    let ratio = median(&mut ratios);
    let show =
        |rates: &mut Vec<f64>| format!("{:.0} / {:.0}", rates.iter().copied().fold(0.0, f64::max), median(rates));
    let verdict = if ratio >= budget { "" } else { " **missed**" };
    println!("| {name} | {} | {} | {ratio:.2} | {budget}{verdict} |", show(&mut by_hand), show(&mut by_queue));
    ratio >= budget
}

/// Jobs a second of `work`, on a table that contains only its jobs.
#[expect(clippy::cast_precision_loss, reason = "thousands of jobs fit a float")]
async fn rate(db: &Db, work: impl Future<Output = Duration>) -> f64 {
    db.write("delete from jobs").execute().await.unwrap();
    if db.is_postgres() {
        db.write("vacuum jobs").execute().await.unwrap();
        db.write("checkpoint").execute().await.unwrap();
    } else {
        db.write("pragma wal_checkpoint(truncate)").execute().await.unwrap();
    }
    let jobs: Vec<Nothing> = (0..JOBS).map(|_| Nothing {}).collect();
    let mut tx = db.begin().await.unwrap();
    queue::enqueue_many(&mut tx, &Clock::system(), &jobs, Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    // Statistics for a table of this size, as autovacuum would have them.
    db.write("analyze jobs").execute().await.unwrap();
    JOBS as f64 / work.await.as_secs_f64()
}

/// Single jobs, one after the other, compared with a plain insert in the same round.
async fn measure_inserts(db: &TestDb) -> bool {
    let (clock, pool) = (Clock::system(), PgPool::connect(db.url()).await.unwrap());
    let mut ratios = Vec::new();
    for _ in 0..INSERTS {
        let started = Instant::now();
        queue::enqueue_alone(db, &clock, &Nothing {}, Timing::default()).await.unwrap();
        let by_queue = started.elapsed();
        let started = Instant::now();
        sqlx::query("insert into jobs (id, kind, payload, run_at) values ($1, 'nothing', '{}', now())")
            .bind(Uuid::now_v7())
            .execute(&pool)
            .await
            .unwrap();
        ratios.push(by_queue.as_secs_f64() / started.elapsed().as_secs_f64());
    }
    let ratio = median(&mut ratios);
    report("single job, time against a plain insert", ratio, INSERT_BUDGET)
}

/// The time from insert to start between two processes that share only the database, with a job every 40 to 80 ms.
async fn measure_starts(db: &TestDb) -> bool {
    let started = Starts::default();
    let mut worker = Worker::new(db.db(), Clock::system(), WorkerSettings::default());
    worker.register::<Numbered>(started.clone());
    let stop = CancellationToken::new();
    let running = tokio::spawn(worker.run(stop.clone()));
    let (other, clock) = (Db::open(&db.url().parse().unwrap(), 4).await.unwrap(), Clock::system());
    let mut inserted = Vec::new();
    tokio::time::sleep(Duration::from_secs(2)).await;
    for number in 0..STARTS {
        queue::enqueue_alone(&other, &clock, &Numbered(number), Timing::default()).await.unwrap();
        inserted.push(Instant::now());
        tokio::time::sleep(Duration::from_millis(40 + u64::from(number * 7_919 % 41))).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    stop.cancel();
    running.await.unwrap().unwrap();
    let started = started.lock().unwrap();
    let wait = |(number, inserted): (u32, Instant)| (started[&number] - inserted).as_secs_f64() * 1e3;
    let mut waits: Vec<f64> = (0..).zip(inserted).map(wait).collect();
    let p50 = median(&mut waits);
    let p99 = waits[waits.len() * 99 / 100];
    report(&format!("insert to start between processes, p99 in ms (p50 {p50:.1})"), p99, START_BUDGET)
}

fn report(title: &str, value: f64, budget: f64) -> bool {
    let verdict = if value <= budget { "kept" } else { "**missed**" };
    println!("\n{title}: {value:.2}, budget {budget}, {verdict}");
    value <= budget
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

async fn queue(db: &TestDb) -> Duration {
    let done = Arc::new(AtomicUsize::new(0));
    let mut worker = Worker::new(db.db(), Clock::system(), WorkerSettings::default());
    worker.register::<Nothing>(done.clone());
    let started = Instant::now();
    let stop = CancellationToken::new();
    let running = tokio::spawn(worker.run(stop.clone()));
    let left = "select count(*) from (select 1 from jobs where status in ('queued', 'processing') limit 1) as l";
    while done.load(Ordering::Relaxed) < JOBS || db.read(left).scalar::<i64>().await.unwrap() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let took = started.elapsed();
    stop.cancel();
    running.await.unwrap().unwrap();
    took
}

/// A minimal queue: claims a hundred jobs, marks a hundred, in four tasks.
async fn hand_written(db: &TestDb) -> Duration {
    if db.is_postgres() {
        let pool = PgPool::connect(db.url()).await.unwrap();
        let started = Instant::now();
        let workers: Vec<_> = (0..4).map(|_| tokio::spawn(postgres_loop(pool.clone()))).collect();
        for worker in workers {
            worker.await.unwrap();
        }
        started.elapsed()
    } else {
        let options = SqliteConnectOptions::new()
            .filename(db.url().trim_start_matches("sqlite://"))
            .synchronous(sqlx::sqlite::SqliteSynchronous::Normal);
        let pool = SqlitePool::connect_with(options).await.unwrap();
        let started = Instant::now();
        sqlite_loop(&pool).await;
        let took = started.elapsed();
        pool.close().await;
        took
    }
}

async fn postgres_loop(pool: PgPool) {
    loop {
        let ids: Vec<(Uuid,)> = sqlx::query_as(
            "with picked as (select id from jobs where status = 'queued' and kind = 'nothing' and priority = 2
                and run_at <= now() order by run_at, id limit $1 for update skip locked)
             update jobs set status = 'processing', attempts = attempts + 1, locked_at = now(), locked_by = 'hand',
                lease_token = $2, lease_expires_at = now() + interval '1 minute'
             from picked where jobs.id = picked.id returning jobs.id",
        )
        .bind(BATCH)
        .bind(Uuid::new_v4())
        .fetch_all(&pool)
        .await
        .unwrap();
        if ids.is_empty() {
            return;
        }
        let ids: Vec<Uuid> = ids.into_iter().map(|(id,)| id).collect();
        sqlx::query(
            "update jobs set status = 'succeeded', locked_at = null, locked_by = null, lease_token = null,
                lease_expires_at = null, updated_at = now() where id = any($1)",
        )
        .bind(ids)
        .execute(&pool)
        .await
        .unwrap();
    }
}

async fn sqlite_loop(pool: &SqlitePool) {
    let mut connection = pool.acquire().await.unwrap();
    let now = Clock::system().now();
    loop {
        let rows: Vec<(i64,)> = sqlx::query_as(
            "update jobs set status = 'processing', attempts = attempts + 1, locked_at = $2, locked_by = 'hand',
                lease_token = $3, lease_expires_at = $2
             where rowid in (select rowid from jobs where status = 'queued' and kind = 'nothing' and priority = 2
                and run_at <= $2 order by run_at, id limit $1) returning rowid",
        )
        .bind(BATCH)
        .bind(now)
        .bind(Uuid::new_v4())
        .fetch_all(&mut *connection)
        .await
        .unwrap();
        if rows.is_empty() {
            return;
        }
        let list = format!("{:?}", rows.into_iter().map(|(row,)| row).collect::<Vec<_>>());
        sqlx::query(
            "update jobs set status = 'succeeded', locked_at = null, locked_by = null, lease_token = null,
                lease_expires_at = null, updated_at = $2 where rowid in (select value from json_each($1))",
        )
        .bind(list)
        .bind(now)
        .execute(&mut *connection)
        .await
        .unwrap();
    }
}
