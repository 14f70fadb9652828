//! Runs one job after another.

use std::{any::Any, collections::HashMap, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use store::jobs::{ClaimedJob, Ending, Finish};
use tokio::{sync::mpsc::UnboundedSender, time::Instant};
use tracing::Instrument;

use super::{Shared, leases::Lease};
use crate::{Attempt, Kind, Outcome, handler::Run, metrics::KindMetrics, time::later};
pub(super) async fn run(shared: Arc<Shared>, slot: usize, ended: UnboundedSender<Finish>) {
    let mut figures: HashMap<&'static str, KindMetrics> = HashMap::new();
    loop {
        let waiting = tokio::select! {
            biased;
            () = shared.stop.cancelled() => return,
            waiting = shared.leases.take(slot) => waiting,
        };
        let Some(registered) = shared.registry.get(waiting.job.kind.as_str()) else { continue };
        let kind = registered.kind;
        let figures = figures.entry(kind.name).or_insert_with(|| KindMetrics::new(kind.name));
        figures.waited(waiting.job.run_at, waiting.taken_at);
        let started = Instant::now();
        let running = attempt(&shared, kind, &waiting.job, &*registered.run);
        let outcome = tokio::select! {
            biased;
            outcome = running => outcome,
            () = shared.leases.lost(slot, waiting.lease) => None,
            () = shared.cut_off.cancelled() => {
                shared.leases.cut_off();
                return;
            }
        };
        figures.ran(started.elapsed());
        let Some(outcome) = outcome else {
            shared.leases.end(waiting.lease);
            tracing::warn!(job = %waiting.lease.id, kind = kind.name, "stopped a job: its lease was lost to another worker");
            shared.room.notify_one();
            continue;
        };
        let ending = ending(&shared, kind, &waiting.job, outcome);
        report(&waiting.job, kind, &ending, figures);
        end(&shared, waiting.lease, ending, &ended);
    }
}

/// Runs the handler with its time limit; a panic is a failed attempt like any other.
async fn attempt(shared: &Shared, kind: Kind, job: &ClaimedJob, run: &Run) -> Option<Outcome> {
    let attempt = Attempt {
        id: job.id,
        number: u32::try_from(job.attempts).unwrap_or(u32::MAX),
        is_last: job.attempts >= job.max_attempts,
        stopping: shared.stop.clone(),
    };
    let span = tracing::info_span!("job", job = %job.id, kind = kind.name, attempt = attempt.number);
    // Called inside the guard too: a handler may panic before its first await.
    let running = AssertUnwindSafe(async { run(&job.payload, attempt).await }).catch_unwind().instrument(span);
    Some(match tokio::time::timeout(kind.timeout, running).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(panic)) => Outcome::retry(format!("the job panicked: {}", panic_words(&*panic))),
        Err(_) => Outcome::retry(format!("the job took longer than {} s", kind.timeout.as_secs_f64())),
    })
}

fn panic_words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

fn ending(shared: &Shared, kind: Kind, job: &ClaimedJob, outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Done => Ending::Succeeded,
        Outcome::GiveUp { reason } => Ending::Failed { error: reason },
        Outcome::Retry { error, .. } if job.attempts >= job.max_attempts => Ending::Failed { error },
        Outcome::Retry { error, after } => {
            let attempt = u32::try_from(job.attempts).unwrap_or(u32::MAX);
            let delay = after.unwrap_or_else(|| kind.backoff.delay(attempt, rand::random()));
            Ending::Retry { run_at: later(shared.clock.now(), delay), error }
        }
    }
}

fn report(job: &ClaimedJob, kind: Kind, ending: &Ending, figures: &KindMetrics) {
    let (job, kind) = (job.id, kind.name);
    match ending {
        Ending::HandedBack => {}
        Ending::Succeeded => {
            figures.done.increment(1);
            tracing::debug!(%job, kind, "job done");
        }
        Ending::Retry { run_at, error } => {
            figures.retried.increment(1);
            tracing::info!(%job, kind, %run_at, error, "job failed and will be tried again");
        }
        Ending::Failed { error } => {
            figures.failed.increment(1);
            tracing::warn!(%job, kind, error, "job failed for good; retry it by hand when the cause is gone");
        }
    }
}

fn end(shared: &Shared, lease: Lease, ending: Ending, ended: &UnboundedSender<Finish>) {
    let held = shared.leases.end(lease);
    if held.still_ours {
        // The recorder outlives the slots; if it is gone the lease lapses and the job runs again.
        let _ = ended.send(Finish { id: lease.id, token: lease.token, ending });
    }
    if held.low {
        shared.room.notify_one();
    }
}
