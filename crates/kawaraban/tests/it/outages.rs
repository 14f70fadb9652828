//! A database that is lost or cannot be written: error responses, and recovery without a restart.

use serde_json::json;
use testkit::TestDb;

use crate::{
    browser::{Browser, add_user},
    postgres_proxy::{PostgresProxy, State},
    process::{HttpResponse, Program, get, until},
};

#[track_caller]
fn assert_unavailable(answer: &HttpResponse) {
    assert_eq!(answer.status, 503, "{answer:?}");
    let body = answer.json();
    assert!(["database_unavailable", "disk_full"].contains(&body["code"].as_str().unwrap()), "{body}");
    assert!(!body["message"].as_str().unwrap().is_empty() && !body["action"].as_str().unwrap().is_empty(), "{body}");
    assert!(answer.head.contains("retry-after: "), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_database_is_reported_and_recovers() {
    let db = TestDb::postgres().await;
    let proxy = PostgresProxy::to(&db).await;
    let program = Program::new().with("DATABASE_URL", proxy.url());
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    assert_eq!(browser.get("/api/items").await.status, 200);

    proxy.set(State::Cut);
    assert_unavailable(&browser.get("/api/items").await);
    assert_unavailable(&browser.send("POST", "/api/folders", &json!({ "name": "News" })).await);
    assert_unavailable(&get(running.main(), "/readyz").await);
    assert_eq!(get(running.main(), "/healthz").await.status, 200);

    proxy.set(State::Up);
    until(async || get(running.main(), "/readyz").await.status == 200).await;
    assert_eq!(browser.get("/api/items").await.status, 200);
    assert_eq!(running.stop().await, Some(0));
}

/// A server that is down refuses connections. sqlx retries until its time-out, which must be shorter than the request's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_server_down_is_reported_in_time() {
    let db = TestDb::postgres().await;
    let proxy = PostgresProxy::to(&db).await;
    let program = Program::new().with("DATABASE_URL", proxy.url());
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    proxy.unplug().await;
    let answer = browser.get("/api/items").await;
    assert_unavailable(&answer);
    assert_eq!(answer.json()["code"], "database_unavailable");
}

/// The process ids of the database sessions that wait for a lock.
async fn waiting_sessions(db: &TestDb) -> Vec<i32> {
    let waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let pids: Vec<(i32,)> = db.read(waiting).all().await.unwrap();
    pids.into_iter().map(|(pid,)| pid).collect()
}

/// A client that goes away ends its request. A lock time-out would leave the session in the pool.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closed_request_cancels_its_statement() {
    let db = TestDb::postgres().await;
    let program = Program::on(&db);
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;

    let mut holder = db.begin().await.unwrap();
    holder.query("set local idle_in_transaction_session_timeout = 0").execute().await.unwrap();
    holder.query("lock table folders in exclusive mode").execute().await.unwrap();
    let mut other = browser.at(running.main());
    // Aborting the task closes its connection.
    let request = tokio::spawn(async move { other.send("POST", "/api/folders", &json!({ "name": "News" })).await });
    let mut pid = None;
    until(async || {
        pid = waiting_sessions(&db).await.pop();
        pid.is_some()
    })
    .await;
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    let session = "select count(*) from pg_stat_activity where pid = $1";
    until(async || db.read(session).bind(pid).scalar::<i64>().await.unwrap() == 0).await;

    holder.rollback().await.unwrap();
    assert_eq!(browser.get("/api/folders").await.json(), json!([]), "the request did nothing");
}

/// Every user has the limits of the default settings: ten connections, of which seven can write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn users_waiting_for_one_row_block_no_others() {
    let db = TestDb::postgres().await;
    let program = Program::on(&db);
    let users: Vec<String> = (0..13).map(|number| format!("user{number}@example.org")).collect();
    for email in &users {
        add_user(&program, email, &[]).await.expect_code(0);
    }
    let running = program.start(&["serve"]).await;
    let mut browsers = Vec::new();
    for email in &users {
        browsers.push(Browser::signed_in(running.main(), email).await);
    }
    // The last user was away for a while, so that a request also updates `last_seen_at`.
    db.write("update sessions set seen_at = '2020-01-01T00:00:00Z'").execute().await.unwrap();
    let mut other = browsers.pop().unwrap();

    let mut holder = db.begin().await.unwrap();
    holder.query("lock table folders in exclusive mode").execute().await.unwrap();
    let waiting: Vec<_> = browsers
        .into_iter()
        .map(|mut browser| {
            tokio::spawn(async move { browser.send("POST", "/api/folders", &json!({ "name": "News" })).await })
        })
        .collect();
    until(async || waiting_sessions(&db).await.len() >= 7).await;
    for _ in 0..2 {
        assert_eq!(get(running.main(), "/readyz").await.status, 200);
        assert_eq!(other.get("/api/items").await.status, 200);
        assert_eq!(other.get("/api/subscriptions").await.status, 200);
    }
    assert!(waiting.iter().all(|request| !request.is_finished()), "they were still waiting");
    holder.rollback().await.unwrap();
    for request in waiting {
        let answer = request.await.unwrap();
        assert!([201, 503].contains(&answer.status), "{answer:?}");
    }
}

/// A limit on the size of files simulates a full disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_database_is_reported_and_not_ready() {
    let program = Program::new().with("RATE_LIMIT_GENERAL", "1000000");
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start_in_shell("trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"", &["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    let folder = browser.send("POST", "/api/folders", &json!({ "name": "News" })).await.json();
    let path = format!("/api/folders/{}", folder["id"].as_str().unwrap());
    let mut answer = None;
    for number in 0..3_000 {
        let renamed = browser.send("PATCH", &path, &json!({ "name": format!("News {number}") })).await;
        if renamed.status != 200 {
            answer = Some(renamed);
            break;
        }
    }
    assert_unavailable(&answer.expect("a file that cannot grow any more"));
    until(async || get(running.main(), "/readyz").await.status == 503).await;
    assert_unavailable(&get(running.main(), "/readyz").await);
    assert_eq!(browser.get("/api/items").await.status, 200, "reading goes on");
}
