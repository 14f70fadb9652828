//! The one transaction that makes a feed, its first items and the subscription true together.

use chrono::{DateTime, TimeDelta, Utc};
use net::Url;
use store::{
    Change, FeedId, FolderId, LeaseToken, SubscriptionId, Topic, Tx, UserId,
    feeds::{self, Ended, Failed, Feed, FetchStatus, Moved, NewFeed, Unchanged},
    folders,
    imports::{self, ImportOutcome, Imported},
    subscriptions::{self, SubscriptionCreated},
};

use super::{
    BACKGROUND_PATIENCE, SubscribeFolder, SubscribeOptions,
    find::{Address, Fetched, Found, is_well},
};
use crate::{
    Error, Events, FEED_KIND, Problem, Reader, Result,
    fetch::{
        Failure,
        document::{self, Changes},
        plan::{self, Answered, PublisherHints},
    },
    opml::ensure_folder,
};

/// A known feed that was fetched longer ago is fetched again soon.
const FRESH: TimeDelta = TimeDelta::hours(1);
/// What the column takes.
const LONGEST_VALIDATOR: usize = 500;

/// What was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredSubscription {
    pub feed: FeedId,
    pub subscription: SubscriptionId,
    /// How many items were new.
    pub new: usize,
    /// How many items had changed.
    pub changed: usize,
}

/// What becomes of the person's subscription.
#[derive(Clone, Copy)]
enum Aim<'a> {
    Subscribe { options: &'a SubscribeOptions, limit: Option<u32> },
    MoveFrom(FeedId),
}

impl Reader {
    /// Subscribes a person to what was found.
    pub(super) async fn store_subscription(
        &self,
        user: UserId,
        found: &Found,
        options: &SubscribeOptions,
    ) -> Result<StoredSubscription> {
        let limit = self.subscription_limit(user).await?;
        self.store_subscription_to(user, found, Aim::Subscribe { options, limit }).await
    }

    /// Moves a person's subscription to what was found.
    pub(super) async fn store_moved_subscription(
        &self,
        user: UserId,
        from: FeedId,
        found: &Found,
    ) -> Result<StoredSubscription> {
        self.store_subscription_to(user, found, Aim::MoveFrom(from)).await
    }

    /// Subscribes a person to a feed that was not fetched. It is stored with what is wrong with it; without a failure it is due
    /// at once.
    pub(crate) async fn subscribe_unfetched(
        &self,
        user: UserId,
        address: &str,
        failure: Option<&Failure>,
        options: &SubscribeOptions,
    ) -> Result<()> {
        let url = Address::read(address)?.url;
        let aim = Aim::Subscribe { options, limit: self.subscription_limit(user).await? };
        let stored = self.db.transact(async |tx| {
            let stored = self.store_without_document(tx, user, &url, failure, aim).await;
            stored.map_err(|error| retry_if_raced(tx, error))
        });
        stored.await
    }

    async fn store_subscription_to(&self, user: UserId, found: &Found, aim: Aim<'_>) -> Result<StoredSubscription> {
        let fetched = match found {
            Found::Known(feed) => return self.store_to_known_feed(user, feed, aim).await,
            Found::Fetched(fetched) => fetched,
        };
        let now = self.clock.now();
        let known = feeds::find_by_url(&self.db, fetched.feed_url.as_str()).await?;
        if let Some(feed) = known.as_ref().filter(|feed| is_well(feed)) {
            match self.store_to_known_feed(user, feed, aim).await {
                // It was removed in between.
                Err(Error::Store(store::Error::NotFound)) => {}
                stored => return stored,
            }
        }
        // Sanitised before the transaction, which others wait for.
        let all_new = if known.is_none() { fetched.document.all_new(now).await } else { Changes::default() };
        let stored = self.db.transact(async |tx| {
            let stored = self.store_with_document(tx, user, fetched, &all_new, aim).await;
            stored.map_err(|error| retry_if_raced(tx, error))
        });
        stored.await
    }

    /// `all_new` are the changes if the feed is new.
    async fn store_with_document(
        &self,
        tx: &mut Tx,
        user: UserId,
        fetched: &Fetched,
        all_new: &Changes,
        aim: Aim<'_>,
    ) -> Result<StoredSubscription> {
        let now = self.clock.now();
        let new_feed = new_feed(&fetched.feed_url, fetched.document.title(), now);
        let (feed, is_new) = feeds::add(tx, &new_feed, now).await?;
        // The feed is held: nobody stores the same items meanwhile.
        let compared;
        let changes = match is_new && !all_new.new.is_empty() {
            true => all_new,
            false => {
                compared = fetched.document.compare_in(tx, feed, now).await?;
                &compared
            }
        };
        let events = self.store_fetched(tx, feed, fetched, changes, now).await?;
        let subscription = self.attach(tx, user, feed, aim, None).await?;
        tx.changed(Change::Feed(feed));
        self.publish(tx, &events).await?;
        Ok(StoredSubscription { feed, subscription, new: changes.new.len(), changed: changes.changed.len() })
    }

    async fn store_to_known_feed(&self, user: UserId, feed: &Feed, aim: Aim<'_>) -> Result<StoredSubscription> {
        let now = self.clock.now();
        let stored = self.db.transact(async |tx| {
            if !feeds::lock(tx, feed.id).await? {
                return Err(store::Error::NotFound.into());
            }
            let subscription = self.attach(tx, user, feed.id, aim, None).await?;
            // It may have rested for weeks.
            if feed.last_fetched_at.is_none_or(|at| now - at > FRESH) {
                feeds::ask_refresh(tx, feed.id, now).await?;
            }
            Ok(StoredSubscription { feed: feed.id, subscription, new: 0, changed: 0 })
        });
        stored.await
    }

    async fn store_without_document(
        &self,
        tx: &mut Tx,
        user: UserId,
        url: &Url,
        failure: Option<&Failure>,
        aim: Aim<'_>,
    ) -> Result<()> {
        let now = self.clock.now();
        // The title in the file stays the person's own until the feed tells what it calls itself.
        let title = url.host_str().unwrap_or_default().to_owned();
        let (feed, is_new) = feeds::add(tx, &new_feed(url, title, now), now).await?;
        let mut events = Events::default();
        if let Some(failure) = failure.filter(|_| is_new) {
            let token = LeaseToken::new();
            feeds::take(tx, feed, token).await?;
            let next_fetch_at = match failure.problem {
                // The scheduler gives it more time.
                Problem::Timeout if self.settings.fetch_timeout > BACKGROUND_PATIENCE => now,
                _ => plan::after_failure(now, 1, failure.retry_after, rand::random()),
            };
            let failed = Failed {
                ended: Ended { feed, token, started_at: now, now, next_fetch_at },
                status: if failure.problem.stops() { FetchStatus::Stopped } else { FetchStatus::Error },
                consecutive_errors: 1,
                parse_failures: 0,
                error_code: failure.problem.code(),
                error_message: failure.detail.clone(),
            };
            feeds::mark_failed(tx, &failed).await?;
            events.feeds_stopped.extend(failure.problem.stops().then_some(feed));
        }
        self.attach(tx, user, feed, aim, failure.map(|failure| failure.problem.code())).await?;
        Ok(self.publish(tx, &events).await?)
    }

    /// A feed with its document is as if it had just been fetched, so that nobody fetches it again at once.
    async fn store_fetched(
        &self,
        tx: &mut Tx,
        feed: FeedId,
        fetched: &Fetched,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> store::Result<Events> {
        let token = LeaseToken::new();
        let status = feeds::take(tx, feed, token).await?;
        let mut events = document::store_all(tx, &[(feed, changes)], now).await?;
        events.feeds_resumed.extend((status == Some(FetchStatus::Stopped)).then_some(feed));
        let (response, document) = (&fetched.response, &fetched.document);
        let hints = PublisherHints::of(document.hints());
        let answered = Answered {
            interval_minutes: None,
            hints: &hints,
            fresh_for: response.freshness.fresh_for(now),
            retry_after: None,
        };
        let next_fetch_at = plan::after_success(now, answered, rand::random());
        let short = |validator: &Option<String>| validator.clone().filter(|text| text.len() <= LONGEST_VALIDATOR);
        let unchanged = Unchanged {
            ended: Ended { feed, token, started_at: now, now, next_fetch_at },
            etag: short(&response.validators.etag),
            last_modified: short(&response.validators.last_modified),
            moved: Moved::default(),
            final_url: (response.url != fetched.feed_url).then(|| response.url.to_string()),
        };
        let fetched = feeds::Fetched {
            unchanged,
            title: document.title(),
            site_url: document.site_url(),
            content_hash: document.content_hash().to_owned(),
            hints: hints.to_keep(),
            items_added: i64::try_from(changes.new.len()).unwrap_or(i64::MAX),
        };
        feeds::mark_fetched(tx, &fetched).await?;
        Ok(events)
    }

    /// The person's subscription to the feed, new or moved. The items are there already: they start as unread ones.
    async fn attach(
        &self,
        tx: &mut Tx,
        user: UserId,
        feed: FeedId,
        aim: Aim<'_>,
        error_code: Option<&'static str>,
    ) -> Result<SubscriptionId> {
        let now = self.clock.now();
        let subscription = match aim {
            Aim::Subscribe { options, limit } => {
                let most = limit.map_or(i64::MAX, i64::from);
                let subscription = match subscriptions::create(tx, user, feed, most, now).await? {
                    SubscriptionCreated::New(subscription) => subscription,
                    SubscriptionCreated::Present(subscription) => {
                        return Err(Error::AlreadySubscribed { subscription, feed });
                    }
                    SubscriptionCreated::Full => {
                        return Err(Error::SubscriptionLimit { max: limit.unwrap_or(u32::MAX) });
                    }
                };
                let folder = folder(tx, user, options, now).await?;
                subscriptions::set_folder_and_title(tx, user, subscription, folder, options.title.as_deref()).await?;
                if let Some(place) = options.import {
                    let imported = Imported { place, outcome: ImportOutcome::Added, error_code, feed: Some(feed) };
                    imports::mark_imported(tx, user, &imported, now).await?;
                }
                subscription
            }
            Aim::MoveFrom(from) => {
                if let Some(subscription) = subscriptions::find_in(tx, user, feed).await? {
                    return Err(Error::AlreadySubscribed { subscription, feed });
                }
                if !subscriptions::move_to(tx, user, from, feed, now).await? {
                    return Err(Error::NotFound);
                }
                subscriptions::find_in(tx, user, feed).await?.ok_or(Error::NotFound)?
            }
        };
        tx.changed(Change::User(user));
        tx.announce(Topic::Feeds);
        Ok(subscription)
    }
}

async fn folder(tx: &mut Tx, user: UserId, options: &SubscribeOptions, now: DateTime<Utc>) -> Result<Option<FolderId>> {
    match &options.folder {
        None => Ok(None),
        Some(SubscribeFolder::Named(name)) => Ok(ensure_folder(tx, user, name, now).await?),
        Some(SubscribeFolder::Id(id)) if folders::exists(tx, user, *id).await? => Ok(Some(*id)),
        Some(SubscribeFolder::Id(_)) => Err(Error::UnknownFolder),
    }
}

fn new_feed(url: &Url, title: String, now: DateTime<Utc>) -> NewFeed {
    NewFeed {
        feed_url: url.to_string(),
        host: url.host_str().unwrap_or_default().to_owned(),
        site_url: None,
        title,
        kind: FEED_KIND,
        next_fetch_at: now,
    }
}

/// Tries again if another transaction added or removed the same feed or folder at the same time.
fn retry_if_raced(tx: &mut Tx, error: Error) -> Error {
    match error {
        Error::Store(store::Error::Conflict(_) | store::Error::NotFound) => tx.retry_with(error),
        error => error,
    }
}
