//! Keeps house: renews leases, rescues what others let lapse, enqueues periodic jobs, gives signs of life, measures.

use std::{collections::HashSet, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use store::{
    jobs::{self, Ending, Job},
    workers::WorkerSign,
};
use tokio::time::{Instant, sleep};

use super::{Shared, hand_back, leases::Lease, periodic};
use crate::{Backoff, metrics, time::later};

/// How often a worker says that it lives.
const SIGN: Duration = Duration::from_secs(10);
/// How often the queue is counted; more rarely when counting takes long.
const SAMPLE: Duration = Duration::from_secs(15);
/// How often the machine's clock is compared with the database's.
const AGREE: Duration = Duration::from_secs(60);
/// A job that has waited this long for a slot is better off with another worker.
const TOO_LONG_AHEAD: Duration = Duration::from_secs(1);
/// How often to look for jobs that a wrong clock has planned far ahead. The look reads the index of all waiting jobs.
const FAR_AHEAD: Duration = Duration::from_secs(10 * 60);
/// The most jobs rescued in one transaction: as many as one worker can have held ahead.
const RESCUE: i64 = 500;

pub(super) async fn run(shared: Arc<Shared>) {
    tokio::join!(
        renew_leases(&shared),
        rescue(&shared),
        requeue_far_ahead(&shared),
        enqueue_periodic(&shared),
        give_signs(&shared),
        measure_queue(&shared),
        agree_on_time(&shared),
        return_unstarted(&shared),
    );
}

async fn renew_leases(shared: &Shared) {
    let lease = shared.settings.lease;
    let mut renewed_at = Instant::now();
    loop {
        sleep(lease / 3).await;
        let held = shared.leases.leases();
        if held.is_empty() {
            renewed_at = Instant::now();
            continue;
        }
        let tokens: HashSet<_> = held.iter().map(|lease| lease.token).collect();
        let now = shared.clock.now();
        match jobs::renew(&shared.db, now, later(now, lease), tokens).await {
            Ok(kept) => {
                renewed_at = Instant::now();
                let kept: HashSet<_> = kept.into_iter().collect();
                lose(shared, held.into_iter().filter(|lease| !kept.contains(&(lease.id, lease.token))));
            }
            Err(error) => {
                tracing::warn!(%error, error_kind = error.kind(), "cannot renew leases; trying again");
                // Others may run these by now: stop here rather than do the work twice.
                if renewed_at.elapsed() > lease {
                    lose(shared, held);
                }
            }
        }
    }
}

fn lose(shared: &Shared, leases: impl IntoIterator<Item = Lease>) {
    let lost = shared.leases.lose(leases);
    if lost > 0 {
        metrics::leases_lost(lost);
        tracing::warn!(lost, "lost leases: other workers have these jobs now");
    }
}

/// Every worker does this by itself, without a leader: whoever comes first takes the job back, once.
async fn rescue(shared: &Shared) {
    let usual = (shared.settings.lease / 4).max(Duration::from_millis(50));
    loop {
        let wait = match rescue_lapsed(shared).await {
            Ok(Some(next)) => (next - shared.clock.now()).to_std().unwrap_or_default().min(usual),
            Ok(None) => usual,
            Err(error) => {
                tracing::warn!(%error, error_kind = error.kind(), "cannot look for lapsed leases; trying again");
                usual
            }
        };
        // A little after the moment, each worker at another: one is enough.
        sleep(wait + Duration::from_millis(20).mul_f64(1.0 + rand::random::<f64>())).await;
    }
}

/// Not a job: a job that is itself planned far ahead could not mend that.
async fn requeue_far_ahead(shared: &Shared) {
    loop {
        match jobs::requeue_far_ahead(&shared.db, shared.clock.now()).await {
            Ok(0) => {}
            Ok(requeued) => tracing::warn!(requeued, "jobs were planned by a clock that was ahead; they are due now"),
            Err(error) => tracing::warn!(%error, error_kind = error.kind(), "cannot look for jobs planned far ahead"),
        }
        sleep(FAR_AHEAD).await;
    }
}

async fn rescue_lapsed(shared: &Shared) -> store::Result<Option<DateTime<Utc>>> {
    loop {
        let now = shared.clock.now();
        let rescued = jobs::release_lapsed(&shared.db, now, RESCUE, |job| lapse_ending(shared, now, job)).await?;
        if rescued.is_empty() {
            return jobs::next_lapse_at(&shared.db).await;
        }
        for job in rescued {
            metrics::rescued(&job.kind);
            tracing::warn!(job = %job.id, kind = job.kind, worker = job.locked_by, attempts = job.attempts, "rescued a job from a worker that gave no sign of life");
        }
    }
}

/// A worker's death is an attempt like any other: a job that kills its workers must come to an end.
fn lapse_ending(shared: &Shared, now: DateTime<Utc>, job: &Job) -> Ending {
    let worker = job.locked_by.as_deref().unwrap_or("unknown");
    let error = format!("the worker {worker} died or lost its connection while it had the job");
    if job.attempts >= job.max_attempts {
        return Ending::Failed { error };
    }
    let backoff = shared.registry.get(job.kind.as_str()).map_or_else(Backoff::default, |known| known.kind.backoff);
    let attempt = u32::try_from(job.attempts).unwrap_or(u32::MAX);
    // Spread: the jobs that died with the one that killed the worker should not all meet it again. In a few steps only, so
    // that one statement writes many.
    let step = f64::from(rand::random::<u8>() % 8) / 7.0;
    Ending::Retry { run_at: later(now, backoff.delay(attempt, step)), error }
}

async fn enqueue_periodic(shared: &Shared) {
    let mut asked = periodic::Asked::default();
    loop {
        let wait = match periodic::enqueue_due(shared, &mut asked).await {
            Ok(next) => next.and_then(|at| (at - shared.clock.now()).to_std().ok()),
            Err(error) => {
                tracing::warn!(%error, "cannot enqueue periodic jobs; trying again");
                None
            }
        };
        sleep(wait.unwrap_or(shared.settings.poll).min(shared.settings.poll)).await;
    }
}

async fn give_signs(shared: &Shared) {
    let started_at = shared.clock.now();
    loop {
        let sign = WorkerSign {
            id: shared.id.clone(),
            host: shared.settings.host.clone(),
            version: shared.settings.version.clone(),
            started_at,
            seen_at: shared.clock.now(),
        };
        if let Err(error) = store::workers::mark_seen(&shared.db, &sign).await {
            tracing::warn!(%error, error_kind = error.kind(), "cannot give a sign of life");
        }
        sleep(SIGN).await;
    }
}

async fn return_unstarted(shared: &Shared) {
    loop {
        sleep(TOO_LONG_AHEAD / 2).await;
        let Some(before) = Instant::now().checked_sub(TOO_LONG_AHEAD) else { continue };
        hand_back(shared, shared.leases.take_waiting_since_before(before), "all slots are busy").await;
    }
}

async fn agree_on_time(shared: &Shared) {
    loop {
        match shared.db.agree_on_time(&shared.clock).await {
            Ok(skew) if skew.abs() > chrono::TimeDelta::seconds(5) => {
                tracing::warn!(
                    skew_ms = skew.num_milliseconds(),
                    "this machine's clock differs from the database server's; going by the server's"
                );
            }
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "cannot ask the database server for the time"),
        }
        sleep(AGREE).await;
    }
}

/// Dead rows or an old transaction from which on claims become slow.
const MANY_DEAD_ROWS: i64 = 50_000;
const OLD_SNAPSHOT_SECONDS: i64 = 300;

async fn measure_queue(shared: &Shared) {
    let mut known = Vec::new();
    loop {
        let started = Instant::now();
        if let Err(error) = sample(shared, &mut known).await {
            tracing::debug!(%error, "cannot measure the queue");
        }
        sleep(SAMPLE.max(started.elapsed() * 20)).await;
    }
}

async fn sample(shared: &Shared, known: &mut Vec<String>) -> store::Result<()> {
    let now = shared.clock.now();
    let kinds = jobs::count_by_kind(&shared.db, now).await?;
    let gone: Vec<String> = known.iter().filter(|kind| !kinds.iter().any(|k| k.kind == **kind)).cloned().collect();
    metrics::sampled(now, &kinds, &gone);
    known.extend(kinds.into_iter().map(|kind| kind.kind));
    known.sort();
    known.dedup();
    let Some(health) = jobs::table_health(&shared.db).await? else { return Ok(()) };
    metrics::table(&health);
    if health.dead_rows > MANY_DEAD_ROWS && health.dead_rows > health.live_rows {
        tracing::warn!(
            dead_rows = health.dead_rows,
            live_rows = health.live_rows,
            "the table jobs has many dead rows: see that autovacuum runs"
        );
    }
    if health.oldest_snapshot_seconds > OLD_SNAPSHOT_SECONDS {
        tracing::warn!(
            seconds = health.oldest_snapshot_seconds,
            pid = health.oldest_snapshot_pid,
            "an old transaction keeps dead rows in the table jobs: end it"
        );
    }
    Ok(())
}
