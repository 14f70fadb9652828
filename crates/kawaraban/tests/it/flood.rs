//! More silent connections than the limit on open files.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

use crate::{
    fetching::{add_feeds, all_are_fetched, worker},
    process::{Running, get, until},
};

const SILENT: usize = 1_118;
/// The program raises its soft limit on open files at most to this.
const MAX_OPEN_FILES: u64 = 65_536;

/// The soft and the hard limit on open files of a process.
fn open_file_limits(running: &Running) -> (u64, u64) {
    let limits = fs::read_to_string(format!("/proc/{}/limits", running.pid())).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let mut values = line.split_whitespace().map(|value| value.parse().unwrap_or(u64::MAX));
    (values.next().unwrap(), values.next().unwrap())
}

/// An origin that keeps every request waiting until it is opened.
async fn gated_origin() -> (Origin, CancellationToken) {
    let open = CancellationToken::new();
    let gate = open.clone();
    let origin = Origin::raw(move |mut stream| {
        let gate = gate.clone();
        async move {
            let _head = stream.read(&mut [0; 4096]).await;
            gate.cancelled().await;
            let feed = "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid></item></channel></rss>";
            let _sent = stream.write_all(&answer("HTTP/1.1 200 OK\r\nConnection: close\r\n", feed)).await;
        }
    })
    .await;
    (origin, open)
}

/// A server with this limit on open files answers and fetches feeds despite silent connections from one address.
async fn survives(db: TestDb, ulimit: &'static str) {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let (origin, open) = gated_origin().await;
    add_feeds(&db, &origin).await;
    let running = worker(&db).with("FETCH_TIMEOUT", "1m").under(ulimit).start(&["serve"]).await;
    let (soft, hard) = open_file_limits(&running);
    assert_eq!(soft, hard.min(MAX_OPEN_FILES), "the hard limit is {hard}");
    origin.until(|now| now.open > 0).await;
    let mut silent = Vec::new();
    for _ in 0..SILENT {
        silent.push(TcpStream::connect(running.main()).await.unwrap());
    }
    assert_eq!(get(running.main(), "/healthz").await.status, 200);
    // The first feeds have their connection; the others are dialled now.
    open.cancel();
    until(async || all_are_fetched(&db).await).await;
    assert_eq!(get(running.main(), "/healthz").await.status, 200);
    let failing: Vec<(String, String)> = db
        .read("select error_code, error_message from feeds where fetch_status <> 'active' or consecutive_errors > 0")
        .all()
        .await
        .unwrap();
    assert_eq!(failing, []);
    assert!(!running.log().contains("out_of_resources"), "{}", running.log());
    assert_eq!(running.stop().await, Some(0));
}

on_both_databases!(silent_connections_respect_the_soft_limit);
async fn silent_connections_respect_the_soft_limit(db: TestDb) {
    survives(db, "-Sn 1024").await;
}

on_both_databases!(silent_connections_respect_the_hard_limit);
async fn silent_connections_respect_the_hard_limit(db: TestDb) {
    survives(db, "-n 1024").await;
}
