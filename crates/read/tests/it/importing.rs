//! OPML import and export: folders, titles, outcomes, and recovery from failures.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use read::{Error, Reader, ReaderSettings};
use store::{
    FeedId, ImportId, feeds,
    imports::{ImportOutcome, ImportedFeed},
    jobs::JobStatus,
};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, hostile, ok, redirect},
};
use tokio_util::sync::CancellationToken;

use crate::{
    jobs::{run_jobs, worker},
    responses::{feed_response, numbered_rss, page, png, status},
    test_reader::TestReader,
};

/// An OPML file with these outlines.
fn opml(outlines: &str) -> Vec<u8> {
    format!("<?xml version='1.0'?><opml version='2.0'><head><title>Mine</title></head><body>{outlines}</body></opml>")
        .into()
}

fn outline(origin: &Origin, path: &str, title: &str) -> String {
    format!("<outline type='rss' text='{title}' xmlUrl='{}'/>", origin.url(path))
}

async fn outcomes(test: &TestReader, import: ImportId) -> Vec<(ImportOutcome, Option<String>)> {
    let feeds = test.reader.list_import_feeds(test.user, import).await.unwrap();
    feeds.into_iter().map(|feed: ImportedFeed| (feed.outcome, feed.error_code)).collect()
}

/// Runs jobs until every feed of an import has been tried. The clock does not move, so there are no retries.
async fn run_until_closed(test: &TestReader, import: ImportId) {
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker(test).run(stop.clone()));
    let closed = async { while test.reader.get_import(test.user, import).await.unwrap().unwrap().waiting > 0 {} };
    tokio::time::timeout(Duration::from_secs(60), closed).await.expect("the import is closed");
    stop.cancel();
    working.await.unwrap().unwrap();
}

async fn filed(test: &TestReader) -> Vec<(String, Option<String>)> {
    let filed = store::subscriptions::list_for_opml(test.reader.db(), test.user).await.unwrap();
    filed.into_iter().map(|one| (one.title, one.folder)).collect()
}

on_both_databases!(an_import_keeps_folders_and_titles);
async fn an_import_keeps_folders_and_titles(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/site" => page("<link rel=alternate type=application/rss+xml href=/site.rss>"),
        path if path.ends_with(".rss") => feed_response(numbered_rss(path, 2)),
        _ => status(404),
    })
    .await;
    let file = opml(&format!(
        "{}<outline text='Tech'>{}<outline text='Rust'>{}</outline></outline><outline text='Empty'/>",
        outline(&origin, "/a.rss", "/a.rss"),
        outline(&origin, "/b.rss", "My B"),
        outline(&origin, "/site", ""),
    ));
    let import = test.reader.import_opml(test.user, file.clone(), Some("text/xml".to_owned())).await.unwrap();
    let waiting = test.reader.get_import(test.user, import).await.unwrap().unwrap();
    assert_eq!((waiting.total, waiting.waiting), (3, 3));
    run_jobs(&test).await;
    let done = test.reader.get_import(test.user, import).await.unwrap().unwrap();
    assert_eq!((done.waiting, done.added, done.present, done.failed), (0, 3, 0, 0));
    let expected = [("My B", Some("Tech")), ("/site.rss", Some("Tech / Rust")), ("/a.rss", None)];
    assert_eq!(filed(&test).await, expected.map(|(title, folder)| (title.to_owned(), folder.map(str::to_owned))));
    assert_eq!(
        test.count("select count(*) from subscriptions where title is not null").await,
        1,
        "only titles that differ from the feed's are stored"
    );
    assert_eq!(test.count("select cast(sum(unread_count) as bigint) from subscriptions").await, 6);

    let again = test.reader.import_opml(test.user, file, None).await.unwrap();
    run_jobs(&test).await;
    let done = test.reader.get_import(test.user, again).await.unwrap().unwrap();
    assert_eq!((done.added, done.present), (0, 3));
    let latest: Vec<_> =
        test.reader.list_imports(test.user).await.unwrap().into_iter().map(|import| import.id).collect();
    assert_eq!(latest.len(), 2);
    let other_user = test.create_user("other_user").await;
    assert_eq!(test.reader.get_import(other_user, import).await.unwrap(), None);
    assert_eq!(test.reader.list_import_feeds(other_user, import).await.unwrap(), []);
}

on_both_databases!(export_and_import_are_inverse);
async fn export_and_import_are_inverse(db: TestDb) {
    let mut test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&format!("T &amp; {}", seen.target), 1))).await;
    let file = opml(&format!(
        "<outline text='Zoo &amp; co'>{}</outline><outline text='Arts'>{}{}</outline>{}",
        outline(&origin, "/1.rss", "One"),
        outline(&origin, "/2.rss", "Two &lt;b&gt;"),
        outline(&origin, "/3.rss", ""),
        outline(&origin, "/4.rss", "瓦版"),
    ));
    test.reader.import_opml(test.user, file, None).await.unwrap();
    run_jobs(&test).await;
    let before = filed(&test).await;
    assert_eq!(before.len(), 4);
    let exported = test.reader.export_opml(test.user).await.unwrap();
    test.user = test.other_user;
    test.reader.import_opml(test.user, exported.clone().into_bytes(), None).await.unwrap();
    run_jobs(&test).await;
    assert_eq!(filed(&test).await, before);
    assert_eq!(test.reader.export_opml(test.user).await.unwrap(), exported);
}

on_both_databases!(each_feed_has_its_outcome);
async fn each_feed_has_its_outcome(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings { subscription_limit: Some(6), ..ReaderSettings::default() }).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/inside" => redirect(302, "http://10.0.0.1/"),
        "/page" => page(""),
        path if path.ends_with(".rss") => feed_response(numbered_rss(path, 1)),
        path => status(path[1..].parse().unwrap_or(404)),
    })
    .await;
    test.subscribe(&origin.url("/have.rss")).await.unwrap();
    let paths = ["/have.rss", "/410", "/503", "/404", "/page", "/inside", "/new.rss", "/new2.rss", "/full.rss"];
    let outlines: String = paths.iter().map(|path| outline(&origin, path, &format!("Title of {path}"))).collect();
    let import = test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    run_jobs(&test).await;
    let mut seen = outcomes(&test, import).await;
    // Which feed exceeds the limit depends on the order of the responses.
    let full = seen
        .iter()
        .filter(|(outcome, code)| *outcome == ImportOutcome::Failed && code.as_deref() == Some("limit"))
        .count();
    assert_eq!(full, 1, "{seen:?}");
    let added = |code: &str| (ImportOutcome::Added, Some(code.to_owned()));
    let failed = |code: &str| (ImportOutcome::Failed, Some(code.to_owned()));
    assert_eq!(seen[0], (ImportOutcome::Present, None));
    assert_eq!(seen[1], added("gone"));
    assert_eq!(seen[3], added("not_found"));
    assert_eq!(seen[4], failed("no_feed"));
    assert_eq!(seen[5], failed("address_refused"));
    seen.retain(|(outcome, _)| *outcome == ImportOutcome::Added);
    assert_eq!(seen.len(), 5, "the limit is used up");
    assert_eq!(
        test.count("select count(*) from feeds where fetch_status = 'stopped' and error_code in ('gone', 'not_found')")
            .await,
        2
    );
    assert_eq!(test.count("select count(*) from subscriptions").await, 6);
    assert_eq!(test.count("select count(*) from jobs where kind = 'import_feed' and status = 'failed'").await, 0);
}

on_both_databases!(a_failing_feed_is_subscribed_and_fetched_later);
async fn a_failing_feed_is_subscribed_and_fetched_later(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let origin = Origin::serve(move |seen| match (seen.target.as_str(), down.load(Ordering::Relaxed)) {
        ("/busy", true) => answer("HTTP/1.1 429 Slow down\r\nRetry-After: 7200\r\n", ""),
        (_, true) => status(503),
        (path, false) => feed_response(numbered_rss(path, 2)),
    })
    .await;
    let outlines = outline(&origin, "/down", "Down") + &outline(&origin, "/busy", "Busy");
    let import = test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    run_until_closed(&test, import).await;
    let added = |code: &str| (ImportOutcome::Added, Some(code.to_owned()));
    assert_eq!(outcomes(&test, import).await, [added("server_error"), added("rate_limited")]);
    assert_eq!(origin.seen().len(), 2, "one request for each");
    assert_eq!(test.count("select count(*) from feeds where fetch_status = 'error' and consecutive_errors = 1 and title = '127.0.0.1' and last_fetched_at is not null").await, 2);
    assert_eq!(filed(&test).await, [("Busy".to_owned(), None), ("Down".to_owned(), None)]);

    is_down.store(false, Ordering::Relaxed);
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0, "not at once");
    test.clock.advance(Duration::from_secs(60 * 60));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1, "the site asks for two hours");
    test.clock.advance(Duration::from_secs(2 * 60 * 60));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(test.count("select count(*) from feeds where fetch_status = 'active'").await, 2);
    assert_eq!(test.count("select count(*) from subscriptions where unread_count = 2").await, 2);
}

on_both_databases!(a_failing_feed_of_a_page_keeps_its_own_address);
async fn a_failing_feed_of_a_page_keeps_its_own_address(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let origin = Origin::serve(move |seen| match (seen.target.as_str(), down.load(Ordering::Relaxed)) {
        ("/", _) => page("<link rel=alternate type=application/rss+xml href=/feed>"),
        ("/feed", false) => feed_response(numbered_rss("A", 2)),
        _ => status(503),
    })
    .await;
    let import = test.reader.import_opml(test.user, opml(&outline(&origin, "/", "Mine")), None).await.unwrap();
    run_until_closed(&test, import).await;
    assert_eq!(outcomes(&test, import).await, [(ImportOutcome::Added, Some("server_error".to_owned()))]);
    assert!(feeds::find_by_url(&db, &origin.url("/")).await.unwrap().is_none(), "the page is no feed");
    assert!(feeds::find_by_url(&db, &origin.url("/feed")).await.unwrap().is_some());
    is_down.store(false, Ordering::Relaxed);
    test.clock.advance(Duration::from_secs(60 * 60));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(test.count("select count(*) from subscriptions where unread_count = 2").await, 1);
}

on_both_databases!(a_host_at_its_rate_limit_is_not_an_error);
async fn a_host_at_its_rate_limit_is_not_an_error(db: TestDb) {
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    // The limit is one request an hour, and this is it.
    let allow_nets = vec!["127.0.0.0/8".parse().unwrap()];
    let pace =
        net::ClientSettings { allow_nets, host_gap: Duration::from_secs(3_600), ..net::ClientSettings::default() };
    let client = net::Client::new(pace).unwrap();
    client.send(net::Request::get(origin.url("/first").parse().unwrap())).await.unwrap();
    let mut test = TestReader::with(&db, ReaderSettings::default()).await;
    let settings = ReaderSettings { import_timeout: Duration::from_secs(1), ..ReaderSettings::default() };
    test.reader = Reader::new(db.clone(), client, test.clock.clone(), settings);

    let import = test.reader.import_opml(test.user, opml(&outline(&origin, "/a.rss", "A")), None).await.unwrap();
    run_jobs(&test).await;
    assert_eq!(outcomes(&test, import).await, [(ImportOutcome::Added, None)]);
    let unfetched = feeds::find_by_url(&db, &origin.url("/a.rss")).await.unwrap().unwrap();
    assert_eq!((unfetched.consecutive_errors, unfetched.error_code, unfetched.last_fetched_at), (0, None, None));
    assert!(unfetched.next_fetch_at <= test.clock.now(), "the scheduler fetches it next");
    assert_eq!(origin.seen().len(), 1);
}

on_both_databases!(silent_hosts_do_not_keep_an_import_open);
async fn silent_hosts_do_not_keep_an_import_open(db: TestDb) {
    // 120 hosts; a tenth of them is silent, closed or broken.
    let settings = ReaderSettings {
        subscription_limit: Some(200),
        fetch_timeout: Duration::from_secs(3),
        ..ReaderSettings::default()
    };
    let test = TestReader::with(&db, settings).await;
    let (mut origins, mut outlines) = (Vec::new(), String::new());
    for n in 2..122_u8 {
        let origin = match n % 30 {
            10 => hostile::silent().await,
            20 => hostile::cut_at_accept().await,
            0 => Origin::serve_on([127, 0, 0, n].into(), |_| status(500)).await,
            _ => Origin::serve_on([127, 0, 0, n].into(), |seen| feed_response(numbered_rss(&seen.target, 1))).await,
        };
        outlines += &outline(&origin, &format!("/{n}.rss"), "");
        origins.push(origin);
    }
    let import = test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    run_until_closed(&test, import).await;
    let done = test.reader.get_import(test.user, import).await.unwrap().unwrap();
    assert_eq!((done.added, done.failed), (120, 0));
    let codes = outcomes(&test, import).await.into_iter().filter_map(|(_, code)| code);
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    codes.for_each(|code| *told.entry(code).or_default() += 1);
    let expected = [("server_error", 4), ("timeout", 4), ("unreachable", 4)];
    assert_eq!(told, expected.map(|(code, count)| (code.to_owned(), count)).into());
    assert_eq!(
        test.count("select count(*) from feeds where fetch_status = 'error' and consecutive_errors = 1").await,
        12
    );
    assert_eq!(test.count("select count(*) from subscriptions where unread_count = 1").await, 108);
}

on_both_databases!(a_timed_out_feed_of_an_import_is_fetched_next);
async fn a_timed_out_feed_of_an_import_is_fetched_next(db: TestDb) {
    let test =
        TestReader::with(&db, ReaderSettings { fetch_timeout: Duration::from_secs(30), ..ReaderSettings::default() })
            .await;
    let silent = hostile::silent().await;
    let import = test.reader.import_opml(test.user, opml(&outline(&silent, "/slow", "Slow")), None).await.unwrap();
    run_until_closed(&test, import).await;
    assert_eq!(outcomes(&test, import).await, [(ImportOutcome::Added, Some("timeout".to_owned()))]);
    let slow = feeds::find_by_url(&db, &silent.url("/slow")).await.unwrap().unwrap();
    assert_eq!(slow.next_fetch_at, test.clock.now(), "the scheduler fetches it next, with the full timeout");
}

on_both_databases!(an_import_fetches_pages_and_icons_once);
async fn an_import_fetches_pages_and_icons_once(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let mut origins = Vec::new();
    for n in 2..42_u8 {
        origins.push(
            Origin::serve_on([127, 0, 0, n].into(), |seen| match seen.target.as_str() {
                "/" => page("<link rel=alternate type=application/rss+xml href=/feed><link rel=icon href=/icon.png>"),
                "/feed" => feed_response(numbered_rss("A", 1)),
                "/icon.png" => ok(png(32)),
                _ => status(404),
            })
            .await,
        );
    }
    // Half of the outlines have the address of the feed, half that of its page.
    let outlines: String = origins
        .iter()
        .enumerate()
        .map(|(n, origin)| outline(origin, if n % 2 == 0 { "/feed" } else { "/" }, ""))
        .collect();
    test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    run_jobs(&test).await;
    assert_eq!(test.count("select count(*) from feeds where favicon_data is not null").await, 40);
    for (n, origin) in origins.iter().enumerate() {
        let mut asked: Vec<String> = origin.seen().into_iter().map(|seen| seen.target).collect();
        asked.sort_unstable();
        assert_eq!(asked, ["/", "/feed", "/icon.png"], "{n}");
    }
}

on_both_databases!(the_import_job_is_idempotent);
async fn the_import_job_is_idempotent(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    let import = test.reader.import_opml(test.user, opml(&outline(&origin, "/1.rss", "Mine")), None).await.unwrap();
    run_jobs(&test).await;
    db.write("update subscriptions set title = 'Renamed'").execute().await.unwrap();
    db.write("update jobs set status = 'queued', attempts = 0 where kind = 'import_feed'").execute().await.unwrap();
    run_jobs(&test).await;
    assert_eq!(outcomes(&test, import).await, [(ImportOutcome::Added, None)]);
    assert_eq!(filed(&test).await, [("Renamed".to_owned(), None)]);
    let jobs = store::jobs::list(&db, Some(JobStatus::Succeeded), Some("import_feed"), 10).await.unwrap();
    assert_eq!(jobs.len(), 1);
}

on_both_databases!(an_import_survives_the_death_of_a_worker);
async fn an_import_survives_the_death_of_a_worker(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 2))).await;
    let outlines: String = (0..12).map(|n| outline(&origin, &format!("/{n}.rss"), "")).collect();
    let import = test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    let stop = CancellationToken::new();
    let dying = tokio::spawn(worker(&test).run(stop.clone()));
    while test.reader.get_import(test.user, import).await.unwrap().unwrap().waiting == 12 {
        tokio::task::yield_now().await;
    }
    // The worker dies with leases; the next worker finds them expired.
    dying.abort();
    let _ = dying.await;
    test.clock.advance(Duration::from_secs(600));
    run_jobs(&test).await;
    let done = test.reader.get_import(test.user, import).await.unwrap().unwrap();
    assert_eq!((done.waiting, done.added, done.present, done.failed), (0, 12, 0, 0));
    assert_eq!(test.count("select count(*) from subscriptions where unread_count = 2").await, 12);
    assert_eq!(test.count("select count(*) from items").await, 24);
}

on_both_databases!(invalid_opml_is_rejected);
async fn invalid_opml_is_rejected(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings::default()).await;
    let import = async |file: &[u8]| test.reader.import_opml(test.user, file.to_vec(), None).await;
    assert!(matches!(import(b"<html></html>").await, Err(Error::NotOpml(_))));
    assert!(matches!(import(b"").await, Err(Error::NotOpml(_))));
    assert!(matches!(import(&opml("<outline text='Empty'/>")).await, Err(Error::OpmlEmpty)));
    let many: String = (0..5_001).map(|n| format!("<outline xmlUrl='http://h{n}.example/'/>")).collect();
    assert!(matches!(import(&opml(&many)).await, Err(Error::OpmlTooManyFeeds { max: 5_000 })));
    let name = "長".repeat(300);
    import(&opml(&format!("<outline text='{name}'><outline text='{name}' xmlUrl='https://a.example/'/></outline>")))
        .await
        .unwrap();
    assert_eq!(test.count("select count(*) from folders where length(name) = 100").await, 1);
    assert_eq!(test.count("select count(*) from jobs where kind = 'import_feed' and lane = 'a.example'").await, 1);
}

/// On SQLite one transaction writes at a time, so there are no row locks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_feed_does_not_block_the_import() {
    let db = TestDb::postgres().await;
    let mut test = TestReader::with(&db, ReaderSettings::default()).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    let outlines: String = (0..21).map(|n| outline(&origin, &format!("/{n}.rss"), "")).collect();
    test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    run_jobs(&test).await;

    // All feeds exist now, so each job of the next import locks an existing row.
    let locked = feeds::find_by_url(&db, &origin.url("/7.rss")).await.unwrap().unwrap().id;
    let mut other = db.begin().await.unwrap();
    assert!(feeds::lock(&mut other, locked).await.unwrap());
    test.user = test.other_user;
    let import = test.reader.import_opml(test.user, opml(&outlines), None).await.unwrap();
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker(&test).run(stop.clone()));
    let waits_for_one =
        async { while test.reader.get_import(test.user, import).await.unwrap().unwrap().waiting > 1 {} };
    tokio::time::timeout(Duration::from_secs(60), waits_for_one).await.expect("the others are done");
    let waiting = outcomes(&test, import).await;
    assert_eq!(waiting.iter().position(|(outcome, _)| *outcome == ImportOutcome::Waiting), Some(7));
    let mut probe = db.begin().await.unwrap();
    let free: Vec<(FeedId,)> = probe.query("select id from feeds for update skip locked").all().await.unwrap();
    probe.rollback().await.unwrap();
    assert_eq!(free.len(), 20, "only one feed is locked");
    assert!(!free.contains(&(locked,)));

    other.rollback().await.unwrap();
    stop.cancel();
    working.await.unwrap().unwrap();
    run_jobs(&test).await;
    let done = test.reader.get_import(test.user, import).await.unwrap().unwrap();
    assert_eq!((done.added, done.waiting), (21, 0));
}
