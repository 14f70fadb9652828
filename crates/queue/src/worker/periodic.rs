//! Enqueues periodic jobs at their due times.

use std::{future::Future, pin::Pin};

use chrono::{DateTime, Utc};
use store::{Clock, Tx, schedules, schedules::Taken};

use super::Shared;
use crate::{EnqueueError, Job, Schedule, Timing, enqueue};

type Enqueue = dyn for<'a> Fn(&'a mut Tx, &'a Clock) -> Pin<Box<dyn Future<Output = Result<(), EnqueueError>> + Send + 'a>>
    + Send
    + Sync;

/// A job that comes again by the clock.
pub(super) struct Periodic {
    kind: &'static str,
    schedule: Schedule,
    enqueue: Box<Enqueue>,
}

impl Periodic {
    pub fn new<J: Job>(schedule: Schedule, job: J) -> Periodic {
        let job = std::sync::Arc::new(job);
        let put: Box<Enqueue> = Box::new(move |tx, clock| {
            let job = job.clone();
            Box::pin(async move { enqueue(tx, clock, &*job, Timing::default()).await.map(drop) })
        });
        Periodic { kind: J::KIND.name, schedule, enqueue: put }
    }
}

/// Which due times this process has already asked for.
#[derive(Default)]
pub(super) struct Asked(std::collections::HashMap<&'static str, DateTime<Utc>>);

/// Enqueues what is due and nobody has enqueued yet; returns the next due time.
pub(super) async fn enqueue_due(shared: &Shared, asked: &mut Asked) -> Result<Option<DateTime<Utc>>, EnqueueError> {
    let now = shared.clock.now();
    for periodic in &shared.periodic {
        let due = periodic.schedule.last_due(now);
        // One that lies ahead was asked for before the clock was set back.
        if asked.0.get(periodic.kind).is_some_and(|last| *last >= due && *last <= now) {
            continue;
        }
        let taken = shared.db.transact(async |tx| {
            let taken = schedules::take(tx, periodic.kind, due, now).await?;
            if taken == Taken::Yes {
                (periodic.enqueue)(tx, &shared.clock).await?;
            }
            Ok::<_, EnqueueError>(taken)
        });
        if taken.await? == Taken::Yes {
            tracing::debug!(kind = periodic.kind, %due, "enqueued a periodic job");
        }
        asked.0.insert(periodic.kind, due);
    }
    Ok(shared.periodic.iter().map(|periodic| periodic.schedule.next_due(now)).min())
}
