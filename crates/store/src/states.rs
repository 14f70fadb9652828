//! The table `item_states`: read and starred, for each user and item. Every change updates the unread count of the subscription in
//! the same transaction, and the revision of the user.

use chrono::{DateTime, Utc};

use crate::{
    Db, ItemId, Query, Result, Tx, UserId,
    item_lists::{ItemScope, Position},
    sql::Sql,
    users,
};

/// A user's state of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemState {
    pub item_id: ItemId,
    pub is_read: bool,
    pub is_starred: bool,
    pub updated_at: DateTime<Utc>,
}

/// Selects unread items to mark, newest first.
#[derive(Debug, Clone, Copy)]
pub struct UnreadQuery {
    pub scope: ItemScope,
    pub is_starred: bool,
    /// Items that arrived later are left out.
    pub as_of: ItemId,
    /// Only items after this position in a list with the newest first.
    pub after: Position,
    pub limit: i64,
}

/// The states of the user's items among `items`.
pub async fn list(db: &Db, user: UserId, items: &[ItemId]) -> Result<Vec<ItemState>> {
    db.read(
        "select item_id, is_read, is_starred, updated_at from item_states
         where user_id = $1 and item_id in (select value from json_each($2)) order by item_id",
    )
    .bind(user)
    .bind_numbers(items.iter().copied())
    .all()
    .await
}

/// Marks items as read or unread and updates the counts. Returns the items that changed.
pub async fn mark_read(
    tx: &mut Tx,
    user: UserId,
    items: &[ItemId],
    is_read: bool,
    now: DateTime<Utc>,
) -> Result<Vec<ItemId>> {
    users::lock(tx, user).await?;
    let changed: Vec<(ItemId,)> = tx
        .query_either(
            "update item_states set is_read = $3, updated_at = $4
             where user_id = $1 and item_id in (select value from json_each($2)) and is_read <> $3 returning item_id",
            "update item_states set is_read = $3, updated_at = $4
             where user_id = $1 and item_id = any ($2) and is_read <> $3 returning item_id",
        )
        .bind(user)
        .bind_numbers(items.iter().copied())
        .bind(is_read)
        .bind(now)
        .all()
        .await?;
    let changed: Vec<ItemId> = changed.into_iter().map(|(item,)| item).collect();
    count(tx, user, &changed, if is_read { -1 } else { 1 }).await?;
    Ok(changed)
}

/// Stars or unstars items. Returns how many changed.
pub async fn mark_starred(
    tx: &mut Tx,
    user: UserId,
    items: &[ItemId],
    is_starred: bool,
    now: DateTime<Utc>,
) -> Result<u64> {
    users::lock(tx, user).await?;
    let changed = tx
        .query(
            "update item_states set is_starred = $3, updated_at = $4
             where user_id = $1 and item_id in (select value from json_each($2)) and is_starred <> $3",
        )
        .bind(user)
        .bind_numbers(items.iter().copied())
        .bind(is_starred)
        .bind(now)
        .execute()
        .await?;
    if changed > 0 {
        users::increment_revision(tx, user).await?;
    }
    Ok(changed)
}

/// The next unread items. `$1` user, `$2` and `$3` position to start after, `$4` limit, `$5` latest arrival.
const UNREAD: &str = "select x.published_at, x.item_id from item_states x{indexed}
    where x.user_id = $1 and x.is_read = false{scope}{starred}
        and x.item_id <= $5 and (x.published_at, x.item_id) < ($2, $3)
    order by x.published_at desc, x.item_id desc limit $4";

/// Wraps [`UNREAD`] on SQLite: one row for all of them, because each row wakes the task that waits for it.
const FIND_SQLITE: [&str; 2] = ["select json_group_array(item_id), min(published_at) from (", ")"];

/// Wraps [`UNREAD`] on PostgreSQL. `$6` now. The ids are an array, so that the planner seeks each of them instead of joining.
const MARK_POSTGRES: [&str; 2] = [
    "update item_states set is_read = true, updated_at = $6
     where user_id = $1 and item_id = any (array(select item_id from (",
    ") as page)) returning published_at, item_id",
];

/// The result of [`mark_next_read`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedItems {
    /// In no order.
    pub items: Vec<ItemId>,
    /// All remaining items come after this position.
    pub last: Option<Position>,
}

/// Marks the next unread items as read and updates the counts. A folder reads the user's unread items once.
pub async fn mark_next_read(
    tx: &mut Tx,
    user: UserId,
    unread: &UnreadQuery,
    now: DateTime<Utc>,
) -> Result<MarkedItems> {
    users::lock(tx, user).await?;
    let marked = if tx.is_postgres() {
        let marked: Vec<Position> = query_unread(tx, user, unread, MARK_POSTGRES, Some(now)).all().await?;
        MarkedItems { items: marked.iter().map(|place| place.id).collect(), last: marked.into_iter().min() }
    } else {
        mark_next_sqlite(tx, user, unread, now).await?
    };
    count(tx, user, &marked.items, -1).await?;
    Ok(marked)
}

async fn mark_next_sqlite(tx: &mut Tx, user: UserId, unread: &UnreadQuery, now: DateTime<Utc>) -> Result<MarkedItems> {
    let (items, published_at): (String, Option<DateTime<Utc>>) =
        query_unread(tx, user, unread, FIND_SQLITE, None).one().await?;
    let ids: Vec<i64> = serde_json::from_str(&items).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    tx.query(
        "update item_states set is_read = true, updated_at = $3
         where user_id = $1 and item_id in (select value from json_each($2))",
    )
    .bind(user)
    .bind_numbers(ids.iter().copied())
    .bind(now)
    .execute()
    .await?;
    // Before every item with that time, but not before the start. The remaining items with that time are unread, so the next call
    // finds them.
    let last = published_at.map(|published_at| Position { published_at, id: ItemId(i64::MAX) }.min(unread.after));
    Ok(MarkedItems { items: ids.into_iter().map(ItemId).collect(), last })
}

/// [`UNREAD`] wrapped, with its parameters. `now` comes before the parameter of the scope.
fn query_unread<'a>(
    tx: &'a mut Tx,
    user: UserId,
    unread: &UnreadQuery,
    [before, after]: [&'static str; 2],
    now: Option<DateTime<Utc>>,
) -> Query<'a> {
    let (index, scope) = match unread.scope {
        ItemScope::All => (" indexed by item_states_unread", ""),
        ItemScope::Feed(_) => (" indexed by item_states_unread_in_feed", " and x.feed_id = {value}"),
        ItemScope::Folder(_) => (
            " indexed by item_states_unread",
            " and x.feed_id in (select s.feed_id from subscriptions s where s.user_id = $1 and s.folder_id = {value})",
        ),
    };
    let indexed = if tx.is_postgres() { "" } else { index };
    let starred = if unread.is_starred { " and x.is_starred = true" } else { "" };
    let fragments = [("indexed", indexed), ("scope", scope), ("starred", starred)];
    let value = Sql::from(if now.is_some() { "$7" } else { "$6" });
    let sql = Sql::fill(&[before, UNREAD, after], &fragments).with("value", &value);
    let Position { published_at, id } = unread.after;
    let query = tx.query_built(sql).bind(user).bind(published_at).bind(id).bind(unread.limit).bind(unread.as_of);
    let query = now.into_iter().fold(query, |query, now| query.bind(now));
    match unread.scope {
        ItemScope::All => query,
        ItemScope::Feed(feed) => query.bind(feed),
        ItemScope::Folder(folder) => query.bind(folder),
    }
}

/// Adds `step` to the unread count of each item's subscription, and counts the write.
async fn count(tx: &mut Tx, user: UserId, items: &[ItemId], step: i64) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    users::increment_revision(tx, user).await?;
    let query = tx.query_either(COUNT_SQLITE, COUNT_POSTGRES);
    query.bind(user).bind_numbers(items.iter().copied()).bind(step).execute().await.map(drop)
}

const COUNT_SQLITE: &str = "update subscriptions set unread_count = unread_count + $3 * changed.items
    from (select feed_id, count(*) as items from item_states
        where user_id = $1 and item_id in (select value from json_each($2)) group by feed_id) as changed
    where subscriptions.user_id = $1 and subscriptions.feed_id = changed.feed_id";
const COUNT_POSTGRES: &str = "update subscriptions set unread_count = unread_count + $3 * changed.items
    from (select feed_id, count(*) as items from item_states
        where user_id = $1 and item_id = any ($2) group by feed_id) as changed
    where subscriptions.user_id = $1 and subscriptions.feed_id = changed.feed_id";
