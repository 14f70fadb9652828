//! Runs one job after another.

use std::{any::Any, collections::HashMap, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use store::jobs::{AttemptEnd, ClaimedJob, FinishedAttempt};
use tokio::{sync::mpsc::UnboundedSender, time::Instant};
use tracing::Instrument;

use super::{Shared, leases::Lease};
use crate::{Attempt, JobKind, Outcome, handler::Run, metrics::KindMetrics, time::later};

pub(super) async fn run(shared: Arc<Shared>, slot: usize, results: UnboundedSender<FinishedAttempt>) {
    let mut metrics: HashMap<&'static str, KindMetrics> = HashMap::new();
    loop {
        let waiting = tokio::select! {
            biased;
            () = shared.stop.cancelled() => return,
            waiting = shared.leases.take(slot) => waiting,
        };
        let Some(registered) = shared.registry.get(waiting.job.kind.as_str()) else { continue };
        let kind = registered.kind;
        let metrics = metrics.entry(kind.name).or_insert_with(|| KindMetrics::new(kind.name));
        metrics.waited(waiting.job.run_at, waiting.claimed_at);
        let started = Instant::now();
        let running = attempt(&shared, kind, &waiting.job, &*registered.run);
        let outcome = tokio::select! {
            biased;
            outcome = running => outcome,
            () = shared.leases.lost(slot, waiting.lease) => None,
            () = shared.abort.cancelled() => {
                shared.leases.release_slot();
                return;
            }
        };
        metrics.ran(started.elapsed());
        let Some(outcome) = outcome else {
            shared.leases.end(waiting.lease);
            tracing::warn!(job = %waiting.lease.id, kind = kind.name, "stopped a job whose lease was lost");
            shared.room.notify_one();
            continue;
        };
        let end = end_of(&shared, kind, &waiting.job, outcome);
        report(&waiting.job, kind, &end, metrics);
        finish(&shared, waiting.lease, end, &results);
    }
}

/// Runs the handler with its time-out. A panic is a failed attempt.
async fn attempt(shared: &Shared, kind: JobKind, job: &ClaimedJob, run: &Run) -> Option<Outcome> {
    let attempt = Attempt {
        id: job.id,
        number: u32::try_from(job.attempts).unwrap_or(u32::MAX),
        is_last: job.attempts >= job.max_attempts,
        stopping: shared.stop.clone(),
    };
    let span = tracing::info_span!("job", job = %job.id, kind = kind.name, attempt = attempt.number);
    // Called inside the guard, because a handler may panic before its first await.
    let running = AssertUnwindSafe(async { run(&job.payload, attempt).await }).catch_unwind().instrument(span);
    Some(match tokio::time::timeout(kind.timeout, running).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(panic)) => Outcome::retry(format!("the job panicked: {}", panic_message(&*panic))),
        Err(_) => Outcome::retry(format!("the job took longer than {} s", kind.timeout.as_secs_f64())),
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

fn end_of(shared: &Shared, kind: JobKind, job: &ClaimedJob, outcome: Outcome) -> AttemptEnd {
    match outcome {
        Outcome::Done => AttemptEnd::Succeeded,
        Outcome::GiveUp { reason } => AttemptEnd::Failed { error: reason },
        Outcome::Retry { error, .. } if job.attempts >= job.max_attempts => AttemptEnd::Failed { error },
        Outcome::Retry { error, after } => {
            let attempt = u32::try_from(job.attempts).unwrap_or(u32::MAX);
            let delay = after.unwrap_or_else(|| kind.backoff.delay(attempt, rand::random()));
            AttemptEnd::Retry { run_at: later(shared.clock.now(), delay), error }
        }
    }
}

fn report(job: &ClaimedJob, kind: JobKind, end: &AttemptEnd, metrics: &KindMetrics) {
    let (job, kind) = (job.id, kind.name);
    match end {
        AttemptEnd::Returned => {}
        AttemptEnd::Succeeded => {
            metrics.done.increment(1);
            tracing::debug!(%job, kind, "job done");
        }
        AttemptEnd::Retry { run_at, error } => {
            metrics.retried.increment(1);
            tracing::info!(%job, kind, %run_at, error, "job failed and will be retried");
        }
        AttemptEnd::Failed { error } => {
            metrics.failed.increment(1);
            tracing::warn!(%job, kind, error, "job failed for good; retry it by hand when the cause is gone");
        }
    }
}

fn finish(shared: &Shared, lease: Lease, end: AttemptEnd, results: &UnboundedSender<FinishedAttempt>) {
    let ended_job = shared.leases.end(lease);
    if ended_job.is_held {
        // The recorder outlives the slots. Without it, the lease lapses and the job runs again.
        let _ = results.send(FinishedAttempt { id: lease.id, token: lease.token, end });
    }
    if ended_job.is_low {
        shared.room.notify_one();
    }
}
