//! Keeping, ending and losing a lease. Every write names the token of the claim it belongs to.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{Job, JobStatus, kept_error};
use crate::{Db, JobId, LeaseToken, Query, Result, Topic, Tx, clock, dialect};

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Done.
    Succeeded,
    /// Taken but not finished; the attempt does not count.
    HandedBack,
    /// Again at this time.
    Retry {
        run_at: DateTime<Utc>,
        /// Why it failed this time.
        error: String,
    },
    /// Given up.
    Failed { error: String },
}

/// The end of an attempt, with the proof that it was ours.
#[derive(Debug, Clone)]
pub struct Finish {
    pub id: JobId,
    /// The token of its claim.
    pub token: LeaseToken,
    pub ending: Ending,
}

/// Writes the ends of many attempts in one transaction; returns how many of them were no longer ours and changed nothing.
pub async fn mark_finished(db: &Db, now: DateTime<Utc>, finishes: &[Finish]) -> Result<u64> {
    let groups = alike(finishes);
    let written = match &groups[..] {
        // The common case is one statement, which is its own transaction and saves two round trips.
        [group] if *group.ending == Ending::Succeeded => group.bind(db.write(group.sql()), now).execute().await?,
        groups => db.transact(async |tx| end_leases(tx, now, groups).await).await?,
    };
    Ok(u64::try_from(finishes.len()).unwrap_or(u64::MAX).saturating_sub(written))
}

/// Ends that one statement can write: of one claim, and all the same.
struct Group<'a> {
    token: LeaseToken,
    ending: &'a Ending,
    ids: Vec<JobId>,
}

fn alike(finishes: &[Finish]) -> Vec<Group<'_>> {
    let mut groups: HashMap<(LeaseToken, &Ending), Vec<JobId>> = HashMap::new();
    for finish in finishes {
        groups.entry((finish.token, &finish.ending)).or_default().push(finish.id);
    }
    groups.into_iter().map(|((token, ending), ids)| Group { token, ending, ids }).collect()
}

/// Gives up the lease; `$assignments` say what becomes of the row. `$1` now, `$2` token, `$3` ids.
macro_rules! end_lease {
    ($assignments:literal) => {
        concat!(
            "update jobs set ",
            $assignments,
            ", updated_at = $1, locked_at = null, locked_by = null, lease_token = null, lease_expires_at = null
             where lease_token = $2 and id in (select unhex(value) from json_each($3))"
        )
    };
}

impl Group<'_> {
    fn sql(&self) -> &'static str {
        match self.ending {
            Ending::Succeeded => end_lease!("status = 'succeeded'"),
            Ending::HandedBack => end_lease!("status = 'queued', attempts = attempts - 1"),
            Ending::Retry { .. } => end_lease!("status = 'queued', last_error = $4, run_at = $5"),
            Ending::Failed { .. } => end_lease!("status = 'failed', last_error = $4"),
        }
    }

    fn bind<'q>(&self, query: Query<'q>, now: DateTime<Utc>) -> Query<'q> {
        let query = query.bind(now).bind(self.token).bind_ids(self.ids.iter().copied());
        match self.ending {
            Ending::Succeeded | Ending::HandedBack => query,
            Ending::Retry { run_at, error } => query.bind(kept_error(error)).bind(*run_at),
            Ending::Failed { error } => query.bind(kept_error(error)),
        }
    }
}

async fn end_leases(tx: &mut Tx, now: DateTime<Utc>, groups: &[Group<'_>]) -> Result<u64> {
    let mut written = 0;
    for group in groups {
        written += group.bind(tx.query(group.sql()), now).execute().await?;
        if matches!(group.ending, Ending::HandedBack | Ending::Retry { .. }) {
            // Whoever sleeps until the next due time must learn of these.
            tx.announce(Topic::Jobs);
        }
    }
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

/// Makes jobs due that are planned further ahead than any job is planned: the clock was wrong. Returns how many.
pub async fn requeue_far_ahead(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    let far_ahead = now + clock::FURTHEST_AHEAD;
    let found: bool = db
        .read("select exists (select 1 from jobs where status = 'queued' and run_at > $1)")
        .bind(far_ahead)
        .scalar()
        .await?;
    if !found {
        return Ok(0);
    }
    db.transact(async |tx| {
        tx.announce(Topic::Jobs);
        tx.query("update jobs set run_at = $1, updated_at = $1 where status = 'queued' and run_at > $2")
            .bind(now)
            .bind(far_ahead)
            .execute()
            .await
    })
    .await
}

/// Takes at most `most` lapsed jobs from their workers, with those whose lease ends impossibly late, and ends the attempt of each as `decide` says; returns them.
pub async fn release_lapsed(
    db: &Db,
    now: DateTime<Utc>,
    most: i64,
    decide: impl Fn(&Job) -> Ending,
) -> Result<Vec<Job>> {
    db.transact(async |tx| {
        let query = tx.query_either(dialect::LAPSED_SQLITE, dialect::LAPSED_POSTGRES);
        let lapsed: Vec<Job> = query.bind(now).bind(most).bind(now + clock::FURTHEST_AHEAD).all().await?;
        let finish = |job: &Job| Some(Finish { id: job.id, token: job.lease_token?, ending: decide(job) });
        let finishes: Vec<Finish> = lapsed.iter().filter_map(finish).collect();
        end_leases(tx, now, &alike(&finishes)).await?;
        Ok(lapsed)
    })
    .await
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
