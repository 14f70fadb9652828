//! The table `undo_chunks`: what one "mark as read" changed, until it can no longer be taken back.

use chrono::{DateTime, Utc};

use crate::{Db, Error, ItemId, Result, Tx, UndoId, UserId, users};

/// Items that were marked together.
#[derive(Debug, Clone, Copy)]
pub struct NewChunk<'a> {
    /// What they can be taken back by.
    pub undo: UndoId,
    /// The number of the chunk in it.
    pub chunk: i64,
    pub items: &'a [ItemId],
    pub expires_at: DateTime<Utc>,
}

/// Notes that these items were marked.
pub async fn add(tx: &mut Tx, user: UserId, new: &NewChunk<'_>) -> Result<()> {
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

/// Gives all chunks the same end, so that none goes before the others.
pub async fn extend(db: &Db, user: UserId, undo: UndoId, expires_at: DateTime<Utc>) -> Result<()> {
    db.write("update undo_chunks set expires_at = $3 where undo_id = $1 and user_id = $2")
        .bind(undo)
        .bind(user)
        .bind(expires_at)
        .execute()
        .await
        .map(drop)
}

/// Takes the next chunk out, so that nobody takes it back twice; none if there is none left or it is too late.
pub async fn take(tx: &mut Tx, user: UserId, undo: UndoId, now: DateTime<Utc>) -> Result<Option<Vec<ItemId>>> {
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

/// Forgets what can no longer be taken back; tells how many chunks.
pub async fn prune(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    db.write("delete from undo_chunks where expires_at <= $1").bind(now).execute().await
}
