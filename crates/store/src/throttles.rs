//! The table `throttles`: buckets of attempts that fill evenly, shared by all processes.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Db, Result};

/// How large a bucket is, and how fast it fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// How many tokens it has when it is full.
    pub tokens: u32,
    /// How long an empty one takes to fill.
    pub fills_in: TimeDelta,
}

impl Bucket {
    /// What one token takes to come back, in microseconds.
    fn step(self) -> i64 {
        self.span() / i64::from(self.tokens.max(1))
    }

    fn span(self) -> i64 {
        self.fills_in.num_microseconds().unwrap_or(i64::MAX / 4)
    }
}

/// Takes a token in one statement, so that of many at once no more get one than there are; how long to wait if none is left.
pub async fn take(
    db: &Db,
    key: &str,
    bucket: Bucket,
    now: DateTime<Utc>,
) -> Result<std::result::Result<(), TimeDelta>> {
    let at = now.timestamp_micros();
    let taken = db
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
    if taken.is_some() {
        return Ok(Ok(()));
    }
    // A clock that was set back must not shut anybody out for longer than an empty bucket takes.
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

/// Gives a token back.
pub async fn give_back(db: &Db, key: &str, bucket: Bucket) -> Result<()> {
    db.write("update throttles set full_at = full_at - $2 where key = $1")
        .bind(key.to_owned())
        .bind(bucket.step())
        .execute()
        .await
        .map(drop)
}

/// Forgets buckets that are full, so many at the most; tells how many.
pub async fn prune(db: &Db, now: DateTime<Utc>, most: i64) -> Result<u64> {
    db.write(
        "delete from throttles where full_at <= $1
            and key in (select t.key from throttles t where t.full_at <= $1 order by t.full_at limit $2)",
    )
    .bind(now.timestamp_micros())
    .bind(most)
    .execute()
    .await
}
