//! `refresh`: makes feeds due from the command line.

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Clock, Db, FeedId, UserId,
    feeds::{self, NewFeed},
    subscriptions, users,
};
use testkit::{TestDb, on_both_databases, origin, origin::Origin};

use crate::process::{Program, until};

/// Feeds are made due in several steps.
const MANY: i64 = 1_100;

/// A feed that will be fetched tomorrow.
fn new_feed(url: &str, now: DateTime<Utc>) -> NewFeed {
    NewFeed {
        feed_url: url.to_owned(),
        host: "site.test".to_owned(),
        site_url: None,
        title: "Feed".to_owned(),
        kind: "feed",
        next_fetch_at: now + TimeDelta::days(1),
    }
}

async fn add_feed(db: &Db, user: UserId, url: &str) -> FeedId {
    let now = Clock::system().now();
    let new = new_feed(url, now);
    let mut tx = db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    subscriptions::create(&mut tx, user, feed, 100, now).await.unwrap();
    tx.commit().await.unwrap();
    feed
}

async fn add_user(db: &Db) -> UserId {
    users::create_unclaimed(db, "reader@example.org", "Reader", Clock::system().now()).await.unwrap()
}

async fn due_at(db: &Db, feed: FeedId) -> DateTime<Utc> {
    feeds::get(db, feed).await.unwrap().unwrap().next_fetch_at
}

async fn set(db: &Db, sql: &'static str, feed: FeedId) {
    assert_eq!(db.write(sql).bind(feed).execute().await.unwrap(), 1);
}

on_both_databases!(one_feed_becomes_due);
async fn one_feed_becomes_due(db: TestDb) {
    let user = add_user(&db).await;
    let wanted = add_feed(&db, user, "https://site.test/wanted").await;
    let other = add_feed(&db, user, "https://site.test/other").await;
    set(&db, "update feeds set fetch_status = 'error', consecutive_errors = 9 where id = $1", wanted).await;
    let program = Program::on(&db);
    let finished = program.run(&["refresh", "site.test/wanted"]).await.expect_code(0);
    assert_eq!(finished.stdout, "https://site.test/wanted is due now\n");
    let now = Clock::system().now();
    assert!(due_at(&db, wanted).await <= now + TimeDelta::seconds(5), "whatever its back-off");
    assert!(due_at(&db, other).await > now + TimeDelta::hours(20));
}

on_both_databases!(all_but_stopped_and_resting_feeds_become_due);
async fn all_but_stopped_and_resting_feeds_become_due(db: TestDb) {
    let user = add_user(&db).await;
    let program = Program::on(&db);
    let nothing = program.run(&["refresh", "--all"]).await.expect_code(0).stdout;
    assert_eq!(nothing, "no feed to refresh\n");
    let feeds = [
        add_feed(&db, user, "https://site.test/1").await,
        add_feed(&db, user, "https://site.test/2").await,
        add_feed(&db, user, "https://site.test/stopped").await,
        add_feed(&db, user, "https://site.test/resting").await,
    ];
    set(&db, "update feeds set fetch_status = 'stopped', error_code = 'gone' where id = $1", feeds[2]).await;
    set(&db, "update feeds set rested_at = created_at where id = $1", feeds[3]).await;
    let all = program.run(&["refresh", "--all"]).await.expect_code(0).stdout;
    assert_eq!(all, "2 feeds are due now\n1 feed is stopped; it is not fetched until a subscriber resumes it\n");
    let soon = Clock::system().now() + TimeDelta::seconds(5);
    for (feed, is_due) in feeds.into_iter().zip([true, true, false, false]) {
        assert_eq!(due_at(&db, feed).await <= soon, is_due);
    }
}

on_both_databases!(many_feeds_become_due);
async fn many_feeds_become_due(db: TestDb) {
    let (user, now) = (add_user(&db).await, Clock::system().now());
    let mut tx = db.begin().await.unwrap();
    for number in 0..MANY {
        let new = new_feed(&format!("https://site.test/{number}"), now);
        let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
        subscriptions::create(&mut tx, user, feed, MANY, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    let all = Program::on(&db).run(&["refresh", "--all"]).await.expect_code(0).stdout;
    assert_eq!(all, format!("{MANY} feeds are due now\n"));
    let due = db.read("select count(*) from feeds where next_fetch_at <= $1").bind(now + TimeDelta::minutes(5));
    assert_eq!(due.scalar::<i64>().await.unwrap(), MANY);
}

#[tokio::test]
async fn locked_feed_is_skipped_and_reported() {
    let db = TestDb::postgres().await;
    let user = add_user(&db).await;
    let locked = add_feed(&db, user, "https://site.test/locked").await;
    let other = add_feed(&db, user, "https://site.test/other").await;
    let mut holder = db.begin().await.unwrap();
    holder.query("set local idle_in_transaction_session_timeout = 0").execute().await.unwrap();
    assert!(feeds::lock(&mut holder, locked).await.unwrap());
    let all = Program::on(&db).run(&["refresh", "--all"]).await.expect_code(0).stdout;
    assert_eq!(all, "1 feed is due now\n1 feed is being changed by another process and was skipped\n");
    holder.rollback().await.unwrap();
    let soon = Clock::system().now() + TimeDelta::seconds(5);
    assert!(due_at(&db, locked).await > soon && due_at(&db, other).await <= soon);
}

on_both_databases!(unrefreshable_feed_is_an_error);
async fn unrefreshable_feed_is_an_error(db: TestDb) {
    let user = add_user(&db).await;
    let stopped = add_feed(&db, user, "https://site.test/stopped").await;
    set(&db, "update feeds set fetch_status = 'stopped', error_code = 'gone' where id = $1", stopped).await;
    let resting = add_feed(&db, user, "https://site.test/resting").await;
    set(&db, "update feeds set rested_at = created_at where id = $1", resting).await;
    let program = Program::on(&db);
    for (argument, words) in [
        (
            "https://site.test/stopped",
            "https://site.test/stopped is stopped (gone): a subscriber has to resume it first",
        ),
        ("https://site.test/resting", "https://site.test/resting has no subscriber"),
        ("https://site.test/unknown", "there is no feed with the address https://site.test/unknown"),
        ("ftp://site.test/", "`ftp:` addresses are not supported"),
    ] {
        let finished = program.run(&["refresh", argument]).await.expect_code(1);
        assert!(finished.stderr.contains(words), "{argument}: {finished:?}");
    }
}

on_both_databases!(running_server_fetches_one_feed);
async fn running_server_fetches_one_feed(db: TestDb) {
    let origin = Origin::serve(|_| {
            origin::ok("<rss version=\"2.0\"><channel><title>News</title><item><guid>1</guid><title>One</title></item></channel></rss>")
        })
        .await;
    let user = add_user(&db).await;
    let feed = add_feed(&db, user, &origin.url("/feed")).await;
    let program = Program::on(&db).with("FETCH_ALLOW_NETS", "127.0.0.0/8").with("HATEBU_ENABLED", "false");
    let running = program.start(&["serve"]).await;
    assert!(origin.seen().is_empty(), "it is not due until tomorrow");
    program.run(&["refresh", &origin.url("/feed")]).await.expect_code(0);
    until(async || feeds::get(&db, feed).await.unwrap().unwrap().title == "News").await;
    assert_eq!(origin.seen().len(), 1);
    assert_eq!(running.stop().await, Some(0));
}

on_both_databases!(running_server_fetches_all_feeds);
async fn running_server_fetches_all_feeds(db: TestDb) {
    let user = add_user(&db).await;
    let mut origins = Vec::new();
    for n in 2..32_u8 {
        let origin = Origin::serve_on([127, 0, 0, n].into(), |seen| {
            origin::ok(format!(
                "<rss version='2.0'><channel><title>News of {}</title><item/></channel></rss>",
                seen.target
            ))
        });
        let origin = origin.await;
        add_feed(&db, user, &origin.url("/feed")).await;
        origins.push(origin);
    }
    db.write("update feeds set host = feed_url").execute().await.unwrap();
    let program = Program::on(&db).with("FETCH_ALLOW_NETS", "127.0.0.0/8").with("HATEBU_ENABLED", "false");
    let running = program.start(&["serve"]).await;
    assert!(origins.iter().all(|origin| origin.seen().is_empty()), "they are not due until tomorrow");
    program.run(&["refresh", "--all"]).await.expect_code(0);
    let fetched = "select count(*) from feeds where title = 'News of /feed'";
    until(async || db.read(fetched).scalar::<i64>().await.unwrap() == 30).await;
    assert_eq!(running.stop().await, Some(0));
}

#[tokio::test]
async fn refresh_needs_an_argument() {
    for arguments in [&["refresh"][..], &["refresh", "--all", "https://site.test/"]] {
        Program::new().run(arguments).await.expect_code(2);
    }
}
