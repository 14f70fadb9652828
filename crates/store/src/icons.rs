//! The icons of feeds: the columns of `feeds` that lists do not read.

use chrono::{DateTime, Utc};

use crate::{Change, Db, FeedId, Result, UserId};

/// An icon of a feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Icon {
    /// The media type, detected from the content.
    pub mime: String,
    pub data: Vec<u8>,
}

/// Whether a feed has an icon, and when it was last searched for.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct IconStatus {
    pub feed_url: String,
    pub site_url: Option<String>,
    pub has_favicon: bool,
    pub favicon_checked_at: Option<DateTime<Utc>>,
}

/// The icon of a feed, if the user subscribes to it.
pub async fn get(db: &Db, user: UserId, feed: FeedId) -> Result<Option<Icon>> {
    db.read(
        "select f.favicon_mime as mime, f.favicon_data as data
         from feeds f join subscriptions s on s.feed_id = f.id
         where s.user_id = $1 and f.id = $2 and f.favicon_mime is not null and f.favicon_data is not null",
    )
    .bind(user)
    .bind(feed)
    .optional()
    .await
}

/// Whether a feed has an icon, and when it was last searched for.
pub async fn get_status(db: &Db, feed: FeedId) -> Result<Option<IconStatus>> {
    db.read(
        "select feed_url, site_url, favicon_mime is not null as has_favicon, favicon_checked_at from feeds where id = $1",
    )
    .bind(feed)
    .optional()
    .await
}

/// Copies the icon and its search time from another feed of the same site that was checked after `since`. False if there is
/// none.
pub async fn copy_from_site(db: &Db, feed: FeedId, since: DateTime<Utc>) -> Result<bool> {
    db.transact(async |tx| {
        let copied = tx
            .query(
                "update feeds set (favicon_mime, favicon_data, favicon_checked_at) = (
                    select other.favicon_mime, other.favicon_data, other.favicon_checked_at from feeds other
                    where other.site_url = feeds.site_url and other.id <> feeds.id and other.favicon_checked_at > $2
                    order by other.favicon_mime is null, other.favicon_checked_at desc limit 1)
                 where id = $1 and favicon_mime is null and exists (
                    select 1 from feeds other
                    where other.site_url = feeds.site_url and other.id <> feeds.id and other.favicon_checked_at > $2)",
            )
            .bind(feed)
            .bind(since)
            .execute()
            .await?;
        if copied > 0 {
            tx.changed(Change::Feed(feed));
        }
        Ok(copied > 0)
    })
    .await
}

/// Stores the icon that was found and the time of the search. Without a new icon, the stored one stays.
pub async fn mark_checked(db: &Db, feed: FeedId, icon: Option<&Icon>, now: DateTime<Utc>) -> Result<()> {
    db.transact(async |tx| {
        tx.query(
            "update feeds set favicon_checked_at = $2, favicon_mime = coalesce($3, favicon_mime),
            favicon_data = coalesce($4, favicon_data)
         where id = $1",
        )
        .bind(feed)
        .bind(now)
        .bind(icon.map(|icon| icon.mime.clone()))
        .bind(icon.map(|icon| icon.data.clone()))
        .execute()
        .await?;
        if icon.is_some() {
            tx.changed(Change::Feed(feed));
        }
        Ok(())
    })
    .await
}
