//! Signals: the first stops in order, the second at once.

use nix::sys::signal::Signal::{SIGINT, SIGTERM};
use store::Tx;
use testkit::{TestDb, on_both_databases};

use crate::{
    cable::{Cable, State},
    program::{Program, Running, get, until},
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

/// A process whose worker hangs in the middle of its work, as long as the transaction is open.
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
async fn what_hangs_does_not_hold_up_the_end() {
    let db = TestDb::postgres().await;
    let cable = Cable::to(&db).await;
    let mut running = Program::new().with("DATABASE_URL", cable.url()).start(&["serve"]).await;
    cable.set(State::Frozen);
    // The worker looks for jobs all the time, so by now it waits for an answer too.
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
        running.wait_for_log("a second signal ends at once").await;
        assert!(!running.has_ended());
        // More than once: one that comes too soon after the first counts as its echo.
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
async fn a_signal_that_is_delivered_twice_is_one() {
    let program = Program::new();
    let mut running = program.start(&["serve"]).await;
    running.signal(SIGTERM);
    running.signal(SIGINT);
    assert_eq!(running.code().await, Some(0), "{}", running.log());
}

#[tokio::test]
async fn a_start_that_waits_can_be_stopped() {
    let db = TestDb::postgres().await;
    let mut tx = db.begin().await.unwrap();
    tx.query("lock table schema_migrations in access exclusive mode").execute().await.unwrap();
    let mut running = Program::on(&db).start_without_waiting(&["serve"]);
    running.wait_for_log("\"starting\"").await;
    running.signal(SIGTERM);
    assert_eq!(running.code().await, Some(0), "{}", running.log());
    assert!(running.log().contains("stopped before it was ready"), "{}", running.log());
    tx.rollback().await.unwrap();
}
