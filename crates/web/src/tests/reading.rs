//! Lists, states, undo, folders and subscriptions over HTTP.

use chrono::TimeDelta;
use serde_json::json;
use store::{
    FeedId, SubscriptionId, feeds,
    feeds::NewFeed,
    items::{self, NewItem},
    subscriptions,
};

use super::*;

/// The clock of all tests.
fn clock() -> Clock {
    Clock::manual("2026-03-02T10:00:00Z".parse().unwrap())
}

async fn subscribe(db: &TestDb, caller: Caller, title: &str) -> (FeedId, SubscriptionId) {
    let now = clock().now();
    let new = NewFeed {
        feed_url: format!("https://example.org/{title}"),
        host: "example.org".to_owned(),
        site_url: Some("https://example.org/".to_owned()),
        title: title.to_owned(),
        kind: "feed",
        next_fetch_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    let added = subscriptions::create(&mut tx, caller.user_id, feed, 100, now).await.unwrap();
    tx.commit().await.unwrap();
    let subscriptions::SubscriptionCreated::New(subscription) = added else { panic!("new") };
    (feed, subscription)
}

/// Adds items, the newest first, and returns their ids.
async fn add_items(db: &TestDb, feed: FeedId, count: i64) -> Vec<String> {
    let now = clock().now();
    let item = |n: i64| NewItem {
        title: format!("Item {n}"),
        link: Some(format!("https://example.org/items/{n}")),
        content: Some(format!("<p>The <b>text</b> of {n}.</p>")),
        published_at: now - TimeDelta::minutes(n),
        content_hash: "-".to_owned(),
        digest: "-".to_owned(),
        categories: r#"["news"]"#.to_owned(),
        enclosures: r#"[{"url":"https://example.org/a.mp3","type":"audio/mpeg","length":5}]"#.to_owned(),
        ..NewItem::default()
    };
    let new: Vec<NewItem> = (0..count).map(item).collect();
    let mut tx = db.begin().await.unwrap();
    feeds::lock(&mut tx, feed).await.unwrap();
    let ids = items::insert(&mut tx, feed, &new, now).await.unwrap();
    items::fan_out(&mut tx, feed, &ids, 1_000, now).await.unwrap();
    tx.commit().await.unwrap();
    ids.iter().map(ToString::to_string).collect()
}

fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

/// The invalid fields of a 400 response.
fn invalid_fields(answer: &TestResponse) -> Vec<String> {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text());
    let fields = answer.json()["fields"].as_array().cloned().unwrap_or_default();
    fields.iter().map(|field| field["field"].as_str().unwrap().to_owned()).collect()
}

on_both_databases!(unread_counts_are_listed_without_subscriptions);
async fn unread_counts_are_listed_without_subscriptions(db: TestDb) {
    let (router, me, other) =
        (main_router(app(&db)), new_user(&db, "a@example.com").await, new_user(&db, "b@example.com").await);
    let (one, mine) = subscribe(&db, me, "one").await;
    subscribe(&db, me, "empty").await;
    let (two, theirs) = subscribe(&db, other, "two").await;
    add_items(&db, one, 3).await;
    add_items(&db, two, 5).await;
    let counts = get_as(&router, me, "/api/subscriptions/counts").await;
    assert_eq!(counts.status, StatusCode::OK);
    assert_eq!(counts.json(), json!({ "total": 3, "unread": { mine.to_string(): 3 } }));
    let counts = get_as(&router, other, "/api/subscriptions/counts").await.json();
    assert_eq!(counts, json!({ "total": 5, "unread": { theirs.to_string(): 5 } }));
}

on_both_databases!(items_are_listed_with_their_content);
async fn items_are_listed_with_their_content(db: TestDb) {
    let (router, me) = (main_router(app_at(&db, clock())), new_user(&db, "a@example.com").await);
    let (feed, _) = subscribe(&db, me, "one").await;
    let items = add_items(&db, feed, 120).await;
    let first = get_as(&router, me, "/api/items?include=content&limit=100").await.json();
    assert_eq!(ids(&first), items[..100]);
    for (item, number) in first["items"].as_array().unwrap().iter().zip(0..) {
        let content = &item["details"];
        assert_eq!(content["content"], format!("<p>The <b>text</b> of {number}.</p>"));
        assert_eq!(content["categories"], json!(["news"]));
        assert_eq!(content["enclosures"][0]["length"], 5);
        assert_eq!((&content["summary"], &content["comments_url"]), (&Value::Null, &Value::Null));
    }
    let cursor = first["next_cursor"].as_str().unwrap();
    let last = get_as(&router, me, &format!("/api/items?limit=100&cursor={cursor}")).await.json();
    assert_eq!(ids(&last), items[100..]);
    assert_eq!(last["items"][0].get("details"), None, "only with include=content");
    for limit in ["0", "101", "-1", "x"] {
        assert_eq!(invalid_fields(&get_as(&router, me, &format!("/api/items?limit={limit}")).await), ["limit"]);
    }
    assert_eq!(invalid_fields(&get_as(&router, me, "/api/items?include=all").await), ["include"]);
}

on_both_databases!(items_are_listed_page_by_page);
async fn items_are_listed_page_by_page(db: TestDb) {
    let (router, me) = (main_router(app_at(&db, clock())), new_user(&db, "a@example.com").await);
    let (feed, _) = subscribe(&db, me, "one").await;
    let items = add_items(&db, feed, 60).await;
    for path in ["/api/items".to_owned(), format!("/api/feeds/{feed}/items")] {
        let first = get_as(&router, me, &path).await.json();
        assert_eq!(ids(&first), items[..50]);
        assert_eq!(first["has_more"], true);
        assert_eq!(first["as_of"], items[59]);
        let next = first["next_cursor"].as_str().unwrap();
        let second = get_as(&router, me, &format!("{path}?cursor={next}")).await.json();
        assert_eq!(ids(&second), items[50..]);
        assert_eq!((&second["has_more"], &second["next_cursor"]), (&json!(false), &Value::Null));
        let oldest = get_as(&router, me, &format!("{path}?order=oldest&filter=unread")).await.json();
        assert_eq!(ids(&oldest)[0], items[59]);
        assert_eq!(get_as(&router, me, &format!("{path}?filter=starred")).await.json()["items"], json!([]));
    }
    let first = &get_as(&router, me, "/api/items").await.json()["items"][0];
    let expected = json!({
        "id": items[0], "feed_id": feed.to_string(), "title": "Item 0", "link": "https://example.org/items/0",
        "author": null, "excerpt": "The text of 0.", "thumbnail_url": null, "published_at": "2026-03-02T10:00:00Z",
        "is_date_estimated": false, "is_read": false, "is_starred": false, "hatebu_count": 0, "hatebu_fetched_at": null,
    });
    assert_eq!(first, &expected);
    let detail = get_as(&router, me, &format!("/api/items/{}", items[0])).await.json();
    assert_eq!(detail["content"], "<p>The <b>text</b> of 0.</p>");
    assert_eq!(detail["categories"], json!(["news"]));
    assert_eq!(detail["enclosures"], json!([{"url": "https://example.org/a.mp3", "type": "audio/mpeg", "length": 5}]));
    assert_eq!(detail["summary"], Value::Null);
    assert_eq!(detail["excerpt"], "The text of 0.");
}

on_both_databases!(invalid_requests_name_the_field);
async fn invalid_requests_name_the_field(db: TestDb) {
    let (router, me) = (main_router(app_at(&db, clock())), new_user(&db, "a@example.com").await);
    let (feed, subscription) = subscribe(&db, me, "one").await;
    let item = add_items(&db, feed, 1).await.remove(0);
    for path in ["/api/items".to_owned(), format!("/api/feeds/{feed}/items")] {
        for (query, field) in
            [("cursor=nonsense", "cursor"), ("cursor=", "cursor"), ("filter=x", "filter"), ("order=x", "order")]
        {
            assert_eq!(invalid_fields(&get_as(&router, me, &format!("{path}?{query}")).await), [field], "{query}");
        }
    }
    assert_eq!(invalid_fields(&get_as(&router, me, "/api/items?folder=x").await), ["folder"]);
    for path in ["/api/items/x", "/api/feeds/x/items"] {
        assert_eq!(get_as(&router, me, path).await.status, StatusCode::BAD_REQUEST, "{path}");
    }
    let bad = [
        ("PUT", format!("/api/items/{item}/state"), json!({"is_read": "yes"}), "is_read"),
        ("POST", "/api/items/state".to_owned(), json!({"ids": []}), "ids"),
        ("POST", "/api/items/state".to_owned(), json!({"ids": ["+1"]}), "ids"),
        ("POST", "/api/items/state".to_owned(), json!({"ids": vec!["1"; 1_001]}), "ids"),
        ("POST", "/api/items/state".to_owned(), json!({"is_read": true}), "ids"),
        ("POST", "/api/items/read".to_owned(), json!({"as_of": "later"}), "as_of"),
        ("POST", format!("/api/feeds/{feed}/read"), json!({"up_to": "x"}), "up_to"),
        ("POST", format!("/api/feeds/{feed}/read"), json!({"older_than": "yesterday"}), "older_than"),
        ("POST", "/api/undo".to_owned(), json!({"undo_token": "x"}), "undo_token"),
        ("POST", "/api/folders".to_owned(), json!({"name": "  "}), "name"),
        (
            "PUT",
            format!("/api/subscriptions/{subscription}/settings"),
            json!({"fetch_interval_minutes": 45}),
            "fetch_interval_minutes",
        ),
        ("PUT", format!("/api/subscriptions/{subscription}/settings"), json!({"title": "x".repeat(501)}), "title"),
        (
            "PUT",
            format!("/api/subscriptions/{subscription}/settings"),
            json!({"folder_id": feed.to_string()}),
            "folder_id",
        ),
    ];
    for (method, path, body, field) in bad {
        assert_eq!(invalid_fields(&send_as(&router, me, method, &path, body.clone()).await), [field], "{path} {body}");
    }
    let unread = get_as(&router, me, "/api/items?filter=unread").await.json();
    assert_eq!(ids(&unread), [item.as_str()]);
}

on_both_databases!(data_of_other_users_is_not_found);
async fn data_of_other_users_is_not_found(db: TestDb) {
    let router = main_router(app_at(&db, clock()));
    let (me, other) = (new_user(&db, "a@example.com").await, new_user(&db, "b@example.com").await);
    let (feed, subscription) = subscribe(&db, other, "theirs").await;
    let item = add_items(&db, feed, 1).await.remove(0);
    let folder = send_as(&router, other, "POST", "/api/folders", json!({"name": "F"})).await.json();
    let folder = folder["id"].as_str().unwrap();
    let token = send_as(&router, other, "POST", "/api/items/read", json!({})).await.json()["undo_token"].clone();
    let wanted = [
        ("GET", format!("/api/feeds/{feed}/items"), json!({})),
        ("GET", format!("/api/items?folder={folder}"), json!({})),
        ("GET", format!("/api/items/{item}"), json!({})),
        ("PUT", format!("/api/items/{item}/state"), json!({"is_read": false})),
        ("POST", format!("/api/feeds/{feed}/read"), json!({})),
        ("POST", "/api/items/read".to_owned(), json!({"folder": folder})),
        ("POST", "/api/items/read".to_owned(), json!({"up_to": item})),
        ("POST", "/api/undo".to_owned(), json!({"undo_token": token})),
        ("GET", format!("/api/subscriptions/{subscription}"), json!({})),
        ("PUT", format!("/api/subscriptions/{subscription}/settings"), json!({"title": "mine"})),
        ("POST", format!("/api/subscriptions/{subscription}/resume"), json!({})),
        ("DELETE", format!("/api/subscriptions/{subscription}"), json!({})),
        ("PATCH", format!("/api/folders/{folder}"), json!({"name": "mine"})),
        ("DELETE", format!("/api/folders/{folder}"), json!({})),
    ];
    for (method, path, body) in wanted {
        let answer = send_as(&router, me, method, &path, body).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}: {}", answer.text());
    }
    let many = send_as(&router, me, "POST", "/api/items/state", json!({"ids": [item], "is_read": false})).await;
    assert_eq!(many.json(), json!({"states": []}));
    assert_eq!(get_as(&router, me, "/api/subscriptions").await.json(), json!([]));
    let theirs = get_as(&router, other, "/api/items").await.json();
    assert_eq!(theirs["items"][0]["is_read"], true, "not changed");
    let undone = send_as(&router, other, "POST", "/api/undo", json!({"undo_token": token})).await;
    assert_eq!(undone.json(), json!({"unread": 1}));
}

on_both_databases!(states_are_updated_and_marks_undone);
async fn states_are_updated_and_marks_undone(db: TestDb) {
    let clock = clock();
    let (router, me) = (main_router(app_at(&db, clock.clone())), new_user(&db, "a@example.com").await);
    let (feed, _) = subscribe(&db, me, "one").await;
    let items = add_items(&db, feed, 3).await;
    let path = format!("/api/items/{}/state", items[0]);
    let set = send_as(&router, me, "PUT", &path, json!({"is_starred": true})).await;
    assert_eq!(set.status, StatusCode::OK);
    let expected = json!({
        "user_id": me.user_id.to_string(), "item_id": items[0], "is_read": false, "is_starred": true,
        "updated_at": "2026-03-02T10:00:00Z",
    });
    assert_eq!(set.json(), expected);
    assert_eq!(send_as(&router, me, "PUT", &path, json!({"is_starred": true})).await.json(), expected);
    let many = send_as(&router, me, "POST", "/api/items/state", json!({"ids": items[..2], "is_read": true})).await;
    assert_eq!(many.json()["states"].as_array().unwrap().len(), 2);
    let as_of = get_as(&router, me, "/api/items").await.json()["as_of"].clone();
    add_items(&db, feed, 1).await;
    let marked = send_as(&router, me, "POST", &format!("/api/feeds/{feed}/read"), json!({"as_of": as_of})).await;
    assert_eq!(marked.json()["marked"], 1);
    let all = call_as(&router, me, request("POST", "/api/items/read", &[], "")).await;
    assert_eq!(all.json()["marked"], 1, "no body marks all items: {}", all.text());
    let undo = async |marked: &TestResponse| {
        send_as(&router, me, "POST", "/api/undo", json!({"undo_token": marked.json()["undo_token"]})).await
    };
    assert_eq!(undo(&marked).await.json(), json!({"unread": 1}));
    let again = undo(&marked).await;
    assert_eq!((again.status, &again.json()["code"]), (StatusCode::NOT_FOUND, &json!("undo_expired")));
    clock.advance(Duration::from_secs(600));
    assert_eq!(undo(&all).await.json()["code"], "undo_expired");
    let listed = get_as(&router, me, "/api/subscriptions").await;
    assert_eq!(listed.json()[0]["unread_count"], 1);
    let counts = get_as(&router, me, "/api/subscriptions/counts").await;
    let revisions = [&set, &many, &marked, &all, &listed, &counts].map(|answer| answer.header("kawaraban-revision"));
    assert_eq!(revisions, ["1", "2", "3", "4", "5", "5"], "the fifth write is the undo");
}

on_both_databases!(folders_are_created_updated_and_deleted);
async fn folders_are_created_updated_and_deleted(db: TestDb) {
    let (router, me) = (main_router(app_at(&db, clock())), new_user(&db, "a@example.com").await);
    let (_, subscription) = subscribe(&db, me, "one").await;
    let mut folders = Vec::new();
    for name in ["A", "B"] {
        let made = send_as(&router, me, "POST", "/api/folders", json!({"name": name})).await;
        assert_eq!(made.status, StatusCode::CREATED);
        folders.push(made.json()["id"].as_str().unwrap().to_owned());
    }
    let taken = send_as(&router, me, "POST", "/api/folders", json!({"name": "A "})).await;
    assert_eq!((taken.status, &taken.json()["code"]), (StatusCode::CONFLICT, &json!("name_taken")));
    let path = format!("/api/folders/{}", folders[1]);
    let taken = send_as(&router, me, "PATCH", &path, json!({"name": "A"})).await;
    assert_eq!(taken.json()["code"], "name_taken");
    let moved = send_as(&router, me, "PATCH", &path, json!({"name": "C", "position": 0})).await;
    assert_eq!(moved.json(), json!({"id": folders[1], "name": "C", "position": 0, "unread_count": 0}));
    let settings = format!("/api/subscriptions/{subscription}/settings");
    let filed = send_as(&router, me, "PUT", &settings, json!({"folder_id": folders[1], "title": "Mine"})).await.json();
    assert_eq!((&filed["folder_id"], &filed["feed_title"]), (&json!(folders[1]), &json!("Mine")));
    let kept = send_as(&router, me, "PUT", &settings, json!({"fetch_interval_minutes": 30})).await.json();
    assert_eq!((&kept["folder_id"], &kept["own_title"]), (&json!(folders[1]), &json!("Mine")), "absent is unchanged");
    let cleared = send_as(&router, me, "PUT", &settings, json!({"title": null})).await.json();
    assert_eq!((&cleared["own_title"], &cleared["feed_title"]), (&Value::Null, &json!("one")), "null is none");
    let gone = call_as(&router, me, request("DELETE", &path, &[], "")).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    let list = get_as(&router, me, "/api/folders").await.json();
    assert_eq!(list, json!([{"id": folders[0], "name": "A", "position": 0, "unread_count": 0}]));
    assert_eq!(get_as(&router, me, "/api/subscriptions").await.json()[0]["folder_id"], Value::Null);
}

on_both_databases!(subscription_has_the_documented_fields);
async fn subscription_has_the_documented_fields(db: TestDb) {
    let (router, me) = (main_router(app_at(&db, clock())), new_user(&db, "a@example.com").await);
    let (feed, subscription) = subscribe(&db, me, "one").await;
    add_items(&db, feed, 2).await;
    db.write("update feeds set items_added = 5").execute().await.unwrap();
    let expected = json!({
        "id": subscription.to_string(), "user_id": me.user_id.to_string(), "feed_id": feed.to_string(),
        "folder_id": null, "feed_title": "one", "own_title": null, "feed_url": "https://example.org/one",
        "site_url": "https://example.org/", "favicon_url": null, "fetch_interval_minutes": 60, "full_text": "off",
        "feed_status": "active", "error_code": null, "error_message": null, "unread_count": 2,
        "items_added": 5, "last_fetched_at": null, "next_fetch_at": "2026-03-02T10:00:00Z",
        "created_at": "2026-03-02T10:00:00Z",
    });
    assert_eq!(get_as(&router, me, "/api/subscriptions").await.json(), json!([expected]));
    assert_eq!(get_as(&router, me, &format!("/api/subscriptions/{subscription}")).await.json(), expected);
    let resume = format!("/api/subscriptions/{subscription}/resume");
    let running = call_as(&router, me, request("POST", &resume, &[], "")).await;
    assert_eq!((running.status, &running.json()["code"]), (StatusCode::CONFLICT, &json!("not_stopped")));
    db.write("update feeds set fetch_status = 'stopped', error_code = 'gone', favicon_mime = 'image/png'")
        .execute()
        .await
        .unwrap();
    let headers = [("accept-language", "ja")];
    let stopped = call_as(&router, me, request("GET", "/api/subscriptions", &headers, "")).await.json();
    assert_eq!((&stopped[0]["feed_status"], &stopped[0]["error_code"]), (&json!("stopped"), &json!("gone")));
    assert!(!stopped[0]["error_message"].as_str().unwrap().is_ascii(), "in the language of the request");
    assert_eq!(stopped[0]["favicon_url"], format!("/api/feeds/{feed}/favicon"));
    let resumed = call_as(&router, me, request("POST", &resume, &[], "")).await.json();
    assert_eq!((&resumed["feed_status"], &resumed["error_message"]), (&json!("active"), &Value::Null));
    let path = format!("/api/subscriptions/{subscription}");
    assert_eq!(call_as(&router, me, request("DELETE", &path, &[], "")).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get_as(&router, me, &path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(get_as(&router, me, "/api/items").await.json()["items"], json!([]));
}
