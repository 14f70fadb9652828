//! Where SQLite and PostgreSQL differ: locks, and the statements of the job queue that need them.
//!
//! Other statements with two texts stay in their table's file, where both can be compared. An invariant test compares this
//! list with the code:
//!
//! - `bookmarks.rs`, `feeds.rs`, `retention.rs`: `skip locked`. SQLite has one writer and no row locks.
//! - `feeds/claim.rs`: a function of the server on PostgreSQL (migration 6), a transaction on SQLite.
//! - `items.rs`, `item_lists/keys.rs`, `states.rs`: hints that fix the plan, `indexed by` and `cross join` on SQLite, `lateral` and
//!   arrays on PostgreSQL.
//! - `columns.rs`, `items/write.rs`, `feeds/outcome.rs`, `tx.rs`: bulk rows are arrays for `unnest` on PostgreSQL and placeholders
//!   on SQLite.
//! - `search/index.rs`, `search/walk.rs`: FTS5 and GIN.
//! - `subscriptions/queries.rs`: one row for all of a user's rows on SQLite, where each row wakes the task that waits for it.
//! - `jobs/stats.rs`: PostgreSQL's statistics views.
//! - `migrate.rs`: the migrations of each database, and the lock around them.
//!
//! `db.rs` chooses the connection. Lists of ids have one spelling: `json_each` is SQLite's own and an overload over `unnest`
//! on PostgreSQL (first migration), and [`crate::Query::bind_ids`] binds what each of them reads.

use crate::{Error, Query, Result, Tx, sql::Sql};

/// Claims due jobs. `$1` now, `$2` worker, `$3` token, `$4` end of the lease, `$5` limit, `$6` kind, `$7` for `$condition`.
macro_rules! claim {
    (sqlite, $condition:literal, $order:literal) => {
        // By rowid, which saves a look-up in the index of ids. SQLite has one writer, so no lock is needed.
        concat!(
            "update jobs set status = 'processing', attempts = attempts + 1, locked_at = $1, locked_by = $2,
                lease_token = $3, lease_expires_at = $4, updated_at = $1
             where rowid in (select rowid from jobs where status = 'queued' and kind = $6 and run_at <= $1 and ",
            $condition,
            " order by ",
            $order,
            " limit $5) returning id, kind, lane, payload, priority, attempts, max_attempts, run_at"
        )
    };
    (postgres, $condition:literal, $order:literal) => {
        concat!(
            // An array instead of a join: with fresh statistics the planner chose to read the whole primary key for the join, and
            // the queue lost a fifth of its speed.
            "update jobs set status = 'processing', attempts = attempts + 1, locked_at = $1, locked_by = $2,
                lease_token = $3, lease_expires_at = $4, updated_at = $1
             where id = any(array(select id from jobs where status = 'queued' and kind = $6 and run_at <= $1 and ",
            $condition,
            " order by ",
            $order,
            " limit $5 for update skip locked))
             returning id, kind, lane, payload, priority, attempts, max_attempts, run_at"
        )
    };
}

pub(crate) const CLAIM_SQLITE: &str = claim!(sqlite, "priority = $7", "run_at, id");
pub(crate) const CLAIM_POSTGRES: &str = claim!(postgres, "priority = $7", "run_at, id");
pub(crate) const CLAIM_LANE_SQLITE: &str = claim!(sqlite, "lane = $7", "priority, run_at, id");
pub(crate) const CLAIM_LANE_POSTGRES: &str = claim!(postgres, "lane = $7", "priority, run_at, id");

/// Renews leases. `$1` now, `$2` end of the lease, `$3` tokens. On PostgreSQL, rows locked by another transaction are skipped:
/// waiting could deadlock, and such a job is either being finished or lost.
pub(crate) const RENEW_SQLITE: &str = "update jobs set locked_at = $1, lease_expires_at = $2
    where status = 'processing' and lease_token in (select unhex(value) from json_each($3)) returning id, lease_token";
pub(crate) const RENEW_POSTGRES: &str = "with mine as (
        select id from jobs where status = 'processing' and lease_token in (select unhex(value) from json_each($3))
        for update skip locked)
    update jobs set locked_at = $1, lease_expires_at = $2 from mine where jobs.id = mine.id
    returning jobs.id, jobs.lease_token";

/// Jobs with a lapsed lease. `$1` now, `$2` limit, `$3` the latest valid end of a lease. On PostgreSQL the rows are locked, and
/// rows that another transaction has locked are skipped.
pub(crate) const LAPSED_SQLITE: &str = "select * from jobs
    where status = 'processing' and (lease_expires_at <= $1 or lease_expires_at > $3)
    order by lease_expires_at, id limit $2";
pub(crate) const LAPSED_POSTGRES: &str = "select * from jobs
    where status = 'processing' and (lease_expires_at <= $1 or lease_expires_at > $3)
    order by lease_expires_at, id limit $2 for update skip locked";

/// All subscriptions of the user `$1` in one row, with the revision that they contain: a JSON array of arrays in the order of the fields of `Subscription`. sqlx wakes the
/// task for each SQLite row, which costs more than the row.
pub(crate) const SUBSCRIPTIONS_SQLITE: &str =
    "select json_group_array(json_array(hex(s.id), hex(s.user_id), hex(s.feed_id), nullif(hex(s.folder_id), ''), s.title,
        f.title, f.feed_url, f.site_url, json(iif(f.favicon_mime is null, 'false', 'true')), s.fetch_interval_minutes, s.full_text,
        f.fetch_status, f.error_code, s.unread_count, f.items_added, f.last_fetched_at, f.next_fetch_at, s.created_at)),
        coalesce((select u.revision from users u where u.id = $1), 0)
     from subscriptions s join feeds f on f.id = s.feed_id where s.user_id = $1";

/// The unread counts above 0 of the user `$1` in one row, which costs half of a row for each: the ids of subscriptions one after
/// the other, their counts as a JSON array in the same order, and the revision that they contain.
pub(crate) const UNREAD_COUNTS_SQLITE: &str =
    "select cast(group_concat(id, '') as blob), json_group_array(unread_count),
        coalesce((select u.revision from users u where u.id = $1), 0)
    from subscriptions where user_id = $1 and unread_count > 0";
pub(crate) const UNREAD_COUNTS_POSTGRES: &str = "select string_agg(uuid_send(id), ''),
        coalesce('[' || string_agg(cast(unread_count as text), ',') || ']', '[]'), coalesce((select u.revision from users u where u.id = $1), 0)
    from subscriptions where user_id = $1 and unread_count > 0";

impl Tx {
    /// A query that locks the rows it reads with `lock`, for example ` for update`. SQLite has one writer and needs no lock.
    pub(crate) fn query_locking(&mut self, sql: &'static str, lock: &'static str) -> Query<'_> {
        let lock = if self.is_postgres() { lock } else { "" };
        self.query_built(Sql::fill(&[sql, lock], &[]))
    }
}

/// Like [`lock`], but returns false after half a second, longer than a claim takes: the process that holds the lock may have
/// stopped.
pub(crate) async fn lock_soon(tx: &mut Tx, name: &str) -> Result<bool> {
    if !tx.is_postgres() {
        return Ok(true);
    }
    let locked = tx
        .query(
            "with patience as materialized (select set_config('lock_timeout', '500ms', true))
             select cast(pg_advisory_xact_lock(hashtextextended($1, 0)) as text) from patience",
        )
        .bind(name.to_owned())
        .execute()
        .await;
    match locked {
        Ok(_) => Ok(true),
        Err(Error::Locked(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Locks `name` until the transaction ends. SQLite has one writer and needs no lock.
pub(crate) async fn lock(tx: &mut Tx, name: &str) -> Result<()> {
    if tx.is_postgres() {
        tx.query("select cast(pg_advisory_xact_lock(hashtextextended($1, 0)) as text)")
            .bind(name.to_owned())
            .execute()
            .await?;
    }
    Ok(())
}
