//! Signals: the first stops the process in an orderly way, the second at once.

use nix::sys::signal::Signal::{SIGINT, SIGTERM};
use store::Tx;
use testkit::{TestDb, on_both_databases};

use crate::{
    postgres_proxy::{PostgresProxy, State},
    process::{Program, Running, get, until},
};

on_both_databases!(a_signal_stops_with_code_0);
async fn a_signal_stops_with_code_0(db: TestDb) {
    for (command, signal) in [("serve", SIGTERM), ("serve", SIGINT), ("worker", SIGTERM)] {
        let mut running = Program::on(&db).start(&[command]).await;
        running.signal(signal);
        assert_eq!(running.code().await, Some(0), "{command} {signal}:\n{}", running.log());
        assert!(running.log().contains("\"stopped\""), "{}", running.log());
    }
}

/// A process whose worker is blocked while the transaction is open.
async fn hanging(db: &TestDb) -> (Running, Tx) {
    let mut tx = db.begin().await.unwrap();
    tx.query("lock table jobs in access exclusive mode").execute().await.unwrap();
    let running = Program::on(db).start(&["serve"]).await;
    until(async || {
        let waiting: i64 = db
            .read(
                "select count(*) from pg_locks where not granted
                 and database = (select oid from pg_database where datname = current_database())",
            )
            .scalar()
            .await
            .unwrap();
        waiting > 0
    })
    .await;
    (running, tx)
}

#[tokio::test]
async fn blocked_job_does_not_delay_the_end() {
    let db = TestDb::postgres().await;
    let proxy = PostgresProxy::to(&db).await;
    let mut running = Program::new().with("DATABASE_URL", proxy.url()).start(&["serve"]).await;
    proxy.set(State::Frozen);
    // The worker polls for jobs, so by now it is blocked too.
    assert_eq!(get(running.main(), "/readyz").await.status, 503);
    running.signal(SIGTERM);
    assert_eq!(running.code().await, Some(1), "{}", running.log());
    assert!(running.log().contains("not everything ended within ten seconds"), "{}", running.log());
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let db = TestDb::postgres().await;
    for (signal, code) in [(SIGTERM, 143), (SIGINT, 130)] {
        let (mut running, tx) = hanging(&db).await;
        running.signal(signal);
        running.wait_for_log("a second signal ends the process at once").await;
        assert!(!running.has_ended());
        // More than once, because one that comes too soon counts as a duplicate.
        until(async || {
            let ended = running.has_ended();
            if !ended {
                running.signal(signal);
            }
            ended
        })
        .await;
        assert_eq!(running.code().await, Some(code), "{}", running.log());
        tx.rollback().await.unwrap();
    }
}

#[tokio::test]
async fn duplicate_signal_counts_once() {
    let program = Program::new();
    let mut running = program.start(&["serve"]).await;
    running.signal(SIGTERM);
    running.signal(SIGINT);
    assert_eq!(running.code().await, Some(0), "{}", running.log());
}

#[tokio::test]
async fn waiting_start_can_be_stopped() {
    let db = TestDb::postgres().await;
    let mut tx = db.begin().await.unwrap();
    tx.query("lock table schema_migrations in access exclusive mode").execute().await.unwrap();
    let mut running = Program::on(&db).start_without_waiting(&["serve"]);
    running.wait_for_log("\"starting\"").await;
    running.signal(SIGTERM);
    assert_eq!(running.code().await, Some(0), "{}", running.log());
    assert!(running.log().contains("stopped during the start"), "{}", running.log());
    tx.rollback().await.unwrap();
}
