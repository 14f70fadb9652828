//! Stores the results of jobs in batches: a write costs the same for one as for hundreds.

use std::{sync::Arc, time::Duration};

use store::jobs::{self, FinishedAttempt};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, timeout},
};

use super::{Shared, leases::Lease};
use crate::metrics;

const MAX_BATCH: usize = 512;
/// How long to wait for more results while jobs are waiting.
const WINDOW: Duration = Duration::from_millis(3);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(5);

pub(super) async fn run(shared: Arc<Shared>, mut ends: UnboundedReceiver<FinishedAttempt>) {
    let mut batch = Vec::new();
    while ends.recv_many(&mut batch, MAX_BATCH).await > 0 {
        // When idle, write at once. When busy, wait for the next results.
        while batch.len() < MAX_BATCH / 2 && shared.leases.waiting_and_free().0 > 0 {
            let left = MAX_BATCH - batch.len();
            match timeout(WINDOW, ends.recv_many(&mut batch, left)).await {
                Ok(more) if more > 0 => {}
                _ => break,
            }
        }
        write(&shared, &batch).await;
        shared.leases.remove(batch.drain(..).map(|finish| Lease { id: finish.id, token: finish.token }));
        shared.room.notify_one();
    }
}

/// Retries for as long as a lease lasts. A late result is harmless, because its lease token is checked.
async fn write(shared: &Shared, batch: &[FinishedAttempt]) {
    let give_up_at = Instant::now() + shared.settings.lease;
    let mut pause = FIRST_PAUSE;
    while let Err(error) = try_write(shared, batch).await {
        tracing::warn!(%error, error_kind = error.kind(), results = batch.len(), "cannot store results; retrying");
        if Instant::now() > give_up_at {
            return write_one_by_one(shared, batch).await;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

/// So that one bad result does not lose the others.
async fn write_one_by_one(shared: &Shared, batch: &[FinishedAttempt]) {
    for finish in batch {
        if let Err(error) = try_write(shared, std::slice::from_ref(finish)).await {
            tracing::error!(job = %finish.id, %error, error_kind = error.kind(), "could not store a result; the job runs again");
        }
    }
}

async fn try_write(shared: &Shared, batch: &[FinishedAttempt]) -> store::Result<()> {
    let lost = jobs::mark_finished(&shared.db, shared.clock.now(), batch).await?;
    if lost > 0 {
        metrics::leases_lost(lost);
        tracing::warn!(lost, "dropped results of jobs with a lost lease");
    }
    Ok(())
}
