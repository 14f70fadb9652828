//! What a subscriber asks of a feed besides reading it: fetch it now, or let it go.

use std::time::Duration;

use chrono::TimeDelta;
use store::{
    Change, FeedId, SubscriptionId, Topic, UserId,
    feeds::{self, Feed, FetchStatus},
    subscriptions,
};

use crate::Reader;

/// The minimum time between two refreshes of a feed.
const APART: TimeDelta = TimeDelta::minutes(1);

/// The result of a refresh request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// It is fetched as soon as it is its turn.
    Asked,
    /// It was asked for a moment ago; wait this long.
    TooSoon(Duration),
    /// It rests; resume it.
    Stopped,
    /// They do not subscribe to it.
    NotSubscribed,
}

impl Reader {
    /// A feed that this person subscribes to.
    pub async fn feed(&self, user: UserId, feed: FeedId) -> store::Result<Option<Feed>> {
        feeds::get_subscribed(&self.db, user, feed).await
    }

    /// This person's subscription to a feed.
    pub async fn subscription_to(&self, user: UserId, feed: FeedId) -> store::Result<Option<SubscriptionId>> {
        subscriptions::find(&self.db, user, feed).await
    }

    /// Makes a feed due now for one of its subscribers, at most once a minute.
    pub async fn refresh(&self, user: UserId, feed: FeedId) -> store::Result<Refresh> {
        let Some(found) = self.feed(user, feed).await? else { return Ok(Refresh::NotSubscribed) };
        if found.fetch_status == FetchStatus::Stopped {
            return Ok(Refresh::Stopped);
        }
        let now = self.clock.now();
        let asked_at = feeds::refresh_asked_at(&self.db, feed).await?;
        // A time ahead of us comes from a clock that has been set back since.
        let left = asked_at.filter(|at| *at <= now + APART).map(|at| at + APART - now);
        if let Some(left) = left.filter(|left| *left > TimeDelta::zero()) {
            return Ok(Refresh::TooSoon(left.min(APART).to_std().unwrap_or_default()));
        }
        self.db
            .transact(async |tx| {
                if !feeds::ask_refresh(tx, feed, now).await? {
                    return Ok(Refresh::Stopped);
                }
                tx.announce(Topic::Feeds);
                Ok(Refresh::Asked)
            })
            .await
    }

    /// Ends a person's subscription to a feed. False if there is none.
    pub async fn unsubscribe(&self, user: UserId, feed: FeedId) -> store::Result<bool> {
        self.db
            .transact(async |tx| {
                let removed = subscriptions::delete(tx, user, feed, self.clock.now()).await?;
                if removed {
                    tx.changed(Change::User(user));
                }
                Ok(removed)
            })
            .await
    }
}
