//! Buckets of attempts: no more tokens than there are, however many ask at once.

use chrono::TimeDelta;
use store::{
    Db,
    throttles::{self, Bucket},
};
use testkit::{TestDb, on_both_databases};

use crate::jobs::start;

const TEN: Bucket = Bucket { tokens: 10, fills_in: TimeDelta::minutes(1) };

/// The seconds to wait, at so many seconds after the start.
async fn take(db: &Db, key: &str, seconds: i64) -> Option<i64> {
    let taken = throttles::take(db, key, TEN, start() + TimeDelta::seconds(seconds)).await.unwrap();
    taken.err().map(|wait| wait.num_seconds())
}

on_both_databases!(a_bucket_empties_and_fills_evenly);
async fn a_bucket_empties_and_fills_evenly(db: TestDb) {
    for at in 0..10 {
        assert_eq!(take(&db, "a", 0).await, None, "token {at}");
    }
    assert_eq!(take(&db, "a", 0).await, Some(6));
    assert_eq!(take(&db, "a", 4).await, Some(2), "a refusal costs nothing");
    assert_eq!(take(&db, "b", 4).await, None, "another bucket is full");
    assert_eq!(take(&db, "a", 6).await, None, "one token in six seconds");
    assert_eq!(take(&db, "a", 6).await, Some(6));
    for _ in 0..10 {
        assert_eq!(take(&db, "a", 600).await, None, "it never holds more than it holds");
    }
    assert_eq!(take(&db, "a", 600).await, Some(6));
}

on_both_databases!(a_token_is_given_back);
async fn a_token_is_given_back(db: TestDb) {
    for _ in 0..30 {
        assert_eq!(take(&db, "a", 0).await, None);
        throttles::give_back(&db, "a", TEN).await.unwrap();
    }
    throttles::give_back(&db, "nobody's", TEN).await.unwrap();
    for _ in 0..10 {
        assert_eq!(take(&db, "a", 0).await, None);
    }
    assert_eq!(take(&db, "a", 0).await, Some(6), "what was given back too often is not more than full");
}

on_both_databases!(a_clock_set_back_costs_a_minute_at_the_most);
async fn a_clock_set_back_costs_a_minute_at_the_most(db: TestDb) {
    for _ in 0..10 {
        assert_eq!(take(&db, "a", 86_400).await, None);
    }
    assert_eq!(take(&db, "a", 0).await, Some(6));
    assert_eq!(take(&db, "a", 6).await, None);
}

on_both_databases!(of_many_at_once_no_more_get_one_than_there_are);
async fn of_many_at_once_no_more_get_one_than_there_are(db: TestDb) {
    let attempts: Vec<_> = (0..40)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move { take(&db, "a", 0).await.is_none() })
        })
        .collect();
    let mut got = 0;
    for attempt in attempts {
        got += i32::from(attempt.await.unwrap());
    }
    assert_eq!(got, 10);
}

on_both_databases!(full_buckets_are_forgotten_in_chunks);
async fn full_buckets_are_forgotten_in_chunks(db: TestDb) {
    for key in ["a", "b", "c"] {
        take(&db, key, 0).await;
    }
    take(&db, "later", 30).await;
    let now = start() + TimeDelta::seconds(6);
    assert_eq!(throttles::prune(&db, now, 2).await.unwrap(), 2);
    assert_eq!(throttles::prune(&db, now, 2).await.unwrap(), 1);
    let left: i64 = db.read("select count(*) from throttles").scalar().await.unwrap();
    assert_eq!(left, 1);
}
