//! What a person's screen shows that changes by itself: counters and the state of feeds.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, Result, SubscriptionId, UserId, feeds::FetchStatus};

/// A subscription as it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SubscriptionStatus {
    pub subscription_id: SubscriptionId,
    pub feed_id: FeedId,
    /// How much of it is unread.
    pub unread_count: i64,
    /// How many items the feed has had so far: what is new is a difference.
    pub items_added: i64,
    /// Whether the feed is fetched.
    pub fetch_status: FetchStatus,
    /// Why not, as a code.
    pub error_code: Option<String>,
    /// When it was last asked for.
    pub last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    pub next_fetch_at: DateTime<Utc>,
}

/// All subscriptions of a person as they stand.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<SubscriptionStatus>> {
    db.read(
        "select s.id as subscription_id, s.feed_id, s.unread_count, f.items_added,
                cast(f.fetch_status as text) as fetch_status, f.error_code, f.last_fetched_at, f.next_fetch_at
         from subscriptions s join feeds f on f.id = s.feed_id where s.user_id = $1 order by s.id",
    )
    .bind(user)
    .all()
    .await
}
