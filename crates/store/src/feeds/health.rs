//! How all feeds are doing, for the owner.

use uuid::Uuid;

use super::{Feed, FetchStatus, feed_columns};
use crate::{Db, FeedId, Result};

/// A feed with what only the owner sees.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedHealth {
    #[sqlx(flatten)]
    pub feed: Feed,
    /// How many people read it.
    pub subscribers: i64,
    /// A subscriber's title, of a feed that was never read: its own title is only its host.
    pub given_title: Option<String>,
}

/// How many feeds there are of each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct StatusCount {
    pub fetch_status: FetchStatus,
    pub feeds: i64,
}

/// A page of feeds, those added last first, behind the feed `after`.
pub async fn list_health(
    db: &Db,
    status: Option<FetchStatus>,
    after: Option<FeedId>,
    most: i64,
) -> Result<Vec<FeedHealth>> {
    // Ids are in the order of time; a page without a beginning is one behind the last id there can be.
    db.read(concat!(
        "select ",
        feed_columns!(),
        ", (select count(*) from subscriptions s where s.feed_id = f.id) as subscribers,
         case when f.content_hash is null
             then (select min(s.title) from subscriptions s where s.feed_id = f.id) end as given_title
         from feeds f where f.id < $1 and (cast($2 as text) is null or f.fetch_status = $2)
         order by f.id desc limit $3"
    ))
    .bind(after.unwrap_or(FeedId(Uuid::max())))
    .bind(status)
    .bind(most)
    .all()
    .await
}

/// How many feeds there are of each status.
pub async fn count_by_status(db: &Db) -> Result<Vec<StatusCount>> {
    db.read("select cast(fetch_status as text) as fetch_status, count(*) as feeds from feeds group by fetch_status")
        .all()
        .await
}
