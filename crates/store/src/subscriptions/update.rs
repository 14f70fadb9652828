//! Updates of a subscription.

use chrono::{DateTime, Utc};

use crate::{FeedId, FolderId, Result, SubscriptionId, Tx, UserId, full_texts::FullText};

/// The fields to update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriptionPatch {
    /// 30 to 720 minutes in steps of 30.
    pub fetch_interval_minutes: Option<i64>,
    /// `Some(None)` for the feed's title.
    pub title: Option<Option<String>>,
    /// `Some(None)` for no folder.
    pub folder_id: Option<Option<FolderId>>,
    pub full_text: Option<FullText>,
}

/// The last and the next fetch of a feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FetchSchedule {
    pub last_fetched_at: DateTime<Utc>,
    pub next_fetch_at: DateTime<Utc>,
    /// The publisher's hints about the interval, as JSON.
    pub hints: Option<String>,
}

/// Updates a subscription. Returns its feed, or none if the subscription or the folder is not the user's.
pub async fn update(
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
                updated_at = $8,
                full_text = coalesce($9, full_text)
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
        .bind(patch.full_text.map(|full_text| full_text.as_str().to_owned()))
        .optional()
        .await?;
    Ok(changed.map(|(feed,)| feed))
}

/// The schedule of a feed that its subscribers and publisher determine. None during a fetch, a back-off or a stop.
pub async fn get_schedule(tx: &mut Tx, feed: FeedId) -> Result<Option<FetchSchedule>> {
    tx.query(
        "select last_fetched_at, next_fetch_at, hints from feeds
         where id = $1 and lease_token is null and fetch_status = 'active' and last_fetched_at is not null",
    )
    .bind(feed)
    .optional()
    .await
}

/// Moves the next fetch to `next_fetch_at` if it is planned later. True if it was.
pub async fn advance_next_fetch(tx: &mut Tx, feed: FeedId, next_fetch_at: DateTime<Utc>) -> Result<bool> {
    let advanced = tx
        .query(
            "update feeds set next_fetch_at = $2
             where id = $1 and next_fetch_at > $2 and lease_token is null and fetch_status = 'active'",
        )
        .bind(feed)
        .bind(next_fetch_at)
        .execute()
        .await?;
    Ok(advanced > 0)
}

/// The feed of the user's subscription.
pub async fn find_feed(tx: &mut Tx, user: UserId, subscription: SubscriptionId) -> Result<Option<FeedId>> {
    let found =
        tx.query("select feed_id from subscriptions where user_id = $1 and id = $2").bind(user).bind(subscription);
    Ok(found.optional::<(FeedId,)>().await?.map(|(feed,)| feed))
}

/// Sets the folder and title of a new subscription. A title that equals the feed's is not stored.
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
