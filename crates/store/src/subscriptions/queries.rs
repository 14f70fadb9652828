//! Subscriptions with their feeds, as a person looks at them.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::{Db, FeedId, FolderId, Result, SubscriptionId, UserId, dialect, feeds::FetchStatus};

/// A subscription with its feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow, Deserialize)]
pub struct Subscription {
    pub id: SubscriptionId,
    pub user_id: UserId,
    pub feed_id: FeedId,
    /// The folder it is in.
    pub folder_id: Option<FolderId>,
    /// What the person calls the feed.
    pub own_title: Option<String>,
    /// What the feed calls itself.
    pub feed_title: String,
    pub feed_url: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// Whether the feed has an icon.
    pub has_favicon: bool,
    /// How often the person wants it fetched.
    pub fetch_interval_minutes: i64,
    /// Whether the feed is fetched.
    pub fetch_status: FetchStatus,
    /// Why fetching fails, as a code.
    pub error_code: Option<String>,
    /// How many of its items the person has not read.
    pub unread_count: i64,
    /// How many items the feed has had so far.
    pub items_added: i64,
    /// When the feed was last asked for.
    pub last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    pub next_fetch_at: DateTime<Utc>,
    /// Since when the person subscribes.
    pub created_at: DateTime<Utc>,
}

/// All of [`Subscription`].
macro_rules! select {
    () => {
        "select s.id, s.user_id, s.feed_id, s.folder_id, s.title as own_title, f.title as feed_title, f.feed_url, f.site_url,
            f.favicon_mime is not null as has_favicon, s.fetch_interval_minutes,
            cast(f.fetch_status as text) as fetch_status, f.error_code, s.unread_count, f.items_added,
            f.last_fetched_at, f.next_fetch_at, s.created_at
         from subscriptions s join feeds f on f.id = s.feed_id where s.user_id = $1"
    };
}

/// All subscriptions of a person, the oldest first.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Subscription>> {
    let mut list: Vec<Subscription> = if db.is_postgres() {
        db.read(select!()).bind(user).all().await?
    } else {
        let json: String = db.read(dialect::SUBSCRIPTIONS_SQLITE).bind(user).scalar().await?;
        serde_json::from_str(&json).map_err(|error| sqlx::Error::Decode(error.into()))?
    };
    list.sort_unstable_by_key(|subscription| subscription.id);
    Ok(list)
}

/// How many items of each subscription the person has not read; those without are left out.
pub async fn list_unread_counts(db: &Db, user: UserId) -> Result<Vec<(SubscriptionId, i64)>> {
    if db.is_postgres() {
        let counts = db.read("select id, unread_count from subscriptions where user_id = $1 and unread_count > 0");
        return counts.bind(user).all().await;
    }
    let counts: String = db.read(dialect::UNREAD_COUNTS_SQLITE).bind(user).scalar().await?;
    Ok(counts.split(',').filter_map(unread_count).collect())
}

/// One of [`dialect::UNREAD_COUNTS_SQLITE`].
fn unread_count(text: &str) -> Option<(SubscriptionId, i64)> {
    let (id, count) = text.split_once(':')?;
    Some((id.parse().ok()?, count.parse().ok()?))
}

/// The subscription, if it is the person's.
pub async fn get(db: &Db, user: UserId, subscription: SubscriptionId) -> Result<Option<Subscription>> {
    db.read(concat!(select!(), " and s.id = $2")).bind(user).bind(subscription).optional().await
}

/// A subscription as it is written to a file.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ExportedSubscription {
    pub feed_url: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// What the person calls it, else what it calls itself.
    pub title: String,
    /// The name of its folder.
    pub folder: Option<String>,
}

/// All subscriptions of a person: by folder in its order, then those without, each by title.
pub async fn list_for_export(db: &Db, user: UserId) -> Result<Vec<ExportedSubscription>> {
    db.read(
        "select f.feed_url, f.site_url, coalesce(s.title, f.title) as title, d.name as folder
         from subscriptions s join feeds f on f.id = s.feed_id left join folders d on d.id = s.folder_id
         where s.user_id = $1
         order by case when d.id is null then 1 else 0 end, d.position, lower(coalesce(s.title, f.title)), f.feed_url",
    )
    .bind(user)
    .all()
    .await
}
