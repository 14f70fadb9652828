//! What is removed when its time is over: old items, feeds nobody reads, figures and imports of long ago.
//!
//! Everything goes in chunks, each in a short transaction of its own, so that nobody waits long for the writer.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Change, Db, Error, FeedId, ItemId, Result, Tx, UserId, feeds, feeds::is_unused};

/// The most states that go with one chunk of items: a feed with many subscribers has smaller chunks.
const MOST_STATES: usize = 20_000;
/// The most items of a chunk.
const MOST_ITEMS: usize = 500;
/// Fetches note that an item is still in its document once in this time.
const NOTICED_WITHIN: TimeDelta = TimeDelta::days(7);

/// An item that arrived long ago.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OldItem {
    pub id: ItemId,
    pub feed_id: FeedId,
    pub created_at: DateTime<Utc>,
    /// When it was last noticed in its document.
    pub seen_at: DateTime<Utc>,
    /// When that document last changed.
    pub document_at: Option<DateTime<Utc>>,
}

impl OldItem {
    /// Whether its document still has it: removed, it would come back as new.
    pub fn is_in_document(&self) -> bool {
        self.document_at.is_some_and(|at| self.seen_at >= at - NOTICED_WITHIN)
    }
}

// A state is looked for with one seek for each subscriber, as a value of its own: joined, PostgreSQL would walk through all stars.

/// Items that arrived before `before` and have no star, the oldest first, from after `after`.
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

/// Removes those of a feed's items that may go, with their states and words, and counts again; tells how many went.
///
/// What was starred or noticed in the document since the list was made stays, and what somebody is just marking.
pub async fn remove_items(db: &Db, feed: FeedId, items: &[ItemId]) -> Result<u64> {
    let mut removed = 0;
    let mut left = items;
    while !left.is_empty() {
        let (gone, rest) = db
            .transact(async |tx| {
                if !feeds::lock(tx, feed).await? {
                    return Ok((0, &left[..0]));
                }
                let subscribers = lock_counters(tx, feed).await?;
                let (chunk, rest) = left.split_at(chunk_size(subscribers).min(left.len()));
                let document_at: Option<DateTime<Utc>> =
                    tx.query("select document_at from feeds where id = $1").bind(feed).scalar().await?;
                let noticed_from = document_at.map(|at| at - NOTICED_WITHIN);
                Ok::<_, Error>((remove_chunk(tx, feed, chunk, noticed_from).await?, rest))
            })
            .await?;
        removed += gone;
        left = rest;
    }
    Ok(removed)
}

async fn remove_chunk(tx: &mut Tx, feed: FeedId, items: &[ItemId], noticed_from: Option<DateTime<Utc>>) -> Result<u64> {
    let going: Vec<(ItemId,)> = tx
        .query(
            "select id from items where feed_id = $1 and id in (select value from json_each($2))
                and ($3 is null or seen_at < $3)
                and not exists (select 1 from subscriptions u where u.feed_id = $1
                    and (select s.is_starred from item_states s where s.user_id = u.user_id and s.item_id = items.id) = true)",
        )
        .bind(feed)
        .bind_numbers(items.iter().copied())
        .bind(noticed_from)
        .all()
        .await?;
    let going: Vec<ItemId> = going.into_iter().map(|(id,)| id).collect();
    if going.is_empty() {
        return Ok(0);
    }
    // Somebody may star or read one in this very moment: that state stays, and with it the item, until the next night.
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
        .bind_numbers(going.iter().copied())
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
        .bind_numbers(going)
        .bind(feed)
        .all()
        .await?;
    remove_free(tx, feed, free.into_iter().map(|(id,)| id).collect()).await
}

/// Takes the unread among removed states off their subscriptions' counters.
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

/// Removes items that nobody has a state of; their words go with them.
async fn remove_free(tx: &mut Tx, feed: FeedId, items: Vec<ItemId>) -> Result<u64> {
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

/// Holds the counters of all who read a feed, and tells how many they are.
///
/// A person who marks items holds states first and counters then. With the counters in hand, and passing over states that are
/// held, clean-up waits for nobody who waits for it.
async fn lock_counters(tx: &mut Tx, feed: FeedId) -> Result<usize> {
    let query =
        tx.query_locking("select user_id from subscriptions where feed_id = $1 order by user_id", " for no key update");
    let subscribers: Vec<(UserId,)> = query.bind(feed).all().await?;
    Ok(subscribers.len())
}

fn chunk_size(subscribers: usize) -> usize {
    (MOST_STATES / subscribers.max(1)).clamp(1, MOST_ITEMS)
}

/// Lets feeds rest that are no longer in use, as when an account goes; tells how many.
pub async fn rest_forgotten(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    let forgotten: Vec<(FeedId,)> =
        db.read(concat!("select id from feeds where rested_at is null and ", is_unused!())).all().await?;
    let mut rested = 0;
    for (feed,) in forgotten {
        let resting = db.transact(async |tx| {
            // Looked at again under the lock: a user may be subscribing.
            feeds::lock(tx, feed).await?;
            feeds::rest_if_unused(tx, feed, now).await
        });
        rested += u64::from(resting.await?);
    }
    Ok(rested)
}

/// Feeds that rest since before `before`.
pub async fn list_orphans(db: &Db, before: DateTime<Utc>) -> Result<Vec<FeedId>> {
    let orphans = db.read("select id from feeds where rested_at is not null and rested_at < $1 order by rested_at");
    let orphans: Vec<(FeedId,)> = orphans.bind(before).all().await?;
    Ok(orphans.into_iter().map(|(id,)| id).collect())
}

/// Removes a feed that rests since before `before`, its items first. False if somebody has subscribed to it since.
pub async fn remove_orphan(db: &Db, feed: FeedId, before: DateTime<Utc>) -> Result<bool> {
    loop {
        if let Some(removed) = db.transact(async |tx| remove_orphan_chunk(tx, feed, before).await).await? {
            return Ok(removed);
        }
    }
}

/// None while there are items left to remove.
async fn remove_orphan_chunk(tx: &mut Tx, feed: FeedId, before: DateTime<Utc>) -> Result<Option<bool>> {
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
    let items: Vec<(ItemId,)> = items.bind(i64::try_from(MOST_ITEMS).unwrap_or(1)).all().await?;
    if items.is_empty() {
        tx.query("delete from feeds where id = $1").bind(feed).execute().await?;
        return Ok(Some(true));
    }
    remove_free(tx, feed, items.into_iter().map(|(id,)| id).collect()).await?;
    Ok(None)
}

/// Removes the figures of hours before `before`.
pub async fn remove_hours(db: &Db, before: DateTime<Utc>) -> Result<u64> {
    db.write("delete from fetch_hours where hour < $1").bind(before).execute().await
}

/// Removes imports that began before `before` and have nothing left to do.
pub async fn remove_imports(db: &Db, before: DateTime<Utc>) -> Result<u64> {
    db.write(
        "delete from opml_imports where created_at < $1 and not exists (
            select 1 from opml_import_feeds f where f.import_id = opml_imports.id and f.outcome = 'waiting')",
    )
    .bind(before)
    .execute()
    .await
}
