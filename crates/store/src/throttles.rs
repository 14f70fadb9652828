//! The table `throttles`: token buckets, shared by all processes.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Db, Result};

/// The size of a bucket and its refill rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// The capacity.
    pub tokens: u32,
    /// The time in which an empty bucket refills.
    pub fills_in: TimeDelta,
}

impl Bucket {
    /// The microseconds in which one token refills.
    fn step(self) -> i64 {
        self.span() / i64::from(self.tokens.max(1))
    }

    fn span(self) -> i64 {
        self.fills_in.num_microseconds().unwrap_or(i64::MAX / 4)
    }
}

/// Takes a token, or returns how long to wait for one. Concurrent calls never get more tokens than the bucket has.
pub async fn claim(
    db: &Db,
    key: &str,
    bucket: Bucket,
    now: DateTime<Utc>,
) -> Result<std::result::Result<(), TimeDelta>> {
    let at = now.timestamp_micros();
    let claimed = db
        .write(
            "insert into throttles (key, full_at) values ($1, $2 + $3)
             on conflict (key) do update
                set full_at = case when throttles.full_at < $2 then $2 else throttles.full_at end + $3
                where throttles.full_at <= $2 + $4 - $3
             returning full_at",
        )
        .bind(key.to_owned())
        .bind(at)
        .bind(bucket.step())
        .bind(bucket.span())
        .optional::<(i64,)>()
        .await?;
    if claimed.is_some() {
        return Ok(Ok(()));
    }
    // After the clock was set back, the wait is capped at the time of an empty bucket.
    let full_at: Option<(i64,)> = db
        .write(
            "update throttles set full_at = case when full_at > $2 + $3 then $2 + $3 else full_at end where key = $1
             returning full_at",
        )
        .bind(key.to_owned())
        .bind(at)
        .bind(bucket.span())
        .optional()
        .await?;
    let full_at = full_at.map_or(at, |(full_at,)| full_at);
    Ok(Err(TimeDelta::microseconds((full_at + bucket.step() - bucket.span() - at).max(1))))
}

/// Returns a token to its bucket.
pub async fn release(db: &Db, key: &str, bucket: Bucket) -> Result<()> {
    db.write("update throttles set full_at = full_at - $2 where key = $1")
        .bind(key.to_owned())
        .bind(bucket.step())
        .execute()
        .await
        .map(drop)
}

/// Deletes at most `limit` full buckets. Returns how many.
pub async fn prune(db: &Db, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write(
        "delete from throttles where full_at <= $1
            and key in (select t.key from throttles t where t.full_at <= $1 order by t.full_at limit $2)",
    )
    .bind(now.timestamp_micros())
    .bind(limit)
    .execute()
    .await
}
