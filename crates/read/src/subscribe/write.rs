//! The one transaction that makes a feed, its first items and the subscription true together.

use chrono::{DateTime, TimeDelta, Utc};
use net::Url;
use store::{
    Change, FeedId, FolderId, LeaseToken, SubscriptionId, Topic, Tx, UserId,
    feeds::{self, Feed, FetchStatus, NewFeed},
    folders,
    imports::{self, ImportOutcome, Imported},
    subscriptions::{self, SubscriptionCreated},
};

use super::{
    BACKGROUND_PATIENCE, SubscribeFolder, SubscribeOptions,
    find::{Address, Fetched, Found, is_well},
};
use crate::{
    Error, Events, FEED_KIND, Problem, Reader, Result, StoredFetch,
    events::only_store_errors,
    fetch::{
        Failure, Fetch,
        document::{self, Changes},
    },
    opml::ensure_folder,
};

/// A known feed that was fetched longer ago is fetched again soon.
const FRESH: TimeDelta = TimeDelta::hours(1);

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

/// What to do with the user's subscription.
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
        let new_feed = new_feed(&fetched.feed_url, fetched.kind, fetched.document.title(), now);
        let (feed, is_new) = feeds::add(tx, &new_feed, now).await?;
        // The feed's row is locked, so no other transaction stores the same items.
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
        if let Some(fetcher) = self.fetchers.get(fetched.kind) {
            only_store_errors(fetcher.store_boxed(tx, &stored_fetch(feed, fetched, changes, now)).await)?;
        }
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
            self.fetch_newest_articles(tx, feed.id).await?;
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
        let (feed, is_new) = feeds::add(tx, &new_feed(url, FEED_KIND, title, now), now).await?;
        let mut events = Events::default();
        let error_code = failure.as_ref().map(|failure| failure.problem.code());
        if let Some(failure) = failure.filter(|_| is_new) {
            let fetch = take(tx, feed, now).await?;
            let mut record = fetch.failed(failure.clone(), now);
            // The scheduler gives it more time.
            if failure.problem == Problem::Timeout && self.settings.fetch_timeout > BACKGROUND_PATIENCE {
                record.next_fetch_at = now;
            }
            events.feeds_stopped.extend((record.status == FetchStatus::Stopped).then_some(feed));
            feeds::mark_fetched(tx, &[record]).await?;
        }
        self.attach(tx, user, feed, aim, error_code).await?;
        Ok(self.publish(tx, &events).await?)
    }

    /// Stores the document as the outcome of a fetch, so that the feed is not fetched again at once.
    async fn store_fetched(
        &self,
        tx: &mut Tx,
        feed: FeedId,
        fetched: &Fetched,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> store::Result<Events> {
        let fetch = take(tx, feed, now).await?;
        let mut events = document::store_all(tx, &[(feed, changes)], now).await?;
        events.feeds_resumed.extend((fetch.feed.fetch_status == FetchStatus::Stopped).then_some(feed));
        feeds::mark_fetched(tx, &[fetch.fetched(&fetched.response, &fetched.document, changes, now)]).await?;
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
                subscriptions::set_start(tx, user, feed, options.start_read, options.full_text).await?;
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

/// The fetch that has just ended, with a lease on its feed.
async fn take(tx: &mut Tx, feed: FeedId, now: DateTime<Utc>) -> store::Result<Fetch> {
    let token = LeaseToken::new();
    let feed = feeds::take(tx, feed, token).await?.ok_or(store::Error::NotFound)?;
    Ok(Fetch { feed, token, started_at: now })
}

async fn folder(tx: &mut Tx, user: UserId, options: &SubscribeOptions, now: DateTime<Utc>) -> Result<Option<FolderId>> {
    match &options.folder {
        None => Ok(None),
        Some(SubscribeFolder::Named(name)) => Ok(ensure_folder(tx, user, name, now).await?),
        Some(SubscribeFolder::Id(id)) if folders::exists(tx, user, *id).await? => Ok(Some(*id)),
        Some(SubscribeFolder::Id(_)) => Err(Error::UnknownFolder),
    }
}

/// The first fetch as its fetcher sees it.
fn stored_fetch<'a>(feed: FeedId, fetched: &'a Fetched, changes: &'a Changes, now: DateTime<Utc>) -> StoredFetch<'a> {
    StoredFetch {
        feed,
        feed_url: fetched.feed_url.as_str(),
        now,
        status: Some(fetched.response.status),
        is_unchanged: false,
        new_items: &changes.new,
        problem: None,
        failed_before: false,
        notes: fetched.notes.as_ref(),
    }
}

fn new_feed(url: &Url, kind: &'static str, title: String, now: DateTime<Utc>) -> NewFeed {
    NewFeed {
        feed_url: url.to_string(),
        host: url.host_str().unwrap_or_default().to_owned(),
        site_url: None,
        title,
        kind,
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
