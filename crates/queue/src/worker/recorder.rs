//! Writes down how jobs ended, many at a time: a write costs the same for one as for hundreds.

use std::{sync::Arc, time::Duration};

use store::jobs::{self, Finish};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, timeout},
};

use super::{Shared, leases::Lease};
use crate::metrics;

/// The most ends in one statement.
const MOST: usize = 512;
/// How long to wait for more ends while more are on their way.
const WINDOW: Duration = Duration::from_millis(3);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MOST_PAUSE: Duration = Duration::from_secs(5);

pub(super) async fn run(shared: Arc<Shared>, mut ends: UnboundedReceiver<Finish>) {
    let mut batch = Vec::new();
    while ends.recv_many(&mut batch, MOST).await > 0 {
        // Idle: write at once. Busy: the next ends are a moment away.
        while batch.len() < MOST / 2 && shared.leases.waiting_and_free().0 > 0 {
            let left = MOST - batch.len();
            match timeout(WINDOW, ends.recv_many(&mut batch, left)).await {
                Ok(more) if more > 0 => {}
                _ => break,
            }
        }
        write(&shared, &batch).await;
        shared.leases.forget(batch.drain(..).map(|finish| Lease { id: finish.id, token: finish.token }));
        shared.room.notify_one();
    }
}

/// Tries as long as the leases can last: a result is fenced, so a late one does no harm, and a lost one costs a repetition.
async fn write(shared: &Shared, batch: &[Finish]) {
    let give_up_at = Instant::now() + shared.settings.lease;
    let mut pause = FIRST_PAUSE;
    while let Err(error) = try_write(shared, batch).await {
        tracing::warn!(%error, error_kind = error.kind(), results = batch.len(), "cannot write results; trying again");
        if Instant::now() > give_up_at {
            return write_one_by_one(shared, batch).await;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MOST_PAUSE);
    }
}

/// One bad result must not take the others with it.
async fn write_one_by_one(shared: &Shared, batch: &[Finish]) {
    for finish in batch {
        if let Err(error) = try_write(shared, std::slice::from_ref(finish)).await {
            tracing::error!(job = %finish.id, %error, error_kind = error.kind(), "a result could not be written; the job runs again");
        }
    }
}

async fn try_write(shared: &Shared, batch: &[Finish]) -> store::Result<()> {
    let lost = jobs::mark_finished(&shared.db, shared.clock.now(), batch).await?;
    if lost > 0 {
        metrics::leases_lost(lost);
        tracing::warn!(lost, "dropped results of jobs whose lease had been lost");
    }
    Ok(())
}
