//! Maintenance: renews leases, rescues lapsed jobs, enqueues periodic jobs, sends heartbeats, measures the queue.

use std::{collections::HashSet, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use store::{
    jobs::{self, AttemptEnd, JobRecord},
    workers::WorkerHeartbeat,
};
use tokio::time::{Instant, sleep};

use super::{Shared, leases::Lease, periodic, return_jobs};
use crate::{Backoff, metrics, time::later};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);
/// Longer when counting the queue is slow.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(15);
/// How often the system clock is compared with the database's.
const CLOCK_SYNC_INTERVAL: Duration = Duration::from_secs(60);
/// A job that has waited this long for a slot returns to the queue for another worker.
const MAX_WAIT_FOR_SLOT: Duration = Duration::from_secs(1);
/// The maximum number of jobs rescued in one transaction. One worker holds about this many.
const RESCUE_BATCH: i64 = 500;

pub(super) async fn run(shared: Arc<Shared>) {
    tokio::join!(
        renew_leases(&shared),
        rescue(&shared),
        requeue_far_ahead(&shared),
        enqueue_periodic(&shared),
        send_heartbeats(&shared),
        measure_queue(&shared),
        sync_clock(&shared),
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
                tracing::warn!(%error, error_kind = error.kind(), "cannot renew leases; retrying");
                // Other workers may run these jobs by now, so stop them here.
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
        tracing::warn!(lost, "lost leases; other workers run these jobs");
    }
}

/// Every worker does this; there is no leader. Each lapsed job is rescued once.
async fn rescue(shared: &Shared) {
    let usual = (shared.settings.lease / 4).max(Duration::from_millis(50));
    loop {
        let wait = match rescue_lapsed(shared).await {
            Ok(Some(next)) => (next - shared.clock.now()).to_std().unwrap_or_default().min(usual),
            Ok(None) => usual,
            Err(error) => {
                tracing::warn!(%error, error_kind = error.kind(), "cannot look for lapsed leases; retrying");
                usual
            }
        };
        // Shortly after the lapse, at a different time in each worker: one of them is enough.
        sleep(wait + Duration::from_millis(20).mul_f64(1.0 + rand::random::<f64>())).await;
    }
}

/// Not a job, because the job itself could be planned far ahead.
async fn requeue_far_ahead(shared: &Shared) {
    loop {
        match jobs::requeue_far_ahead(&shared.db, shared.clock.now()).await {
            Ok(0) => {}
            Ok(requeued) => tracing::warn!(requeued, "jobs were planned by a clock that was ahead; made them due now"),
            Err(error) => tracing::warn!(%error, error_kind = error.kind(), "cannot look for jobs planned far ahead"),
        }
        sleep(shared.settings.far_ahead_interval).await;
    }
}

async fn rescue_lapsed(shared: &Shared) -> store::Result<Option<DateTime<Utc>>> {
    loop {
        let now = shared.clock.now();
        let rescued = jobs::release_lapsed(&shared.db, now, RESCUE_BATCH, |job| lapse_end(shared, now, job)).await?;
        if rescued.is_empty() {
            return jobs::next_lapse_at(&shared.db).await;
        }
        for job in rescued {
            metrics::rescued(&job.kind);
            tracing::warn!(job = %job.id, kind = job.kind, worker = job.locked_by, attempts = job.attempts, "rescued a job whose worker did not renew the lease");
        }
    }
}

/// A worker's death counts as an attempt, so that a job that kills its workers fails in the end.
fn lapse_end(shared: &Shared, now: DateTime<Utc>, job: &JobRecord) -> AttemptEnd {
    let worker = job.locked_by.as_deref().unwrap_or("unknown");
    let error = format!("the worker {worker} died or lost its connection while it ran the job");
    if job.attempts >= job.max_attempts {
        return AttemptEnd::Failed { error };
    }
    let backoff =
        shared.registry.get(job.kind.as_str()).map_or_else(Backoff::default, |registered| registered.kind.backoff);
    let attempt = u32::try_from(job.attempts).unwrap_or(u32::MAX);
    // Jitter, so that jobs that died together do not all run together again. In few steps, so that one statement writes many.
    let step = f64::from(rand::random::<u8>() % 8) / 7.0;
    AttemptEnd::Retry { run_at: later(now, backoff.delay(attempt, step)), error }
}

async fn enqueue_periodic(shared: &Shared) {
    let mut last_claims = periodic::LastClaims::default();
    loop {
        let wait = match periodic::enqueue_due(shared, &mut last_claims).await {
            Ok(next) => next.and_then(|at| (at - shared.clock.now()).to_std().ok()),
            Err(error) => {
                tracing::warn!(%error, "cannot enqueue periodic jobs; retrying");
                None
            }
        };
        sleep(wait.unwrap_or(shared.settings.poll).min(shared.settings.poll)).await;
    }
}

async fn send_heartbeats(shared: &Shared) {
    let started_at = shared.clock.now();
    loop {
        let heartbeat = WorkerHeartbeat {
            id: shared.id.clone(),
            host: shared.settings.host.clone(),
            version: shared.settings.version.clone(),
            started_at,
            seen_at: shared.clock.now(),
        };
        if let Err(error) = store::workers::mark_seen(&shared.db, &heartbeat).await {
            tracing::warn!(%error, error_kind = error.kind(), "cannot send a heartbeat");
        }
        sleep(HEARTBEAT_INTERVAL).await;
    }
}

async fn return_unstarted(shared: &Shared) {
    loop {
        sleep(MAX_WAIT_FOR_SLOT / 2).await;
        let Some(before) = Instant::now().checked_sub(MAX_WAIT_FOR_SLOT) else { continue };
        return_jobs(shared, shared.leases.take_waiting_before(before), "all slots are busy").await;
    }
}

async fn sync_clock(shared: &Shared) {
    loop {
        match shared.db.sync_clock(&shared.clock).await {
            Ok(skew) if skew.abs() > chrono::TimeDelta::seconds(5) => {
                tracing::warn!(
                    skew_ms = skew.num_milliseconds(),
                    "the system clock differs from the database server's; using the server's"
                );
            }
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "cannot read the time of the database server"),
        }
        sleep(CLOCK_SYNC_INTERVAL).await;
    }
}

/// Above these limits claims become slow.
const MANY_DEAD_ROWS: i64 = 50_000;
const OLD_SNAPSHOT_SECONDS: i64 = 300;

async fn measure_queue(shared: &Shared) {
    let mut known = Vec::new();
    loop {
        let started = Instant::now();
        if let Err(error) = sample(shared, &mut known).await {
            tracing::debug!(%error, "cannot measure the queue");
        }
        sleep(SAMPLE_INTERVAL.max(started.elapsed() * 20)).await;
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
            "the table jobs has many dead rows; check that autovacuum runs"
        );
    }
    if health.oldest_snapshot_seconds > OLD_SNAPSHOT_SECONDS {
        tracing::warn!(
            seconds = health.oldest_snapshot_seconds,
            pid = health.oldest_snapshot_pid,
            "an old transaction keeps dead rows in the table jobs; end it"
        );
    }
    Ok(())
}
