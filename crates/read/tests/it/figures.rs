//! The figures about fetches: every fetch counts once, the first one of a subscription too.

use std::time::Duration;

use read::ReaderSettings;
use store::activity::{self, HourStats};
use testkit::{TestDb, on_both_databases, origin::Origin};

use crate::{
    jobs::run_jobs,
    responses::{feed_response, numbered_rss, page, status},
    test_reader::TestReader,
};

/// Fetches, failures, unchanged documents and new items so far.
async fn figures(db: &TestDb, test: &TestReader) -> (i64, i64, i64, i64) {
    test.reader.flush_fetch_stats().await;
    let hours = activity::list(db, test.clock.now() - chrono::TimeDelta::days(1)).await.unwrap();
    let sum = |figure: fn(&HourStats) -> i64| hours.iter().map(figure).sum();
    (sum(|hour| hour.fetches), sum(|hour| hour.failures), sum(|hour| hour.unchanged), sum(|hour| hour.new_items))
}

on_both_databases!(first_fetches_count_like_later_ones);
async fn first_fetches_count_like_later_ones(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/site" => page("<link rel=alternate type=application/rss+xml href=/by-page.rss>"),
        "/none" => page(""),
        path if path.ends_with(".rss") => feed_response(numbered_rss(path, 3)),
        _ => status(503),
    })
    .await;
    test.subscribe(&origin.url("/1.rss")).await.unwrap();
    assert_eq!(figures(&db, &test).await, (1, 0, 0, 3));
    test.subscribe(&origin.url("/down")).await.unwrap_err();
    assert_eq!(figures(&db, &test).await, (2, 1, 0, 3));
    test.subscribe(&origin.url("/site")).await.unwrap();
    assert_eq!(figures(&db, &test).await, (3, 1, 0, 6), "the page that led to the feed is no feed");
    test.subscribe(&origin.url("/none")).await.unwrap_err();
    assert_eq!(figures(&db, &test).await, (4, 2, 0, 6), "a page without a feed is not a feed");
    test.subscribe(&origin.url("/1.rss")).await.unwrap_err();
    assert_eq!(figures(&db, &test).await, (4, 2, 0, 6), "nothing was fetched");

    let outlines =
        ["/1.rss", "/2.rss", "/down", "/none"].map(|path| format!("<outline xmlUrl='{}'/>", origin.url(path)));
    let file = format!("<opml version='2.0'><body>{}</body></opml>", outlines.concat());
    test.reader.import_opml(test.user, file.into_bytes(), None).await.unwrap();
    run_jobs(&test).await;
    assert_eq!(figures(&db, &test).await, (7, 4, 0, 9), "the first of the file was there already");

    test.clock.advance(Duration::from_secs(2 * 60 * 60));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 4);
    assert_eq!(figures(&db, &test).await, (11, 5, 3, 9));
}

#[tokio::test]
async fn documents_that_are_not_feeds_are_logged() {
    let db = TestDb::sqlite().await;
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|_| page("")).await;
    let log = testkit::CapturedLog::start("info");
    test.subscribe(&origin.url("/none")).await.unwrap_err();
    let text = log.take();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("\"error_kind\":\"not_a_feed\"")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].contains("\"status\":200") && lines[0].contains(&origin.url("/none")), "{text}");
}

on_both_databases!(figures_that_cannot_be_written_are_kept);
async fn figures_that_cannot_be_written_are_kept(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 3))).await;
    test.subscribe(&origin.url("/1.rss")).await.unwrap();
    db.write("alter table fetch_hours rename to away").execute().await.unwrap();
    test.reader.flush_fetch_stats().await;
    test.subscribe(&origin.url("/2.rss")).await.unwrap();
    db.write("alter table away rename to fetch_hours").execute().await.unwrap();
    assert_eq!(figures(&db, &test).await, (2, 0, 0, 6));
}

on_both_databases!(a_first_fetch_counts_for_the_hour_it_began_in);
async fn a_first_fetch_counts_for_the_hour_it_began_in(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let clock = test.clock.clone();
    let origin = Origin::serve(move |seen| {
        if seen.target == "/1.rss" {
            clock.advance(Duration::from_secs(2 * 60 * 60));
        }
        feed_response(numbered_rss("A blog", 1))
    })
    .await;
    let began_at = test.clock.now();
    test.subscribe(&origin.url("/1.rss")).await.unwrap();
    test.reader.flush_fetch_stats().await;
    let hours = activity::list(&db, began_at).await.unwrap();
    assert_eq!(hours.iter().map(|hour| hour.hour).collect::<Vec<_>>(), [began_at]);
}
