//! The life of a fetch: ask, compare, and store the whole outcome in one short transaction.
//!
//! The network and the database never wait for each other: the document is here before the transaction begins. Every
//! outcome names the token of the claim, so a fetch that took too long changes nothing.

pub(crate) mod document;
mod outcome;
pub(crate) mod plan;
mod stats;
mod store_batcher;

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use net::StatusCode;
use store::{
    LeaseToken,
    feeds::{self, Claimed},
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use self::document::Document;
pub(crate) use self::{
    outcome::{Failure, Outcome},
    stats::{FetchStats, Recorded},
    store_batcher::{Unstored, store_in_batches},
};
use crate::{Answer, Content, FetchError, Problem, Reader};

/// A feed that is being fetched.
#[derive(Debug, Clone)]
pub(crate) struct Fetch {
    pub feed: Claimed,
    pub token: LeaseToken,
    pub started_at: DateTime<Utc>,
}

/// A fetch whose request has ended.
pub(crate) struct Asked {
    pub fetch: Fetch,
    /// The status of the answer, if there was one.
    pub status: Option<StatusCode>,
    /// The duration of the request.
    pub took: Duration,
}

impl Asked {
    pub fn recorded(&self, ended: Ended) -> Recorded<'_> {
        let Asked { fetch, status, took } = self;
        let (feed, url) = (Some(fetch.feed.id), fetch.feed.feed_url.as_str());
        Recorded { feed, url, status: *status, started_at: fetch.started_at, took: *took, ended }
    }
}

/// How a fetch ended, for the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There was a new document, with this many new and changed items.
    Changed {
        new: usize,
        changed: usize,
    },
    Unchanged,
    Failed(Problem),
    /// The host had no turn for us; no request was sent.
    NoTurn,
    /// This machine lacks files or memory; the feed is fetched again soon.
    OutOfResources,
    /// Another worker has the feed now.
    LostLease,
}

impl Reader {
    /// Asks for a feed and compares the answer with the stored items. `None` if there is nothing to store; the feed is due
    /// again then.
    pub(crate) async fn fetch(
        &self,
        fetch: Fetch,
        asking: &Semaphore,
        stop: &CancellationToken,
    ) -> store::Result<Option<Outcome>> {
        let ask = async {
            // Never closed. Released with the answer: comparing and storing need no turn to ask.
            let _turn = asking.acquire().await;
            let begun = Instant::now();
            Some((self.fetchers.get(&fetch.feed.kind)?.fetch_boxed(&fetch.feed).await, begun.elapsed()))
        };
        // A claim takes only kinds that have a fetcher.
        let Some((answer, took)) = stop.run_until_cancelled(ask).await.flatten() else {
            self.release(&fetch).await?;
            return Ok(None);
        };
        let asked = Asked { status: answer.as_ref().ok().map(|answer| answer.response.status), took, fetch };
        let now = self.clock.now();
        match answer {
            Ok(answer) => self.compare(asked, answer).await.map(Some),
            Err(FetchError::Unusable { problem, detail }) => {
                Ok(Some(Outcome::failed(asked, Failure { problem, detail, retry_after: None }, now)))
            }
            Err(FetchError::Store(error)) => Err(error),
            Err(FetchError::Net(error)) => match Failure::of_error(&error) {
                Some(failure) => Ok(Some(Outcome::failed(asked, failure, now))),
                None => self.postpone(&asked, &error).await.map(|()| None),
            },
        }
    }

    /// Makes the feed due now.
    pub(crate) async fn release(&self, fetch: &Fetch) -> store::Result<()> {
        feeds::release(&self.db, fetch.feed.id, fetch.token, self.clock.now()).await
    }

    /// The request was not sent: the feed stays as it is and is due again, after a pause if this machine lacks something.
    async fn postpone(&self, asked: &Asked, error: &net::Error) -> store::Result<()> {
        let ended = if let net::Error::Busy { .. } = error {
            self.release(&asked.fetch).await?;
            Ended::NoTurn
        } else {
            self.fetch_stats.warn_of_lack(error);
            let due_at = plan::after_lack(self.clock.now(), rand::random());
            feeds::release(&self.db, asked.fetch.feed.id, asked.fetch.token, due_at).await?;
            Ended::OutOfResources
        };
        self.record(&asked.recorded(ended));
        Ok(())
    }

    async fn compare(&self, asked: Asked, answer: Answer) -> store::Result<Outcome> {
        let Answer { response, content, notes } = answer;
        let mut outcome = self.compare_content(asked, &response, content).await?;
        outcome.notes = notes;
        Ok(outcome)
    }

    async fn compare_content(
        &self,
        asked: Asked,
        response: &net::Response,
        content: Content,
    ) -> store::Result<Outcome> {
        let now = self.clock.now();
        if let Some(problem) = Problem::of_status(response) {
            return Ok(Outcome::failed(asked, Failure::of_status(problem, response, now), now));
        }
        let known = asked.fetch.feed.content_hash.as_deref();
        let is_not_modified = response.is_not_modified() && known.is_some();
        let hash = document::hash(&response.body);
        let is_unchanged = match content {
            Content::Document => is_not_modified || known == Some(&hash),
            Content::Entries { .. } => false,
            Content::Unchanged => true,
        };
        if is_unchanged {
            return Ok(Outcome::unchanged(asked, response, now));
        }
        let (body, url) = (response.body.clone(), response.url.clone());
        let mut start_read = false;
        let read = match content {
            Content::Entries { feed, start_read: silent } => {
                start_read = silent;
                Ok(Document::of(*feed, hash, url, body.len()))
            }
            _ => Document::read(body, hash, url, response.content_type.clone(), now).await,
        };
        let document = match read {
            Ok(document) => document,
            Err(error) => return Ok(Outcome::failed(asked, Failure::unreadable(&error), now)),
        };
        let mut changes = match asked.fetch.feed.items_added {
            0 => document.all_new(now).await,
            _ => document.compare(&self.db, asked.fetch.feed.id, now).await?,
        };
        changes.start_read = start_read;
        Ok(Outcome::changed(asked, response, &document, changes, now))
    }
}
