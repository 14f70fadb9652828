//! `Db::transact` commits, rolls back, and retries when another transaction won.

use std::sync::atomic::{AtomicU32, Ordering};

use store::{Db, Error, FeedId, Topic, Tx, feeds, jobs};
use testkit::{TestDb, on_both_databases};

use crate::{
    jobs::{new_job, start},
    locked_rows::due_feeds,
};

async fn enqueue(tx: &mut Tx, kind: &str) -> store::Result<()> {
    jobs::enqueue(tx, start(), &new_job(kind)).await.map(drop)
}

async fn count_jobs(db: &Db) -> i64 {
    db.read("select count(*) from jobs").scalar().await.unwrap()
}

on_both_databases!(an_error_rolls_back_and_announces_nothing);
async fn an_error_rolls_back_and_announces_nothing(db: TestDb) {
    let mut heard = db.signals().subscribe(Topic::Jobs);
    let failed: Result<(), Error> = db
        .transact(async |tx| {
            enqueue(tx, "undone").await?;
            Err(Error::NotFound)
        })
        .await;
    assert!(matches!(failed, Err(Error::NotFound)));
    assert_eq!(count_jobs(&db).await, 0);
    assert!(!heard.has_changed().unwrap());
    db.transact(async |tx| enqueue(tx, "done").await).await.unwrap();
    assert_eq!(count_jobs(&db).await, 1);
    heard.changed().await.unwrap();
}

on_both_databases!(closure_can_ask_to_run_again);
async fn closure_can_ask_to_run_again(db: TestDb) {
    let (attempts, heard) = (AtomicU32::new(0), db.signals().subscribe(Topic::Feeds));
    let attempt = db.transact(async |tx| {
        let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
        enqueue(tx, "again").await?;
        if attempt < 3 {
            tx.announce(Topic::Feeds);
            return Err(tx.retry_with(Error::NotFound));
        }
        Ok(attempt)
    });
    assert_eq!(attempt.await.unwrap(), 3);
    assert_eq!(count_jobs(&db).await, 1, "only the last attempt is committed");
    assert!(!heard.has_changed().unwrap(), "signals of lost attempts are dropped");
}

on_both_databases!(attempts_are_limited);
async fn attempts_are_limited(db: TestDb) {
    let attempts = AtomicU32::new(0);
    let failed: Result<(), Error> = db
        .transact(async |tx| {
            attempts.fetch_add(1, Ordering::Relaxed);
            Err(tx.retry_with(Error::NotFound))
        })
        .await;
    assert!(matches!(failed, Err(Error::NotFound)), "the caller gets the error of the last attempt");
    assert_eq!(attempts.into_inner(), 10);
}

/// Locks two feeds in the given order. `attempts` counts the attempts.
async fn lock_in_order(db: &Db, order: [FeedId; 2], attempts: &AtomicU32) -> store::Result<()> {
    db.transact(async |tx| {
        attempts.fetch_add(1, Ordering::Relaxed);
        feeds::lock(tx, order[0]).await?;
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        feeds::lock(tx, order[1]).await.map(drop)
    })
    .await
}

#[tokio::test]
async fn deadlock_is_retried() {
    let db = TestDb::postgres().await;
    let feeds = due_feeds(&db, 2).await;
    let attempts = AtomicU32::new(0);
    let (one, other) = tokio::join!(
        lock_in_order(&db, [feeds[0], feeds[1]], &attempts),
        lock_in_order(&db, [feeds[1], feeds[0]], &attempts),
    );
    one.unwrap();
    other.unwrap();
    assert!(attempts.into_inner() > 2, "one of them lost");
}

#[tokio::test]
async fn lock_timeout_is_not_retried() {
    let db = TestDb::postgres().await;
    let feeds = due_feeds(&db, 1).await;
    let mut holder = db.begin().await.unwrap();
    feeds::lock(&mut holder, feeds[0]).await.unwrap();
    let attempts = AtomicU32::new(0);
    let locked = db.transact(async |tx| {
        attempts.fetch_add(1, Ordering::Relaxed);
        tx.query("set local lock_timeout = '50ms'").execute().await?;
        feeds::lock(tx, feeds[0]).await
    });
    assert!(matches!(locked.await, Err(Error::Locked(_))));
    assert_eq!(attempts.into_inner(), 1);
    holder.rollback().await.unwrap();
}
