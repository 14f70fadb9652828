//! Statistics of the queue.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{Db, Result};

/// The number of jobs of a kind by state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct KindStats {
    pub kind: String,
    pub ready: i64,
    pub scheduled: i64,
    pub running: i64,
    /// When the oldest ready job became due.
    pub oldest_ready_at: Option<DateTime<Utc>>,
}

/// Counts queued and running jobs by kind. It reads an index entry for each job, so it is not for frequent calls.
pub async fn count_by_kind(db: &Db, now: DateTime<Utc>) -> Result<Vec<KindStats>> {
    db.read(
        "select kind, cast(sum(ready) as bigint) as ready, cast(sum(scheduled) as bigint) as scheduled,
                cast(sum(running) as bigint) as running, min(oldest_ready_at) as oldest_ready_at
         from (
            select kind, count(*) filter (where run_at <= $1) as ready, count(*) filter (where run_at > $1) as scheduled,
                   0 as running, min(run_at) filter (where run_at <= $1) as oldest_ready_at
            from jobs where status = 'queued' group by kind
            union all
            select kind, 0, 0, count(*), null from jobs where status = 'processing' group by kind
         ) as counts
         group by kind order by kind",
    )
    .bind(now)
    .all()
    .await
}

/// Statistics of the table `jobs` on PostgreSQL that affect the queue's speed.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct TableHealth {
    pub dead_rows: i64,
    pub live_rows: i64,
    /// The age of the oldest transaction that keeps dead rows from being vacuumed.
    pub oldest_snapshot_seconds: i64,
    /// The server process of that transaction.
    pub oldest_snapshot_pid: Option<i64>,
}

/// The statistics of the table. None on SQLite.
pub async fn table_health(db: &Db) -> Result<Option<TableHealth>> {
    if !db.is_postgres() {
        return Ok(None);
    }
    db.read(
        "select coalesce(t.n_dead_tup, 0) as dead_rows, coalesce(t.n_live_tup, 0) as live_rows,
                cast(coalesce(extract(epoch from clock_timestamp() - a.xact_start), 0) as bigint) as oldest_snapshot_seconds,
                cast(a.pid as bigint) as oldest_snapshot_pid
         from (select 1) as one
         left join pg_stat_user_tables t on t.relname = 'jobs' and t.schemaname = current_schema()
         left join lateral (
            select pid, xact_start from pg_stat_activity
            where backend_xmin is not null and xact_start is not null and pid <> pg_backend_pid()
            order by xact_start limit 1) as a on true",
    )
    .optional()
    .await
}
