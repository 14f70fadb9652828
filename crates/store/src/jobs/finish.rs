//! Keeping, ending and losing a lease. Every write names the token of the claim it belongs to.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{Job, JobStatus, kept_error};
use crate::{Db, JobId, LeaseToken, Result, Topic, Tx, dialect};

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Done.
    Succeeded,
    /// Again at this time.
    Retry {
        /// When.
        run_at: DateTime<Utc>,
        /// Why it failed this time.
        error: String,
    },
    /// Given up.
    Failed {
        /// Why.
        error: String,
    },
}

/// The end of an attempt, with the proof that it was ours.
#[derive(Debug, Clone)]
pub struct Finish {
    /// The job.
    pub id: JobId,
    /// The token of its claim.
    pub token: LeaseToken,
    /// How it ended.
    pub ending: Ending,
}

/// Writes the ends of many attempts in one transaction; returns how many of them were no longer ours and changed nothing.
pub async fn mark_finished(db: &Db, now: DateTime<Utc>, finishes: &[Finish]) -> Result<u64> {
    let mut succeeded: HashMap<LeaseToken, Vec<JobId>> = HashMap::new();
    for finish in finishes.iter().filter(|finish| finish.ending == Ending::Succeeded) {
        succeeded.entry(finish.token).or_default().push(finish.id);
    }
    let mut written = 0;
    // The common case is one statement, which is its own transaction and saves two round trips.
    if succeeded.len() == 1 && finishes.iter().all(|finish| finish.ending == Ending::Succeeded) {
        for (token, ids) in succeeded {
            written += db.write(SUCCEED).bind(now).bind(token).bind_ids(ids).execute().await?;
        }
    } else {
        let mut tx = db.begin().await?;
        for (token, ids) in succeeded {
            written += tx.query(SUCCEED).bind(now).bind(token).bind_ids(ids).execute().await?;
        }
        for finish in finishes {
            written += mark_unsuccessful(&mut tx, now, finish).await?;
        }
        tx.commit().await?;
    }
    Ok(u64::try_from(finishes.len()).unwrap_or(u64::MAX).saturating_sub(written))
}

/// Gives up the lease; `$assignments` say what becomes of the row. `$1` now, `$2` token.
macro_rules! end_lease {
    ($assignments:literal, $which:literal) => {
        concat!(
            "update jobs set ",
            $assignments,
            ", updated_at = $1,
                locked_at = null, locked_by = null, lease_token = null, lease_expires_at = null
             where lease_token = $2 and ",
            $which
        )
    };
}

const SUCCEED: &str = end_lease!("status = 'succeeded'", "id in (select unhex(value) from json_each($3))");
const HAND_BACK: &str =
    end_lease!("status = 'queued', attempts = attempts - 1", "id in (select unhex(value) from json_each($3))");
const RETRY: &str = end_lease!("status = 'queued', run_at = $4, last_error = $5", "id = $3");
const FAIL: &str = end_lease!("status = 'failed', last_error = $4", "id = $3");

async fn mark_unsuccessful(tx: &mut Tx, now: DateTime<Utc>, finish: &Finish) -> Result<u64> {
    match &finish.ending {
        Ending::Succeeded => Ok(0),
        Ending::Retry { run_at, error } => {
            // Whoever sleeps until the next due time must learn of this one.
            tx.announce(Topic::Jobs);
            let query = tx.query(RETRY).bind(now).bind(finish.token).bind(finish.id);
            query.bind(*run_at).bind(kept_error(error)).execute().await
        }
        Ending::Failed { error } => {
            tx.query(FAIL).bind(now).bind(finish.token).bind(finish.id).bind(kept_error(error)).execute().await
        }
    }
}

/// Puts jobs back that were taken but not finished, without counting the attempt.
pub async fn hand_back(db: &Db, now: DateTime<Utc>, held: &[(JobId, LeaseToken)]) -> Result<u64> {
    let mut by_token: HashMap<LeaseToken, Vec<JobId>> = HashMap::new();
    for (id, token) in held {
        by_token.entry(*token).or_default().push(*id);
    }
    let mut tx = db.begin().await?;
    let mut written = 0;
    for (token, ids) in by_token {
        written += tx.query(HAND_BACK).bind(now).bind(token).bind_ids(ids).execute().await?;
    }
    if written > 0 {
        tx.announce(Topic::Jobs);
    }
    tx.commit().await?;
    Ok(written)
}

/// Renews the leases of all jobs held under `tokens`; those not in the answer are lost.
pub async fn renew(
    db: &Db,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    tokens: impl IntoIterator<Item = LeaseToken>,
) -> Result<Vec<(JobId, LeaseToken)>> {
    let query = db.write_either(dialect::RENEW_SQLITE, dialect::RENEW_POSTGRES);
    query.bind(now).bind(expires_at).bind_ids(tokens).all().await
}

/// When the next lease lapses if nobody renews it.
pub async fn next_lapse_at(db: &Db) -> Result<Option<DateTime<Utc>>> {
    db.read("select min(lease_expires_at) from jobs where status = 'processing'").scalar().await
}

/// Takes at most `most` lapsed jobs from their workers and ends the attempt of each as `decide` says; returns them.
pub async fn release_lapsed(
    db: &Db,
    now: DateTime<Utc>,
    most: i64,
    decide: impl Fn(&Job) -> Ending,
) -> Result<Vec<Job>> {
    let mut tx = db.begin().await?;
    let query = tx.query_either(dialect::LAPSED_SQLITE, dialect::LAPSED_POSTGRES);
    let lapsed: Vec<Job> = query.bind(now).bind(most).all().await?;
    for job in &lapsed {
        let Some(token) = job.lease_token else { continue };
        mark_unsuccessful(&mut tx, now, &Finish { id: job.id, token, ending: decide(job) }).await?;
    }
    tx.commit().await?;
    Ok(lapsed)
}

/// Deletes at most `most` jobs that ended as `status` before `before`; keys taken for ever keep their rows.
pub async fn prune(db: &Db, status: JobStatus, before: DateTime<Utc>, most: i64) -> Result<u64> {
    db.write(
        "delete from jobs where id in (
            select id from jobs
            where status = $1 and status in ('succeeded', 'failed') and updated_at < $2 and key_scope = 'active'
            order by updated_at limit $3)",
    )
    .bind(status)
    .bind(before)
    .bind(most)
    .execute()
    .await
}
