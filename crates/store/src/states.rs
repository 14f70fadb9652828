//! The table `item_states`: what a person has read and starred. Whoever changes it changes the counter of the subscription
//! in the same transaction, by what really changed.

use chrono::{DateTime, Utc};

use crate::{
    Db, ItemId, Result, Tx, UserId,
    lists::{Position, Scope},
    users,
};

/// What a person has done with an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemState {
    /// The item.
    pub item_id: ItemId,
    /// Whether they have read it.
    pub is_read: bool,
    /// Whether they have starred it.
    pub is_starred: bool,
    /// When that last changed.
    pub updated_at: DateTime<Utc>,
}

/// Unread items to be marked, the newest first.
#[derive(Debug, Clone, Copy)]
pub struct Unread {
    /// Whose items.
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
        .query(
            "update item_states set is_read = $3, updated_at = $4
             where user_id = $1 and item_id in (select value from json_each($2)) and is_read <> $3 returning item_id",
        )
        .bind(user)
        .bind_numbers(items.iter().copied())
        .bind(is_read)
        .bind(now)
        .all()
        .await?;
    let changed: Vec<ItemId> = changed.into_iter().map(|(item,)| item).collect();
    if !changed.is_empty() {
        tx.query(
            "update subscriptions set unread_count = unread_count + $3 * changed.items
             from (select feed_id, count(*) as items from item_states
                where user_id = $1 and item_id in (select value from json_each($2)) group by feed_id) as changed
             where subscriptions.user_id = $1 and subscriptions.feed_id = changed.feed_id",
        )
        .bind(user)
        .bind_numbers(changed.iter().copied())
        .bind(if is_read { -1_i64 } else { 1 })
        .execute()
        .await?;
    }
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

/// The texts for SQLite, which is told the index, and PostgreSQL. `$1` the person, `$2` and `$3` where to begin, `$4` how
/// many, `$5` the latest arrival, `$6` as `$condition` says.
macro_rules! unread {
    ($index:literal, $condition:literal) => {
        (unread!(text, concat!(" indexed by ", $index), $condition), unread!(text, "", $condition))
    };
    (text, $indexed:expr, $condition:literal) => {
        concat!(
            "select published_at, item_id from item_states",
            $indexed,
            " where user_id = $1 and is_read = false",
            $condition,
            " and item_id <= $5 and (published_at, item_id) < ($2, $3) order by published_at desc, item_id desc limit $4"
        )
    };
}

/// Unread items, the newest first. A folder walks the person's unread items once, which marking them costs anyway.
pub async fn list_unread(tx: &mut Tx, user: UserId, unread: &Unread) -> Result<Vec<Position>> {
    let (sqlite, postgres) = match (unread.scope, unread.is_starred) {
        (Scope::All, false) => unread!("item_states_unread", ""),
        (Scope::All, true) => unread!("item_states_unread", " and is_starred = true"),
        (Scope::Feed(_), false) => unread!("item_states_unread_in_feed", " and feed_id = $6"),
        (Scope::Feed(_), true) => unread!("item_states_unread_in_feed", " and feed_id = $6 and is_starred = true"),
        (Scope::Folder(_), false) => unread!(
            "item_states_unread",
            " and feed_id in (select s.feed_id from subscriptions s where s.user_id = $1 and s.folder_id = $6)"
        ),
        (Scope::Folder(_), true) => unread!(
            "item_states_unread",
            " and is_starred = true
             and feed_id in (select s.feed_id from subscriptions s where s.user_id = $1 and s.folder_id = $6)"
        ),
    };
    let query = tx
        .query_either(sqlite, postgres)
        .bind(user)
        .bind(unread.after.published_at)
        .bind(unread.after.id)
        .bind(unread.most)
        .bind(unread.as_of);
    match unread.scope {
        Scope::All => query,
        Scope::Feed(feed) => query.bind(feed),
        Scope::Folder(folder) => query.bind(folder),
    }
    .all()
    .await
}
