//! OPML in and out: folders, titles, outcomes, and what happens when things die on the way.

use read::{ImportError, Settings};
use store::{
    imports::{ImportFeed, ImportOutcome},
    jobs::JobStatus,
};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, redirect},
};

use crate::desk::{Desk, count, feed, page, person, rss, run_jobs, status, worker};

/// A list of these outlines.
fn opml(outlines: &str) -> Vec<u8> {
    format!("<?xml version='1.0'?><opml version='2.0'><head><title>Mine</title></head><body>{outlines}</body></opml>")
        .into()
}

fn outline(origin: &Origin, path: &str, title: &str) -> String {
    format!("<outline type='rss' text='{title}' xmlUrl='{}'/>", origin.url(path))
}

async fn outcomes(desk: &Desk, import: store::ImportId) -> Vec<(ImportOutcome, Option<String>)> {
    let feeds = desk.reader.import_feeds(desk.user, import).await.unwrap();
    feeds.into_iter().map(|feed: ImportFeed| (feed.outcome, feed.error_code)).collect()
}

async fn filed(desk: &Desk) -> Vec<(String, Option<String>)> {
    let filed = store::filing::list(desk.reader.db(), desk.user).await.unwrap();
    filed.into_iter().map(|one| (one.title, one.folder)).collect()
}

on_both_databases! {
    async fn a_file_comes_in_with_its_folders_and_titles(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let origin = Origin::serve(|seen| match seen.target.as_str() {
            "/site" => page("<link rel=alternate type=application/rss+xml href=/site.rss>"),
            path if path.ends_with(".rss") => feed(rss(path, 2)),
            _ => status(404),
        }).await;
        let file = opml(&format!(
            "{}<outline text='Tech'>{}<outline text='Rust'>{}</outline></outline><outline text='Empty'/>",
            outline(&origin, "/a.rss", "/a.rss"), outline(&origin, "/b.rss", "My B"), outline(&origin, "/site", ""),
        ));
        let import = desk.reader.import_opml(desk.user, file.clone(), Some("text/xml".to_owned())).await.unwrap();
        let waiting = desk.reader.import(desk.user, import).await.unwrap().unwrap();
        assert_eq!((waiting.total, waiting.waiting), (3, 3));
        run_jobs(&db, &desk).await;
        let done = desk.reader.import(desk.user, import).await.unwrap().unwrap();
        assert_eq!((done.waiting, done.added, done.present, done.failed), (0, 3, 0, 0));
        let expected = [("My B", Some("Tech")), ("/site.rss", Some("Tech / Rust")), ("/a.rss", None)];
        assert_eq!(filed(&desk).await, expected.map(|(title, folder)| (title.to_owned(), folder.map(str::to_owned))));
        assert_eq!(count(&db, "select count(*) from subscriptions where title is not null").await, 1, "only what differs");
        assert_eq!(count(&db, "select cast(sum(unread_count) as bigint) from subscriptions").await, 6);

        let again = desk.reader.import_opml(desk.user, file, None).await.unwrap();
        run_jobs(&db, &desk).await;
        let done = desk.reader.import(desk.user, again).await.unwrap().unwrap();
        assert_eq!((done.added, done.present), (0, 3));
        let latest: Vec<_> = desk.reader.imports(desk.user).await.unwrap().into_iter().map(|import| import.id).collect();
        assert_eq!(latest.len(), 2);
        let stranger = person(&db, "stranger@example.com").await;
        assert_eq!(desk.reader.import(stranger, import).await.unwrap(), None);
        assert_eq!(desk.reader.import_feeds(stranger, import).await.unwrap(), []);
    }

    async fn an_export_comes_back_as_it_was(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let origin = Origin::serve(|seen| feed(rss(&format!("T &amp; {}", seen.target), 1))).await;
        let file = opml(&format!(
            "<outline text='Zoo &amp; co'>{}</outline><outline text='Arts'>{}{}</outline>{}",
            outline(&origin, "/1.rss", "One"), outline(&origin, "/2.rss", "Two &lt;b&gt;"),
            outline(&origin, "/3.rss", ""), outline(&origin, "/4.rss", "瓦版"),
        ));
        desk.reader.import_opml(desk.user, file, None).await.unwrap();
        run_jobs(&db, &desk).await;
        let before = filed(&desk).await;
        assert_eq!(before.len(), 4);
        let exported = desk.reader.export_opml(desk.user).await.unwrap();
        let other = Desk { user: person(&db, "other@example.com").await, ..Desk { reader: desk.reader.clone(), clock: desk.clock.clone(), user: desk.user } };
        other.reader.import_opml(other.user, exported.clone().into_bytes(), None).await.unwrap();
        run_jobs(&db, &other).await;
        assert_eq!(filed(&other).await, before);
        assert_eq!(other.reader.export_opml(other.user).await.unwrap(), exported);
    }

    async fn each_feed_has_its_outcome(db: TestDb) {
        let desk = Desk::with(&db, Settings { subscription_limit: 6, ..Settings::default() }).await;
        let origin = Origin::serve(|seen| match seen.target.as_str() {
            "/inside" => redirect(302, "http://10.0.0.1/"),
            "/page" => page(""),
            path if path.ends_with(".rss") => feed(rss(path, 1)),
            path => status(path[1..].parse().unwrap_or(404)),
        }).await;
        desk.subscribe(&origin.url("/have.rss")).await.unwrap();
        let paths = ["/have.rss", "/410", "/503", "/404", "/page", "/inside", "/new.rss", "/new2.rss", "/full.rss"];
        let outlines: String = paths.iter().map(|path| outline(&origin, path, &format!("Title of {path}"))).collect();
        let import = desk.reader.import_opml(desk.user, opml(&outlines), None).await.unwrap();
        run_jobs(&db, &desk).await;
        let mut seen = outcomes(&desk, import).await;
        // Which of the last is one too many depends on who was first, and the one that is retried comes last.
        let full = seen.iter().filter(|(outcome, code)| *outcome == ImportOutcome::Failed && code.as_deref() == Some("limit")).count();
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
        assert_eq!(count(&db, "select count(*) from feeds where fetch_status = 'stopped' and error_code in ('gone', 'not_found')").await, 2);
        assert_eq!(count(&db, "select count(*) from subscriptions").await, 6);
        assert_eq!(count(&db, "select count(*) from jobs where kind = 'import_feed' and status = 'failed'").await, 0);
    }

    async fn a_feed_that_fails_just_now_is_tried_again_and_then_kept_as_failing(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let origin = Origin::serve(|_| status(503)).await;
        let import = desk.reader.import_opml(desk.user, opml(&outline(&origin, "/feed", "Down")), None).await.unwrap();
        run_jobs(&db, &desk).await;
        assert_eq!(outcomes(&desk, import).await, [(ImportOutcome::Added, Some("server_error".to_owned()))]);
        assert_eq!(origin.seen().len(), 3, "three attempts");
        assert_eq!(count(&db, "select count(*) from feeds where fetch_status = 'error' and consecutive_errors = 1 and title = '127.0.0.1' and last_fetched_at is not null").await, 1);
        assert_eq!(filed(&desk).await, [("Down".to_owned(), None)]);
    }

    async fn a_job_that_runs_twice_changes_nothing(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let origin = Origin::serve(|seen| feed(rss(&seen.target, 1))).await;
        let import = desk.reader.import_opml(desk.user, opml(&outline(&origin, "/1.rss", "Mine")), None).await.unwrap();
        run_jobs(&db, &desk).await;
        db.write("update subscriptions set title = 'Renamed'").execute().await.unwrap();
        db.write("update jobs set status = 'queued', attempts = 0 where kind = 'import_feed'").execute().await.unwrap();
        run_jobs(&db, &desk).await;
        assert_eq!(outcomes(&desk, import).await, [(ImportOutcome::Added, None)]);
        assert_eq!(filed(&desk).await, [("Renamed".to_owned(), None)]);
        let jobs = store::jobs::list(&db, Some(JobStatus::Succeeded), Some("import_feed"), 10).await.unwrap();
        assert_eq!(jobs.len(), 1);
    }

    async fn an_import_goes_on_where_a_worker_died(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let origin = Origin::serve(|seen| feed(rss(&seen.target, 2))).await;
        let outlines: String = (0..12).map(|n| outline(&origin, &format!("/{n}.rss"), "")).collect();
        let import = desk.reader.import_opml(desk.user, opml(&outlines), None).await.unwrap();
        let stop = tokio_util::sync::CancellationToken::new();
        let dying = tokio::spawn(worker(&db, &desk).run(stop.clone()));
        while desk.reader.import(desk.user, import).await.unwrap().unwrap().waiting == 12 {
            tokio::task::yield_now().await;
        }
        // Cut off in the middle, its leases left behind; the next worker finds them lapsed.
        dying.abort();
        let _ = dying.await;
        desk.clock.advance(std::time::Duration::from_secs(600));
        run_jobs(&db, &desk).await;
        let done = desk.reader.import(desk.user, import).await.unwrap().unwrap();
        assert_eq!((done.waiting, done.added, done.present, done.failed), (0, 12, 0, 0));
        assert_eq!(count(&db, "select count(*) from subscriptions where unread_count = 2").await, 12);
        assert_eq!(count(&db, "select count(*) from items").await, 24);
    }

    async fn what_is_no_list_is_refused(db: TestDb) {
        let desk = Desk::with(&db, Settings::default()).await;
        let import = async |file: &[u8]| desk.reader.import_opml(desk.user, file.to_vec(), None).await;
        assert!(matches!(import(b"<html></html>").await, Err(ImportError::NotOpml(_))));
        assert!(matches!(import(b"").await, Err(ImportError::NotOpml(_))));
        assert!(matches!(import(&opml("<outline text='Empty'/>")).await, Err(ImportError::Empty)));
        let many: String = (0..5_001).map(|n| format!("<outline xmlUrl='http://h{n}.example/'/>")).collect();
        assert!(matches!(import(&opml(&many)).await, Err(ImportError::TooMany { found: 5_001 })));
        let name = "長".repeat(300);
        import(&opml(&format!("<outline text='{name}'><outline text='{name}' xmlUrl='https://a.example/'/></outline>"))).await.unwrap();
        assert_eq!(count(&db, "select count(*) from folders where length(name) = 100").await, 1);
        assert_eq!(count(&db, "select count(*) from jobs where kind = 'import_feed' and lane = 'a.example'").await, 1);
    }
}
