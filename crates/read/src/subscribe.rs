//! Subscribing: from what a person pasted to a feed in their list; moving to another address; leaving.
//!
//! The network comes first, then one short transaction, then the icon, which may be missing. The transaction locks the
//! row of one feed only.

mod find;
mod keep;

use std::time::Duration;

use chrono::{DateTime, Utc};
pub(crate) use find::Fetched;
pub use find::Offer;
use find::{Address, Found, Search};
use keep::Kept;
use net::Asker;
use store::{
    FeedId, FolderId, SubscriptionId, UserId,
    feeds::{self, Feed},
    imports::ImportPlace,
    subscriptions,
};
use tokio::time::Instant;

use crate::{
    Error, Problem, Reader, Result,
    fetch::{Ended, Failure, Recorded},
    fetch_icon::FetchIcon,
    icon::{IconPlaces, IconSearch},
    problem::{in_full, printable_address},
};

/// The deadline of an import job. Its requests wait for their turn at the host, and a page may name several feeds.
const BACKGROUND_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest request of an import job. A feed that takes longer is subscribed without its items and left to the
/// scheduler, which gives it the whole `FETCH_TIMEOUT`: a silent host holds up the rest of the file only for this long.
const BACKGROUND_PATIENCE: Duration = Duration::from_secs(5);
/// The longest that an icon holds up the answer.
const ICON_TIMEOUT: Duration = Duration::from_secs(3);

/// A person's new subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribed {
    /// The feed.
    pub feed: Feed,
    /// The subscription.
    pub subscription: SubscriptionId,
}

/// What a person wants with a new subscription.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The folder to put it in.
    pub folder: Option<Folder>,
    /// A title of their own; it counts only if the feed is called otherwise.
    pub title: Option<String>,
    /// The file that it comes from: what became of it is written down together with it.
    pub import: Option<ImportPlace>,
}

/// Which folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// This one.
    Id(FolderId),
    /// The one with this name, made if there is none.
    Named(String),
}

impl Error {
    fn from_net(error: net::Error) -> Error {
        match error {
            net::Error::InvalidUrl { .. } | net::Error::Blocked { .. } => Error::AddressRefused(error),
            error => match Problem::of_error(&error) {
                Some(problem) => Error::Origin { problem, detail: in_full(&error), status: None, retry_after: None },
                None => Error::OutOfResources(error),
            },
        }
    }

    fn from_status(problem: Problem, response: &net::Response, now: DateTime<Utc>) -> Error {
        let Failure { problem, detail, retry_after } = Failure::of_status(problem, response, now);
        Error::Origin { problem, detail, status: Some(response.status), retry_after }
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

impl Reader {
    /// Subscribes a person to the feed at an address as people paste it.
    pub async fn subscribe(&self, user: UserId, address: &str, asker: Asker, wish: &Wish) -> Result<Subscribed> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(asker);
        if let Some(feed) = feeds::find_by_url(&self.db, address.url.as_str()).await?
            && let Some(subscription) = subscriptions::find(&self.db, user, feed.id).await?
        {
            return Err(Error::AlreadySubscribed { subscription, feed: feed.id });
        }
        // Before the first request; the transaction checks it again.
        if subscriptions::count(&self.db, user).await? >= i64::from(self.settings.subscription_limit) {
            return Err(Error::SubscriptionLimit { max: self.settings.subscription_limit });
        }
        let found = self.find_feed(&address, asker, deadline).await?;
        let kept = self.keep(user, &found.0, wish).await;
        self.finish(found, kept, asker, deadline).await
    }

    /// Moves a person's subscription to the feed at another address, with its folder, title and interval.
    pub async fn move_subscription(
        &self,
        user: UserId,
        feed: FeedId,
        address: &str,
        asker: Asker,
    ) -> Result<Subscribed> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(asker);
        if subscriptions::find(&self.db, user, feed).await?.is_none() {
            return Err(Error::NotFound);
        }
        let found = self.find_feed(&address, asker, deadline).await?;
        let kept = self.keep_moved(user, feed, &found.0).await;
        self.finish(found, kept, asker, deadline).await
    }

    /// The feeds that an address leads to, without subscribing to any.
    pub async fn discover(&self, address: &str, asker: Asker) -> Result<Vec<Offer>> {
        let address = Address::read(address)?;
        let offers = self.search(asker, self.subscribe_deadline(asker)).offer(&address).await;
        offers.inspect_err(|error| log_failure(&address, error))
    }

    /// Finds the feed at an address, and tells how long that took. A fetch that fails is counted and logged here, one that
    /// succeeds in `finish`, which knows how many items were new.
    async fn find_feed(&self, address: &Address, asker: Asker, deadline: Instant) -> Result<(Found, Duration)> {
        let (begun, started_at) = (Instant::now(), self.clock.now());
        let result = self.search(asker, deadline).find(address).await;
        let took = begun.elapsed();
        if let Err(error @ Error::Origin { problem, status, .. }) = &result {
            let (url, ended) = (address.url.as_str(), Ended::Failed(*problem));
            let fetch = Recorded { feed: None, url, status: *status, started_at, took, ended };
            match asker {
                Asker::Person => {
                    self.figures.count(&fetch);
                    log_failure(address, error);
                }
                // An import keeps the feed, with what is wrong with it.
                Asker::Background => self.record(&fetch),
            }
        }
        result.map(|found| (found, took))
    }

    /// Counts the first fetch of a feed, and looks for its icon.
    async fn finish(
        &self,
        (found, took): (Found, Duration),
        kept: Result<Kept>,
        asker: Asker,
        deadline: Instant,
    ) -> Result<Subscribed> {
        if let Found::Fetched(fetched) = &found {
            // The document was fetched even if the person may not keep it.
            let (feed, new, changed) =
                kept.as_ref().map_or((None, 0, 0), |kept| (Some(kept.feed), kept.new, kept.changed));
            let (url, status) = (fetched.feed_url.as_str(), Some(fetched.response.status));
            let (started_at, ended) = (self.clock.now(), Ended::Changed { new, changed });
            self.record(&Recorded { feed, url, status, started_at, took, ended });
        }
        let kept = kept?;
        self.add_icon(kept.feed, found, asker, deadline).await;
        let feed = feeds::get(&self.db, kept.feed).await?.ok_or(store::Error::NotFound)?;
        Ok(Subscribed { feed, subscription: kept.subscription })
    }

    fn subscribe_deadline(&self, asker: Asker) -> Instant {
        Instant::now()
            + match asker {
                Asker::Person => self.settings.subscribe_timeout,
                Asker::Background => BACKGROUND_TIMEOUT,
            }
    }

    /// A search that leaves a fifth of the time for storing and for the icon.
    fn search(&self, asker: Asker, deadline: Instant) -> Search<'_> {
        let left = deadline.saturating_duration_since(Instant::now());
        let patience = match asker {
            Asker::Person => self.settings.fetch_timeout,
            Asker::Background => self.settings.fetch_timeout.min(BACKGROUND_PATIENCE),
        };
        Search::new(self, asker, patience, deadline.checked_sub(left / 5).unwrap_or(deadline))
    }

    /// Looks for the icon of a feed while a person waits. A job looks for it if that takes too long, and in imports.
    async fn add_icon(&self, feed: FeedId, found: Found, asker: Asker, deadline: Instant) {
        let kept = match (found, asker) {
            (Found::Known(known), _) if known.has_favicon => Ok(()),
            (Found::Known(_), _) => self.ask_for_icon(FetchIcon::new(feed)).await,
            (Found::Fetched(fetched), Asker::Background) => {
                let IconPlaces { named, page, .. } = IconPlaces::of(*fetched);
                let on_page = match page {
                    Some(page) => Some(page.icons().await.iter().map(ToString::to_string).collect()),
                    None => None,
                };
                self.ask_for_icon(FetchIcon { feed, named: named.map(String::from), on_page }).await
            }
            (Found::Fetched(fetched), Asker::Person) => {
                let places = IconPlaces::of(*fetched);
                let named = places.named.as_ref().map(ToString::to_string);
                let by = deadline.min(Instant::now() + ICON_TIMEOUT);
                match self.find_icon(places, asker, by).await {
                    IconSearch::Found(icon) => self.keep_icon(feed, Some(&icon)).await,
                    IconSearch::Nothing => self.keep_icon(feed, None).await,
                    IconSearch::Unfinished => self.ask_for_icon(FetchIcon { named, ..FetchIcon::new(feed) }).await,
                }
            }
        };
        if let Err(error) = kept {
            tracing::warn!(%error, %feed, "the icon of a feed was not kept");
        }
    }
}

/// Logs that an address did not lead to a feed because of the site.
fn log_failure(address: &Address, error: &Error) {
    if let Error::Origin { problem, detail, status, .. } = error {
        let (url, status) = (printable_address(address.url.as_str()), status.map(|status| status.as_u16()));
        tracing::info!(url, status, %problem, detail, "a feed could not be subscribed to");
    }
}
