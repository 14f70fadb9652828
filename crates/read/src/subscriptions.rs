//! A person's subscriptions: the list, what can be set about each, resuming a stopped feed, ending one.

use store::{
    Change, FeedId, SubscriptionId, Topic, Tx, UserId, feeds,
    subscriptions::{self, Subscription, SubscriptionPatch},
    users,
};

use crate::{
    Error, Events, Reader, Result,
    fetch::plan::{Answered, PublisherHints, after_success},
};

const MINUTES: std::ops::RangeInclusive<i64> = 30..=720;
const STEP_MINUTES: i64 = 30;
const MOST_TITLE_CHARS: usize = 500;

impl Reader {
    /// The person's subscriptions by the title they see, capital letters or not.
    pub async fn list_subscriptions(&self, user: UserId) -> Result<Vec<Subscription>> {
        let mut list = subscriptions::list(&self.db, user).await?;
        list.sort_by_cached_key(|subscription| (shown_title(subscription).to_lowercase(), subscription.id));
        Ok(list)
    }

    /// How many items of each subscription the person has not read; those without are left out.
    pub async fn list_unread_counts(&self, user: UserId) -> Result<Vec<(SubscriptionId, i64)>> {
        Ok(subscriptions::list_unread_counts(&self.db, user).await?)
    }

    /// One of the person's subscriptions.
    pub async fn subscription(&self, user: UserId, subscription: SubscriptionId) -> Result<Subscription> {
        subscriptions::get(&self.db, user, subscription).await?.ok_or(Error::NotFound)
    }

    /// Changes what the person set about a subscription. A shorter interval brings the next fetch nearer.
    pub async fn change_subscription(
        &self,
        user: UserId,
        subscription: SubscriptionId,
        patch: SubscriptionPatch,
    ) -> Result<Subscription> {
        let patch = usable(patch)?;
        let before = self.subscription(user, subscription).await?;
        let least = subscriptions::min_interval(&self.db, before.feed_id).await?;
        let changed = self.db.transact(async |tx| {
            // The feed before the subscription, as a fetch does, or the two could wait for each other; and the person, so
            // that no folder goes in between.
            feeds::lock(tx, before.feed_id).await?;
            users::lock(tx, user).await?;
            let changed = subscriptions::update(tx, user, subscription, &patch, self.clock.now()).await?;
            if changed.is_none() {
                return Err(if patch.folder_id.flatten().is_some() { Error::UnknownFolder } else { Error::NotFound });
            }
            if let (Some(minutes), Some(least)) = (patch.fetch_interval_minutes, least)
                && minutes < least
            {
                self.bring_nearer(tx, before.feed_id, least, minutes).await?;
            }
            tx.changed(Change::User(user));
            Ok(())
        });
        changed.await?;
        self.subscription(user, subscription).await
    }

    /// Fetches a stopped feed again, from now on.
    pub async fn resume(&self, user: UserId, subscription: SubscriptionId) -> Result<Subscription> {
        let resumed = self.db.transact(async |tx| {
            let feed = subscriptions::find_feed(tx, user, subscription).await?.ok_or(Error::NotFound)?;
            if !feeds::resume(tx, feed, self.clock.now()).await? {
                return Err(Error::NotStopped);
            }
            tx.changed(Change::Feed(feed));
            tx.announce(Topic::Feeds);
            Ok(self.publish(tx, &Events { feeds_resumed: vec![feed], ..Events::default() }).await?)
        });
        resumed.await?;
        self.subscription(user, subscription).await
    }

    /// Ends a subscription.
    pub async fn remove_subscription(&self, user: UserId, subscription: SubscriptionId) -> Result<()> {
        self.db
            .transact(async |tx| {
                let feed = subscriptions::find_feed(tx, user, subscription).await?.ok_or(Error::NotFound)?;
                if !subscriptions::delete(tx, user, feed, self.clock.now()).await? {
                    return Err(Error::NotFound);
                }
                tx.changed(Change::User(user));
                Ok(())
            })
            .await
    }

    /// Fetches a feed sooner, now that the least interval is shorter; never later, and never sooner than its publisher asks.
    async fn bring_nearer(&self, tx: &mut Tx, feed: FeedId, before: i64, minutes: i64) -> Result<()> {
        let Some(schedule) = subscriptions::get_schedule(tx, feed).await? else { return Ok(()) };
        let hints = PublisherHints::kept(schedule.hints.as_deref());
        let plan = |minutes, dice| {
            let answered =
                Answered { interval_minutes: Some(minutes), hints: &hints, fresh_for: None, retry_after: None };
            after_success(schedule.last_fetched_at, answered, dice)
        };
        // Later than the interval explains: the site asked for it with its last answer.
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

/// The patch with a title as it is kept, if everything in it can be used.
fn usable(mut patch: SubscriptionPatch) -> Result<SubscriptionPatch> {
    let fits = |minutes: i64| MINUTES.contains(&minutes) && minutes % STEP_MINUTES == 0;
    if !patch.fetch_interval_minutes.is_none_or(fits) {
        return Err(Error::InvalidInterval { min: *MINUTES.start(), max: *MINUTES.end(), step: STEP_MINUTES });
    }
    if let Some(title) = &mut patch.title {
        // An empty title is none.
        *title = title.take().map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        if title.as_ref().is_some_and(|title| title.chars().count() > MOST_TITLE_CHARS) {
            return Err(Error::TitleTooLong { max: MOST_TITLE_CHARS });
        }
    }
    Ok(patch)
}

/// The title that the person sees.
pub fn shown_title(subscription: &Subscription) -> &str {
    subscription.own_title.as_deref().unwrap_or(&subscription.feed_title).trim()
}
