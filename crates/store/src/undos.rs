//! The table `undo_chunks`: the items of a "mark as read", for as long as it can be undone.

use chrono::{DateTime, Utc};

use crate::{Db, Error, ItemId, Result, Tx, UndoId, UserId, users};

/// A chunk of items that were marked together.
#[derive(Debug, Clone, Copy)]
pub struct NewUndoChunk<'a> {
    pub undo: UndoId,
    /// The number of the chunk in the undo.
    pub chunk: i64,
    pub items: &'a [ItemId],
    pub expires_at: DateTime<Utc>,
}

/// Creates a chunk.
pub async fn create(tx: &mut Tx, user: UserId, new: &NewUndoChunk<'_>) -> Result<()> {
    let items: serde_json::Value = new.items.iter().map(|item| item.0).collect();
    tx.query("insert into undo_chunks (undo_id, chunk, user_id, item_ids, expires_at) values ($1, $2, $3, $4, $5)")
        .bind(new.undo)
        .bind(new.chunk)
        .bind(user)
        .bind(items.to_string())
        .bind(new.expires_at)
        .execute()
        .await
        .map(drop)
}

/// Sets the same expiry for all chunks.
pub async fn extend(db: &Db, user: UserId, undo: UndoId, expires_at: DateTime<Utc>) -> Result<()> {
    db.write("update undo_chunks set expires_at = $3 where undo_id = $1 and user_id = $2")
        .bind(undo)
        .bind(user)
        .bind(expires_at)
        .execute()
        .await
        .map(drop)
}

/// Deletes and returns the next chunk, so that it is undone only once. None if there is none left or it has expired.
pub async fn claim(tx: &mut Tx, user: UserId, undo: UndoId, now: DateTime<Utc>) -> Result<Option<Vec<ItemId>>> {
    users::lock(tx, user).await?;
    let taken: Option<(String,)> = tx
        .query(
            "delete from undo_chunks where undo_id = $1 and user_id = $2 and expires_at > $3
                and chunk = (select min(c.chunk) from undo_chunks c where c.undo_id = $1)
             returning item_ids",
        )
        .bind(undo)
        .bind(user)
        .bind(now)
        .optional()
        .await?;
    let Some((items,)) = taken else { return Ok(None) };
    let items: Vec<i64> =
        serde_json::from_str(&items).map_err(|error| Error::from(sqlx::Error::Decode(Box::new(error))))?;
    Ok(Some(items.into_iter().map(ItemId).collect()))
}

/// Deletes expired chunks. Returns how many.
pub async fn prune(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    db.write("delete from undo_chunks where expires_at <= $1").bind(now).execute().await
}
