//! Subscribing: from what a person pasted to a feed in their list; moving to another address; leaving.
//!
//! The network comes first, then one short transaction, then the icon, which may be missing. The transaction locks the
//! row of one feed only.

mod find;
mod write;

use std::time::Duration;

use chrono::{DateTime, Utc};
pub use find::FeedCandidate;
pub(crate) use find::Fetched;
use find::{Address, Found, Search};
use net::{Response, Urgency, Url};
use store::{
    FeedId, FolderId, SubscriptionId, UserId,
    feeds::{self, Feed},
    full_texts::FullText,
    imports::ImportFeedKey,
    subscriptions,
    users::{self, Role},
};
use tokio::time::Instant;
use write::StoredSubscription;

use crate::{
    Error, FetchError, Notes, Problem, Reader, Result,
    fetch::{
        Ended, Failure, Recorded,
        document::{self, Document},
    },
    fetch_icon::{FetchIcon, site_of},
    icon::{IconPlaces, IconSearch},
    problem::{in_full, printable_address},
};

/// The longest request of an import job. A feed that takes longer is subscribed without its items and left to the
/// scheduler, which gives it the whole `FETCH_TIMEOUT`: a silent host holds up the rest of the file only for this long.
const BACKGROUND_PATIENCE: Duration = Duration::from_secs(5);
/// The longest that an icon holds up the answer.
const ICON_TIMEOUT: Duration = Duration::from_secs(3);

/// A person's new subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribed {
    pub feed: Feed,
    pub subscription: SubscriptionId,
}

/// What a person wants with a new subscription.
#[derive(Debug, Clone, Default)]
pub struct SubscribeOptions {
    /// The folder to put it in.
    pub folder: Option<SubscribeFolder>,
    /// A title of their own; it counts only if the feed is called otherwise.
    pub title: Option<String>,
    /// The file that it comes from: what became of it is written down together with it.
    pub import: Option<ImportFeedKey>,
    /// All items that are there start as read.
    pub start_read: bool,
    /// Whether the pages of its items are fetched.
    pub full_text: FullText,
}

/// A feed of another kind that its fetcher has just read for the first time.
pub struct FetchedSite {
    pub kind: &'static str,
    /// The address to store.
    pub url: Url,
    pub response: Response,
    pub feed: feed::ParsedFeed,
    /// What its fetcher keeps.
    pub notes: Notes,
}

/// Which folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubscribeFolder {
    /// This one.
    Id(FolderId),
    /// The one with this name, made if there is none.
    Named(String),
}

impl From<FetchError> for Error {
    fn from(error: FetchError) -> Error {
        match error {
            FetchError::Net(error) => Error::from_net(error),
            FetchError::Store(error) => Error::Store(error),
            FetchError::Unusable { problem, detail } => {
                Error::Origin { feed_url: None, problem, detail, status: None, retry_after: None }
            }
        }
    }
}

impl Error {
    fn from_net(error: net::Error) -> Error {
        match error {
            net::Error::InvalidUrl { .. } | net::Error::Blocked { .. } => Error::AddressRefused(error),
            error => match Problem::of_error(&error) {
                Some(problem) => {
                    Error::Origin { feed_url: None, problem, detail: in_full(&error), status: None, retry_after: None }
                }
                None => Error::OutOfResources(error),
            },
        }
    }

    /// The answer of a site with an error status.
    pub fn from_status(problem: Problem, response: &net::Response, now: DateTime<Utc>) -> Error {
        let Failure { problem, detail, retry_after } = Failure::of_status(problem, response, now);
        Error::Origin { feed_url: None, problem, detail, status: Some(response.status), retry_after }
    }

    /// The same, with the address of the feed that fails.
    fn at_feed(self, url: &Url) -> Error {
        match self {
            Error::Origin { problem, detail, status, retry_after, .. } => {
                Error::Origin { feed_url: Some(url.to_string()), problem, detail, status, retry_after }
            }
            other => other,
        }
    }

    /// Whether it may be different in a minute.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Error::Origin { problem, .. } => {
                matches!(problem, Problem::RateLimited | Problem::ServerError | Problem::Timeout | Problem::Unreachable)
            }
            Error::Store(_) | Error::OutOfResources(_) => true,
            _ => false,
        }
    }
}

/// A feed that was found, when the search began and how long it took.
struct Timed {
    found: Found,
    started_at: DateTime<Utc>,
    took: Duration,
}

impl Reader {
    /// Subscribes a person to the feed at an address as people paste it.
    pub async fn subscribe(
        &self,
        user: UserId,
        address: &str,
        urgency: Urgency,
        options: &SubscribeOptions,
    ) -> Result<Subscribed> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(urgency);
        if let Some(feed) = feeds::find_by_url(&self.db, address.url.as_str()).await?
            && let Some(subscription) = subscriptions::find(&self.db, user, feed.id).await?
        {
            return Err(Error::AlreadySubscribed { subscription, feed: feed.id });
        }
        // Before the first request; the transaction checks it again.
        if let Some(limit) = self.subscription_limit(user).await?
            && subscriptions::count(&self.db, user).await? >= i64::from(limit)
        {
            return Err(Error::SubscriptionLimit { max: limit });
        }
        let timed = self.find_feed(&address, urgency, deadline).await?;
        let kept = self.store_subscription(user, &timed.found, options).await;
        self.finish(timed, kept, urgency, deadline).await
    }

    /// Subscribes a person to a feed of another kind, which its fetcher has read.
    pub async fn subscribe_to_site(
        &self,
        user: UserId,
        site: FetchedSite,
        options: &SubscribeOptions,
    ) -> Result<Subscribed> {
        let FetchedSite { kind, url, response, feed, notes } = site;
        let hash = document::hash(&response.body);
        let document = Document::of(feed, hash, response.url.clone(), response.body.len());
        let fetched = Fetched { feed_url: url, kind, response, document, page: None, notes: Some(notes) };
        let found = Found::Fetched(Box::new(fetched));
        let kept = self.store_subscription(user, &found, options).await;
        let (started_at, took) = (self.clock.now(), Duration::ZERO);
        let deadline = self.subscribe_deadline(Urgency::Interactive);
        self.finish(Timed { found, started_at, took }, kept, Urgency::Interactive, deadline).await
    }

    /// Subscribes a person to a feed that is known.
    pub async fn subscribe_to_known(
        &self,
        user: UserId,
        feed: FeedId,
        options: &SubscribeOptions,
    ) -> Result<Subscribed> {
        let feed = feeds::get(&self.db, feed).await?.ok_or(Error::NotFound)?;
        let found = Found::Known(feed);
        let stored = self.store_subscription(user, &found, options).await?;
        let feed = feeds::get(&self.db, stored.feed).await?.ok_or(Error::NotFound)?;
        Ok(Subscribed { feed, subscription: stored.subscription })
    }

    /// The most subscriptions that a person may have; owners may have any number.
    async fn subscription_limit(&self, user: UserId) -> store::Result<Option<u32>> {
        let Some(limit) = self.settings.subscription_limit else { return Ok(None) };
        let user = users::get(&self.db, user).await?;
        Ok(Some(limit).filter(|_| user.is_none_or(|user| user.role != Role::Owner)))
    }

    /// Moves a person's subscription to the feed at another address, with its folder, title and interval.
    pub async fn move_subscription(
        &self,
        user: UserId,
        feed: FeedId,
        address: &str,
        urgency: Urgency,
    ) -> Result<Subscribed> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(urgency);
        if subscriptions::find(&self.db, user, feed).await?.is_none() {
            return Err(Error::NotFound);
        }
        let timed = self.find_feed(&address, urgency, deadline).await?;
        let kept = self.store_moved_subscription(user, feed, &timed.found).await;
        self.finish(timed, kept, urgency, deadline).await
    }

    /// The feeds that an address leads to, without subscribing to any.
    pub async fn discover(&self, address: &str, urgency: Urgency) -> Result<Vec<FeedCandidate>> {
        let address = Address::read(address)?;
        let offers = self.search(urgency, self.subscribe_deadline(urgency)).list(&address).await;
        offers.inspect_err(|error| log_failure(&address, error))
    }

    /// Finds the feed at an address, and tells when that began and how long it took. A fetch that fails is counted and
    /// logged here, one that succeeds in `finish`, which knows how many items were new.
    async fn find_feed(&self, address: &Address, urgency: Urgency, deadline: Instant) -> Result<Timed> {
        let (begun, started_at) = (Instant::now(), self.clock.now());
        let search = self.search(urgency, deadline);
        let result = search.find(address).await;
        let took = begun.elapsed();
        let failed = |problem, status| {
            let (url, ended) = (address.url.as_str(), Ended::Failed(problem));
            Recorded { feed: None, url, status, started_at, took, ended }
        };
        match &result {
            Err(error @ Error::Origin { problem, status, .. }) if urgency == Urgency::Interactive => {
                self.fetch_stats.count(&failed(*problem, *status));
                log_failure(address, error);
            }
            // An import keeps the feed, with what is wrong with it.
            Err(Error::Origin { problem, status, .. }) => self.record(&failed(*problem, *status)),
            Err(Error::FeedNotFound | Error::FeedsUnreadable { .. }) => {
                self.record(&failed(Problem::NotAFeed, search.page_status()))
            }
            _ => {}
        }
        result.map(|found| Timed { found, started_at, took })
    }

    /// Counts the first fetch of a feed, and looks for its icon.
    async fn finish(
        &self,
        Timed { found, started_at, took }: Timed,
        kept: Result<StoredSubscription>,
        urgency: Urgency,
        deadline: Instant,
    ) -> Result<Subscribed> {
        if let Found::Fetched(fetched) = &found {
            // The document was fetched even if the person may not keep it.
            let (feed, new, changed) =
                kept.as_ref().map_or((None, 0, 0), |kept| (Some(kept.feed), kept.new, kept.changed));
            let (url, status) = (fetched.feed_url.as_str(), Some(fetched.response.status));
            let ended = Ended::Changed { new, changed };
            self.record(&Recorded { feed, url, status, started_at, took, ended });
        }
        let kept = kept?;
        self.add_icon(kept.feed, found, urgency, deadline).await;
        let feed = feeds::get(&self.db, kept.feed).await?.ok_or(store::Error::NotFound)?;
        Ok(Subscribed { feed, subscription: kept.subscription })
    }

    fn subscribe_deadline(&self, urgency: Urgency) -> Instant {
        Instant::now()
            + match urgency {
                Urgency::Interactive => self.settings.subscribe_timeout,
                Urgency::Background => self.settings.import_timeout,
            }
    }

    /// A search that leaves a fifth of the time for storing and for the icon.
    fn search(&self, urgency: Urgency, deadline: Instant) -> Search<'_> {
        let left = deadline.saturating_duration_since(Instant::now());
        let request_timeout = request_timeout(urgency, self.settings.fetch_timeout);
        Search::new(self, urgency, request_timeout, deadline.checked_sub(left / 5).unwrap_or(deadline))
    }

    /// Looks for the icon of a feed while a person waits. A job looks for it if that takes too long, and in imports.
    async fn add_icon(&self, feed: FeedId, found: Found, urgency: Urgency, deadline: Instant) {
        let kept = match (found, urgency) {
            (Found::Known(known), _) if known.has_favicon => Ok(()),
            (Found::Known(known), _) => {
                let site = site_of(known.site_url.as_deref(), &known.feed_url);
                self.ask_for_icon(FetchIcon::new(feed, site.as_ref())).await
            }
            (Found::Fetched(fetched), Urgency::Background) => {
                let mut places = IconPlaces::of(*fetched);
                places.read_page().await;
                self.ask_for_icon(FetchIcon::in_places(feed, &places)).await
            }
            (Found::Fetched(fetched), Urgency::Interactive) => {
                let by = deadline.min(Instant::now() + ICON_TIMEOUT);
                self.add_icon_by(feed, IconPlaces::of(*fetched), by).await
            }
        };
        if let Err(error) = kept {
            tracing::warn!(%error, %feed, "the icon of a feed was not kept");
        }
    }

    async fn add_icon_by(&self, feed: FeedId, mut places: IconPlaces, deadline: Instant) -> store::Result<()> {
        if self.copy_icon(feed).await? {
            return Ok(());
        }
        match self.find_icon(&mut places, Urgency::Interactive, deadline).await {
            IconSearch::Found(icon) => self.store_icon(feed, Some(&icon)).await,
            IconSearch::Nothing => self.store_icon(feed, None).await,
            IconSearch::Unfinished => self.ask_for_icon(FetchIcon::in_places(feed, &places)).await,
        }
    }
}

/// The time-out of one request of a search.
fn request_timeout(urgency: Urgency, fetch_timeout: Duration) -> Duration {
    match urgency {
        Urgency::Interactive => fetch_timeout,
        Urgency::Background => fetch_timeout.min(BACKGROUND_PATIENCE),
    }
}

/// Logs that an address did not lead to a feed because of the site.
fn log_failure(address: &Address, error: &Error) {
    if let Error::Origin { problem, detail, status, .. } = error {
        let (url, status) = (printable_address(address.url.as_str()), status.map(|status| status.as_u16()));
        tracing::info!(url, status, %problem, detail, "a feed could not be subscribed to");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_wait_less_than_users() {
        for (urgency, fetch_timeout, expected) in [
            (Urgency::Interactive, 30, 30),
            (Urgency::Interactive, 2, 2),
            (Urgency::Background, 30, 5),
            (Urgency::Background, 2, 2),
        ] {
            let timeout = request_timeout(urgency, Duration::from_secs(fetch_timeout));
            assert_eq!(timeout, Duration::from_secs(expected), "{urgency:?}, {fetch_timeout} s");
        }
    }
}
