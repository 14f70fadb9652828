//! The table `folders`: a user's folders for subscriptions, in the user's order. Positions count from 0 without gaps.

use chrono::{DateTime, Utc};

use crate::{Db, FolderId, Result, Tx, UserId, users};

/// A folder of a user.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Folder {
    pub id: FolderId,
    /// Unique for the user.
    pub name: String,
    pub position: i64,
    pub unread_count: i64,
}

/// The result of [`create`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderCreated {
    /// The folder was created, in the last position.
    New(FolderId),
    /// A folder with this name exists.
    Present(FolderId),
    /// The user has reached the limit.
    Full,
}

/// The user's folders, by position.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Folder>> {
    db.read(
        "select f.id, f.name, f.position, cast(coalesce(sum(s.unread_count), 0) as bigint) as unread_count
         from folders f left join subscriptions s on s.folder_id = f.id and s.user_id = f.user_id
         where f.user_id = $1 group by f.id, f.name, f.position order by f.position, f.id",
    )
    .bind(user)
    .all()
    .await
}

/// The user's folder with this id.
pub async fn get(db: &Db, user: UserId, folder: FolderId) -> Result<Option<Folder>> {
    db.read(
        "select f.id, f.name, f.position, cast(coalesce(sum(s.unread_count), 0) as bigint) as unread_count
         from folders f left join subscriptions s on s.folder_id = f.id and s.user_id = f.user_id
         where f.user_id = $1 and f.id = $2 group by f.id, f.name, f.position",
    )
    .bind(user)
    .bind(folder)
    .optional()
    .await
}

/// Whether the user has this folder.
pub async fn exists(tx: &mut Tx, user: UserId, folder: FolderId) -> Result<bool> {
    let count: i64 = tx
        .query("select count(*) from folders where user_id = $1 and id = $2")
        .bind(user)
        .bind(folder)
        .scalar()
        .await?;
    Ok(count > 0)
}

/// Creates a folder after the others.
pub async fn create(tx: &mut Tx, user: UserId, name: &str, limit: i64, now: DateTime<Utc>) -> Result<FolderCreated> {
    users::lock(tx, user).await?;
    if let Some(present) = find(tx, user, name).await? {
        return Ok(FolderCreated::Present(present));
    }
    let count: i64 = tx.query("select count(*) from folders where user_id = $1").bind(user).scalar().await?;
    if count >= limit {
        return Ok(FolderCreated::Full);
    }
    let id = FolderId::new();
    tx.query(
        "insert into folders (id, user_id, name, position, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)",
    )
    .bind(id)
    .bind(user)
    .bind(name.to_owned())
    .bind(count)
    .bind(now)
    .execute()
    .await?;
    Ok(FolderCreated::New(id))
}

/// The user's folder with this name.
pub async fn find(tx: &mut Tx, user: UserId, name: &str) -> Result<Option<FolderId>> {
    let found = tx.query("select id from folders where user_id = $1 and name = $2").bind(user).bind(name.to_owned());
    Ok(found.optional::<(FolderId,)>().await?.map(|(id,)| id))
}

/// Renames the folder. Fails with a conflict if the name is taken. False if there is no such folder.
pub async fn rename(tx: &mut Tx, user: UserId, folder: FolderId, name: &str, now: DateTime<Utc>) -> Result<bool> {
    let renamed = tx
        .query("update folders set name = $3, updated_at = $4 where user_id = $1 and id = $2")
        .bind(user)
        .bind(folder)
        .bind(name.to_owned())
        .bind(now)
        .execute()
        .await?;
    Ok(renamed > 0)
}

/// Moves the folder to `position`, or to the end if there are fewer folders. False if there is no such folder.
pub async fn reorder(tx: &mut Tx, user: UserId, folder: FolderId, position: usize, now: DateTime<Utc>) -> Result<bool> {
    users::lock(tx, user).await?;
    let mut order = list_order(tx, user).await?;
    let Some(at) = order.iter().position(|(id, _)| *id == folder) else { return Ok(false) };
    let moved = order.remove(at);
    order.insert(position.min(order.len()), moved);
    write_order(tx, user, &order, now).await?;
    Ok(true)
}

/// Deletes the folder. Its subscriptions stay, without a folder. False if there is no such folder.
pub async fn delete(tx: &mut Tx, user: UserId, folder: FolderId, now: DateTime<Utc>) -> Result<bool> {
    users::lock(tx, user).await?;
    // The foreign key of `subscriptions` is `on delete set null`.
    let removed =
        tx.query("delete from folders where user_id = $1 and id = $2").bind(user).bind(folder).execute().await?;
    users::increment_revision(tx, user).await?;
    let order = list_order(tx, user).await?;
    write_order(tx, user, &order, now).await?;
    Ok(removed > 0)
}

async fn list_order(tx: &mut Tx, user: UserId) -> Result<Vec<(FolderId, i64)>> {
    tx.query("select id, position from folders where user_id = $1 order by position, id").bind(user).all().await
}

/// Renumbers the folders. Writes only the rows that change.
async fn write_order(tx: &mut Tx, user: UserId, order: &[(FolderId, i64)], now: DateTime<Utc>) -> Result<()> {
    for (position, (folder, before)) in (0..).zip(order) {
        if position != *before {
            tx.query("update folders set position = $3, updated_at = $4 where user_id = $1 and id = $2")
                .bind(user)
                .bind(*folder)
                .bind(position)
                .bind(now)
                .execute()
                .await?;
        }
    }
    Ok(())
}
