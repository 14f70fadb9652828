//! Icons: where they are found, how they are recognised, and that they never fail a subscription.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use read::{FetchIcon, ReaderSettings};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, hostile, ok},
};

use crate::{
    jobs::run_jobs,
    responses::{feed_response, html, numbered_rss, page, png, status},
    test_reader::TestReader,
};

on_both_databases!(subscribing_stores_the_icon_of_the_page);
async fn subscribing_stores_the_icon_of_the_page(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/" => page(
            "<link rel=alternate type=application/rss+xml href=/feed>\
                 <link rel=icon sizes=32x32 href=/page.png><link rel=icon sizes=48x48 href=/huge.png>\
                 <link rel=icon sizes=64x64 href=/icon.png>",
        ),
        "/feed" => feed_response(numbered_rss("A", 1)),
        "/page.png" => html("<html>not found</html>"),
        "/huge.png" => ok([png(32), vec![0; 200_000]].concat()),
        "/icon.png" => ok(png(64)),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/")).await.unwrap();
    assert!(subscribed.feed.has_favicon);
    let icon = test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().unwrap();
    assert_eq!((icon.mime.as_str(), icon.data), ("image/png", png(64)));
    assert!(icon.etag.starts_with('"') && icon.etag.len() == 34, "{}", icon.etag);
    assert_eq!(origin.seen().iter().filter(|seen| seen.target == "/").count(), 1, "the page is read once");
    let other_user = test.create_user("other_user").await;
    assert_eq!(test.reader.get_icon(other_user, subscribed.feed.id).await.unwrap(), None);
}

on_both_databases!(a_feed_without_a_page_gets_the_icon_of_its_site);
async fn a_feed_without_a_page_gets_the_icon_of_its_site(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("A", 1)),
        "/favicon.ico" => ok([&[0, 0, 1, 0, 1, 0, 16, 16][..], &[0; 40]].concat()),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/feed")).await.unwrap();
    let icon = test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().unwrap();
    assert_eq!(icon.mime, "image/x-icon");
}

on_both_databases!(a_site_without_an_icon_is_searched_once);
async fn a_site_without_an_icon_is_searched_once(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("A", 1)),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/feed")).await.unwrap();
    assert!(!subscribed.feed.has_favicon);
    assert_eq!(test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap(), None);
    assert_eq!(test.count("select count(*) from jobs").await, 0, "the search found none, so there is no job");
    assert_eq!(test.count("select count(*) from feeds where favicon_checked_at is not null").await, 1);
}

on_both_databases!(a_slow_icon_is_left_to_a_weekly_job);
async fn a_slow_icon_is_left_to_a_weekly_job(db: TestDb) {
    let settings = ReaderSettings { subscribe_timeout: Duration::from_secs(2), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    let silent = hostile::silent().await;
    let slow = silent.url("/icon.png");
    let origin = Origin::serve(move |seen| match seen.target.as_str() {
        "/" => page(&format!("<link rel=alternate type=application/rss+xml href=/feed><link rel=icon href={slow}>")),
        "/feed" => feed_response(numbered_rss("A", 1)),
        "/favicon.ico" => ok(png(32)),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/")).await.unwrap();
    assert!(!subscribed.feed.has_favicon);
    assert_eq!(test.count("select count(*) from jobs where kind = 'fetch_icon'").await, 1);
    // Requests to the slow icon now fail at once.
    drop(silent);
    run_jobs(&test).await;
    assert!(test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().is_some());
    let asked = origin.seen().len();
    run_again(&test, subscribed.feed.id).await;
    assert_eq!(origin.seen().len(), asked, "the feed has an icon");
    db.write("update feeds set favicon_mime = null, favicon_data = null").execute().await.unwrap();
    run_again(&test, subscribed.feed.id).await;
    assert_eq!(origin.seen().len(), asked, "it was searched within a week");
    test.clock.advance(Duration::from_secs(8 * 86_400));
    run_again(&test, subscribed.feed.id).await;
    assert!(test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().is_some());
}

on_both_databases!(the_icon_job_does_not_fetch_the_page_again);
async fn the_icon_job_does_not_fetch_the_page_again(db: TestDb) {
    let settings = ReaderSettings { subscribe_timeout: Duration::from_secs(2), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    // By the address of the page, and by that of the feed, whose page is only fetched for the icon.
    for address in ["/", "/feed"] {
        let silent = hostile::silent().await;
        let slow = silent.url("/icon.png");
        let origin = Origin::serve(move |seen| match seen.target.as_str() {
            "/" => {
                page(&format!("<link rel=alternate type=application/rss+xml href=/feed><link rel=icon href={slow}>"))
            }
            "/feed" => feed_response(numbered_rss("A", 1)),
            "/favicon.ico" => ok(png(32)),
            _ => status(404),
        })
        .await;
        let subscribed = test.subscribe(&origin.url(address)).await.unwrap();
        assert!(!subscribed.feed.has_favicon);
        drop(silent);
        run_jobs(&test).await;
        assert!(test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().is_some());
        let mut asked: Vec<String> = origin.seen().into_iter().map(|seen| seen.target).collect();
        asked.sort_unstable();
        assert_eq!(asked, ["/", "/favicon.ico", "/feed"], "{address}");
    }
}

on_both_databases!(feeds_of_one_site_share_its_icon);
async fn feeds_of_one_site_share_its_icon(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let site = Arc::new(OnceLock::new());
    let link = Arc::clone(&site);
    let origin = Origin::serve(move |seen| match seen.target.as_str() {
        "/" => page("<link rel=icon href=/icon.png>"),
        "/icon.png" => ok(png(32)),
        path if path.ends_with(".rss") => {
            let link = format!("</title><link>{}</link>", link.get().unwrap());
            feed_response(numbered_rss(path, 1).replacen("</title>", &link, 1))
        }
        _ => status(404),
    })
    .await;
    site.set(origin.url("/")).unwrap();
    let outline = |path: &str| format!("<outline xmlUrl='{}'/>", origin.url(path));
    let file = format!("<opml version='2.0'><body>{}{}</body></opml>", outline("/posts.rss"), outline("/comments.rss"));
    test.reader.import_opml(test.user, file.into_bytes(), None).await.unwrap();
    run_jobs(&test).await;
    let subscribed = test.subscribe(&origin.url("/third.rss")).await.unwrap();
    assert_eq!(test.reader.get_icon(test.user, subscribed.feed.id).await.unwrap().unwrap().data, png(32));
    assert_eq!(test.count("select count(*) from feeds where favicon_data is not null").await, 3);
    let mut asked: Vec<String> = origin.seen().into_iter().map(|seen| seen.target).collect();
    asked.sort_unstable();
    assert_eq!(asked, ["/", "/comments.rss", "/icon.png", "/posts.rss", "/third.rss"]);

    // The result of a search is reused for a week.
    test.clock.advance(Duration::from_secs(8 * 86_400));
    let later = test.subscribe(&origin.url("/later.rss")).await.unwrap();
    assert!(later.feed.has_favicon);
    assert_eq!(origin.seen().iter().filter(|seen| seen.target == "/").count(), 2);
}

async fn run_again(test: &TestReader, feed: store::FeedId) {
    let mut tx = test.db.begin().await.unwrap();
    let job = FetchIcon::new(feed, None);
    queue::enqueue(&mut tx, &test.clock, &job, queue::Timing::default()).await.unwrap();
    tx.commit().await.unwrap();
    run_jobs(test).await;
}
