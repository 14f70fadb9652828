//! The table `item_states`: what a person has read and starred. Whoever changes it changes the counter of the subscription
//! in the same transaction, by what really changed.

use chrono::{DateTime, Utc};

use crate::{
    Db, ItemId, Query, Result, Tx, UserId,
    item_lists::{Position, Scope},
    sql::Sql,
    users,
};

/// What a person has done with an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemState {
    pub item_id: ItemId,
    /// Whether they have read it.
    pub is_read: bool,
    /// Whether they have starred it.
    pub is_starred: bool,
    pub updated_at: DateTime<Utc>,
}

/// Unread items to be marked, the newest first.
#[derive(Debug, Clone, Copy)]
pub struct Unread {
    pub scope: Scope,
    /// Only those with a star.
    pub is_starred: bool,
    /// The latest arrival that counts.
    pub as_of: ItemId,
    /// All of them come after this place in a list that begins with the newest.
    pub after: Position,
    /// The most to find.
    pub most: i64,
}

/// The person's states of these items; those they do not have are left out.
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

/// Marks items as read or unread and counts them; tells which were not so before.
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

/// Stars items or takes their star away; tells how many were not so before.
pub async fn mark_starred(
    tx: &mut Tx,
    user: UserId,
    items: &[ItemId],
    is_starred: bool,
    now: DateTime<Utc>,
) -> Result<u64> {
    users::lock(tx, user).await?;
    tx.query(
        "update item_states set is_starred = $3, updated_at = $4
         where user_id = $1 and item_id in (select value from json_each($2)) and is_starred <> $3",
    )
    .bind(user)
    .bind_numbers(items.iter().copied())
    .bind(is_starred)
    .bind(now)
    .execute()
    .await
}

/// The next unread items. `$1` the user, `$2` and `$3` the place to begin after, `$4` how many, `$5` the latest arrival.
const UNREAD: &str = "select x.published_at, x.item_id from item_states x{indexed}
    where x.user_id = $1 and x.is_read = false{scope}{starred}
        and x.item_id <= $5 and (x.published_at, x.item_id) < ($2, $3)
    order by x.published_at desc, x.item_id desc limit $4";

/// Around it on SQLite: one row for all of them, because each row wakes the task that waits for it.
const FIND_SQLITE: [&str; 2] = ["select json_group_array(item_id), min(published_at) from (", ")"];

/// Around it on PostgreSQL: `$6` now. The ids are an array, so that each of them is a seek and the planner has no choice of
/// joins.
const MARK_POSTGRES: [&str; 2] = [
    "update item_states set is_read = true, updated_at = $6
     where user_id = $1 and item_id = any (array(select item_id from (",
    ") as page)) returning published_at, item_id",
];

/// What [`mark_next_read`] has marked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkedItems {
    /// The items, in no order.
    pub items: Vec<ItemId>,
    /// All that is left comes after this place.
    pub last: Option<Position>,
}

/// Marks the next unread items as read and counts them. A folder walks the user's unread items once.
pub async fn mark_next_read(tx: &mut Tx, user: UserId, unread: &Unread, now: DateTime<Utc>) -> Result<MarkedItems> {
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

async fn mark_next_sqlite(tx: &mut Tx, user: UserId, unread: &Unread, now: DateTime<Utc>) -> Result<MarkedItems> {
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
    // Before every item of that moment, but not before the beginning: what is left of the moment is unread, and found again.
    let last = published_at.map(|published_at| Position { published_at, id: ItemId(i64::MAX) }.min(unread.after));
    Ok(MarkedItems { items: ids.into_iter().map(ItemId).collect(), last })
}

/// [`UNREAD`] inside another text, with its values; `now` comes before the value of the scope.
fn query_unread<'a>(
    tx: &'a mut Tx,
    user: UserId,
    unread: &Unread,
    [before, after]: [&'static str; 2],
    now: Option<DateTime<Utc>>,
) -> Query<'a> {
    let (index, scope) = match unread.scope {
        Scope::All => (" indexed by item_states_unread", ""),
        Scope::Feed(_) => (" indexed by item_states_unread_in_feed", " and x.feed_id = {value}"),
        Scope::Folder(_) => (
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
    let query = tx.query_built(sql).bind(user).bind(published_at).bind(id).bind(unread.most).bind(unread.as_of);
    let query = now.into_iter().fold(query, |query, now| query.bind(now));
    match unread.scope {
        Scope::All => query,
        Scope::Feed(feed) => query.bind(feed),
        Scope::Folder(folder) => query.bind(folder),
    }
}

/// Adds `step` to the counter of each item's subscription.
async fn count(tx: &mut Tx, user: UserId, items: &[ItemId], step: i64) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
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
