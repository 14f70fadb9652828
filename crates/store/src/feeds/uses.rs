//! Feeds that are in use without a subscriber: those that the configuration file of a capability names.

use std::collections::{HashMap, HashSet};

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
    let before: Vec<(String, FeedId, Option<i64>)> = db
        .read(
            "select f.feed_url, f.id, u.interval_minutes from feed_uses u join feeds f on f.id = u.feed_id
             where u.used_by = $1 and f.rested_at is null",
        )
        .bind(used_by.to_owned())
        .all()
        .await?;
    let before: HashMap<String, (FeedId, Option<i64>)> =
        before.into_iter().map(|(url, id, interval)| (url, (id, interval))).collect();
    let mut used = Vec::with_capacity(feeds.len());
    for named in feeds {
        let is_same = |(_, interval): &&(FeedId, Option<i64>)| *interval == named.interval_minutes;
        used.push(match before.get(&named.feed.feed_url).filter(is_same) {
            Some((id, _)) => *id,
            None => add_use(db, used_by, named, now).await?,
        });
    }
    let kept: HashSet<FeedId> = used.iter().copied().collect();
    let all: Vec<(FeedId,)> =
        db.read("select feed_id from feed_uses where used_by = $1").bind(used_by.to_owned()).all().await?;
    for (feed,) in all.into_iter().filter(|(feed,)| !kept.contains(feed)) {
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
        // A feed that users read already. Its items and subscribers stay.
        tx.query("update feeds set kind = $2 where id = $1 and kind = 'feed' and kind <> $2")
            .bind(id)
            .bind(named.feed.kind.to_owned())
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
