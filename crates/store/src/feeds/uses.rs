//! Feeds that are in use without a subscriber: those that the configuration file of a capability names.

use chrono::{DateTime, Utc};

use super::{NewFeed, add, lock};
use crate::{Db, FeedId, Result, Topic, Tx};

/// True for a row of `feeds` without a subscriber that no configuration file names.
macro_rules! is_unused {
    () => {
        "not exists (select 1 from subscriptions s where s.feed_id = feeds.id)
            and not exists (select 1 from feed_uses u where u.feed_id = feeds.id)"
    };
}
pub(crate) use is_unused;

/// A feed that a configuration file names.
#[derive(Debug, Clone)]
pub struct FeedUse {
    pub feed: NewFeed,
    /// The interval that the file gives to it.
    pub interval_minutes: Option<i64>,
}

/// Makes these feeds exactly the ones that `used_by` uses; tells their ids, in the same order.
///
/// A feed that is not known is added. A feed that is no longer used rests, unless it has a subscriber or another user.
/// Each feed is a short transaction of its own: a call that is cut off is completed by the next one.
pub async fn sync_uses(db: &Db, used_by: &'static str, feeds: &[FeedUse], now: DateTime<Utc>) -> Result<Vec<FeedId>> {
    let mut used = Vec::with_capacity(feeds.len());
    for feed in feeds {
        used.push(add_use(db, used_by, feed, now).await?);
    }
    let before: Vec<(FeedId,)> =
        db.read("select feed_id from feed_uses where used_by = $1").bind(used_by.to_owned()).all().await?;
    for (feed,) in before.into_iter().filter(|(feed,)| !used.contains(feed)) {
        remove_use(db, used_by, feed, now).await?;
    }
    Ok(used)
}

async fn add_use(db: &Db, used_by: &'static str, named: &FeedUse, now: DateTime<Utc>) -> Result<FeedId> {
    db.transact(async |tx| {
        let (id, _) = add(tx, &named.feed, now).await?;
        tx.query(
            "insert into feed_uses (feed_id, used_by, interval_minutes) values ($1, $2, $3)
             on conflict (feed_id, used_by) do update set interval_minutes = excluded.interval_minutes",
        )
        .bind(id)
        .bind(used_by.to_owned())
        .bind(named.interval_minutes)
        .execute()
        .await?;
        let awake = "update feeds set rested_at = null where id = $1 and rested_at is not null";
        tx.query(awake).bind(id).execute().await?;
        tx.announce(Topic::Feeds);
        Ok(id)
    })
    .await
}

async fn remove_use(db: &Db, used_by: &'static str, feed: FeedId, now: DateTime<Utc>) -> Result<()> {
    db.transact(async |tx| {
        lock(tx, feed).await?;
        tx.query("delete from feed_uses where feed_id = $1 and used_by = $2")
            .bind(feed)
            .bind(used_by.to_owned())
            .execute()
            .await?;
        rest_if_unused(tx, feed, now).await.map(drop)
    })
    .await
}

/// Lets a feed rest that is no longer in use: it is not fetched, and collected later.
pub(crate) async fn rest_if_unused(tx: &mut Tx, feed: FeedId, now: DateTime<Utc>) -> Result<bool> {
    let rested = tx
        .query(concat!("update feeds set rested_at = $2 where id = $1 and rested_at is null and ", is_unused!()))
        .bind(feed)
        .bind(now)
        .execute()
        .await?;
    Ok(rested > 0)
}

/// Whether a configuration file names the feed.
pub async fn is_named(tx: &mut Tx, feed: FeedId) -> Result<bool> {
    tx.query("select exists (select 1 from feed_uses where feed_id = $1)").bind(feed).scalar().await
}
