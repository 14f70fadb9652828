//! Token buckets, also under concurrent claims.

use chrono::TimeDelta;
use store::{
    Db,
    throttles::{self, Bucket},
};
use testkit::{TestDb, on_both_databases};

use crate::jobs::start;

const TEN: Bucket = Bucket { tokens: 10, fills_in: TimeDelta::minutes(1) };

/// Claims a token at `seconds` after the start. Returns the seconds to wait.
async fn claim(db: &Db, key: &str, seconds: i64) -> Option<i64> {
    let taken = throttles::claim(db, key, TEN, start() + TimeDelta::seconds(seconds)).await.unwrap();
    taken.err().map(|wait| wait.num_seconds())
}

on_both_databases!(bucket_empties_and_refills);
async fn bucket_empties_and_refills(db: TestDb) {
    for at in 0..10 {
        assert_eq!(claim(&db, "a", 0).await, None, "token {at}");
    }
    assert_eq!(claim(&db, "a", 0).await, Some(6));
    assert_eq!(claim(&db, "a", 4).await, Some(2), "a refused claim costs nothing");
    assert_eq!(claim(&db, "b", 4).await, None, "another bucket is full");
    assert_eq!(claim(&db, "a", 6).await, None, "one token in six seconds");
    assert_eq!(claim(&db, "a", 6).await, Some(6));
    for _ in 0..10 {
        assert_eq!(claim(&db, "a", 600).await, None, "a bucket never exceeds its capacity");
    }
    assert_eq!(claim(&db, "a", 600).await, Some(6));
}

on_both_databases!(released_token_is_available_again);
async fn released_token_is_available_again(db: TestDb) {
    for _ in 0..30 {
        assert_eq!(claim(&db, "a", 0).await, None);
        throttles::release(&db, "a", TEN).await.unwrap();
    }
    throttles::release(&db, "unused", TEN).await.unwrap();
    for _ in 0..10 {
        assert_eq!(claim(&db, "a", 0).await, None);
    }
    assert_eq!(claim(&db, "a", 0).await, Some(6), "too many releases do not exceed the capacity");
}

on_both_databases!(clock_set_back_caps_the_wait);
async fn clock_set_back_caps_the_wait(db: TestDb) {
    for _ in 0..10 {
        assert_eq!(claim(&db, "a", 86_400).await, None);
    }
    assert_eq!(claim(&db, "a", 0).await, Some(6));
    assert_eq!(claim(&db, "a", 6).await, None);
}

on_both_databases!(concurrent_claims_never_exceed_the_bucket);
async fn concurrent_claims_never_exceed_the_bucket(db: TestDb) {
    let attempts: Vec<_> = (0..40)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move { claim(&db, "a", 0).await.is_none() })
        })
        .collect();
    let mut got = 0;
    for attempt in attempts {
        got += i32::from(attempt.await.unwrap());
    }
    assert_eq!(got, 10);
}

on_both_databases!(full_buckets_are_pruned_in_chunks);
async fn full_buckets_are_pruned_in_chunks(db: TestDb) {
    for key in ["a", "b", "c"] {
        claim(&db, key, 0).await;
    }
    claim(&db, "later", 30).await;
    let now = start() + TimeDelta::seconds(6);
    assert_eq!(throttles::prune(&db, now, 2).await.unwrap(), 2);
    assert_eq!(throttles::prune(&db, now, 2).await.unwrap(), 1);
    let left: i64 = db.read("select count(*) from throttles").scalar().await.unwrap();
    assert_eq!(left, 1);
}
