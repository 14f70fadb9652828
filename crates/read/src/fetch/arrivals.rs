//! New documents that are stored together.
//!
//! Each fetch's outcome is all or nothing; several of them may share a transaction. While one is written, others gather
//! and go with the next: the same pages of the indexes over time are then written once for all of them, not once for each.

use std::{
    mem,
    sync::{Mutex, PoisonError},
};

use store::{Change, feeds, feeds::Fetched};
use tokio::sync::{Semaphore, oneshot};

use super::{
    Ended, Fetch,
    document::{self, Changes, Document},
    outcome::Success,
    plan::Wishes,
};
use crate::Reader;

/// How many transactions store documents at once on PostgreSQL; SQLite has one writer.
const TURNS_POSTGRES: usize = 2;
/// How often a transaction that lost to another is tried again.
const TRIES: usize = 5;

/// A document that is to be stored.
pub(super) struct Arrival {
    pub fetch: Fetch,
    pub success: Success,
    pub document: Document,
    pub changes: Changes,
}

/// Documents that wait for their turn.
pub(crate) struct Arrivals {
    waiting: Mutex<Vec<Waiting>>,
    turns: Semaphore,
}

struct Waiting {
    arrival: Arrival,
    tell: oneshot::Sender<store::Result<Ended>>,
}

impl Arrivals {
    /// None yet.
    pub fn new(is_postgres: bool) -> Arrivals {
        Arrivals { waiting: Mutex::default(), turns: Semaphore::new(if is_postgres { TURNS_POSTGRES } else { 1 }) }
    }

    fn add(&self, arrival: Arrival) -> oneshot::Receiver<store::Result<Ended>> {
        let (tell, told) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(Waiting { arrival, tell });
        told
    }

    fn take(&self) -> Vec<Waiting> {
        mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Reader {
    /// Stores a document, together with those that wait for the same turn.
    pub(super) async fn store_arrival(&self, arrival: Arrival) -> store::Result<Ended> {
        let told = self.arrivals.add(arrival);
        // Never closed, so there is a turn in the end; whoever has one stores all that wait by then.
        let turn = self.arrivals.turns.acquire().await;
        let mut together = self.arrivals.take();
        // Always in the same order, so that those who hold several feeds do not wait for each other.
        together.sort_by_key(|waiting| waiting.arrival.fetch.feed.id);
        self.store_together(together).await;
        drop(turn);
        // Nobody tells only if the task that had the turn was dropped with the process.
        told.await.unwrap_or(Ok(Ended::LostLease))
    }

    async fn store_together(&self, together: Vec<Waiting>) {
        let arrivals: Vec<&Arrival> = together.iter().map(|waiting| &waiting.arrival).collect();
        let stored = if arrivals.is_empty() { Ok(Vec::new()) } else { self.store_arrivals(&arrivals).await };
        match stored {
            Ok(ends) => {
                // Whoever does not listen any more does not need to know.
                together.into_iter().zip(ends).for_each(|(waiting, ended)| drop(waiting.tell.send(Ok(ended))));
            }
            Err(error) => {
                tracing::debug!(%error, documents = together.len(), "storing documents together failed; one by one");
                for waiting in together {
                    let ended = self.store_alone(&waiting.arrival).await;
                    drop(waiting.tell.send(ended));
                }
            }
        }
    }

    async fn store_alone(&self, arrival: &Arrival) -> store::Result<Ended> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.store_arrivals(&[arrival]).await {
                Err(store::Error::Busy(error)) if tries < TRIES => {
                    tracing::debug!(%error, "storing a document lost to another transaction; trying again");
                }
                ended => return ended.map(|ended| ended.first().copied().unwrap_or(Ended::LostLease)),
            }
        }
    }

    /// One transaction for all of them; a feed that another has now is left out.
    async fn store_arrivals(&self, arrivals: &[&Arrival]) -> store::Result<Vec<Ended>> {
        let mut tx = self.db.begin().await?;
        let mut ends = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            // First, because it holds the feed's row: nobody else adds items or subscribers until the end.
            let is_ours = feeds::mark_fetched(&mut tx, &self.fetched(arrival)).await?;
            let Changes { new, changed, .. } = &arrival.changes;
            let stored = Ended::Changed { new: new.len(), changed: changed.len() };
            // Whoever has the feed now has read the same document, or a newer one.
            ends.push(if is_ours { stored } else { Ended::LostLease });
        }
        let ours: Vec<&Arrival> = arrivals
            .iter()
            .zip(&ends)
            .filter(|(_, ended)| **ended != Ended::LostLease)
            .map(|(ours, _)| *ours)
            .collect();
        let documents: Vec<_> = ours.iter().map(|arrival| (arrival.fetch.feed.id, &arrival.changes)).collect();
        document::store_all(&mut tx, &documents, self.clock.now()).await?;
        for arrival in ours {
            self.follow(&mut tx, &arrival.fetch, &arrival.success).await?;
            tx.changed(Change::Feed(arrival.fetch.feed.id));
        }
        tx.commit().await?;
        Ok(ends)
    }

    fn fetched(&self, arrival: &Arrival) -> Fetched {
        let Arrival { fetch, success, document, changes } = arrival;
        let wishes = Wishes::of(document.hints());
        Fetched {
            unchanged: success.unchanged(self.ended(fetch, success, &wishes)),
            title: document.title(),
            site_url: document.site_url(),
            content_hash: document.content_hash().to_owned(),
            hints: wishes.to_keep(),
            items_added: i64::try_from(changes.new.len()).unwrap_or(i64::MAX),
        }
    }
}
