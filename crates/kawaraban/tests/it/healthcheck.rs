//! `healthcheck`, as a container calls it.

use chrono::TimeDelta;
use nix::sys::signal::Signal::SIGKILL;
use store::Clock;
use testkit::{TestDb, on_both_databases};

use crate::process::{Program, until};

on_both_databases!(api_check_follows_readiness);
async fn api_check_follows_readiness(db: TestDb) {
    let running = Program::on(&db).start(&["serve"]).await;
    let port = running.main().port().to_string();
    let program = Program::on(&db).with("SERVER_PORT", &port);
    assert_eq!(program.run(&["healthcheck"]).await.expect_code(0).stdout, "ready\n");
    let everywhere = Program::on(&db).with("SERVER_PORT", &port).with("SERVER_HOST", "0.0.0.0");
    everywhere.run(&["healthcheck"]).await.expect_code(0);

    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let older = program.run(&["healthcheck"]).await.expect_code(1);
    assert!(older.stderr.contains("not ready: 503") && older.stderr.contains("database_version"), "{older:?}");

    assert_eq!(running.stop().await, Some(0));
    let gone = program.run(&["healthcheck"]).await.expect_code(1);
    assert!(gone.stderr.contains("does not answer"), "{gone:?}");
}

on_both_databases!(worker_check_follows_heartbeats);
async fn worker_check_follows_heartbeats(db: TestDb) {
    let program = Program::on(&db);
    let none = program.run(&["healthcheck", "--worker"]).await.expect_code(1);
    assert!(none.stderr.contains("has sent a heartbeat"), "{none:?}");

    let running = program.start(&["worker"]).await;
    until(async || program.run(&["healthcheck", "--worker"]).await.code == Some(0)).await;
    assert_eq!(running.stop().await, Some(0));
    program.run(&["healthcheck", "--worker"]).await.expect_code(1);

    // A killed worker is detected when its last heartbeat is too old.
    let mut running = program.start(&["worker"]).await;
    until(async || program.run(&["healthcheck", "--worker"]).await.code == Some(0)).await;
    running.signal(SIGKILL);
    assert_eq!(running.code().await, None);
    let long_ago = Clock::system().now() - TimeDelta::seconds(45);
    db.write("update workers set seen_at = $1").bind(long_ago).execute().await.unwrap();
    let stale = program.run(&["healthcheck", "--worker"]).await.expect_code(1);
    assert!(stale.stderr.contains("seconds ago"), "{stale:?}");
}

on_both_databases!(any_checks_the_running_part);
async fn any_checks_the_running_part(db: TestDb) {
    // A port that is free, and that the API takes later.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let program = Program::on(&db).with("SERVER_PORT", &port);
    program.run(&["migrate"]).await.expect_code(0);
    let none = program.run(&["healthcheck", "--any"]).await.expect_code(1);
    assert!(none.stderr.contains("has sent a heartbeat"), "{none:?}");

    let running = program.start(&["worker"]).await;
    until(async || program.run(&["healthcheck", "--any"]).await.code == Some(0)).await;
    program.run(&["healthcheck"]).await.expect_code(1);
    assert_eq!(running.stop().await, Some(0));
    program.run(&["healthcheck", "--any"]).await.expect_code(1);

    let running = program.start(&["serve"]).await;
    assert_eq!(program.run(&["healthcheck", "--any"]).await.expect_code(0).stdout, "ready\n");
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let unready = program.run(&["healthcheck", "--any"]).await.expect_code(1);
    assert!(unready.stderr.contains("not ready: 503"), "the worker does not stand in for the API: {unready:?}");
    assert_eq!(running.stop().await, Some(0));
}

#[tokio::test]
async fn port_0_cannot_be_checked() {
    let finished = Program::new().run(&["healthcheck"]).await.expect_code(2);
    assert!(finished.stderr.contains("SERVER_PORT=0"), "{finished:?}");
}

#[tokio::test]
async fn something_else_on_the_port_is_not_ready() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let other = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"SSH-2.0-OpenSSH\r\n").await.unwrap();
    });
    let finished = Program::new().with("SERVER_PORT", &port).run(&["healthcheck"]).await.expect_code(1);
    assert!(finished.stderr.contains("does not answer"), "{finished:?}");
    other.await.unwrap();
}
