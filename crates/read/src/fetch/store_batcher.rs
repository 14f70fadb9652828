//! Stores the outcomes of fetches in batches. Each outcome is all or nothing; those of a batch share a transaction, so that the
//! pages of the indexes over time are written once for all of them.

use std::{mem, time::Duration};

use net::Url;
use store::{
    Change, Topic, Tx,
    feeds::{self, FetchRecord, FetchStatus},
    subscriptions,
};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    task::JoinSet,
    time::{Instant, timeout_at},
};

use super::{Ended, Outcome, document};
use crate::{Reader, events::only_store_errors, problem::printable_address, scheduler::Slot};

/// The maximum number of outcomes in one transaction.
const MAX_BATCH: usize = 64;
/// A batch of this size does not wait for more.
const ENOUGH: usize = 12;
/// How long the first outcome of a batch waits for others.
const WINDOW: Duration = Duration::from_millis(30);
/// Concurrent transactions on PostgreSQL. SQLite has one writer.
const MAX_STORING_POSTGRES: usize = 3;
/// The pauses before another try when another transaction holds the feed's row.
const LOCKED_PAUSES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(200), Duration::from_millis(500), Duration::from_millis(1_000)];

/// An outcome on its way to the database.
pub(crate) struct Unstored {
    outcome: Outcome,
    /// Free again when the outcome is stored.
    _slot: Slot,
}

impl Unstored {
    pub fn new(outcome: Outcome, slot: Slot) -> Unstored {
        Unstored { outcome, _slot: slot }
    }
}

/// Stores outcomes until all senders are gone.
pub(crate) async fn store_in_batches(reader: Reader, mut outcomes: UnboundedReceiver<Unstored>) {
    let max_storing = if reader.db.is_postgres() { MAX_STORING_POSTGRES } else { 1 };
    let mut storing = JoinSet::new();
    let mut batch = Vec::new();
    loop {
        if storing.len() == max_storing {
            storing.join_next().await;
        }
        if outcomes.recv_many(&mut batch, MAX_BATCH).await == 0 {
            break;
        }
        let window_ends = Instant::now() + WINDOW;
        // Every fetch that runs holds a sender, and so does the scheduler.
        while batch.len() < ENOUGH && (!outcomes.is_empty() || outcomes.sender_strong_count() > 1) {
            let room = MAX_BATCH - batch.len();
            match timeout_at(window_ends, outcomes.recv_many(&mut batch, room)).await {
                Ok(more) if more > 0 => {}
                _ => break,
            }
        }
        storing.spawn(store_batch(reader.clone(), mem::take(&mut batch)));
    }
    while storing.join_next().await.is_some() {}
}

async fn store_batch(reader: Reader, mut batch: Vec<Unstored>) {
    // Always in the same order, so that transactions that hold several feeds do not wait for each other.
    batch.sort_by_key(|unstored| unstored.outcome.record.feed);
    let outcomes: Vec<&Outcome> = batch.iter().map(|unstored| &unstored.outcome).collect();
    match reader.store(&outcomes).await {
        Ok(ends) => {
            for (unstored, ended) in batch.into_iter().zip(ends) {
                match ended {
                    Some(ended) => reader.record(&unstored.outcome.asked.recorded(ended)),
                    // The others do not wait for it.
                    None => drop(tokio::spawn(store_locked(reader.clone(), unstored))),
                }
            }
        }
        Err(error) => {
            tracing::debug!(%error, outcomes = batch.len(), "storing outcomes together failed; one by one");
            for unstored in batch {
                let stored = reader.store_one(&unstored.outcome).await;
                reader.report(&unstored.outcome, stored);
            }
        }
    }
}

/// Stores an outcome whose feed's row another transaction held.
async fn store_locked(reader: Reader, unstored: Unstored) {
    let stored = reader.store_after_pauses(&unstored.outcome).await;
    reader.report(&unstored.outcome, stored);
}

impl Reader {
    /// Stores one outcome without waiting for others.
    pub(crate) async fn store_now(&self, outcome: &Outcome) -> store::Result<Ended> {
        let stored = match self.store_one(outcome).await? {
            None => self.store_after_pauses(outcome).await?,
            stored => stored,
        };
        let ended = stored.ok_or(store::Error::Locked(None))?;
        self.record(&outcome.asked.recorded(ended));
        Ok(ended)
    }

    /// Tries again until the feed's row is free. `None` if it never was.
    async fn store_after_pauses(&self, outcome: &Outcome) -> store::Result<Option<Ended>> {
        for pause in LOCKED_PAUSES {
            tokio::time::sleep(pause).await;
            if let Some(ended) = self.store_one(outcome).await? {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    async fn store_one(&self, outcome: &Outcome) -> store::Result<Option<Ended>> {
        Ok(self.store(&[outcome]).await?.pop().flatten())
    }

    fn report(&self, outcome: &Outcome, stored: store::Result<Option<Ended>>) {
        let error = match stored {
            Ok(Some(ended)) => return self.record(&outcome.asked.recorded(ended)),
            Ok(None) => store::Error::Locked(None),
            Err(error) => error,
        };
        let feed_id = outcome.record.feed;
        tracing::warn!(%feed_id, %error, "the outcome of a fetch could not be stored; the feed is fetched again later");
    }

    /// Stores outcomes in one transaction. `None` for an outcome whose feed's row another transaction holds.
    async fn store(&self, outcomes: &[&Outcome]) -> store::Result<Vec<Option<Ended>>> {
        self.db.transact(async |tx| self.store_in(tx, outcomes).await).await
    }

    async fn store_in(&self, tx: &mut Tx, outcomes: &[&Outcome]) -> store::Result<Vec<Option<Ended>>> {
        let records: Vec<FetchRecord> = outcomes.iter().map(|outcome| outcome.record.clone()).collect();
        // First, because it locks the feeds' rows: no other transaction adds items or subscribers until the end.
        let marked = feeds::mark_fetched(tx, &records).await?;
        let is_held = |outcome: &Outcome| marked.held.contains(&outcome.record.feed);
        let held: Vec<&Outcome> = outcomes.iter().copied().filter(|outcome| is_held(outcome)).collect();
        let changes: Vec<_> = held.iter().map(|outcome| (outcome.record.feed, &outcome.changes)).collect();
        let mut events = document::store_all(tx, &changes, self.clock.now()).await?;
        let stopped = held.iter().filter(|outcome| outcome.record.status == FetchStatus::Stopped);
        events.feeds_stopped.extend(stopped.map(|outcome| outcome.record.feed));
        for outcome in held {
            if let Some(fetcher) = self.fetchers.get(&outcome.asked.fetch.feed.kind) {
                only_store_errors(fetcher.store_boxed(tx, &outcome.stored()).await)?;
            }
            if let Some(address) = outcome.new_address() {
                self.follow(tx, outcome, &address).await?;
            }
            if let Some(icon) = &outcome.icon {
                self.ask_for_icon_in(tx, icon).await?;
            }
            if outcome.is_visible() {
                tx.changed(Change::Feed(outcome.record.feed));
            }
        }
        self.publish(tx, &events).await?;
        let end = |outcome: &&Outcome| match is_held(outcome) {
            true => Some(outcome.ended),
            false if marked.locked.contains(&outcome.record.feed) => None,
            // The worker that has the feed now has read the same document, or a newer one.
            false => Some(Ended::LostLease),
        };
        Ok(outcomes.iter().map(end).collect())
    }

    /// Gives the feed its new address, or its subscribers the feed that already has it.
    async fn follow(&self, tx: &mut Tx, outcome: &Outcome, address: &Url) -> store::Result<()> {
        let (feed, now) = (outcome.record.feed, self.clock.now());
        if feeds::is_named(tx, feed).await? {
            tracing::debug!(feed_id = %feed, "a feed has moved and keeps its address: a configuration file names it");
            return Ok(());
        }
        match feeds::find_id(tx, address.as_str()).await? {
            Some(other) => {
                let moved = subscriptions::move_all(tx, feed, other, now).await?;
                tx.changed(Change::Feed(other));
                tracing::info!(feed_id = %feed, other = %other, moved, "a feed has moved to the address of another; its subscribers went along");
            }
            None => {
                feeds::mark_moved(tx, feed, address.as_str(), address.host_str().unwrap_or_default(), now).await?;
                let old = &outcome.asked.fetch.feed.feed_url;
                let (from, to) = (printable_address(old), printable_address(address.as_str()));
                tracing::info!(feed_id = %feed, from, to, "a feed has a new address");
            }
        }
        tx.announce(Topic::Feeds);
        Ok(())
    }
}
