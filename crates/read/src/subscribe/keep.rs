//! The one transaction that makes a feed, its first items and the subscription true together.

use chrono::{DateTime, TimeDelta, Utc};
use net::Url;
use store::{
    Change, FeedId, FolderId, LeaseToken, SubscriptionId, Topic, Tx, UserId,
    feeds::{self, Ended, Failed, Feed, FetchStatus, Moved, NewFeed, Unchanged},
    filing,
    imports::{self, ImportOutcome, Imported},
    subscriptions::{self, Added},
};

use super::{
    BACKGROUND_PATIENCE, Folder, SubscribeError, Wish,
    find::{Address, Fetched, Found, is_well},
};
use crate::{
    Problem, Reader,
    fetch::{
        Failure,
        document::{self, Changes},
        plan::{self, Answered, Wishes},
    },
    opml::ensure_folder,
};

/// A known feed that was fetched longer ago is fetched again soon.
const FRESH: TimeDelta = TimeDelta::hours(1);
/// What the column takes.
const LONGEST_VALIDATOR: usize = 500;

/// What was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
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
    Subscribe(&'a Wish),
    MoveFrom(FeedId),
}

impl Reader {
    /// Subscribes a person to what was found.
    pub(super) async fn keep(&self, user: UserId, found: &Found, wish: &Wish) -> Result<Kept, SubscribeError> {
        self.keep_as(user, found, Aim::Subscribe(wish)).await
    }

    /// Moves a person's subscription to what was found.
    pub(super) async fn keep_moved(&self, user: UserId, from: FeedId, found: &Found) -> Result<Kept, SubscribeError> {
        self.keep_as(user, found, Aim::MoveFrom(from)).await
    }

    /// Subscribes a person to a feed that cannot be fetched, which is kept with what is wrong with it.
    pub(crate) async fn subscribe_failing(
        &self,
        user: UserId,
        address: &str,
        failure: &Failure,
        wish: &Wish,
    ) -> Result<(), SubscribeError> {
        let url = Address::read(address)?.url;
        let kept = self.db.transact(async |tx| {
            let kept = self.keep_failing(tx, user, &url, failure, wish).await;
            kept.map_err(|error| retry_if_raced(tx, error))
        });
        kept.await
    }

    async fn keep_as(&self, user: UserId, found: &Found, aim: Aim<'_>) -> Result<Kept, SubscribeError> {
        let fetched = match found {
            Found::Known(feed) => return self.keep_known(user, feed, aim).await,
            Found::Fetched(fetched) => fetched,
        };
        let now = self.clock.now();
        let known = feeds::find_by_url(&self.db, fetched.feed_url.as_str()).await?;
        if let Some(feed) = known.as_ref().filter(|feed| is_well(feed)) {
            match self.keep_known(user, feed, aim).await {
                // It was removed in between.
                Err(SubscribeError::Store(store::Error::NotFound)) => {}
                kept => return kept,
            }
        }
        // Sanitised before the transaction, which others wait for.
        let all_new = if known.is_none() { fetched.document.all_new(now).await } else { Changes::default() };
        let kept = self.db.transact(async |tx| {
            let kept = self.keep_fetched(tx, user, fetched, &all_new, aim).await;
            kept.map_err(|error| retry_if_raced(tx, error))
        });
        kept.await
    }

    /// `all_new` are the changes if the feed is new.
    async fn keep_fetched(
        &self,
        tx: &mut Tx,
        user: UserId,
        fetched: &Fetched,
        all_new: &Changes,
        aim: Aim<'_>,
    ) -> Result<Kept, SubscribeError> {
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
        self.store_fetched(tx, feed, fetched, changes, now).await?;
        let subscription = self.aim_at(tx, user, feed, aim, None).await?;
        tx.changed(Change::Feed(feed));
        Ok(Kept { feed, subscription, new: changes.new.len(), changed: changes.changed.len() })
    }

    async fn keep_known(&self, user: UserId, feed: &Feed, aim: Aim<'_>) -> Result<Kept, SubscribeError> {
        let now = self.clock.now();
        let kept = self.db.transact(async |tx| {
            if !feeds::lock(tx, feed.id).await? {
                return Err(store::Error::NotFound.into());
            }
            let subscription = self.aim_at(tx, user, feed.id, aim, None).await?;
            // It may have rested for weeks.
            if feed.last_fetched_at.is_none_or(|at| now - at > FRESH) {
                feeds::ask_refresh(tx, feed.id, now).await?;
            }
            Ok(Kept { feed: feed.id, subscription, new: 0, changed: 0 })
        });
        kept.await
    }

    async fn keep_failing(
        &self,
        tx: &mut Tx,
        user: UserId,
        url: &Url,
        failure: &Failure,
        wish: &Wish,
    ) -> Result<(), SubscribeError> {
        let now = self.clock.now();
        // The title in the file stays the person's own until the feed tells what it calls itself.
        let title = url.host_str().unwrap_or_default().to_owned();
        let (feed, is_new) = feeds::add(tx, &new_feed(url, title, now), now).await?;
        if is_new {
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
        }
        self.aim_at(tx, user, feed, Aim::Subscribe(wish), Some(failure.problem.code())).await.map(drop)
    }

    /// A feed with its document is as if it had just been fetched, so that nobody fetches it again at once.
    async fn store_fetched(
        &self,
        tx: &mut Tx,
        feed: FeedId,
        fetched: &Fetched,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> store::Result<()> {
        let token = LeaseToken::new();
        feeds::take(tx, feed, token).await?;
        let items = document::store(tx, feed, changes, now).await?;
        let (response, document) = (&fetched.response, &fetched.document);
        let wishes = Wishes::of(document.hints());
        let answered = Answered {
            interval_minutes: None,
            wishes: &wishes,
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
            hints: wishes.to_keep(),
            items_added: i64::try_from(items).unwrap_or(i64::MAX),
        };
        feeds::mark_fetched(tx, &fetched).await.map(drop)
    }

    /// The person's subscription to the feed, new or moved. The items are there already: they start as unread ones.
    async fn aim_at(
        &self,
        tx: &mut Tx,
        user: UserId,
        feed: FeedId,
        aim: Aim<'_>,
        error_code: Option<&'static str>,
    ) -> Result<SubscriptionId, SubscribeError> {
        let now = self.clock.now();
        let limit = self.settings.subscription_limit;
        let subscription = match aim {
            Aim::Subscribe(wish) => {
                let subscription = match subscriptions::add(tx, user, feed, i64::from(limit), now).await? {
                    Added::Added(subscription) => subscription,
                    Added::Present(subscription) => {
                        return Err(SubscribeError::AlreadySubscribed { subscription, feed });
                    }
                    Added::Full => return Err(SubscribeError::Full { limit }),
                };
                let folder = folder(tx, user, wish, now).await?;
                filing::file(tx, user, subscription, folder, wish.title.as_deref()).await?;
                if let Some(place) = wish.import {
                    let imported = Imported { place, outcome: ImportOutcome::Added, error_code, feed: Some(feed) };
                    imports::mark_imported(tx, user, &imported, now).await?;
                }
                subscription
            }
            Aim::MoveFrom(from) => {
                if let Some(subscription) = subscriptions::find_in(tx, user, feed).await? {
                    return Err(SubscribeError::AlreadySubscribed { subscription, feed });
                }
                if !subscriptions::move_to(tx, user, from, feed, now).await? {
                    return Err(SubscribeError::NotSubscribed);
                }
                subscriptions::find_in(tx, user, feed).await?.ok_or(SubscribeError::NotSubscribed)?
            }
        };
        tx.changed(Change::User(user));
        tx.announce(Topic::Feeds);
        Ok(subscription)
    }
}

async fn folder(
    tx: &mut Tx,
    user: UserId,
    wish: &Wish,
    now: DateTime<Utc>,
) -> Result<Option<FolderId>, SubscribeError> {
    match &wish.folder {
        None => Ok(None),
        Some(Folder::Named(name)) => Ok(ensure_folder(tx, user, name, now).await?),
        Some(Folder::Id(id)) if filing::has_folder(tx, user, *id).await? => Ok(Some(*id)),
        Some(Folder::Id(_)) => Err(SubscribeError::UnknownFolder),
    }
}

fn new_feed(url: &Url, title: String, now: DateTime<Utc>) -> NewFeed {
    NewFeed {
        feed_url: url.to_string(),
        host: url.host_str().unwrap_or_default().to_owned(),
        site_url: None,
        title,
        kind: "feed",
        next_fetch_at: now,
    }
}

/// Tries again if another transaction added or removed the same feed or folder at the same time.
fn retry_if_raced(tx: &mut Tx, error: SubscribeError) -> SubscribeError {
    match error {
        SubscribeError::Store(store::Error::Conflict(_) | store::Error::NotFound) => tx.retry_with(error),
        error => error,
    }
}
