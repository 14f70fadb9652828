//! Fetchers by feed kind: where the entries of a feed come from. Schedule, outcome and items are the same for all kinds.
//!
//! `read` brings the kind `feed`; a capability registers others ([`Reader::register_fetcher`]). A process claims only feeds
//! of the kinds that it has a fetcher for, so a kind without one is never due.

use std::{any::Any, collections::BTreeMap, future::Future, pin::Pin, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use net::{Request, Response, StatusCode, Urgency, Url};
use queue::EnqueueError;
use store::{FeedId, Tx, feeds::Claimed, items::NewItem};

use crate::{Problem, Reader};

/// The kind of feeds that are documents: RSS, Atom, RDF, JSON Feed.
pub const FEED_KIND: &str = "feed";

/// Gets the entries of feeds of one kind from the network.
pub trait Fetcher: Send + Sync + 'static {
    /// One fetch. It runs inside the limits on concurrent fetches, so it does no long computation.
    fn fetch(&self, feed: &Claimed) -> impl Future<Output = Result<Answer, FetchError>> + Send;

    /// Writes what this kind keeps about a fetch, in the transaction that stores its outcome.
    fn store(&self, _tx: &mut Tx, _stored: &StoredFetch<'_>) -> impl Future<Output = Result<(), EnqueueError>> + Send {
        async { Ok(()) }
    }
}

/// What a fetcher brings back.
pub struct Answer {
    /// The response that counts: an error status is a failure; validators, redirects and freshness are kept.
    pub response: Response,
    pub content: Content,
    /// What [`Fetcher::store`] needs.
    pub notes: Option<Notes>,
}

/// What an answer says.
pub enum Content {
    /// The body is a feed document. With the same body as last time, or a 304, nothing has changed.
    Document,
    /// The fetcher has read the entries.
    Entries {
        feed: Box<feed::ParsedFeed>,
        /// The new items start as read.
        start_read: bool,
    },
    /// Nothing has changed.
    Unchanged,
}

/// A fetcher's own value, from its fetch to the transaction that stores the outcome.
pub type Notes = Arc<dyn Any + Send + Sync>;

/// A fetch whose outcome is being stored.
pub struct StoredFetch<'a> {
    pub feed: FeedId,
    /// The address of the feed.
    pub feed_url: &'a str,
    pub now: DateTime<Utc>,
    /// The status of the answer, if there was one.
    pub status: Option<StatusCode>,
    pub is_unchanged: bool,
    pub new_items: &'a [NewItem],
    /// Why it failed, and the details.
    pub problem: Option<(Problem, &'a str)>,
    /// Whether the fetch before it failed too.
    pub failed_before: bool,
    pub notes: Option<&'a Notes>,
}

/// Why a fetch brought nothing back.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There was no response.
    #[error(transparent)]
    Net(#[from] net::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// There was one, and it cannot be used.
    #[error("{problem}: {detail}")]
    Unusable {
        problem: Problem,
        /// The details, for the owner.
        detail: String,
    },
}

type Storing<'a> = Pin<Box<dyn Future<Output = Result<(), EnqueueError>> + Send + 'a>>;
type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Answer, FetchError>> + Send + 'a>>;

/// [`Fetcher`] behind a pointer.
pub(crate) trait AnyFetcher: Send + Sync {
    fn fetch_boxed<'a>(&'a self, feed: &'a Claimed) -> Fetching<'a>;
    fn store_boxed<'a>(&'a self, tx: &'a mut Tx, stored: &'a StoredFetch<'a>) -> Storing<'a>;
}

impl<F: Fetcher> AnyFetcher for F {
    fn fetch_boxed<'a>(&'a self, feed: &'a Claimed) -> Fetching<'a> {
        Box::pin(self.fetch(feed))
    }

    fn store_boxed<'a>(&'a self, tx: &'a mut Tx, stored: &'a StoredFetch<'a>) -> Storing<'a> {
        Box::pin(self.store(tx, stored))
    }
}

/// The registered fetchers.
#[derive(Clone, Default)]
pub(crate) struct Fetchers(Arc<BTreeMap<&'static str, Arc<dyn AnyFetcher>>>);

impl Fetchers {
    pub fn add(&mut self, kind: &'static str, fetcher: impl Fetcher) {
        Arc::make_mut(&mut self.0).insert(kind, Arc::new(fetcher));
    }

    pub fn get(&self, kind: &str) -> Option<&dyn AnyFetcher> {
        self.0.get(kind).map(AsRef::as_ref)
    }

    /// The kinds that can be fetched.
    pub fn kinds(&self) -> Vec<String> {
        self.0.keys().map(|kind| (*kind).to_owned()).collect()
    }
}

impl Reader {
    /// Fetches feeds of this kind with `fetcher` from now on. Clones made before do not know it.
    pub fn register_fetcher(&mut self, kind: &'static str, fetcher: impl Fetcher) {
        self.fetchers.add(kind, fetcher);
    }
}

/// The fetcher of [`FEED_KIND`]: one conditional request.
pub(crate) struct FeedFetcher {
    pub net: net::Client,
    /// How long a request waits for its turn at the host.
    pub max_wait: Duration,
}

impl Fetcher for FeedFetcher {
    async fn fetch(&self, feed: &Claimed) -> Result<Answer, FetchError> {
        let url = net::parse_url(&feed.feed_url)?;
        // A feed that gets no turn at its host goes back to the queue.
        let mut request = Request::get(url).urgency(Urgency::Background).max_wait(self.max_wait);
        // Without the document we had, "not modified" would tell us nothing.
        if feed.content_hash.is_some() {
            request = feed.etag.iter().fold(request, |request, etag| request.if_none_match(etag));
            request = feed.last_modified.iter().fold(request, |request, date| request.if_modified_since(date));
            let issuer = feed.final_url.as_deref().and_then(|url| Url::parse(url).ok());
            request = issuer.into_iter().fold(request, Request::validated_at);
        }
        Ok(Answer { response: self.net.send(request).await?, content: Content::Document, notes: None })
    }
}
