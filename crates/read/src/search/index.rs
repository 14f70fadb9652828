//! Adding the words of new and changed items to the index.

use std::time::Duration;

use queue::EnqueueError;
use store::{Topic, Tx, search};
use tokio_util::sync::CancellationToken;

use super::matcher;
use crate::{EventHandler, Events, Reader};

/// Items per transaction: few, because other writers wait for it and because all texts are in memory.
const CHUNK: i64 = 100;
/// Poll interval, in case a signal is lost.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Pause after a database error.
const RETRY_PAUSE: Duration = Duration::from_secs(5);

/// Adds new and changed items to the list of items to index.
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
    /// Indexes new and changed items until `stop` is cancelled.
    pub async fn index_words(&self, stop: CancellationToken) {
        let mut signals = self.db.signals().subscribe(Topic::Words);
        loop {
            let work = async {
                let wait = match self.index_all_pending().await {
                    Ok(_) => POLL_INTERVAL,
                    Err(error) => {
                        tracing::warn!(%error, "could not index words; retrying in 5 seconds");
                        tokio::time::sleep(RETRY_PAUSE).await;
                        POLL_INTERVAL - RETRY_PAUSE
                    }
                };
                // A signal and a timeout have the same effect. The sender lives as long as the database.
                let _ = tokio::time::timeout(wait, signals.changed()).await;
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = work => {}
            }
        }
    }

    /// Indexes all pending items. Returns their number.
    pub async fn index_all_pending(&self) -> store::Result<u64> {
        let mut indexed = 0;
        loop {
            let chunk = search::claim(&self.db, CHUNK).await?;
            if chunk.items().is_empty() {
                return Ok(indexed);
            }
            let mut words = Vec::with_capacity(chunk.items().len());
            for item in chunk.items() {
                words.push(matcher::words_of(item));
                // A long text takes milliseconds, and requests run on the same threads.
                tokio::task::yield_now().await;
            }
            indexed += u64::try_from(words.len()).unwrap_or_default();
            chunk.finish(&self.db, words).await?;
        }
    }
}
