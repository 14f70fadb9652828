//! A user's subscriptions: listing, changing their settings, resuming a stopped feed, unsubscribing.

use store::{
    Change, FeedId, Revised, SubscriptionId, Topic, Tx, UserId, feeds,
    subscriptions::{self, Subscription, SubscriptionPatch},
    users,
};

use crate::{
    Error, Events, Reader, Result,
    fetch::plan::{Answered, PublisherHints, after_success},
};

const INTERVAL_MINUTES: std::ops::RangeInclusive<i64> = 30..=720;
const STEP_MINUTES: i64 = 30;
const MAX_TITLE_CHARS: usize = 500;

impl Reader {
    /// The user's subscriptions by their shown title, ignoring case.
    pub async fn list_subscriptions(&self, user: UserId) -> Result<Revised<Vec<Subscription>>> {
        let mut list = subscriptions::list(&self.db, user).await?;
        list.value.sort_by_cached_key(|subscription| (shown_title(subscription).to_lowercase(), subscription.id));
        Ok(list)
    }

    /// The number of unread items of each subscription that has any.
    pub async fn list_unread_counts(&self, user: UserId) -> Result<Revised<Vec<(SubscriptionId, i64)>>> {
        Ok(subscriptions::list_unread_counts(&self.db, user).await?)
    }

    /// One of the user's subscriptions.
    pub async fn get_subscription(&self, user: UserId, subscription: SubscriptionId) -> Result<Subscription> {
        subscriptions::get(&self.db, user, subscription).await?.ok_or(Error::NotFound)
    }

    /// Changes a subscription. A shorter interval brings the next fetch forward.
    pub async fn update_subscription(
        &self,
        user: UserId,
        subscription: SubscriptionId,
        patch: SubscriptionPatch,
    ) -> Result<Subscription> {
        let patch = validate_patch(patch)?;
        let before = self.get_subscription(user, subscription).await?;
        let least = subscriptions::min_interval(&self.db, before.feed_id).await?;
        let changed = self.db.transact(async |tx| {
            // The feed is locked before the subscription, in the order of a fetch, which prevents a deadlock. The user is
            // locked so that the folder is not deleted meanwhile.
            feeds::lock(tx, before.feed_id).await?;
            users::lock(tx, user).await?;
            let changed = subscriptions::update(tx, user, subscription, &patch, self.clock.now()).await?;
            if changed.is_none() {
                return Err(if patch.folder_id.flatten().is_some() { Error::UnknownFolder } else { Error::NotFound });
            }
            if let (Some(minutes), Some(least)) = (patch.fetch_interval_minutes, least)
                && minutes < least
            {
                self.bring_fetch_forward(tx, before.feed_id, least, minutes).await?;
            }
            if patch.full_text.is_some() {
                self.fetch_newest_articles(tx, before.feed_id).await?;
            }
            tx.changed(Change::User(user));
            Ok(())
        });
        changed.await?;
        self.get_subscription(user, subscription).await
    }

    /// Resumes the fetches of a stopped feed.
    pub async fn resume_subscription(&self, user: UserId, subscription: SubscriptionId) -> Result<Subscription> {
        let resumed = self.db.transact(async |tx| {
            let feed = subscriptions::find_feed(tx, user, subscription).await?.ok_or(Error::NotFound)?;
            self.resume_in(tx, feed).await
        });
        resumed.await?;
        self.get_subscription(user, subscription).await
    }

    /// Resumes the fetches of a stopped feed that a configuration file names.
    pub async fn resume_feed(&self, feed: FeedId) -> Result<()> {
        self.db.transact(async |tx| self.resume_in(tx, feed).await).await
    }

    async fn resume_in(&self, tx: &mut Tx, feed: FeedId) -> Result<()> {
        if !feeds::resume(tx, feed, self.clock.now()).await? {
            return Err(Error::NotStopped);
        }
        tx.changed(Change::Feed(feed));
        tx.announce(Topic::Feeds);
        Ok(self.publish(tx, &Events { feeds_resumed: vec![feed], ..Events::default() }).await?)
    }

    /// Deletes a subscription. Returns the revision of the user.
    pub async fn delete_subscription(&self, user: UserId, subscription: SubscriptionId) -> Result<i64> {
        self.db
            .transact(async |tx| {
                let feed = subscriptions::find_feed(tx, user, subscription).await?.ok_or(Error::NotFound)?;
                if !subscriptions::delete(tx, user, feed, self.clock.now()).await? {
                    return Err(Error::NotFound);
                }
                tx.changed(Change::User(user));
                Ok(users::get_revision(tx, user).await?)
            })
            .await
    }

    /// Reschedules a feed after its shortest interval decreased: never later, and never sooner than its publisher asks.
    async fn bring_fetch_forward(&self, tx: &mut Tx, feed: FeedId, before: i64, minutes: i64) -> Result<()> {
        let Some(schedule) = subscriptions::get_schedule(tx, feed).await? else { return Ok(()) };
        let hints = PublisherHints::kept(schedule.hints.as_deref());
        let plan = |minutes, dice| {
            let answered =
                Answered { interval_minutes: Some(minutes), hints: &hints, fresh_for: None, retry_after: None };
            after_success(schedule.last_fetched_at, answered, dice)
        };
        // Later than the interval explains: the site asked for the delay with its last response.
        if schedule.next_fetch_at > plan(before, 1.0) {
            return Ok(());
        }
        let next_fetch_at = plan(minutes, rand::random()).max(self.clock.now());
        if subscriptions::advance_next_fetch(tx, feed, next_fetch_at).await? {
            tx.changed(Change::Feed(feed));
            tx.announce(Topic::Feeds);
        }
        Ok(())
    }
}

/// The patch with a trimmed title, or why it cannot be used.
fn validate_patch(mut patch: SubscriptionPatch) -> Result<SubscriptionPatch> {
    let fits = |minutes: i64| INTERVAL_MINUTES.contains(&minutes) && minutes % STEP_MINUTES == 0;
    if !patch.fetch_interval_minutes.is_none_or(fits) {
        return Err(Error::InvalidInterval {
            min: *INTERVAL_MINUTES.start(),
            max: *INTERVAL_MINUTES.end(),
            step: STEP_MINUTES,
        });
    }
    if let Some(title) = &mut patch.title {
        // An empty title removes the user's own title.
        *title = title.take().map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        if title.as_ref().is_some_and(|title| title.chars().count() > MAX_TITLE_CHARS) {
            return Err(Error::TitleTooLong { max: MAX_TITLE_CHARS });
        }
    }
    Ok(patch)
}

/// The user's own title, or else the feed's.
pub fn shown_title(subscription: &Subscription) -> &str {
    subscription.own_title.as_deref().unwrap_or(&subscription.feed_title).trim()
}
