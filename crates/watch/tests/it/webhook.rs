//! Announcements to the operator's webhook.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use queue::{Worker, WorkerSettings};
use testkit::{TestDb, on_both_databases, origin};
use tokio_util::sync::CancellationToken;
use watch::{WatchSettings, Webhook};

use crate::test_site::{FIRST, TestSite};

on_both_databases!(a_new_post_is_announced_with_a_signature_until_it_is_taken);
async fn a_new_post_is_announced_with_a_signature_until_it_is_taken(db: TestDb) {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let receiver = origin::Origin::serve(move |_| match counted.fetch_add(1, Ordering::SeqCst) {
        0 => origin::answer("HTTP/1.1 500 Internal Server Error\r\n", ""),
        _ => origin::ok(""),
    })
    .await;
    let webhook = Webhook { url: receiver.url("/hook").parse().unwrap(), secret: "a secret".to_owned() };
    let site = TestSite::with(&db, WatchSettings { webhook: Some(webhook), ..WatchSettings::default() }).await;
    site.set_posts(FIRST);
    site.subscribe().await;
    site.add_post("Fog over the old harbour", 21);
    site.next_day().await;
    let settings = WorkerSettings { host: "test".to_owned(), ..WorkerSettings::default() };
    let mut worker = Worker::new(db.db(), site.clock.clone(), settings);
    watch::register_jobs(&mut worker, &site.watcher);
    let stop = CancellationToken::new();
    let running = tokio::spawn(worker.run(stop.clone()));
    let taken = async {
        while tries.load(Ordering::SeqCst) < 2 {
            site.clock.advance(Duration::from_secs(60));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), taken).await.expect("a second attempt");
    stop.cancel();
    running.await.unwrap().unwrap();
    let seen = receiver.seen();
    assert_eq!(seen[0].body, seen[1].body, "the same announcement, with the same id");
    let body: serde_json::Value = serde_json::from_slice(&seen[1].body).unwrap();
    assert_eq!((&body["type"], &body["posts"][0]["title"]), (&"posts".into(), &"Fog over the old harbour".into()));
    assert_eq!(seen[1].header("x-kawaraban-event-id"), body["id"].as_str());
    assert!(seen[1].header("x-kawaraban-signature").unwrap().starts_with("sha256="));
}
