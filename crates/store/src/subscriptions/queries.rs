//! Lists of subscriptions with their feeds.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    Db, FeedId, FolderId, Result, Revised, SubscriptionId, UserId, dialect, feeds::FetchStatus, full_texts::FullText,
    users,
};

/// A subscription with its feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow, Deserialize)]
pub struct Subscription {
    pub id: SubscriptionId,
    pub user_id: UserId,
    pub feed_id: FeedId,
    pub folder_id: Option<FolderId>,
    pub own_title: Option<String>,
    pub feed_title: String,
    pub feed_url: String,
    pub site_url: Option<String>,
    pub has_favicon: bool,
    pub fetch_interval_minutes: i64,
    pub full_text: FullText,
    pub fetch_status: FetchStatus,
    pub error_code: Option<String>,
    pub unread_count: i64,
    /// The number of items of the feed so far.
    pub items_added: i64,
    pub last_fetched_at: Option<DateTime<Utc>>,
    pub next_fetch_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// Selects [`Subscription`]s of the user `$1`.
macro_rules! select {
    () => {
        "select (select u.revision from users u where u.id = $1) as revision, s.id, s.user_id, s.feed_id, s.folder_id, s.title as own_title, f.title as feed_title, f.feed_url, f.site_url,
            f.favicon_mime is not null as has_favicon, s.fetch_interval_minutes, s.full_text,
            cast(f.fetch_status as text) as fetch_status, f.error_code, s.unread_count, f.items_added,
            f.last_fetched_at, f.next_fetch_at, s.created_at
         from subscriptions s join feeds f on f.id = s.feed_id where s.user_id = $1"
    };
}

/// A row with the revision of its user, from the same snapshot.
#[derive(sqlx::FromRow)]
struct RevisedRow {
    revision: i64,
    #[sqlx(flatten)]
    subscription: Subscription,
}

/// All subscriptions of a user, oldest first.
pub async fn list(db: &Db, user: UserId) -> Result<Revised<Vec<Subscription>>> {
    let (mut list, revision): (Vec<Subscription>, i64) = if db.is_postgres() {
        let rows: Vec<RevisedRow> = db.read(select!()).bind(user).all().await?;
        let revision = revision_of(db, user, rows.first().map(|row| row.revision)).await?;
        (rows.into_iter().map(|row| row.subscription).collect(), revision)
    } else {
        let (json, revision): (String, i64) = db.read(dialect::SUBSCRIPTIONS_SQLITE).bind(user).one().await?;
        (serde_json::from_str(&json).map_err(|error| sqlx::Error::Decode(error.into()))?, revision)
    };
    list.sort_unstable_by_key(|subscription| subscription.id);
    Ok(Revised { value: list, revision })
}

/// The unread counts above 0 of the user's subscriptions.
pub async fn list_unread_counts(db: &Db, user: UserId) -> Result<Revised<Vec<(SubscriptionId, i64)>>> {
    let sql = if db.is_postgres() { dialect::UNREAD_COUNTS_POSTGRES } else { dialect::UNREAD_COUNTS_SQLITE };
    let (ids, counts, revision): (Option<Vec<u8>>, String, i64) = db.read(sql).bind(user).one().await?;
    let counts: Vec<i64> = serde_json::from_str(&counts).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let ids = ids.unwrap_or_default();
    let ids = ids.as_chunks().0.iter().map(|id| SubscriptionId(Uuid::from_bytes(*id)));
    Ok(Revised { value: ids.zip(counts).collect(), revision })
}

/// The revision of the rows, or of the user if there are none.
async fn revision_of(db: &Db, user: UserId, of_rows: Option<i64>) -> Result<i64> {
    match of_rows {
        Some(revision) => Ok(revision),
        None => users::read_revision(db, user).await,
    }
}

/// The user's subscription with this id.
pub async fn get(db: &Db, user: UserId, subscription: SubscriptionId) -> Result<Option<Subscription>> {
    db.read(concat!(select!(), " and s.id = $2")).bind(user).bind(subscription).optional().await
}

/// A subscription in an OPML file.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OpmlSubscription {
    pub feed_url: String,
    pub site_url: Option<String>,
    /// The user's title, or else the feed's.
    pub title: String,
    pub folder: Option<String>,
}

/// All subscriptions of a user: by folder, then those without a folder, each sorted by title.
pub async fn list_for_opml(db: &Db, user: UserId) -> Result<Vec<OpmlSubscription>> {
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
