//! Keeping the index: the words of items that wait for it.

use std::time::Duration;

use queue::EnqueueError;
use store::{Topic, Tx, search};
use tokio_util::sync::CancellationToken;

use super::judge;
use crate::{EventHandler, Events, Reader};

/// Items at once: few enough to be short with the writer's turn, and with memory where texts are long.
const CHUNK: i64 = 100;
/// Signals can be lost; nobody minds half a minute.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// After an error, so that a database that is away is not asked for ever.
const PAUSE: Duration = Duration::from_secs(5);

/// Adds new and changed items to those that wait to be indexed.
pub(crate) struct SearchIndex;

impl EventHandler for SearchIndex {
    async fn handle(&self, tx: &mut Tx, events: &Events) -> Result<(), EnqueueError> {
        let items = events.items_arrived.iter().chain(&events.items_changed).map(|item| item.item);
        if items.clone().next().is_some() {
            search::mark_pending(tx, items).await?;
            tx.announce(Topic::Words);
        }
        Ok(())
    }
}

impl Reader {
    /// Brings the words of new and changed items into the search index, until it is stopped.
    pub async fn index_words(&self, stop: CancellationToken) {
        let mut signals = self.db.signals().subscribe(Topic::Words);
        loop {
            let work = async {
                let wait = match self.index_all_pending().await {
                    Ok(_) => LONGEST_SLEEP,
                    Err(error) => {
                        tracing::warn!(%error, "could not index words; trying again soon");
                        tokio::time::sleep(PAUSE).await;
                        LONGEST_SLEEP - PAUSE
                    }
                };
                // A signal, or the time is up: the next round is the same. The sender lives as long as the database.
                let _ = tokio::time::timeout(wait, signals.changed()).await;
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = work => {}
            }
        }
    }

    /// Indexes all that waits now, and tells how many items that were.
    pub async fn index_all_pending(&self) -> store::Result<u64> {
        let mut indexed = 0;
        loop {
            let chunk = search::claim(&self.db, CHUNK).await?;
            if chunk.items().is_empty() {
                return Ok(indexed);
            }
            let mut words = Vec::with_capacity(chunk.items().len());
            for item in chunk.items() {
                words.push(judge::words_of(item));
                // A long text takes milliseconds; requests wait on the same threads.
                tokio::task::yield_now().await;
            }
            indexed += u64::try_from(words.len()).unwrap_or_default();
            chunk.finish(&self.db, words).await?;
        }
    }
}
