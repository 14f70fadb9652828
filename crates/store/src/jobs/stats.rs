//! Figures about the queue for people and monitors.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{Db, Result};

/// How many jobs of a kind wait and run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct KindStats {
    pub kind: String,
    pub ready: i64,
    pub scheduled: i64,
    pub running: i64,
    /// When the first of the ready ones became due.
    pub oldest_ready_at: Option<DateTime<Utc>>,
}

/// Counts waiting and running jobs by kind. It reads an index entry for each: ask now and then, not for every page.
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

/// What slows a queue down on PostgreSQL.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct TableHealth {
    /// Dead rows in the table.
    pub dead_rows: i64,
    /// Live rows in the table.
    pub live_rows: i64,
    /// The age of the oldest transaction that keeps dead rows from being removed.
    pub oldest_snapshot_seconds: i64,
    /// The server process that holds it.
    pub oldest_snapshot_pid: Option<i64>,
}

/// The health of the table; SQLite has no such trouble.
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
