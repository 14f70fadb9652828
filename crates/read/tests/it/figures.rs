//! The figures about fetches: every fetch counts once, the first one of a subscription too.

use std::time::Duration;

use read::Settings;
use store::activity::{self, HourFigures};
use testkit::{TestDb, on_both_databases, origin::Origin};

use crate::desk::{Desk, feed, page, rss, run_jobs, status};

/// Fetches, failures, unchanged documents and new items so far.
async fn figures(db: &TestDb, desk: &Desk) -> (i64, i64, i64, i64) {
    desk.reader.flush_figures().await;
    let hours = activity::list(db, desk.clock.now() - chrono::TimeDelta::days(1)).await.unwrap();
    let sum = |figure: fn(&HourFigures) -> i64| hours.iter().map(figure).sum();
    (sum(|hour| hour.fetches), sum(|hour| hour.failures), sum(|hour| hour.unchanged), sum(|hour| hour.new_items))
}

on_both_databases!(first_fetches_count_like_later_ones);
async fn first_fetches_count_like_later_ones(db: TestDb) {
    let desk = Desk::with(&db, Settings::default()).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/site" => page("<link rel=alternate type=application/rss+xml href=/by-page.rss>"),
        "/none" => page(""),
        path if path.ends_with(".rss") => feed(rss(path, 3)),
        _ => status(503),
    })
    .await;
    desk.subscribe(&origin.url("/1.rss")).await.unwrap();
    assert_eq!(figures(&db, &desk).await, (1, 0, 0, 3));
    desk.subscribe(&origin.url("/down")).await.unwrap_err();
    assert_eq!(figures(&db, &desk).await, (2, 1, 0, 3));
    desk.subscribe(&origin.url("/site")).await.unwrap();
    assert_eq!(figures(&db, &desk).await, (3, 1, 0, 6), "the page that led to the feed is no feed");
    desk.subscribe(&origin.url("/none")).await.unwrap_err();
    desk.subscribe(&origin.url("/1.rss")).await.unwrap_err();
    assert_eq!(figures(&db, &desk).await, (3, 1, 0, 6), "no feed was fetched");

    let outlines = ["/1.rss", "/2.rss", "/down"].map(|path| format!("<outline xmlUrl='{}'/>", origin.url(path)));
    let file = format!("<opml version='2.0'><body>{}</body></opml>", outlines.concat());
    desk.reader.import_opml(desk.user, file.into_bytes(), None).await.unwrap();
    run_jobs(&db, &desk).await;
    assert_eq!(figures(&db, &desk).await, (5, 2, 0, 9), "the first of the file was there already");

    desk.clock.advance(Duration::from_secs(2 * 60 * 60));
    assert_eq!(desk.reader.fetch_due().await.unwrap(), 4);
    assert_eq!(figures(&db, &desk).await, (9, 3, 3, 9));
}
