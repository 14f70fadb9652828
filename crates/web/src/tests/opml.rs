//! OPML over HTTP.

use queue::Worker;
use serde_json::json;
use testkit::origin::{Origin, answer, ok};

use super::*;

const PATH: &str = "/api/opml";

async fn origin() -> Origin {
    Origin::serve(|seen| match seen.target.as_str() {
        path if path.ends_with(".rss") => {
            ok(format!("<rss><channel><title>{path}</title><item><title>A</title></item></channel></rss>"))
        }
        "/page" => answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "<html><p>No feed</p></html>"),
        _ => answer("HTTP/1.1 410 Gone\r\n", ""),
    })
    .await
}

async fn import(router: &Router, caller: Caller, content_type: &str, file: impl Into<Body>) -> TestResponse {
    call_as(router, caller, request("POST", PATH, &[("content-type", content_type)], file)).await
}

/// Runs the jobs of imports until none is left.
async fn run_jobs(db: &TestDb, app: &ApiState) {
    let settings = queue::WorkerSettings { poll: Duration::from_millis(20), ..queue::WorkerSettings::default() };
    let mut worker = Worker::new(db.db(), app.reader.clock().clone(), settings);
    worker.register::<read::ImportFeed>(app.reader.clone());
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker.run(stop.clone()));
    let waiting = async || {
        let count: i64 =
            db.read("select count(*) from opml_import_feeds where outcome = 'waiting'").scalar().await.unwrap();
        count > 0
    };
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    while waiting().await {
        assert!(tokio::time::Instant::now() < deadline, "the import does not end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    working.await.unwrap().unwrap();
}

on_both_databases!(import_runs_and_reports_progress);
async fn import_runs_and_reports_progress(db: TestDb) {
    let app = app(&db);
    let (router, caller, origin) = (main_router(app.clone()), new_user(&db, "a@example.com").await, origin().await);
    let file = format!(
        "<opml><body><outline text='News'><outline text='Mine' xmlUrl='{}'/></outline><outline xmlUrl='{}'/><outline xmlUrl='{}'/></body></opml>",
        origin.url("/a.rss"),
        origin.url("/page"),
        origin.url("/gone"),
    );
    let taken = import(&router, caller, "text/x-opml", file).await;
    assert_eq!(taken.status, 202, "{}", taken.text());
    assert_eq!((&taken.json()["total"], &taken.json()["waiting"]), (&json!(3), &json!(3)));
    let path = taken.header("location").to_owned();
    assert_eq!(path, format!("/api/opml/imports/{}", taken.json()["id"].as_str().unwrap()));
    run_jobs(&db, &app).await;
    let done = get_as(&router, caller, &path).await.json();
    assert_eq!((&done["waiting"], &done["added"], &done["failed"]), (&json!(0), &json!(2), &json!(1)));
    let feed = &done["feeds"][0];
    assert_eq!(
        (&feed["outcome"], &feed["folder"], &feed["title"], &feed["message"]),
        (&json!("added"), &json!("News"), &json!("Mine"), &Value::Null)
    );
    assert_eq!((&done["feeds"][1]["outcome"], &done["feeds"][1]["error_code"]), (&json!("failed"), &json!("no_feed")));
    assert!(done["feeds"][1]["message"].as_str().unwrap().starts_with("No feed was found"));
    assert_eq!((&done["feeds"][2]["outcome"], &done["feeds"][2]["error_code"]), (&json!("added"), &json!("gone")));
    assert!(done["feeds"][2]["message"].as_str().unwrap().contains("410"));
    let japanese =
        call_as(&router, caller, request("GET", &path, &[("accept-language", "ja")], Body::empty())).await.json();
    assert!(japanese["feeds"][1]["message"].as_str().unwrap().contains("フィード"));
    let listed = get_as(&router, caller, "/api/opml/imports").await.json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &done["id"]));
    let other = new_user(&db, "b@example.com").await;
    assert_eq!(get_as(&router, other, &path).await.status, 404);
    assert_eq!(get_as(&router, other, "/api/opml/imports").await.json(), json!([]));

    let exported = get_as(&router, caller, PATH).await;
    assert_eq!(exported.header("content-type"), "text/x-opml; charset=utf-8");
    let disposition = exported.header("content-disposition");
    assert!(
        disposition.starts_with("attachment; filename=\"kawaraban-20") && disposition.ends_with(".opml\""),
        "{disposition}"
    );
    assert!(exported.text().contains("text=\"Mine\"") && exported.text().contains("text=\"News\""));
}

on_both_databases!(invalid_opml_files_are_rejected);
async fn invalid_opml_files_are_rejected(db: TestDb) {
    let (router, caller) = (main_router(app(&db)), new_user(&db, "a@example.com").await);
    let opml = "<opml><body><outline xmlUrl='https://a.example/'/></body></opml>";
    for content_type in ["application/json", "text/html", "multipart/form-data; boundary=x"] {
        let refused = import(&router, caller, content_type, opml).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (415, &json!("unsupported_media_type")));
        assert!(refused.json()["action"].as_str().unwrap().contains("text/x-opml"));
    }
    for content_type in ["text/xml; charset=utf-8", "application/xml", "application/octet-stream", "text/x-opml+xml"] {
        assert_eq!(import(&router, caller, content_type, opml).await.status, 202, "{content_type}");
    }
    for file in ["", "<html></html>", "<opml><body></body></opml>"] {
        let refused = import(&router, caller, "text/xml", file).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &json!("body")), "{file}");
    }
    let large = " ".repeat(5 * 1024 * 1024 + 1);
    assert_eq!(import(&router, caller, "text/xml", large).await.status, 413);
    let under = format!("{opml}{}", " ".repeat(2 * 1024 * 1024));
    assert_eq!(import(&router, caller, "text/xml", under).await.status, 202, "above the default limit");
}
