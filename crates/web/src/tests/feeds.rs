//! Feeds over HTTP: statuses, bodies, headers and permissions.

use serde_json::json;
use testkit::origin::{Origin, answer, ok, redirect};

use super::*;

fn rss(title: &str) -> Vec<u8> {
    ok(format!(
        "<rss version='2.0'><channel><title>{title}</title><item><title>A</title><guid>1</guid></item></channel></rss>"
    ))
}

fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20".to_vec();
    bytes.extend([0; 10]);
    bytes
}

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'></svg>";

/// A site with feeds, pages and errors.
async fn origin() -> Origin {
    Origin::serve(|seen| match seen.target.as_str() {
        "/a.rss" => rss("A"),
        "/b.rss" => rss("B"),
        "/bare" => answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "<html><p>No feed</p></html>"),
        "/page" => answer(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
            "<html><head><link rel=alternate type=application/rss+xml title=Broken href=/broken.rss></head></html>",
        ),
        "/named" => answer(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
            "<html><head><link rel=alternate type=application/rss+xml title=One href=/a.rss></head></html>",
        ),
        "/inside" => redirect(302, "http://192.168.0.1/"),
        "/500" => answer("HTTP/1.1 500 Oh\r\n", ""),
        "/favicon.ico" => ok(png()),
        _ => answer("HTTP/1.1 404 No\r\n", ""),
    })
    .await
}

async fn subscribe(router: &Router, caller: Caller, url: &str) -> TestResponse {
    send_as(router, caller, "POST", "/api/feeds", json!({ "url": url })).await
}

on_both_databases!(feed_is_created_read_and_deleted);
async fn feed_is_created_read_and_deleted(db: TestDb) {
    let (router, caller, origin) = (main_router(app(&db)), new_user(&db, "a@example.com").await, origin().await);
    let created = subscribe(&router, caller, &origin.url("/a.rss")).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let feed = created.json();
    let path = format!("/api/feeds/{}", feed["id"].as_str().unwrap());
    assert_eq!(created.header("location"), path);
    assert_eq!((&feed["title"], &feed["fetch_status"], &feed["kind"]), (&json!("A"), &json!("active"), &json!("feed")));
    assert_eq!(feed["favicon_url"], json!(format!("{path}/favicon")));
    for null in ["site_url", "error_code", "error_message"] {
        assert!(feed.get(null).is_some_and(Value::is_null), "{null} is written out");
    }
    assert_eq!(get_as(&router, caller, &path).await.json(), feed);

    let again = subscribe(&router, caller, &origin.url("/a.rss")).await;
    assert_eq!((again.status.as_u16(), &again.json()["code"]), (409, &json!("already_subscribed")));
    assert_eq!(again.json()["subscription_id"], feed["subscription_id"]);

    let other = new_user(&db, "b@example.com").await;
    for (method, path) in [
        ("GET", path.clone()),
        ("DELETE", path.clone()),
        ("POST", format!("{path}/refresh")),
        ("GET", format!("{path}/favicon")),
    ] {
        let refused = call_as(&router, other, request(method, &path, &[], Body::empty())).await;
        assert_eq!(refused.status, 404, "{method} {path}");
    }
    let moved = send_as(&router, other, "PATCH", &path, json!({ "feed_url": origin.url("/b.rss") })).await;
    assert_eq!(moved.status, 404);

    let left = call_as(&router, caller, request("DELETE", &path, &[], Body::empty())).await;
    assert_eq!((left.status.as_u16(), left.body.len()), (204, 0));
    assert_eq!(get_as(&router, caller, &path).await.status, 404);
}

on_both_databases!(failed_subscriptions_have_a_reason);
async fn failed_subscriptions_have_a_reason(db: TestDb) {
    let (router, caller, origin) = (main_router(app(&db)), new_user(&db, "a@example.com").await, origin().await);
    let cases = [
        (origin.url("/500"), 502, "feed_server_error"),
        (origin.url("/missing"), 502, "feed_missing"),
        (origin.url("/page"), 422, "feed_not_found"),
        (origin.url("/bare"), 422, "feed_not_found"),
        (origin.url("/inside"), 422, "address_refused"),
        ("http://169.254.169.254/".to_owned(), 422, "address_refused"),
        ("hello".to_owned(), 400, "invalid_request"),
        ("".to_owned(), 400, "invalid_request"),
    ];
    for (url, status, code) in cases {
        let refused = subscribe(&router, caller, &url).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["code"]),
            (status, &json!(code)),
            "{url}: {}",
            refused.text()
        );
        assert!(!refused.json()["action"].as_str().unwrap().is_empty());
    }
    let page = subscribe(&router, caller, &origin.url("/page")).await.json();
    assert_eq!(page["candidates"], json!([{ "url": origin.url("/broken.rss"), "title": "Broken" }]));
    assert!(page["action"].as_str().unwrap().starts_with("Choose one of them"), "{page}");
    let bare = subscribe(&router, caller, &origin.url("/bare")).await.json();
    assert!(bare["action"].as_str().unwrap().starts_with("Find the link to the feed"), "{bare}");
    let folder = json!({ "url": origin.url("/a.rss"), "folder_id": uuid::Uuid::new_v4() });
    let refused = send_as(&router, caller, "POST", "/api/feeds", folder).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &json!("folder_id")));
    assert_eq!(send_as(&router, caller, "POST", "/api/feeds", json!({})).await.status, 400);
}

on_both_databases!(moving_a_subscription_affects_one_user);
async fn moving_a_subscription_affects_one_user(db: TestDb) {
    let (router, origin) = (main_router(app(&db)), origin().await);
    let (one, two) = (new_user(&db, "a@example.com").await, new_user(&db, "b@example.com").await);
    let feed = subscribe(&router, one, &origin.url("/a.rss")).await.json();
    subscribe(&router, two, &origin.url("/a.rss")).await;
    let path = format!("/api/feeds/{}", feed["id"].as_str().unwrap());
    let patch = async |url: String| send_as(&router, one, "PATCH", &path, json!({ "feed_url": url })).await;
    assert_eq!(patch("nonsense".to_owned()).await.json()["fields"][0]["field"], "feed_url");
    assert_eq!(patch(origin.url("/a.rss")).await.status, 409);
    let moved = patch(origin.url("/b.rss")).await;
    assert_eq!((moved.status.as_u16(), &moved.json()["title"]), (200, &json!("B")));
    assert_eq!(moved.json()["subscription_id"], feed["subscription_id"]);
    assert_eq!(get_as(&router, one, &path).await.status, 404);
    assert_eq!(get_as(&router, two, &path).await.json()["title"], "A");
}

on_both_databases!(feeds_of_an_address_are_discovered);
async fn feeds_of_an_address_are_discovered(db: TestDb) {
    let (router, caller, origin) = (main_router(app(&db)), new_user(&db, "a@example.com").await, origin().await);
    let found = send_as(&router, caller, "POST", "/api/feeds/discover", json!({ "url": origin.url("/named") })).await;
    assert_eq!(found.status, 200);
    assert_eq!(found.json(), json!({ "candidates": [{ "url": origin.url("/a.rss"), "title": "One", "kind": "rss" }] }));
    let refused =
        send_as(&router, caller, "POST", "/api/feeds/discover", json!({ "url": origin.url("/inside") })).await;
    assert_eq!(refused.json()["code"], "address_refused");
}

on_both_databases!(icon_is_cached_and_sandboxed);
async fn icon_is_cached_and_sandboxed(db: TestDb) {
    let (router, caller, origin) = (main_router(app(&db)), new_user(&db, "a@example.com").await, origin().await);
    let feed = subscribe(&router, caller, &origin.url("/a.rss")).await.json();
    let path = feed["favicon_url"].as_str().unwrap().to_owned();
    let icon = get_as(&router, caller, &path).await;
    assert_eq!((icon.status.as_u16(), icon.header("content-type"), &icon.body), (200, "image/png", &png()));
    assert_eq!(icon.header("x-content-type-options"), "nosniff");
    assert_eq!(icon.header("cache-control"), "private, max-age=604800");
    let etag = icon.header("etag").to_owned();
    for asked in [etag.clone(), format!("\"other\", W/{etag}"), "*".to_owned()] {
        let same = call_as(&router, caller, request("GET", &path, &[("if-none-match", &asked)], Body::empty())).await;
        assert_eq!((same.status.as_u16(), same.body.len(), same.header("etag")), (304, 0, etag.as_str()), "{asked}");
    }
    let other = call_as(&router, caller, request("GET", &path, &[("if-none-match", "\"other\"")], Body::empty())).await;
    assert_eq!(other.status, 200);

    db.write("update feeds set favicon_mime = 'image/svg+xml', favicon_data = $1")
        .bind(SVG.as_bytes().to_vec())
        .execute()
        .await
        .unwrap();
    let drawing = get_as(&router, caller, &path).await;
    assert_eq!(drawing.header("content-type"), "image/svg+xml");
    let policy = drawing.header("content-security-policy");
    assert!(
        policy.contains("default-src 'none'") && policy.contains("sandbox") && !policy.contains("script"),
        "{policy}"
    );

    db.write("update feeds set favicon_mime = null, favicon_data = null").execute().await.unwrap();
    assert_eq!(get_as(&router, caller, &path).await.status, 404);
    let path = path.trim_end_matches("/favicon");
    assert!(get_as(&router, caller, path).await.json()["favicon_url"].is_null());
}

on_both_databases!(refresh_once_a_minute_and_not_if_stopped);
async fn refresh_once_a_minute_and_not_if_stopped(db: TestDb) {
    let (router, caller, origin) = (main_router(app(&db)), new_user(&db, "a@example.com").await, origin().await);
    let feed = subscribe(&router, caller, &origin.url("/a.rss")).await.json();
    let path = format!("/api/feeds/{}", feed["id"].as_str().unwrap());
    let refresh =
        async || call_as(&router, caller, request("POST", &format!("{path}/refresh"), &[], Body::empty())).await;
    assert_eq!(refresh().await.status, 202);
    let soon = refresh().await;
    assert_eq!(soon.status, 429);
    assert!((1..=60).contains(&soon.header("retry-after").parse::<u64>().unwrap()));
    db.write("update feeds set fetch_status = 'stopped', error_code = 'gone'").execute().await.unwrap();
    assert_eq!(refresh().await.json()["code"], "feed_stopped");
    let stopped = get_as(&router, caller, &path).await.json();
    assert_eq!((&stopped["fetch_status"], &stopped["error_code"]), (&json!("stopped"), &json!("gone")));
    assert!(stopped["error_message"].as_str().unwrap().contains("410"));
}
