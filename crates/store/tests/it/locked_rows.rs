//! A process that stops inside a transaction, or many writers that wait for one row, do not block other work.

use std::time::Duration;

use chrono::TimeDelta;
use store::{
    Db, Error, FeedId, LeaseToken, Topic, Tx,
    feeds::{self, Claim, Claimed, FetchRecord, NewFeed},
    subscriptions, users,
};
use testkit::TestDb;

use crate::jobs::start;

/// Due feeds with a subscriber, each on its own host.
pub async fn due_feeds(db: &Db, count: usize) -> Vec<FeedId> {
    let user = users::create_unclaimed(db, "ann@example.org", "Ann", start()).await.unwrap();
    let mut ids = Vec::new();
    for number in 0..count {
        let mut tx = db.begin().await.unwrap();
        let new = NewFeed {
            feed_url: format!("https://host{number}.example/feed"),
            host: format!("host{number}.example"),
            site_url: None,
            title: "?".to_owned(),
            kind: "feed",
            next_fetch_at: start(),
        };
        let (feed, _) = feeds::add(&mut tx, &new, start()).await.unwrap();
        subscriptions::create(&mut tx, user, feed, 1_000, start()).await.unwrap();
        tx.commit().await.unwrap();
        ids.push(feed);
    }
    ids
}

pub fn claim_of(most: i64) -> Claim {
    let lease_until = start() + TimeDelta::minutes(5);
    Claim { now: start(), lease_until, token: LeaseToken::new(), most, per_host: 2, kinds: vec!["feed".to_owned()] }
}

/// A transaction that locks these feeds' rows, as one of a stopped process would.
async fn lock_rows(db: &Db, feeds: &[FeedId]) -> Tx {
    let mut tx = db.begin().await.unwrap();
    for feed in feeds {
        assert!(feeds::lock(&mut tx, *feed).await.unwrap());
    }
    tx
}

fn record_of(feed: &Claimed, token: LeaseToken) -> FetchRecord {
    let (now, next_fetch_at) = (start() + TimeDelta::seconds(1), start() + TimeDelta::hours(1));
    FetchRecord { has_document: true, ..FetchRecord::of(feed, token, start(), now, next_fetch_at) }
}

#[tokio::test]
async fn claim_skips_locked_feeds() {
    let db = TestDb::postgres().await;
    let ids = due_feeds(&db, 5).await;
    let stopped = lock_rows(&db, &ids[..2]).await;
    // The two locked feeds are due first; a claim for two must skip them.
    let claimed = feeds::claim(&db, &claim_of(2)).await.unwrap();
    assert_eq!(claimed.iter().map(|feed| feed.id).collect::<Vec<_>>(), ids[2..4]);
    let rest = feeds::claim(&db, &claim_of(10)).await.unwrap();
    assert_eq!(rest.iter().map(|feed| feed.id).collect::<Vec<_>>(), ids[4..]);
    stopped.rollback().await.unwrap();
    assert_eq!(feeds::claim(&db, &claim_of(10)).await.unwrap().len(), 2, "free again");
}

#[tokio::test]
async fn outcomes_do_not_wait_for_a_locked_feed() {
    let db = TestDb::postgres().await;
    let ids = due_feeds(&db, 3).await;
    let claim = claim_of(10);
    let claimed = feeds::claim(&db, &claim).await.unwrap();
    let claimed = |id| claimed.iter().find(|feed| feed.id == id).unwrap();
    let other = claim_of(10).token;
    let records = [(ids[0], claim.token), (ids[1], claim.token), (ids[2], other)];
    let records = records.map(|(id, token)| record_of(claimed(id), token));
    let stopped = lock_rows(&db, &ids[..1]).await;
    let mut tx = db.begin().await.unwrap();
    let marked = feeds::mark_fetched(&mut tx, &records).await.unwrap();
    assert_eq!((marked.held, marked.locked), ([ids[1]].into(), [ids[0]].into()), "the third has another lease");
    tx.commit().await.unwrap();
    stopped.rollback().await.unwrap();
}

#[tokio::test]
async fn refresh_of_all_skips_locked_feeds() {
    let db = TestDb::postgres().await;
    let ids = due_feeds(&db, 4).await;
    let stopped = lock_rows(&db, &ids[1..2]).await;
    let (asked, skipped) = feeds::ask_refresh_all(&db, start()).await.unwrap();
    assert_eq!((asked, skipped), (3, vec![ids[1]]));
    stopped.rollback().await.unwrap();
    assert!(feeds::ask_refresh_of(&db, &[ids[1]], start()).await.unwrap().is_empty());
}

#[tokio::test]
async fn connections_have_time_outs() {
    let db = TestDb::postgres().await;
    for (setting, value) in [
        ("statement_timeout", "30s"),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "15s"),
        ("client_connection_check_interval", "500ms"),
        ("tcp_keepalives_idle", "30"),
        ("tcp_keepalives_interval", "10"),
        ("tcp_keepalives_count", "3"),
    ] {
        let set: String = db.read("select current_setting($1)").bind(setting.to_owned()).scalar().await.unwrap();
        assert_eq!(set, value, "{setting}");
    }
    let ids = due_feeds(&db, 1).await;
    let holder = lock_rows(&db, &ids).await;
    let mut tx = db.begin().await.unwrap();
    tx.query("set local lock_timeout = '50ms'").execute().await.unwrap();
    assert!(matches!(feeds::lock(&mut tx, ids[0]).await, Err(Error::Locked(_))));
    holder.rollback().await.unwrap();
}

async fn wait_for<T>(mut condition: impl AsyncFnMut() -> Option<T>) -> T {
    let held = async {
        loop {
            if let Some(value) = condition().await {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), held).await.expect("the condition in time")
}

/// The process ids of this database's sessions: all of them, or only those that wait for a lock.
async fn sessions(db: &Db, only_waiting: bool) -> Vec<i32> {
    let sessions = "select pid from pg_stat_activity
        where datname = current_database() and (not $1 or wait_event_type = 'Lock')";
    let pids: Vec<(i32,)> = db.read(sessions).bind(only_waiting).all().await.unwrap();
    pids.into_iter().map(|(pid,)| pid).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_writers_leave_connections_for_reads() {
    let test = TestDb::postgres().await;
    let ids = due_feeds(&test, 1).await;
    let holder = lock_rows(&test, &ids).await;
    // As many connections as by default.
    let db = Db::open(&test.url().parse().unwrap(), 10).await.unwrap();
    let waiters: Vec<_> = (0..12)
        .map(|number| {
            let (db, feed) = (db.clone(), ids[0]);
            tokio::spawn(async move {
                if number % 2 == 0 {
                    let mut tx = db.begin().await.unwrap();
                    let _ = feeds::lock(&mut tx, feed).await;
                } else {
                    let _ = db.write("update feeds set title = '!' where id = $1").bind(feed).execute().await;
                }
            })
        })
        .collect();
    wait_for(async || (sessions(&test, true).await.len() >= 7).then_some(())).await;
    // Twice, so that a connection that happens to be free does not decide the result.
    for _ in 0..2 {
        db.check().await.unwrap();
        feeds::get(&db, ids[0]).await.unwrap().unwrap();
    }
    assert!(waiters.iter().all(|waiter| !waiter.is_finished()), "they were still waiting");
    holder.rollback().await.unwrap();
    for waiter in waiters {
        waiter.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_of_a_dropped_future_is_cancelled() {
    let db = TestDb::postgres().await;
    let ids = due_feeds(&db, 1).await;
    let holder = lock_rows(&db, &ids).await;
    let (other, feed) = (db.db(), ids[0]);
    let waiter = tokio::spawn(async move {
        let mut tx = other.begin().await.unwrap();
        // Without time-outs, only the cancellation can end the wait.
        tx.query("set local lock_timeout = 0").execute().await.unwrap();
        tx.query("set local statement_timeout = 0").execute().await.unwrap();
        feeds::lock(&mut tx, feed).await
    });
    let pid = wait_for(async || sessions(&db, true).await.pop()).await;
    waiter.abort();
    assert!(waiter.await.unwrap_err().is_cancelled());
    wait_for(async || (!sessions(&db, false).await.contains(&pid)).then_some(())).await;
    holder.rollback().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    assert!(feeds::lock(&mut tx, feed).await.unwrap(), "the pool still works");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_wakes_this_one_on_sqlite() {
    let db = TestDb::sqlite().await;
    let other = Db::open(&db.url().parse().unwrap(), 1).await.unwrap();
    let ids = due_feeds(&other, 1).await;
    let listening = db.db();
    let listener = tokio::spawn(async move { listening.listen().await });
    let mut woken = db.signals().subscribe(Topic::Feeds);
    // The listener may start after a write, so write until it is woken.
    let mut writes = 0;
    wait_for(async || {
        feeds::ask_refresh_of(&other, &ids, start() + TimeDelta::seconds(writes)).await.unwrap();
        writes += 1;
        woken.has_changed().unwrap().then_some(())
    })
    .await;
    listener.abort();
    let _ = woken.borrow_and_update();
}
