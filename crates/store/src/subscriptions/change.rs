//! What a person sets about a subscription.

use chrono::{DateTime, Utc};

use crate::{FeedId, FolderId, Result, SubscriptionId, Tx, UserId};

/// What to change about a subscription; the rest stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriptionPatch {
    /// How often to fetch: 30 to 720 minutes in steps of 30.
    pub fetch_interval_minutes: Option<i64>,
    /// A title of one's own; none for the feed's.
    pub title: Option<Option<String>>,
    /// A folder of the person's; none for no folder.
    pub folder_id: Option<Option<FolderId>>,
}

/// When a feed was fetched and will be.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Schedule {
    /// When it was last fetched.
    pub last_fetched_at: DateTime<Utc>,
    /// When it will be fetched next.
    pub next_fetch_at: DateTime<Utc>,
    /// What the publisher asks for, as JSON.
    pub hints: Option<String>,
}

/// Changes a subscription; tells its feed. None if it is not the person's, or the folder is not.
pub async fn change(
    tx: &mut Tx,
    user: UserId,
    subscription: SubscriptionId,
    patch: &SubscriptionPatch,
    now: DateTime<Utc>,
) -> Result<Option<FeedId>> {
    let changed: Option<(FeedId,)> = tx
        .query(
            "update subscriptions set
                fetch_interval_minutes = coalesce($3, fetch_interval_minutes),
                title = case when $4 then $5 else title end,
                folder_id = case when $6 then $7 else folder_id end,
                updated_at = $8
             where user_id = $1 and id = $2
                and ($7 is null or exists (select 1 from folders f where f.id = $7 and f.user_id = $1))
             returning feed_id",
        )
        .bind(user)
        .bind(subscription)
        .bind(patch.fetch_interval_minutes)
        .bind(patch.title.is_some())
        .bind(patch.title.clone().flatten())
        .bind(patch.folder_id.is_some())
        .bind(patch.folder_id.flatten())
        .bind(now)
        .optional()
        .await?;
    Ok(changed.map(|(feed,)| feed))
}

/// What decides when a feed is fetched next, unless it is something but its subscribers and publisher: a fetch under way,
/// a back-off, a stop.
pub async fn schedule(tx: &mut Tx, feed: FeedId) -> Result<Option<Schedule>> {
    tx.query(
        "select last_fetched_at, next_fetch_at, hints from feeds
         where id = $1 and lease_token is null and fetch_status = 'active' and last_fetched_at is not null",
    )
    .bind(feed)
    .optional()
    .await
}

/// Fetches the feed at this time if it would be later otherwise. True if it would.
pub async fn bring_nearer(tx: &mut Tx, feed: FeedId, next_fetch_at: DateTime<Utc>) -> Result<bool> {
    let nearer = tx
        .query(
            "update feeds set next_fetch_at = $2
             where id = $1 and next_fetch_at > $2 and lease_token is null and fetch_status = 'active'",
        )
        .bind(feed)
        .bind(next_fetch_at)
        .execute()
        .await?;
    Ok(nearer > 0)
}

/// The feed of a subscription, if it is the person's.
pub async fn find_feed(tx: &mut Tx, user: UserId, subscription: SubscriptionId) -> Result<Option<FeedId>> {
    let found =
        tx.query("select feed_id from subscriptions where user_id = $1 and id = $2").bind(user).bind(subscription);
    Ok(found.optional::<(FeedId,)>().await?.map(|(feed,)| feed))
}

/// Puts a new subscription into a folder, under a title that counts only if the feed is called otherwise.
pub async fn set_folder_and_title(
    tx: &mut Tx,
    user: UserId,
    subscription: SubscriptionId,
    folder: Option<FolderId>,
    title: Option<&str>,
) -> Result<()> {
    tx.query(
        "update subscriptions set folder_id = $3,
            title = case when $4 = (select f.title from feeds f where f.id = subscriptions.feed_id) then null else $4 end
         where user_id = $1 and id = $2",
    )
    .bind(user)
    .bind(subscription)
    .bind(folder)
    .bind(title.map(str::to_owned))
    .execute()
    .await
    .map(drop)
}
