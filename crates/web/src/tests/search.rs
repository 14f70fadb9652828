//! Search through the router.

use store::{feeds, items, subscriptions};

use super::*;

async fn add_items(db: &TestDb, user: UserId, count: i64) {
    let now = Clock::system().now();
    let new = feeds::NewFeed {
        feed_url: "https://example.org/feed".to_owned(),
        host: "example.org".to_owned(),
        site_url: None,
        title: "A feed".to_owned(),
        kind: "feed",
        next_fetch_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    subscriptions::create(&mut tx, user, feed, 100, now).await.unwrap();
    let item = |n: i64| items::NewItem {
        title: format!("Number {n}"),
        content: Some("<p>東京の<b>猫</b> &amp; more</p>".to_owned()),
        published_at: now - chrono::TimeDelta::minutes(n),
        categories: "[]".to_owned(),
        enclosures: "[]".to_owned(),
        ..items::NewItem::default()
    };
    let ids = items::insert(&mut tx, feed, &(0..count).map(item).collect::<Vec<_>>(), now).await.unwrap();
    items::fan_out(&mut tx, feed, &ids, 1_000, now).await.unwrap();
    store::search::mark_pending(&mut tx, ids).await.unwrap();
    tx.commit().await.unwrap();
}

on_both_databases!(search_results_are_paged);
async fn search_results_are_paged(db: TestDb) {
    let app = app(&db);
    let caller = new_user(&db, "a@example.org").await;
    add_items(&db, caller.user_id, 60).await;
    app.reader.index_all_pending().await.unwrap();
    let router = main_router(app);
    let first = get_as(&router, caller, "/api/search?q=%E7%8C%AB").await.json();
    assert_eq!(first["items"].as_array().unwrap().len(), 50);
    assert_eq!(first["items"][0]["title"], "Number 0");
    assert_eq!(first["items"][0]["snippet"], "東京の猫 & more");
    assert_eq!(first["items"][0]["is_read"], false);
    assert_eq!(first["terms"], serde_json::json!(["猫"]));
    assert_eq!(first["has_more"], true);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = get_as(&router, caller, &format!("/api/search?q=%E7%8C%AB&cursor={cursor}")).await.json();
    assert_eq!(second["items"].as_array().unwrap().len(), 10);
    assert_eq!((&second["next_cursor"], &second["has_more"]), (&Value::Null, &Value::Bool(false)));
    let other = new_user(&db, "b@example.org").await;
    let nothing = get_as(&router, other, "/api/search?q=%E7%8C%AB").await.json();
    assert_eq!(nothing["items"].as_array().unwrap().len(), 0);
}

on_both_databases!(invalid_queries_name_the_field);
async fn invalid_queries_name_the_field(db: TestDb) {
    let router = main_router(app(&db));
    let caller = new_user(&db, "a@example.org").await;
    let long = "a".repeat(201);
    let many: String = (0..21).map(|n| format!("{n}+")).collect();
    for (query, field) in [
        ("", "q"),
        ("q=", "q"),
        ("q=-a", "q"),
        ("q=%22%22", "q"),
        (&format!("q={long}"), "q"),
        (&format!("q={many}"), "q"),
        ("q=a&cursor=nonsense", "cursor"),
    ] {
        let answer = get_as(&router, caller, &format!("/api/search?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(answer.json()["fields"][0]["field"], field, "{query}");
    }
    assert_eq!(get_as(&router, caller, "/api/search?q=%27%22*%28a").await.status, 200);
}
