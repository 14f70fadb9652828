//! The parts of subscriptions that change without the user: unread counts and the status of feeds.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, Result, SubscriptionId, UserId, feeds::FetchStatus};

/// The status of a subscription.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SubscriptionStatus {
    pub subscription_id: SubscriptionId,
    pub feed_id: FeedId,
    pub unread_count: i64,
    /// The user's last write that the count contains.
    pub revision: i64,
    /// The number of items so far. A difference means new items.
    pub items_added: i64,
    pub fetch_status: FetchStatus,
    pub error_code: Option<String>,
    pub last_fetched_at: Option<DateTime<Utc>>,
    pub next_fetch_at: DateTime<Utc>,
}

/// The status of all subscriptions of a user.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<SubscriptionStatus>> {
    db.read(
        "select s.id as subscription_id, s.feed_id, s.unread_count, u.revision, f.items_added,
                cast(f.fetch_status as text) as fetch_status, f.error_code, f.last_fetched_at, f.next_fetch_at
         from subscriptions s join feeds f on f.id = s.feed_id join users u on u.id = s.user_id
         where s.user_id = $1 order by s.id",
    )
    .bind(user)
    .all()
    .await
}
