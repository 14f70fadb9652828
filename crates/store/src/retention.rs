//! Deletes expired data: old items, unused feeds, statistics and imports.
//!
//! Items are deleted in chunks, each in its own short transaction, so that other writers do not wait long.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Change, Db, Error, FeedId, ItemId, Result, Tx, UserId, feeds, feeds::is_unused};

/// A feed with many subscribers has smaller chunks of items.
const MAX_STATES_PER_CHUNK: usize = 20_000;
const MAX_ITEMS_PER_CHUNK: usize = 500;
/// A fetch updates `seen_at` of an item in its document at most once in this time.
const SEEN_AT_INTERVAL: TimeDelta = TimeDelta::days(7);

/// A candidate for deletion.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OldItem {
    pub id: ItemId,
    pub feed_id: FeedId,
    pub created_at: DateTime<Utc>,
    /// When its document last contained it.
    pub seen_at: DateTime<Utc>,
    pub document_at: Option<DateTime<Utc>>,
}

impl OldItem {
    /// Whether its document still contains it. Such an item would come back as new if it were deleted.
    pub fn is_in_document(&self) -> bool {
        self.document_at.is_some_and(|at| self.seen_at >= at - SEEN_AT_INTERVAL)
    }
}

// A scalar subquery seeks one state for each subscriber. With a join PostgreSQL would read all starred states.

/// Items without a star that arrived after `after` and before `before`, oldest first.
pub async fn list_old(
    db: &Db,
    before: DateTime<Utc>,
    after: (DateTime<Utc>, ItemId),
    limit: i64,
) -> Result<Vec<OldItem>> {
    db.read(
        "select i.id, i.feed_id, i.created_at, i.seen_at, f.document_at from items i join feeds f on f.id = i.feed_id
         where i.created_at < $1 and (i.created_at, i.id) > ($2, $3)
            and not exists (select 1 from subscriptions u where u.feed_id = i.feed_id
                and (select s.is_starred from item_states s where s.user_id = u.user_id and s.item_id = i.id) = true)
         order by i.created_at, i.id limit $4",
    )
    .bind(before)
    .bind(after.0)
    .bind(after.1)
    .bind(limit)
    .all()
    .await
}

/// Deletes items of a feed with their states and search index entries, and updates the unread counts. Returns how many.
///
/// Items stay that were starred or seen in the document since `items` was read, or that another transaction is marking.
pub async fn delete_items(db: &Db, feed: FeedId, items: &[ItemId]) -> Result<u64> {
    let mut removed = 0;
    let mut left = items;
    while !left.is_empty() {
        let (gone, rest) = db
            .transact(async |tx| {
                if !feeds::lock(tx, feed).await? {
                    return Ok((0, &left[..0]));
                }
                let subscribers = lock_unread_counts(tx, feed).await?;
                let (chunk, rest) = left.split_at(chunk_size(subscribers).min(left.len()));
                let document_at: Option<DateTime<Utc>> =
                    tx.query("select document_at from feeds where id = $1").bind(feed).scalar().await?;
                let seen_since = document_at.map(|at| at - SEEN_AT_INTERVAL);
                Ok::<_, Error>((delete_chunk(tx, feed, chunk, seen_since).await?, rest))
            })
            .await?;
        removed += gone;
        left = rest;
    }
    Ok(removed)
}

async fn delete_chunk(tx: &mut Tx, feed: FeedId, items: &[ItemId], seen_since: Option<DateTime<Utc>>) -> Result<u64> {
    let deletable: Vec<(ItemId,)> = tx
        .query(
            "select id from items where feed_id = $1 and id in (select value from json_each($2))
                and ($3 is null or seen_at < $3)
                and not exists (select 1 from subscriptions u where u.feed_id = $1
                    and (select s.is_starred from item_states s where s.user_id = u.user_id and s.item_id = items.id) = true)",
        )
        .bind(feed)
        .bind_numbers(items.iter().copied())
        .bind(seen_since)
        .all()
        .await?;
    let deletable: Vec<ItemId> = deletable.into_iter().map(|(id,)| id).collect();
    if deletable.is_empty() {
        return Ok(0);
    }
    // A state that a user is changing right now stays, and its item with it, until the next night.
    let states: Vec<(UserId, bool)> = tx
        .query_either(
            "delete from item_states where user_id in (select user_id from subscriptions where feed_id = $2)
                and item_id in (select value from json_each($1)) and is_starred = false
             returning user_id, is_read",
            "delete from item_states where (user_id, item_id) in (
                select user_id, item_id from item_states
                where user_id in (select user_id from subscriptions where feed_id = $2)
                    and item_id in (select value from json_each($1)) and is_starred = false
                for update skip locked)
             returning user_id, is_read",
        )
        .bind_numbers(deletable.iter().copied())
        .bind(feed)
        .all()
        .await?;
    count_down(tx, feed, &states).await?;
    let free: Vec<(ItemId,)> = tx
        .query(
            "select id from items where id in (select value from json_each($1))
                and not exists (select 1 from subscriptions u where u.feed_id = $2
                    and (select s.item_id from item_states s where s.user_id = u.user_id and s.item_id = items.id) is not null)",
        )
        .bind_numbers(deletable)
        .bind(feed)
        .all()
        .await?;
    delete_free(tx, feed, free.into_iter().map(|(id,)| id).collect()).await
}

/// Subtracts the unread among deleted states from the counts of their subscriptions.
async fn count_down(tx: &mut Tx, feed: FeedId, states: &[(UserId, bool)]) -> Result<()> {
    let mut unread: HashMap<UserId, i64> = HashMap::new();
    for (user, _) in states.iter().filter(|(_, is_read)| !is_read) {
        *unread.entry(*user).or_default() += 1;
    }
    let mut alike: HashMap<i64, Vec<UserId>> = HashMap::new();
    for (user, count) in unread {
        alike.entry(count).or_default().push(user);
    }
    for (count, users) in alike {
        tx.query(
            "update subscriptions set unread_count = unread_count - $1
             where feed_id = $2 and user_id in (select unhex(value) from json_each($3))",
        )
        .bind(count)
        .bind(feed)
        .bind_ids(users)
        .execute()
        .await?;
    }
    Ok(())
}

/// Deletes items without states. Their search index entries go with them.
async fn delete_free(tx: &mut Tx, feed: FeedId, items: Vec<ItemId>) -> Result<u64> {
    tx.query("delete from search_pending where item_id in (select value from json_each($1))")
        .bind_numbers(items.iter().copied())
        .execute()
        .await?;
    let removed = tx
        .query("delete from items where id in (select value from json_each($1))")
        .bind_numbers(items)
        .execute()
        .await?;
    if removed > 0 {
        tx.changed(Change::Feed(feed));
    }
    Ok(removed)
}

/// Locks the unread counts of all subscribers of a feed. Returns the number of subscribers.
///
/// Marking items locks states before counts. Clean-up locks the counts first and then skips locked states, so the two cannot
/// deadlock.
async fn lock_unread_counts(tx: &mut Tx, feed: FeedId) -> Result<usize> {
    let query =
        tx.query_locking("select user_id from subscriptions where feed_id = $1 order by user_id", " for no key update");
    let subscribers: Vec<(UserId,)> = query.bind(feed).all().await?;
    Ok(subscribers.len())
}

fn chunk_size(subscribers: usize) -> usize {
    (MAX_STATES_PER_CHUNK / subscribers.max(1)).clamp(1, MAX_ITEMS_PER_CHUNK)
}

/// Marks feeds as resting that are no longer in use, for example after an account was deleted. Returns how many.
pub async fn rest_unused(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    let forgotten: Vec<(FeedId,)> =
        db.read(concat!("select id from feeds where rested_at is null and ", is_unused!())).all().await?;
    let mut rested = 0;
    for (feed,) in forgotten {
        let resting = db.transact(async |tx| {
            // Checked again under the lock: a user may be subscribing.
            feeds::lock(tx, feed).await?;
            feeds::rest_if_unused(tx, feed, now).await
        });
        rested += u64::from(resting.await?);
    }
    Ok(rested)
}

/// Feeds that have rested since before `before`.
pub async fn list_orphans(db: &Db, before: DateTime<Utc>) -> Result<Vec<FeedId>> {
    let orphans = db.read("select id from feeds where rested_at is not null and rested_at < $1 order by rested_at");
    let orphans: Vec<(FeedId,)> = orphans.bind(before).all().await?;
    Ok(orphans.into_iter().map(|(id,)| id).collect())
}

/// Deletes a feed that has rested since before `before`, with its items. False if it is in use again.
pub async fn delete_orphan(db: &Db, feed: FeedId, before: DateTime<Utc>) -> Result<bool> {
    loop {
        if let Some(removed) = db.transact(async |tx| delete_orphan_chunk(tx, feed, before).await).await? {
            return Ok(removed);
        }
    }
}

/// None while there are items left to delete.
async fn delete_orphan_chunk(tx: &mut Tx, feed: FeedId, before: DateTime<Utc>) -> Result<Option<bool>> {
    feeds::lock(tx, feed).await?;
    let is_orphan: bool = tx
        .query(concat!(
            "select exists (select 1 from feeds where id = $1 and rested_at is not null and rested_at < $2 and ",
            is_unused!(),
            ")"
        ))
        .bind(feed)
        .bind(before)
        .scalar()
        .await?;
    if !is_orphan {
        return Ok(Some(false));
    }
    let items = tx.query("select id from items where feed_id = $1 limit $2").bind(feed);
    let items: Vec<(ItemId,)> = items.bind(i64::try_from(MAX_ITEMS_PER_CHUNK).unwrap_or(1)).all().await?;
    if items.is_empty() {
        tx.query("delete from feeds where id = $1").bind(feed).execute().await?;
        return Ok(Some(true));
    }
    delete_free(tx, feed, items.into_iter().map(|(id,)| id).collect()).await?;
    Ok(None)
}

/// Deletes the statistics of hours before `before`.
pub async fn delete_hours(db: &Db, before: DateTime<Utc>) -> Result<u64> {
    db.write("delete from fetch_hours where hour < $1").bind(before).execute().await
}

/// Deletes finished imports that were created before `before`.
pub async fn delete_imports(db: &Db, before: DateTime<Utc>) -> Result<u64> {
    db.write(
        "delete from opml_imports where created_at < $1 and not exists (
            select 1 from opml_import_feeds f where f.import_id = opml_imports.id and f.outcome = 'waiting')",
    )
    .bind(before)
    .execute()
    .await
}
