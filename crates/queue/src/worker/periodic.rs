//! Enqueues periodic jobs at their due times.

use std::{future::Future, pin::Pin};

use chrono::{DateTime, Utc};
use store::{Clock, Tx, schedules, schedules::ScheduleClaim};

use super::Shared;
use crate::{EnqueueError, Job, Schedule, Timing, enqueue};

type Enqueue = dyn for<'a> Fn(&'a mut Tx, &'a Clock) -> Pin<Box<dyn Future<Output = Result<(), EnqueueError>> + Send + 'a>>
    + Send
    + Sync;

/// A periodic job.
pub(super) struct Periodic {
    kind: &'static str,
    schedule: Schedule,
    enqueue: Box<Enqueue>,
}

impl Periodic {
    pub fn new<J: Job>(schedule: Schedule, job: J) -> Periodic {
        let job = std::sync::Arc::new(job);
        let enqueue_job: Box<Enqueue> = Box::new(move |tx, clock| {
            let job = job.clone();
            Box::pin(async move { enqueue(tx, clock, &*job, Timing::default()).await.map(drop) })
        });
        Periodic { kind: J::KIND.name, schedule, enqueue: enqueue_job }
    }
}

/// The due times that this process has tried to claim last.
#[derive(Default)]
pub(super) struct LastClaims(std::collections::HashMap<&'static str, DateTime<Utc>>);

/// Enqueues due jobs that no worker has enqueued yet. Returns the next due time.
pub(super) async fn enqueue_due(
    shared: &Shared,
    last_claims: &mut LastClaims,
) -> Result<Option<DateTime<Utc>>, EnqueueError> {
    let now = shared.clock.now();
    for periodic in &shared.periodic {
        let due = periodic.schedule.last_due(now);
        // A later time was claimed before the clock was set back.
        if last_claims.0.get(periodic.kind).is_some_and(|last| *last >= due && *last <= now) {
            continue;
        }
        let claim = shared.db.transact(async |tx| {
            let claim = schedules::claim(tx, periodic.kind, due, now).await?;
            if claim == ScheduleClaim::Claimed {
                (periodic.enqueue)(tx, &shared.clock).await?;
            }
            Ok::<_, EnqueueError>(claim)
        });
        if claim.await? == ScheduleClaim::Claimed {
            tracing::debug!(kind = periodic.kind, %due, "enqueued a periodic job");
        }
        last_claims.0.insert(periodic.kind, due);
    }
    Ok(shared.periodic.iter().map(|periodic| periodic.schedule.next_due(now)).min())
}
