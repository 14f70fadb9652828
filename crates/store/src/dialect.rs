//! What truly differs between SQLite and PostgreSQL, all in one place.
//!
//! Lists of ids differ too, but behind one spelling: `json_each` is SQLite's own and an overload over `unnest` on
//! PostgreSQL (first migration), and [`crate::Query::bind_ids`] binds what each of them reads.

use crate::{Result, Tx};

/// Taking due jobs. `$1` now, `$2` worker, `$3` token, `$4` end of the lease, `$5` how many, `$6` kind, `$7` as `$condition` says.
macro_rules! claim {
    (sqlite, $condition:literal, $order:literal) => {
        // By rowid, which saves a look-up in the index of ids. The writer's turn keeps others out.
        concat!(
            "update jobs set status = 'processing', attempts = attempts + 1, locked_at = $1, locked_by = $2,
                lease_token = $3, lease_expires_at = $4, updated_at = $1
             where rowid in (select rowid from jobs where status = 'queued' and kind = $6 and run_at <= $1 and ",
            $condition,
            " order by ",
            $order,
            " limit $5) returning *"
        )
    };
    (postgres, $condition:literal, $order:literal) => {
        concat!(
            "with picked as (select id from jobs where status = 'queued' and kind = $6 and run_at <= $1 and ",
            $condition,
            " order by ",
            $order,
            " limit $5 for update skip locked)
             update jobs set status = 'processing', attempts = attempts + 1, locked_at = $1, locked_by = $2,
                lease_token = $3, lease_expires_at = $4, updated_at = $1
             from picked where jobs.id = picked.id returning jobs.*"
        )
    };
}

pub(crate) const CLAIM_SQLITE: &str = claim!(sqlite, "priority = $7", "run_at, id");
pub(crate) const CLAIM_POSTGRES: &str = claim!(postgres, "priority = $7", "run_at, id");
pub(crate) const CLAIM_LANE_SQLITE: &str = claim!(sqlite, "lane = $7", "priority, run_at, id");
pub(crate) const CLAIM_LANE_POSTGRES: &str = claim!(postgres, "lane = $7", "priority, run_at, id");

/// Keeps others who lock the same name waiting until the transaction ends; on SQLite the writer's turn does.
pub(crate) async fn lock(tx: &mut Tx, name: &str) -> Result<()> {
    if tx.is_postgres() {
        tx.query("select cast(pg_advisory_xact_lock(hashtextextended($1, 0)) as text)")
            .bind(name.to_owned())
            .execute()
            .await?;
    }
    Ok(())
}
