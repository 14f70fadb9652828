//! The table `workers`: heartbeats of worker processes.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::{Db, Result};

/// Rows of workers that stopped sending heartbeats are deleted after this time.
const ROW_LIFETIME: TimeDelta = TimeDelta::hours(24);
/// How far the clocks of machines may differ. Later heartbeats come from a wrong clock.
const MAX_CLOCK_SKEW: TimeDelta = TimeDelta::minutes(10);

/// A heartbeat of a worker process.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub struct WorkerHeartbeat {
    /// Random for each start.
    pub id: String,
    pub host: String,
    pub version: String,
    pub started_at: DateTime<Utc>,
    pub seen_at: DateTime<Utc>,
}

/// Stores a heartbeat and deletes old rows.
pub async fn mark_seen(db: &Db, heartbeat: &WorkerHeartbeat) -> Result<()> {
    db.transact(async |tx| {
        tx.query(
            "insert into workers (id, host, version, started_at, seen_at) values ($1, $2, $3, $4, $5)
             on conflict (id) do update set seen_at = excluded.seen_at",
        )
        .bind(heartbeat.id.clone())
        .bind(heartbeat.host.clone())
        .bind(heartbeat.version.clone())
        .bind(heartbeat.started_at)
        .bind(heartbeat.seen_at)
        .execute()
        .await?;
        tx.query("delete from workers where seen_at < $1 or seen_at > $2")
            .bind(heartbeat.seen_at - ROW_LIFETIME)
            .bind(heartbeat.seen_at + ROW_LIFETIME)
            .execute()
            .await
            .map(drop)
    })
    .await
}

/// Deletes the row of a worker that has stopped in an orderly way.
pub async fn delete(db: &Db, id: &str) -> Result<()> {
    db.write("delete from workers where id = $1").bind(id.to_owned()).execute().await?;
    Ok(())
}

/// The newest heartbeat of a worker on `host`. Heartbeats of a wrong clock are ignored.
pub async fn last_seen_at(db: &Db, host: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    db.read("select max(seen_at) from workers where host = $1 and seen_at <= $2")
        .bind(host.to_owned())
        .bind(now + MAX_CLOCK_SKEW)
        .scalar()
        .await
}
