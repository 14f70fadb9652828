//! The table `workers`: signs of life of worker processes.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::{Db, Result};

/// How long the row of a worker that is gone is kept.
const KEPT: TimeDelta = TimeDelta::hours(24);
/// How far ahead of this machine's clock a sign of life may be: clocks of machines differ.
const AHEAD: TimeDelta = TimeDelta::minutes(10);

/// A worker process.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub struct WorkerSign {
    /// Its name, made anew at each start.
    pub id: String,
    /// The machine it runs on.
    pub host: String,
    /// The version of the program.
    pub version: String,
    pub started_at: DateTime<Utc>,
    /// When it last gave a sign of life.
    pub seen_at: DateTime<Utc>,
}

/// Gives a sign of life, and forgets workers that are long gone.
pub async fn mark_seen(db: &Db, sign: &WorkerSign) -> Result<()> {
    db.transact(async |tx| {
        tx.query(
            "insert into workers (id, host, version, started_at, seen_at) values ($1, $2, $3, $4, $5)
             on conflict (id) do update set seen_at = excluded.seen_at",
        )
        .bind(sign.id.clone())
        .bind(sign.host.clone())
        .bind(sign.version.clone())
        .bind(sign.started_at)
        .bind(sign.seen_at)
        .execute()
        .await?;
        tx.query("delete from workers where seen_at < $1 or seen_at > $2")
            .bind(sign.seen_at - KEPT)
            .bind(sign.seen_at + KEPT)
            .execute()
            .await
            .map(drop)
    })
    .await
}

/// Takes the sign away: the worker has stopped as it should.
pub async fn mark_gone(db: &Db, id: &str) -> Result<()> {
    db.write("delete from workers where id = $1").bind(id.to_owned()).execute().await?;
    Ok(())
}

/// The newest sign of life of a worker on `host`. Signs from far ahead were given by a wrong clock and do not count.
pub async fn last_seen_at(db: &Db, host: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    db.read("select max(seen_at) from workers where host = $1 and seen_at <= $2")
        .bind(host.to_owned())
        .bind(now + AHEAD)
        .scalar()
        .await
}
