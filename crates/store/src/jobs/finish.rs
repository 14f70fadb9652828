//! Renewing, ending and releasing leases. Every write names the token of its claim.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{JobRecord, JobStatus, stored_error};
use crate::{Db, JobId, LeaseToken, Query, Result, Topic, Tx, clock, dialect};

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AttemptEnd {
    /// Done.
    Succeeded,
    /// Returned to the queue unfinished. The attempt does not count.
    Returned,
    /// Queued again for `run_at`.
    Retry { run_at: DateTime<Utc>, error: String },
    /// Given up.
    Failed { error: String },
}

/// The end of an attempt, with the token of its claim.
#[derive(Debug, Clone)]
pub struct FinishedAttempt {
    pub id: JobId,
    pub token: LeaseToken,
    pub end: AttemptEnd,
}

/// Stores the ends of many attempts in one transaction. Returns how many changed nothing because the lease was lost.
pub async fn mark_finished(db: &Db, now: DateTime<Utc>, finishes: &[FinishedAttempt]) -> Result<u64> {
    let groups = group(finishes);
    let written = match &groups[..] {
        // The common case: one statement needs no transaction, which saves two round trips.
        [group] if *group.end == AttemptEnd::Succeeded => group.bind(db.write(group.sql()), now).execute().await?,
        groups => db.transact(async |tx| end_leases(tx, now, groups).await).await?,
    };
    Ok(u64::try_from(finishes.len()).unwrap_or(u64::MAX).saturating_sub(written))
}

/// Attempts of one claim with the same end, which one statement can write.
struct Group<'a> {
    token: LeaseToken,
    end: &'a AttemptEnd,
    ids: Vec<JobId>,
}

fn group(finishes: &[FinishedAttempt]) -> Vec<Group<'_>> {
    let mut groups: HashMap<(LeaseToken, &AttemptEnd), Vec<JobId>> = HashMap::new();
    for finish in finishes {
        groups.entry((finish.token, &finish.end)).or_default().push(finish.id);
    }
    groups.into_iter().map(|((token, end), ids)| Group { token, end, ids }).collect()
}

/// Ends a lease and changes the row by `$assignments`. `$1` now, `$2` token, `$3` ids.
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
        match self.end {
            AttemptEnd::Succeeded => end_lease!("status = 'succeeded'"),
            AttemptEnd::Returned => end_lease!("status = 'queued', attempts = attempts - 1"),
            AttemptEnd::Retry { .. } => end_lease!("status = 'queued', last_error = $4, run_at = $5"),
            AttemptEnd::Failed { .. } => end_lease!("status = 'failed', last_error = $4"),
        }
    }

    fn bind<'q>(&self, query: Query<'q>, now: DateTime<Utc>) -> Query<'q> {
        let query = query.bind(now).bind(self.token).bind_ids(self.ids.iter().copied());
        match self.end {
            AttemptEnd::Succeeded | AttemptEnd::Returned => query,
            AttemptEnd::Retry { run_at, error } => query.bind(stored_error(error)).bind(*run_at),
            AttemptEnd::Failed { error } => query.bind(stored_error(error)),
        }
    }
}

async fn end_leases(tx: &mut Tx, now: DateTime<Utc>, groups: &[Group<'_>]) -> Result<u64> {
    let mut written = 0;
    for group in groups {
        written += group.bind(tx.query(group.sql()), now).execute().await?;
        if matches!(group.end, AttemptEnd::Returned | AttemptEnd::Retry { .. }) {
            // Workers that sleep until the next due time must wake for these.
            tx.announce(Topic::Jobs);
        }
    }
    Ok(written)
}

/// Renews the leases with these tokens. Leases missing in the result are lost.
pub async fn renew(
    db: &Db,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    tokens: impl IntoIterator<Item = LeaseToken>,
) -> Result<Vec<(JobId, LeaseToken)>> {
    let query = db.write_either(dialect::RENEW_SQLITE, dialect::RENEW_POSTGRES);
    query.bind(now).bind(expires_at).bind_ids(tokens).all().await
}

/// The earliest end of a current lease.
pub async fn next_lapse_at(db: &Db) -> Result<Option<DateTime<Utc>>> {
    db.read("select min(lease_expires_at) from jobs where status = 'processing'").scalar().await
}

/// Makes jobs due whose start is so far ahead that the clock was wrong. Returns how many.
pub async fn requeue_far_ahead(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    let far_ahead = now + clock::MAX_AHEAD;
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

/// Ends the attempts of at most `limit` jobs whose lease has lapsed or ends impossibly late, as `decide` says. Returns the jobs.
pub async fn release_lapsed(
    db: &Db,
    now: DateTime<Utc>,
    limit: i64,
    decide: impl Fn(&JobRecord) -> AttemptEnd,
) -> Result<Vec<JobRecord>> {
    db.transact(async |tx| {
        let query = tx.query_either(dialect::LAPSED_SQLITE, dialect::LAPSED_POSTGRES);
        let lapsed: Vec<JobRecord> = query.bind(now).bind(limit).bind(now + clock::MAX_AHEAD).all().await?;
        let finish = |job: &JobRecord| Some(FinishedAttempt { id: job.id, token: job.lease_token?, end: decide(job) });
        let finishes: Vec<FinishedAttempt> = lapsed.iter().filter_map(finish).collect();
        end_leases(tx, now, &group(&finishes)).await?;
        Ok(lapsed)
    })
    .await
}

/// Deletes at most `limit` jobs that ended as `status` before `before`. Jobs with a permanent key stay.
pub async fn prune(db: &Db, status: JobStatus, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write(
        "delete from jobs where id in (
            select id from jobs
            where status = $1 and status in ('succeeded', 'failed') and updated_at < $2 and key_scope = 'active'
            order by updated_at limit $3)",
    )
    .bind(status)
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
