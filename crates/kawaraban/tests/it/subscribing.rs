//! Subscribing over the API of the real binary: its statistics and log lines.

use serde_json::{Value, json};
use store::{Clock, feeds, feeds::NewFeed, subscriptions, users};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, ok},
};

use crate::{
    browser::{Browser, add_user},
    process::{Program, get},
};

const OWNER: &str = "owner@example.com";

async fn program(db: &TestDb) -> Program {
    let program = Program::on(db)
        .with("SESSION_SECRET", "0123456789abcdef0123456789abcdef")
        .with("FETCH_ALLOW_NETS", "127.0.0.0/8")
        .with("FETCH_HOST_GAP", "0")
        .with("HATEBU_ENABLED", "false")
        .with("METRICS_ADDR", "127.0.0.1:0");
    add_user(&program, OWNER, &["--owner"]).await.expect_code(0);
    program
}

/// An origin with a feed of two items at `/feed.rss`; everything else fails.
async fn origin() -> Origin {
    Origin::serve(|seen| match seen.target.as_str() {
        "/feed.rss" => ok("<rss version='2.0'><channel><title>A</title><item><title>1</title></item>\
                           <item><title>2</title></item></channel></rss>"),
        _ => answer("HTTP/1.1 503 Down\r\n", ""),
    })
    .await
}

fn sum(hours: &Value, figure: &str) -> i64 {
    hours["hours"].as_array().unwrap().iter().map(|hour| hour[figure].as_i64().unwrap()).sum()
}

on_both_databases!(api_counts_its_fetches);
async fn api_counts_its_fetches(db: TestDb) {
    let (program, origin) = (program(&db).await, origin().await);
    let api = program.start(&["api"]).await;
    let mut browser = Browser::signed_in(api.main(), OWNER).await;
    let added = browser.send("POST", "/api/feeds", &json!({ "url": origin.url("/feed.rss") })).await;
    assert_eq!(added.status, 201, "{added:?}");
    let failed = browser.send("POST", "/api/feeds", &json!({ "url": origin.url("/down") })).await;
    assert!(failed.status >= 400, "{failed:?}");
    let page = get(api.metrics(), "/metrics").await.body;
    for line in [
        "fetch_success_count 1",
        "fetch_fail_count 1",
        "items_upserted_count 2",
        "fetch_latency_count 2",
        "http_status_count{status_code=\"200\"} 1",
        "http_status_count{status_code=\"503\"} 1",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is not in:\n{page}");
    }
    assert_eq!(api.stop().await, Some(0));

    let again = program.start(&["api"]).await;
    let hours = browser.at(again.main()).get("/api/admin/activity").await.json();
    let figures = ["fetches", "failures", "new_items"].map(|figure| sum(&hours, figure));
    assert_eq!(figures, [2, 1, 2], "{hours}");
    assert_eq!(again.stop().await, Some(0));
}

#[tokio::test]
async fn local_names_are_rejected() {
    let db = TestDb::sqlite().await;
    let program = program(&db).await.with("FETCH_ALLOW_NETS", "");
    let origin = origin().await;
    let running = program.start(&["api"]).await;
    let mut browser = Browser::signed_in(running.main(), OWNER).await;
    for name in ["localhost", "localhost.", "blog.localhost", "localhost.localdomain", "ip6-localhost", "127.0.0.1"] {
        let url = origin.url_as(name, "/feed.rss");
        let refused = browser.send("POST", "/api/feeds", &json!({ "url": url })).await;
        assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("address_refused")), "{name}: {refused:?}");
    }
    assert_eq!(origin.connections().accepted, 0);
    assert_eq!(running.stop().await, Some(0));
}

#[tokio::test]
async fn failed_fetches_are_logged_with_address_and_status() {
    let db = TestDb::sqlite().await;
    let (program, origin) = (program(&db).await, origin().await);
    let now = Clock::system().now();
    let reader = users::create_unclaimed(&db, "reader@example.com", "", now).await.unwrap();
    let new = NewFeed {
        feed_url: origin.url("/due?key=hunter2"),
        host: "127.0.0.1".to_owned(),
        site_url: None,
        title: String::new(),
        kind: "feed",
        next_fetch_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    subscriptions::create(&mut tx, reader, feed, 10, now).await.unwrap();
    tx.commit().await.unwrap();

    let running = program.start(&["serve"]).await;
    running.wait_for_log("a feed could not be fetched").await;
    let mut browser = Browser::signed_in(running.main(), OWNER).await;
    browser.send("POST", "/api/feeds", &json!({ "url": origin.url("/down?key=hunter2") })).await;
    running.wait_for_log("a feed could not be subscribed to").await;
    let lines = running.log_lines();
    let line = |message: &str| lines.iter().find(|line| line["message"] == message).unwrap();
    let fetched = line("a feed could not be fetched");
    let fields = ["url", "status", "error_kind", "feed_id"].map(|field| fetched[field].clone());
    assert_eq!(fields, [json!(origin.url("/due")), json!(503), json!("server_error"), json!(feed.to_string())]);
    let subscribed = line("a feed could not be subscribed to");
    let fields = ["url", "status"].map(|field| subscribed[field].clone());
    assert_eq!(fields, [json!(origin.url("/down")), json!(503)]);
    assert!(!running.log().contains("hunter2"), "a query may hold a secret");
}
