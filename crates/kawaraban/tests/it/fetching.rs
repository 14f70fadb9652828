//! Several real workers on one database, some of them killed: no feed twice in its interval, no item twice.

use std::{
    collections::HashMap,
    net::Ipv4Addr,
    sync::{Arc, Mutex},
    time::Duration,
};

use nix::sys::signal::Signal::{SIGCONT, SIGKILL, SIGSTOP};
use store::{
    Clock, FeedId, UserId,
    feeds::{self, NewFeed},
    subscriptions, users,
};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, ok},
};

use uuid::Uuid;

use crate::process::{Program, until};

const FEEDS: usize = 40;
const ITEMS: usize = 10;
/// The maximum number of documents in one transaction.
const TOGETHER: usize = 30;
/// How often workers are killed.
const ROUNDS: u64 = 6;

/// A worker with short leases, so that feeds of killed workers are taken over soon.
pub fn worker(db: &TestDb) -> Program {
    Program::on(db)
        .with("FETCH_ALLOW_NETS", "127.0.0.0/8")
        .with("FETCH_HOST_GAP", "0")
        .with("FETCH_TIMEOUT", "1s")
        .with("JOB_LEASE", "1s")
        .with("HATEBU_ENABLED", "false")
}

/// An origin whose feeds grow by one item with each request, and the number of requests of each.
async fn growing_origin() -> (Origin, Arc<Mutex<HashMap<String, usize>>>) {
    let asked: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let counts = Arc::clone(&asked);
    let origin = Origin::serve_on(Ipv4Addr::LOCALHOST.into(), move |seen| {
        let mut counts = counts.lock().unwrap();
        let count = counts.entry(seen.target.clone()).or_insert(0);
        *count += 1;
        let item = |number: usize| format!("<item><guid>{}#{number}</guid><title>{number}</title></item>", seen.target);
        let items: String = (0..ITEMS + *count - 1).map(item).collect();
        ok(format!("<rss version=\"2.0\"><channel><title>T</title>{items}</channel></rss>"))
    })
    .await;
    (origin, asked)
}

/// Due feeds with two subscribers.
pub async fn add_feeds(db: &TestDb, origin: &Origin) {
    let now = Clock::system().now();
    let ann = users::create_unclaimed(db, "ann@example.org", "Ann", now).await.unwrap();
    let bob = users::create_unclaimed(db, "bob@example.org", "Bob", now).await.unwrap();
    for number in 0..FEEDS {
        let mut tx = db.begin().await.unwrap();
        let new = NewFeed {
            feed_url: origin.url(&format!("/{number}")),
            // Each on its own host.
            host: format!("host{number}"),
            site_url: None,
            title: "?".to_owned(),
            kind: "feed",
            next_fetch_at: now,
        };
        let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
        for user in [ann, bob] {
            subscriptions::create(&mut tx, user, feed, 1_000, now).await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    // As subscribing leaves it; otherwise icons would be fetched too.
    db.write("update feeds set favicon_checked_at = $1").bind(now).execute().await.unwrap();
}

async fn count(db: &TestDb, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

/// Every item exists once for every subscriber, and the counts are right.
async fn assert_exact(db: &TestDb) {
    let doubled = "select count(*) from (select feed_id, guid_or_id from items group by feed_id, guid_or_id having count(*) > 1) as doubled";
    assert_eq!(count(db, doubled).await, 0);
    let states = count(db, "select count(*) from item_states").await;
    assert_eq!(states, 2 * count(db, "select count(*) from items").await);
    let wrong: Vec<(UserId, i64)> = db
        .read(
            "select user_id, unread_count from subscriptions s where unread_count <> (
                select count(*) from item_states t where t.user_id = s.user_id and t.feed_id = s.feed_id and t.is_read = false)",
        )
        .all()
        .await
        .unwrap();
    assert_eq!(wrong, []);
    let arrived =
        "select count(*) from feeds f where items_added <> (select count(*) from items i where i.feed_id = f.id)";
    assert_eq!(count(db, arrived).await, 0);
}

pub async fn all_are_fetched(db: &TestDb) -> bool {
    count(db, "select count(*) from feeds where next_fetch_at <= refresh_asked_at or last_fetched_at is null or lease_token is not null or last_fetched_at < refresh_asked_at").await == 0
}

on_both_databases!(three_workers_fetch_each_feed_once);
async fn three_workers_fetch_each_feed_once(db: TestDb) {
    let (origin, asked) = growing_origin().await;
    add_feeds(&db, &origin).await;
    let mut workers = Vec::new();
    for _ in 0..3 {
        workers.push(worker(&db).start(&["worker"]).await);
    }
    until(async || all_are_fetched(&db).await).await;
    for worker in workers {
        assert_eq!(worker.stop().await, Some(0));
    }
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), FEEDS);
    assert!(asked.values().all(|times| *times == 1), "{asked:?}");
    assert_eq!(count(&db, "select count(*) from items").await, i64::try_from(FEEDS * ITEMS).unwrap());
    assert_exact(&db).await;
}

on_both_databases!(killed_workers_lose_and_duplicate_nothing);
async fn killed_workers_lose_and_duplicate_nothing(db: TestDb) {
    let (origin, asked) = growing_origin().await;
    add_feeds(&db, &origin).await;
    for round in 0..ROUNDS {
        let before = origin.seen().len();
        let workers = [(); 2].map(|()| worker(&db).start_without_waiting(&["worker"]));
        // Somewhere between the first request and the last outcome, a little later each round.
        until(async || origin.seen().len() > before).await;
        tokio::time::sleep(Duration::from_millis(7 * round)).await;
        for mut worker in workers {
            worker.signal(SIGKILL);
            worker.code().await;
        }
        assert_exact(&db).await;
        feeds::ask_refresh_all(&db, Clock::system().now()).await.unwrap();
    }
    let last = worker(&db).start(&["worker"]).await;
    until(async || all_are_fetched(&db).await).await;
    assert_eq!(last.stop().await, Some(0));
    assert_exact(&db).await;
    // The last document of each feed is stored.
    let served: usize = asked.lock().unwrap().values().map(|times| ITEMS + times - 1).sum();
    assert_eq!(count(&db, "select count(*) from items").await, i64::try_from(served).unwrap());
}

on_both_databases!(stopped_worker_releases_its_feeds);
async fn stopped_worker_releases_its_feeds(db: TestDb) {
    // Never answers.
    let origin = Origin::raw(|stream| async move {
        let _open = stream;
        std::future::pending::<()>().await;
    })
    .await;
    add_feeds(&db, &origin).await;
    let running = worker(&db).with("FETCH_TIMEOUT", "1h").start(&["worker"]).await;
    origin.until(|now| now.open > 0).await;
    assert_eq!(running.stop().await, Some(0));
    assert_eq!(count(&db, "select count(*) from feeds where lease_token is not null").await, 0);
    // Its clock follows the server's, which differs slightly from ours. Its leases would end in hours.
    let soon = Clock::system().now() + chrono::TimeDelta::minutes(1);
    let due: i64 = db.read("select count(*) from feeds where next_fetch_at <= $1").bind(soon).scalar().await.unwrap();
    assert_eq!(due, i64::try_from(FEEDS).unwrap(), "due at once for another worker");
}

/// The feeds that have been fetched, in order.
async fn fetched(db: &TestDb) -> Vec<FeedId> {
    let fetched = "select id from feeds where last_fetched_at is not null order by id";
    let ids: Vec<(FeedId,)> = db.read(fetched).all().await.unwrap();
    ids.into_iter().map(|(feed,)| feed).collect()
}

/// The lock lasts as long as the test wants, unlike one of a stopped worker, whose session the server ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_but_locked_feeds_are_fetched() {
    let db = TestDb::postgres().await;
    let (origin, _) = growing_origin().await;
    add_feeds(&db, &origin).await;
    let mut holder = db.begin().await.unwrap();
    holder.query("set local idle_in_transaction_session_timeout = 0").execute().await.unwrap();
    // The first to be claimed.
    let lock = "select id from feeds order by next_fetch_at, id limit 10 for update";
    let locked: Vec<(FeedId,)> = holder.query(lock).all().await.unwrap();
    let others =
        "select id from feeds where id not in (select id from feeds order by next_fetch_at, id limit 10) order by id";
    let others: Vec<(FeedId,)> = db.read(others).all().await.unwrap();
    let others: Vec<FeedId> = others.into_iter().map(|(feed,)| feed).collect();
    assert_eq!((locked.len(), others.len()), (10, FEEDS - 10));

    let running = worker(&db).start(&["worker"]).await;
    until(async || fetched(&db).await == others).await;
    holder.query("select 1").execute().await.expect("the locks were held until now");
    holder.rollback().await.unwrap();
    until(async || all_are_fetched(&db).await).await;
    assert_eq!(running.stop().await, Some(0));
    assert_exact(&db).await;
}

/// A worker stops inside the transaction that stores a document. The others fetch everything else meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worker_stopped_in_a_transaction_blocks_no_other() {
    let db = TestDb::postgres().await;
    let (origin, _) = growing_origin().await;
    add_feeds(&db, &origin).await;
    // The worker updates the feed and then waits for this count, while it holds the feed's row.
    let (feed,): (FeedId,) = db.read("select id from feeds order by id limit 1").one().await.unwrap();
    let mut holder = db.begin().await.unwrap();
    holder
        .query("select id from subscriptions where feed_id = $1 for update")
        .bind(feed)
        .all::<(Uuid,)>()
        .await
        .unwrap();
    let stopped = worker(&db).start(&["worker"]).await;
    let waiting =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    until(async || count(&db, waiting).await > 0).await;
    stopped.signal(SIGSTOP);
    // The transaction of the stopped worker gets the row.
    holder.rollback().await.unwrap();
    let holds_the_row = "select count(*) from pg_stat_activity where datname = current_database()
        and state like 'idle in transaction%'";
    until(async || count(&db, holds_the_row).await > 0).await;
    let mut tx = db.begin().await.unwrap();
    let free: Vec<(FeedId,)> = tx.query("select id from feeds for update skip locked").all().await.unwrap();
    tx.rollback().await.unwrap();
    assert!((FEEDS - TOGETHER..FEEDS).contains(&free.len()), "{} feeds are free", free.len());

    let healthy = worker(&db).start(&["worker"]).await;
    // Its leases lapse. All feeds are due, and those that it has not locked are fetched.
    until(async || {
        let fetched = fetched(&db).await;
        free.iter().all(|(feed,)| fetched.contains(feed))
    })
    .await;
    feeds::ask_refresh_all(&db, Clock::system().now()).await.unwrap();
    let behind = "select count(*) from feeds where refresh_asked_at is not null and last_fetched_at < refresh_asked_at";
    until(async || count(&db, behind).await == 0).await;

    stopped.signal(SIGCONT);
    until(async || all_are_fetched(&db).await).await;
    assert_exact(&db).await;
    assert_eq!(healthy.stop().await, Some(0));
    assert_eq!(stopped.stop().await, Some(0));
    assert_exact(&db).await;
}
