//! New documents that are stored together.
//!
//! Each fetch's outcome is all or nothing; several of them may share a transaction. While one is written, others gather
//! and go with the next: the same pages of the indexes over time are then written once for all of them, not once for each.
//! A transaction even waits a moment for those that are on their way.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use store::{Change, Tx, feeds, feeds::Fetched};
use tokio::{
    sync::{Notify, Semaphore, oneshot},
    time::Instant,
};

use super::{
    Ended, Fetch,
    document::{self, Changes, Document},
    outcome::Success,
    plan::PublisherHints,
};
use crate::Reader;

/// How many transactions store documents at once on PostgreSQL; SQLite has one writer.
const TURNS_POSTGRES: usize = 3;
/// So many documents are worth a transaction at once.
const ENOUGH: usize = 12;
/// How long the first of them waits for others.
const PATIENCE: Duration = Duration::from_millis(30);
/// How long to wait before another try when another transaction holds the feed's row.
const LOCKED_PAUSES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(200), Duration::from_millis(500), Duration::from_millis(1_000)];

/// A document that is to be stored.
pub(super) struct Arrival {
    pub fetch: Fetch,
    pub success: Success,
    pub document: Document,
    pub changes: Changes,
}

/// Documents that wait for their turn, and how many more may come.
pub(crate) struct Arrivals {
    hall: Mutex<Hall>,
    /// Something about the hall changed.
    stirred: Notify,
    turns: Semaphore,
}

#[derive(Default)]
struct Hall {
    waiting: Vec<Waiting>,
    /// Fetches that have not come this far, and may yet.
    on_their_way: usize,
}

struct Waiting {
    arrival: Arrival,
    tell: oneshot::Sender<Told>,
}

/// What became of a document in a shared transaction.
enum Told {
    Ended(store::Result<Ended>),
    /// Another transaction holds the feed's row. The others did not wait for it.
    Locked(Box<Arrival>),
}

impl Waiting {
    fn tell(self, ended: store::Result<Option<Ended>>) {
        let told = match ended {
            Ok(Some(ended)) => Told::Ended(Ok(ended)),
            Ok(None) => Told::Locked(Box::new(self.arrival)),
            Err(error) => Told::Ended(Err(error)),
        };
        // The receiver is gone only when the process ends.
        drop(self.tell.send(told));
    }
}

/// A fetch that may bring a document, until it is dropped.
pub(super) struct OnItsWay<'a>(&'a Arrivals);

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.0.hall().on_their_way -= 1;
        self.0.stirred.notify_waiters();
    }
}

impl Arrivals {
    /// None yet.
    pub fn new(is_postgres: bool) -> Arrivals {
        let turns = Semaphore::new(if is_postgres { TURNS_POSTGRES } else { 1 });
        Arrivals { hall: Mutex::default(), stirred: Notify::new(), turns }
    }

    /// A fetch begins.
    pub(super) fn expect(&self) -> OnItsWay<'_> {
        self.hall().on_their_way += 1;
        OnItsWay(self)
    }

    fn hall(&self) -> MutexGuard<'_, Hall> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, arrival: Arrival, on_its_way: OnItsWay<'_>) -> oneshot::Receiver<Told> {
        let (tell, told) = oneshot::channel();
        self.hall().waiting.push(Waiting { arrival, tell });
        // Only now: nobody should think that nothing more will come.
        drop(on_its_way);
        told
    }

    /// Waits until there are enough, nobody else is on their way, or patience ends; then takes all there are.
    async fn gather(&self) -> Vec<Waiting> {
        let patience_ends = Instant::now() + PATIENCE;
        loop {
            // Before looking, so that nothing that happens after the look is missed.
            let stirred = self.stirred.notified();
            let has_time = Instant::now() < patience_ends;
            {
                let mut hall = self.hall();
                let could_be_more = (1..ENOUGH).contains(&hall.waiting.len()) && hall.on_their_way > 0;
                if !(could_be_more && has_time) {
                    return mem::take(&mut hall.waiting);
                }
            }
            // Either way it looks again.
            let _ = tokio::time::timeout_at(patience_ends, stirred).await;
        }
    }
}

impl Reader {
    /// Stores a document, together with those that wait for the same turn.
    pub(super) async fn store_arrival(&self, arrival: Arrival, on_its_way: OnItsWay<'_>) -> store::Result<Ended> {
        let mut told = self.store_with_others(arrival, on_its_way).await;
        for pause in LOCKED_PAUSES {
            let Told::Locked(arrival) = told else { break };
            tokio::time::sleep(pause).await;
            told = self.store_with_others(*arrival, self.arrivals.expect()).await;
        }
        match told {
            Told::Ended(ended) => ended,
            Told::Locked(_) => Err(store::Error::Locked(None)),
        }
    }

    async fn store_with_others(&self, arrival: Arrival, on_its_way: OnItsWay<'_>) -> Told {
        let told = self.arrivals.add(arrival, on_its_way);
        // Never closed, so there is a turn in the end; it stores all documents that wait by then.
        let turn = self.arrivals.turns.acquire().await;
        let mut together = self.arrivals.gather().await;
        // Always in the same order, so that transactions that hold several feeds do not wait for each other.
        together.sort_by_key(|waiting| waiting.arrival.fetch.feed.id);
        self.store_together(together).await;
        drop(turn);
        // The sender is dropped only with the task that had the turn, when the process ends.
        told.await.unwrap_or(Told::Ended(Ok(Ended::LostLease)))
    }

    async fn store_together(&self, together: Vec<Waiting>) {
        let arrivals: Vec<&Arrival> = together.iter().map(|waiting| &waiting.arrival).collect();
        let stored = if arrivals.is_empty() { Ok(Vec::new()) } else { self.store_arrivals(&arrivals).await };
        match stored {
            Ok(ends) => together.into_iter().zip(ends).for_each(|(waiting, ended)| waiting.tell(Ok(ended))),
            Err(error) => {
                tracing::debug!(%error, documents = together.len(), "storing documents together failed; one by one");
                for waiting in together {
                    let ended = self.store_alone(&waiting.arrival).await;
                    waiting.tell(ended);
                }
            }
        }
    }

    async fn store_alone(&self, arrival: &Arrival) -> store::Result<Option<Ended>> {
        let ended = self.store_arrivals(&[arrival]).await?;
        Ok(ended.first().copied().unwrap_or(Some(Ended::LostLease)))
    }

    /// One transaction for all of them. A document whose feed's row another transaction holds is left out: `None`.
    async fn store_arrivals(&self, arrivals: &[&Arrival]) -> store::Result<Vec<Option<Ended>>> {
        self.db.transact(async |tx| self.store_arrivals_in(tx, arrivals).await).await
    }

    async fn store_arrivals_in(&self, tx: &mut Tx, arrivals: &[&Arrival]) -> store::Result<Vec<Option<Ended>>> {
        let fetched: Vec<Fetched> = arrivals.iter().map(|arrival| self.fetched(arrival)).collect();
        // First, because it holds the feeds' rows: no other transaction adds items or subscribers until the end.
        let marked = feeds::mark_all_fetched(tx, &fetched).await?;
        let is_ours = |arrival: &Arrival| marked.held.contains(&arrival.fetch.feed.id);
        let end = |arrival: &&Arrival| match is_ours(arrival) {
            true => Some(Ended::Changed { new: arrival.changes.new.len(), changed: arrival.changes.changed.len() }),
            false if marked.locked.contains(&arrival.fetch.feed.id) => None,
            // The worker that has the feed now has read the same document, or a newer one.
            false => Some(Ended::LostLease),
        };
        let ends = arrivals.iter().map(end).collect();
        let ours: Vec<&Arrival> = arrivals.iter().copied().filter(|arrival| is_ours(arrival)).collect();
        let documents: Vec<_> = ours.iter().map(|arrival| (arrival.fetch.feed.id, &arrival.changes)).collect();
        let events = document::store_all(tx, &documents, self.clock.now()).await?;
        for arrival in ours {
            self.follow(tx, &arrival.fetch, &arrival.success).await?;
            tx.changed(Change::Feed(arrival.fetch.feed.id));
        }
        self.publish(tx, &events).await?;
        Ok(ends)
    }

    fn fetched(&self, arrival: &Arrival) -> Fetched {
        let Arrival { fetch, success, document, changes } = arrival;
        let hints = PublisherHints::of(document.hints());
        Fetched {
            unchanged: success.unchanged(self.ended(fetch, success, &hints)),
            title: document.title(),
            site_url: document.site_url(),
            content_hash: document.content_hash().to_owned(),
            hints: hints.to_keep(),
            items_added: i64::try_from(changes.new.len()).unwrap_or(i64::MAX),
        }
    }
}
