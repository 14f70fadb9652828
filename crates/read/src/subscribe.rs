//! Subscribing: from what a person pasted to a feed in their list; moving to another address; leaving.
//!
//! The network comes first, then one short transaction, then the icon, which may be missing.

mod find;
mod keep;

use std::time::Duration;

pub(crate) use find::Fetched;
pub use find::Offer;
use find::{Address, Found, Search};
use net::Asker;
use store::{
    FeedId, FolderId, SubscriptionId, UserId,
    feeds::{self, Feed},
    imports::ImportPlace,
    subscriptions,
};
use tokio::time::Instant;

use crate::{
    Problem, Reader,
    icon::{IconPlaces, IconSearch},
    problem::in_full,
};

/// Nobody waits for a job, and its requests take their turns.
const BACKGROUND_TIMEOUT: Duration = Duration::from_secs(90);
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

/// Why a person cannot subscribe.
#[derive(Debug, thiserror::Error)]
pub enum SubscribeError {
    /// It is no address; write another one.
    #[error(transparent)]
    Address(#[from] feed::discover::AddressError),
    /// The guard refuses it; write another one.
    #[error("the address is refused")]
    Refused(#[source] net::Error),
    /// They have it already.
    #[error("there is a subscription already")]
    AlreadySubscribed {
        /// The one they have.
        subscription: SubscriptionId,
        /// To this feed.
        feed: FeedId,
    },
    /// They have as many as they may have; end one first.
    #[error("there are {limit} subscriptions, and no more are allowed")]
    Full {
        /// How many they may have.
        limit: u32,
    },
    /// There is no feed; choose one of these, or another address.
    #[error("no feed was found")]
    NoFeed {
        /// What the page names, though it could not be read as a feed.
        candidates: Vec<Offer>,
    },
    /// The fault is at the other end; try again later, or another address.
    #[error("the site does not deliver the feed: {problem}")]
    Origin {
        /// What is wrong.
        problem: Problem,
        /// The details, for the owner.
        detail: String,
    },
    /// This machine lacks files, memory or disk space; try again later.
    #[error("the server has run out of resources")]
    OutOfResources(#[source] net::Error),
    /// They have no such folder.
    #[error("there is no such folder")]
    UnknownFolder,
    /// They do not subscribe to this feed.
    #[error("there is no such subscription")]
    NotSubscribed,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl SubscribeError {
    fn from_net(error: net::Error) -> SubscribeError {
        match error {
            net::Error::InvalidUrl { .. } | net::Error::Blocked { .. } => SubscribeError::Refused(error),
            error => match Problem::of_error(&error) {
                Some(problem) => SubscribeError::Origin { problem, detail: in_full(&error) },
                None => SubscribeError::OutOfResources(error),
            },
        }
    }

    /// Whether it may be different in a minute.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            SubscribeError::Origin { problem, .. } => {
                matches!(problem, Problem::RateLimited | Problem::ServerError | Problem::Timeout | Problem::Unreachable)
            }
            SubscribeError::Store(_) | SubscribeError::OutOfResources(_) => true,
            _ => false,
        }
    }
}

impl Reader {
    /// Subscribes a person to the feed at an address as people paste it.
    pub async fn subscribe(
        &self,
        user: UserId,
        address: &str,
        asker: Asker,
        wish: &Wish,
    ) -> Result<Subscribed, SubscribeError> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(asker);
        if let Some(feed) = feeds::find_by_url(&self.db, address.url.as_str()).await?
            && let Some(subscription) = subscriptions::find(&self.db, user, feed.id).await?
        {
            return Err(SubscribeError::AlreadySubscribed { subscription, feed: feed.id });
        }
        // Before asking anybody; once more in the transaction.
        if subscriptions::count(&self.db, user).await? >= i64::from(self.settings.subscription_limit) {
            return Err(SubscribeError::Full { limit: self.settings.subscription_limit });
        }
        let found = self.search(asker, deadline).find(&address).await?;
        let kept = self.keep(user, &found, wish).await?;
        self.add_icon(kept.feed, found, asker, deadline).await;
        let feed = feeds::get(&self.db, kept.feed).await?.ok_or(store::Error::NotFound)?;
        Ok(Subscribed { feed, subscription: kept.subscription })
    }

    /// Moves a person's subscription to the feed at another address, with its folder, title and interval.
    pub async fn move_subscription(
        &self,
        user: UserId,
        feed: FeedId,
        address: &str,
        asker: Asker,
    ) -> Result<Subscribed, SubscribeError> {
        let address = Address::read(address)?;
        let deadline = self.subscribe_deadline(asker);
        if subscriptions::find(&self.db, user, feed).await?.is_none() {
            return Err(SubscribeError::NotSubscribed);
        }
        let found = self.search(asker, deadline).find(&address).await?;
        let kept = self.keep_moved(user, feed, &found).await?;
        self.add_icon(kept.feed, found, asker, deadline).await;
        let feed = feeds::get(&self.db, kept.feed).await?.ok_or(store::Error::NotFound)?;
        Ok(Subscribed { feed, subscription: kept.subscription })
    }

    /// The feeds that an address leads to, without subscribing to any.
    pub async fn discover(&self, address: &str, asker: Asker) -> Result<Vec<Offer>, SubscribeError> {
        let address = Address::read(address)?;
        self.search(asker, self.subscribe_deadline(asker)).offer(&address).await
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
        Search { reader: self, asker, deadline: deadline.checked_sub(left / 5).unwrap_or(deadline) }
    }

    /// Gives a feed without an icon one, if there is one to be found in time; else a job looks for it.
    async fn add_icon(&self, feed: FeedId, found: Found, asker: Asker, deadline: Instant) {
        let fetched = match found {
            Found::Fetched(fetched) => fetched,
            Found::Known(known) => {
                if !known.has_favicon
                    && let Err(error) = self.ask_for_icon(feed, None).await
                {
                    tracing::warn!(%error, %feed, "the icon of a feed was not asked for");
                }
                return;
            }
        };
        let places = IconPlaces::of(*fetched);
        let named = places.named.as_ref().map(ToString::to_string);
        let by = match asker {
            Asker::Person => deadline.min(Instant::now() + ICON_TIMEOUT),
            // Nobody looks at it yet; the next feed of the file is worth more.
            Asker::Background => Instant::now(),
        };
        let kept = match self.find_icon(places, asker, by).await {
            IconSearch::Found(icon) => self.keep_icon(feed, Some(&icon)).await,
            IconSearch::Nothing => self.keep_icon(feed, None).await,
            IconSearch::Unfinished => self.ask_for_icon(feed, named).await,
        };
        if let Err(error) = kept {
            tracing::warn!(%error, %feed, "the icon of a feed was not kept");
        }
    }
}
