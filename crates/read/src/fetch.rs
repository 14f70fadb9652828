//! The life of a fetch: ask, read, compare, and write the whole outcome down in one short transaction.
//!
//! The network and the database never wait for each other: the document is here before the transaction begins. Every
//! outcome names the token of the claim, so a fetch that took too long changes nothing.

mod arrivals;
pub(crate) mod document;
mod outcome;
pub(crate) mod plan;
mod stats;

use std::time::Instant;

use chrono::{DateTime, Utc};
use net::Response;
use store::{LeaseToken, feeds::Claimed};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub(crate) use self::{
    arrivals::Arrivals,
    outcome::Failure,
    stats::{FetchStats, Recorded},
};
use self::{arrivals::OnItsWay, document::Document, outcome::Success};
use crate::{Answer, FetchError, Problem, Reader};

/// Which fetch it is.
#[derive(Debug, Clone)]
pub(crate) struct Fetch {
    pub feed: Claimed,
    pub token: LeaseToken,
    pub started_at: DateTime<Utc>,
}

/// How a fetch ended, for the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There was a new document, with so many new items and so many that changed.
    Changed { new: usize, changed: usize },
    /// There was none.
    Unchanged,
    /// It failed.
    Failed(Problem),
    /// The host had no turn for us; nothing was asked.
    NoTurn,
    /// This machine lacks files or memory; the feed is fetched again soon.
    OutOfResources,
    /// Somebody else has the feed now.
    LostLease,
}

/// What came back.
enum Got {
    Answer(Box<Answer>),
    Error(net::Error),
    Unusable(Failure),
    NoTurn,
}

impl Reader {
    /// Fetches a feed and applies the outcome; nothing if told to stop before there was an answer.
    pub(crate) async fn fetch(
        &self,
        fetch: &Fetch,
        asking: &Semaphore,
        stop: &CancellationToken,
    ) -> store::Result<Option<Ended>> {
        let on_its_way = self.arrivals.expect();
        let ask = async {
            // Never closed. Given back with the answer: storing it needs no turn to ask.
            let _turn = asking.acquire().await;
            let begun = Instant::now();
            (self.ask(fetch).await, begun.elapsed())
        };
        let Some((got, took)) = stop.run_until_cancelled(ask).await else { return Ok(None) };
        let status = match &got {
            Got::Answer(answer) => Some(answer.response.status),
            Got::Error(_) | Got::Unusable(_) | Got::NoTurn => None,
        };
        if let Got::Error(error @ net::Error::OutOfResources { .. }) = &got {
            self.fetch_stats.warn_of_lack(error);
        }
        let ended = self.apply(fetch, got, on_its_way).await?;
        let (feed, url) = (Some(fetch.feed.id), fetch.feed.feed_url.as_str());
        self.record(&Recorded { feed, url, status, started_at: fetch.started_at, took, ended });
        Ok(Some(ended))
    }

    async fn ask(&self, fetch: &Fetch) -> Got {
        // A claim takes only kinds that have a fetcher.
        let Some(fetcher) = self.fetchers.get(&fetch.feed.kind) else { return Got::NoTurn };
        match fetcher.fetch_boxed(&fetch.feed).await {
            Ok(answer) => Got::Answer(Box::new(answer)),
            Err(FetchError::Net(net::Error::Busy { .. })) => Got::NoTurn,
            Err(FetchError::Net(error)) => Got::Error(error),
            Err(FetchError::Unusable { problem, detail }) => {
                Got::Unusable(Failure { problem, detail, retry_after: None })
            }
        }
    }

    async fn apply(&self, fetch: &Fetch, got: Got, on_its_way: OnItsWay<'_>) -> store::Result<Ended> {
        let Answer { response, feed } = match got {
            Got::Answer(answer) => *answer,
            Got::Unusable(failure) => return self.apply_failure(fetch, failure).await,
            Got::Error(error) => {
                return match Failure::of_error(&error) {
                    Some(failure) => self.apply_failure(fetch, failure).await,
                    None => self.postpone(fetch).await,
                };
            }
            Got::NoTurn => {
                let now = self.clock.now();
                store::feeds::release(&self.db, fetch.feed.id, fetch.token, now).await?;
                return Ok(Ended::NoTurn);
            }
        };
        if let Some(problem) = Problem::of_status(&response) {
            return self.apply_failure(fetch, Failure::of_status(problem, &response, self.clock.now())).await;
        }
        let known = fetch.feed.content_hash.as_deref();
        if response.is_not_modified() && known.is_some() {
            return self.apply_unchanged(fetch, &Success::of(fetch, &response)).await;
        }
        let hash = document::hash(&response.body);
        let success = Success::of(fetch, &response);
        if known == Some(&hash) {
            return self.apply_unchanged(fetch, &success).await;
        }
        let Response { body, url, content_type, .. } = response;
        let document = match feed {
            Some(feed) => Ok(Document::of(feed, hash, url, body.len())),
            None => Document::read(body, hash, url, content_type, self.clock.now()).await,
        };
        match document {
            Ok(document) => self.apply_document(fetch, success, document, on_its_way).await,
            Err(error) => self.apply_failure(fetch, Failure::unreadable(&error)).await,
        }
    }
}
