//! Fetching one feed at once, for a command. The claim keeps it from being fetched twice.

use store::{FeedId, LeaseToken, feeds, items::NewItem};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::{
    Problem, Reader,
    fetch::{Ended, Fetch},
};

/// What became of a feed that was fetched at once.
#[derive(Debug)]
pub enum FetchedNow {
    /// There was a new document.
    Changed {
        /// The new items, as the document lists them.
        new: Vec<NewItem>,
        /// The new items start as read: it is the first list of a site.
        start_read: bool,
    },
    /// The document is the same as before.
    Unchanged,
    /// The fetch failed, and is tried again later.
    Failed {
        problem: Problem,
        /// The details, for the owner.
        detail: String,
    },
    /// Another process is fetching it, or it is stopped or not in use.
    NotClaimed,
    /// The request was not sent: the host had no turn for it, or this machine lacks resources. The feed stays due.
    NotSent,
}

impl Reader {
    /// Fetches a feed now, even if it is not due, and stores the outcome.
    pub async fn fetch_now(&self, feed: FeedId) -> store::Result<FetchedNow> {
        let (now, token) = (self.clock.now(), LeaseToken::new());
        let claimed = feeds::claim_now(&self.db, feed, token, now, now + self.lease()).await?;
        let Some(feed) = claimed else { return Ok(FetchedNow::NotClaimed) };
        let fetch = Fetch { feed, token, started_at: now };
        let fetched = self.fetch(fetch, &Semaphore::new(1), &CancellationToken::new()).await?;
        let Some(outcome) = fetched else { return Ok(FetchedNow::NotSent) };
        Ok(match self.store_now(&outcome).await? {
            Ended::Changed { .. } => {
                FetchedNow::Changed { start_read: outcome.changes.start_read, new: outcome.changes.new }
            }
            Ended::Unchanged => FetchedNow::Unchanged,
            Ended::Failed(problem) => {
                FetchedNow::Failed { problem, detail: outcome.record.error_message.unwrap_or_default() }
            }
            Ended::LostLease => FetchedNow::NotClaimed,
            Ended::NoTurn | Ended::OutOfResources => FetchedNow::NotSent,
        })
    }
}
