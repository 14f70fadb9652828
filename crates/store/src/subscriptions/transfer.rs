//! Moving subscriptions from one feed to another with the same items, and their item states with them.

use chrono::{DateTime, Utc};

use super::{add_states, delete_states, recount};
use crate::{Change, FeedId, Result, Tx, UserId, feeds, items::copied_columns, sql::Sql, users};

/// Moves a user's subscription to another feed, with its id, folder, title and interval. States are copied where both feeds
/// have the item. Starred items that the other feed lacks are copied to it.
///
/// If the user subscribes to the other feed already, the old subscription is deleted. False if there is no subscription.
pub async fn move_to(tx: &mut Tx, user: UserId, from: FeedId, to: FeedId, now: DateTime<Utc>) -> Result<bool> {
    lock_both(tx, from, to).await?;
    // Marking items meanwhile would change counts that are about to be replaced.
    users::lock(tx, user).await?;
    let has = |feed: FeedId| (user, feed);
    if from == to || !is_subscribed(tx, has(from)).await? {
        return Ok(false);
    }
    let present = is_subscribed(tx, has(to)).await?;
    if !present {
        add_states(tx, user, to, now).await?;
    }
    copy_starred(tx, user, from, to, now).await?;
    copy_states(tx, user, from, to, present).await?;
    delete_states(tx, user, from).await?;
    if present {
        tx.query("delete from subscriptions where user_id = $1 and feed_id = $2")
            .bind(user)
            .bind(from)
            .execute()
            .await?;
    } else {
        tx.query("update subscriptions set feed_id = $3, updated_at = $4 where user_id = $1 and feed_id = $2")
            .bind(user)
            .bind(from)
            .bind(to)
            .bind(now)
            .execute()
            .await?;
    }
    recount(tx, user, to).await?;
    tx.query("update feeds set rested_at = null where id = $1 and rested_at is not null").bind(to).execute().await?;
    feeds::rest_if_unused(tx, from, now).await?;
    tx.changed(Change::User(user));
    Ok(true)
}

/// Moves every subscription of a feed to another. Returns how many.
pub async fn move_all(tx: &mut Tx, from: FeedId, to: FeedId, now: DateTime<Utc>) -> Result<usize> {
    lock_both(tx, from, to).await?;
    let users: Vec<(UserId,)> =
        tx.query("select user_id from subscriptions where feed_id = $1 order by user_id").bind(from).all().await?;
    for (user,) in &users {
        move_to(tx, *user, from, to, now).await?;
    }
    Ok(users.len())
}

/// Locks both in a fixed order, so that two opposite moves cannot deadlock.
async fn lock_both(tx: &mut Tx, one: FeedId, other: FeedId) -> Result<()> {
    feeds::lock(tx, one.min(other)).await?;
    feeds::lock(tx, one.max(other)).await.map(drop)
}

async fn is_subscribed(tx: &mut Tx, (user, feed): (UserId, FeedId)) -> Result<bool> {
    let count: i64 = tx
        .query("select count(*) from subscriptions where user_id = $1 and feed_id = $2")
        .bind(user)
        .bind(feed)
        .scalar()
        .await?;
    Ok(count > 0)
}

/// Copies starred items that the other feed lacks. Other users have no state for them, so they do not see them.
async fn copy_starred(tx: &mut Tx, user: UserId, from: FeedId, to: FeedId, now: DateTime<Utc>) -> Result<()> {
    let sql = Sql::from(
        "insert into items (feed_id, updated_at, {columns}) select $3, $4, {copied}
         from item_states s join items o on o.id = s.item_id
         where s.user_id = $1 and s.is_starred = true and s.feed_id = $2
            and not exists (select 1 from items n where n.feed_id = $3 and n.guid_or_id is not null and n.guid_or_id = o.guid_or_id)
            and not exists (select 1 from items n where n.feed_id = $3 and n.link_key = o.link_key)
            and not exists (select 1 from items n where n.feed_id = $3 and n.content_hash = o.content_hash)",
    );
    let sql = sql.with("columns", &copied_columns("")).with("copied", &copied_columns("o."));
    let copied = tx.query_built(sql).bind(user).bind(from).bind(to).bind(now).execute().await?;
    // `items_added` of 0 means an empty feed.
    tx.query("update feeds set items_added = items_added + $2 where id = $1")
        .bind(to)
        .bind(i64::try_from(copied).unwrap_or(i64::MAX))
        .execute()
        .await?;
    tx.query(
        "insert into item_states (user_id, item_id, feed_id, published_at, is_read, is_starred, updated_at)
         select $1, n.id, n.feed_id, n.published_at, s.is_read, true, $4
         from item_states s join items o on o.id = s.item_id
         join items n on n.feed_id = $3 and n.content_hash = o.content_hash
         where s.user_id = $1 and s.is_starred = true and s.feed_id = $2
         on conflict (user_id, item_id) do nothing",
    )
    .bind(user)
    .bind(from)
    .bind(to)
    .bind(now)
    .execute()
    .await?;
    tx.query(
        "insert into search_pending (item_id) select id from items where feed_id = $1 and updated_at = $2
         on conflict (item_id) do nothing",
    )
    .bind(to)
    .bind(now)
    .execute()
    .await
    .map(drop)
}

/// Copies states to the items that both feeds have. Stars and read marks on the other feed's items stay.
async fn copy_states(tx: &mut Tx, user: UserId, from: FeedId, to: FeedId, present: bool) -> Result<()> {
    let pairs: Vec<(i64, bool, bool)> = tx
        .query(
            "select n.id, s.is_read, s.is_starred from item_states s
             join items o on o.id = s.item_id
             join items n on n.feed_id = $3 and n.guid_or_id is not null and n.guid_or_id = o.guid_or_id
             where s.user_id = $1 and o.feed_id = $2
             union
             select n.id, s.is_read, s.is_starred from item_states s
             join items o on o.id = s.item_id
             join items n on n.feed_id = $3 and n.link_key = o.link_key
             where s.user_id = $1 and o.feed_id = $2",
        )
        .bind(user)
        .bind(from)
        .bind(to)
        .all()
        .await?;
    let those =
        |wanted: fn(&(i64, bool, bool)) -> bool| pairs.iter().filter(move |pair| wanted(pair)).map(|pair| pair.0);
    tx.query(
        "update item_states set is_starred = true where user_id = $1 and item_id in (select value from json_each($2))",
    )
    .bind(user)
    .bind_numbers(those(|pair| pair.2))
    .execute()
    .await?;
    tx.query(
        "update item_states set is_read = true where user_id = $1 and item_id in (select value from json_each($2))",
    )
    .bind(user)
    .bind_numbers(those(|pair| pair.1))
    .execute()
    .await?;
    if !present {
        tx.query("update item_states set is_read = false where user_id = $1 and item_id in (select value from json_each($2))")
            .bind(user)
            .bind_numbers(those(|pair| !pair.1))
            .execute()
            .await?;
    }
    Ok(())
}
