//! Feed health and fetch statistics, for owners.

use chrono::{DateTime, TimeDelta};
use store::{
    FeedId, LeaseToken,
    activity::HourStats,
    feeds::{self, FetchRecord, FetchStatus, NewFeed},
};

use super::*;

const FEEDS: &str = "/api/admin/feeds";
const ACTIVITY: &str = "/api/admin/activity";

fn now() -> DateTime<chrono::Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}

async fn add_feed(db: &TestDb, name: &str) -> FeedId {
    let new = NewFeed {
        feed_url: format!("https://{name}.example/feed"),
        host: format!("{name}.example"),
        site_url: None,
        title: name.to_owned(),
        kind: "feed",
        next_fetch_at: now(),
    };
    let mut tx = db.begin().await.unwrap();
    let (id, _) = feeds::add(&mut tx, &new, now()).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn subscribe(db: &TestDb, caller: Caller, feed: FeedId) {
    let mut tx = db.begin().await.unwrap();
    store::subscriptions::create(&mut tx, caller.user_id, feed, 100, now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn fail(db: &TestDb, feed: FeedId, status: FetchStatus, error_code: &'static str) {
    let token = LeaseToken::new();
    let mut tx = db.begin().await.unwrap();
    let claimed = feeds::take(&mut tx, feed, token).await.unwrap().unwrap();
    let record = FetchRecord {
        status,
        consecutive_errors: 3,
        error_code: Some(error_code),
        error_message: Some("HTTP 410".to_owned()),
        ..FetchRecord::of(&claimed, token, now(), now(), now())
    };
    assert_eq!(feeds::mark_fetched(&mut tx, &[record]).await.unwrap().held, [feed].into());
    tx.commit().await.unwrap();
}

on_both_databases!(failing_feeds_have_message_and_details);
async fn failing_feeds_have_message_and_details(db: TestDb) {
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    let (gone, slow, fine) = (add_feed(&db, "gone").await, add_feed(&db, "slow").await, add_feed(&db, "fine").await);
    subscribe(&db, owner, gone).await;
    subscribe(&db, new_user(&db, "a@example.com").await, gone).await;
    fail(&db, gone, FetchStatus::Stopped, "gone").await;
    fail(&db, slow, FetchStatus::Error, "timeout").await;

    let all = get_as(&router, owner, FEEDS).await.json();
    let ids: Vec<&str> = all["feeds"].as_array().unwrap().iter().map(|feed| feed["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [fine, slow, gone].map(|id| id.to_string()), "the newest first");
    assert_eq!(all["counts"], serde_json::json!({ "active": 1, "error": 1, "stopped": 1 }));
    assert_eq!(all["next_cursor"], Value::Null);

    let stopped = get_as(&router, owner, &format!("{FEEDS}?status=stopped")).await.json();
    let feed = &stopped["feeds"][0];
    assert_eq!(stopped["feeds"].as_array().unwrap().len(), 1);
    assert_eq!((feed["subscribers"].as_i64(), feed["consecutive_errors"].as_i64()), (Some(2), Some(3)));
    assert_eq!((feed["error_code"].as_str(), feed["error_details"].as_str()), (Some("gone"), Some("HTTP 410")));
    let words = "The site answered 410: this feed has been removed. Find the new address of the feed, or unsubscribe.";
    assert_eq!(feed["error_message"], words);
    let japanese = request("GET", &format!("{FEEDS}?status=error"), &[("accept-language", "ja")], "");
    let japanese = call_as(&router, owner, japanese).await.json();
    assert!(japanese["feeds"][0]["error_message"].as_str().unwrap().contains("再試行"));
}

on_both_databases!(unread_feed_has_the_title_of_a_subscriber);
async fn unread_feed_has_the_title_of_a_subscriber(db: TestDb) {
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    let feed = add_feed(&db, "host").await;
    subscribe(&db, owner, feed).await;
    db.write("update subscriptions set title = 'Edo Gazette'").execute().await.unwrap();
    fail(&db, feed, FetchStatus::Error, "timeout").await;
    let title = async || get_as(&router, owner, FEEDS).await.json()["feeds"][0]["title"].clone();
    assert_eq!(title().await, "Edo Gazette", "an imported feed that failed at once");
    db.write("update feeds set content_hash = 'x', title = 'Its own'").execute().await.unwrap();
    assert_eq!(title().await, "Its own");
}

on_both_databases!(feeds_are_paged_without_gaps_or_repeats);
async fn feeds_are_paged_without_gaps_or_repeats(db: TestDb) {
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    let mut expected = Vec::new();
    for nth in 0..105 {
        expected.insert(0, add_feed(&db, &format!("f{nth}")).await.to_string());
    }
    let (mut found, mut path, mut pages) = (Vec::new(), FEEDS.to_owned(), 0);
    loop {
        let page = get_as(&router, owner, &path).await.json();
        found.extend(page["feeds"].as_array().unwrap().iter().map(|feed| feed["id"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("{FEEDS}?cursor={next}");
    }
    assert_eq!((pages, found), (3, expected));
}

on_both_databases!(activity_has_every_hour_of_30_days);
async fn activity_has_every_hour_of_30_days(db: TestDb) {
    let clock = Clock::manual(now() + TimeDelta::minutes(10));
    let (router, owner) = (main_router(app_at(&db, clock)), new_owner(&db).await);
    let figures = |hour| HourStats {
        hour,
        fetches: 4,
        failures: 1,
        unchanged: 2,
        new_items: 7,
        latency_ms_total: 1_000,
        latency_ms_max: 600,
    };
    let slower = HourStats { latency_ms_max: 900, ..figures(now() + TimeDelta::minutes(5)) };
    let long_ago = figures(now() - TimeDelta::days(31));
    store::activity::upsert(&db.db(), &[figures(now()), long_ago]).await.unwrap();
    store::activity::upsert(&db.db(), &[slower]).await.unwrap();
    let hours = get_as(&router, owner, ACTIVITY).await.json()["hours"].as_array().unwrap().clone();
    assert_eq!(hours.len(), 720);
    let last = &hours[719];
    assert_eq!(last["hour"], "2027-01-15T08:00:00Z");
    let number = |name: &str| last[name].as_i64().unwrap();
    assert_eq!([number("fetches"), number("failures"), number("unchanged"), number("new_items")], [8, 2, 4, 14]);
    assert_eq!([number("latency_ms_average"), number("latency_ms_max")], [250, 900]);
    assert_eq!((hours[0]["fetches"].as_i64(), &hours[0]["latency_ms_average"]), (Some(0), &Value::Null));
    let total: i64 = hours.iter().map(|hour| hour["fetches"].as_i64().unwrap()).sum();
    assert_eq!(total, 8, "older hours are not listed");
}

#[tokio::test]
async fn admin_routes_need_an_owner() {
    let db = TestDb::sqlite().await;
    let (router, other) = (main_router(app(&db)), new_user(&db, "a@example.com").await);
    for path in [FEEDS, ACTIVITY] {
        let refused = get_as(&router, other, path).await;
        assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("owner_only")), "{path}");
    }
    let wrong = get_as(&router, new_owner(&db).await, &format!("{FEEDS}?status=broken")).await;
    assert_eq!((wrong.status.as_u16(), &wrong.json()["fields"][0]["field"]), (400, &"status".into()));
}
