//! Folders of subscriptions. Each user has their own, in an order of their choice.

use store::{
    Change, FolderId, UserId,
    folders::{self, Folder, FolderCreated},
    users,
};

use crate::{Error, Reader, Result};

/// The maximum number of folders of one user.
pub const MAX_FOLDERS: u32 = 200;
const MAX_NAME_CHARS: usize = 100;

/// Changes to a folder; `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderPatch {
    pub name: Option<String>,
    /// The new index among the folders; an index beyond the last means the last.
    pub position: Option<u32>,
}

impl Reader {
    /// The user's folders, by position.
    pub async fn list_folders(&self, user: UserId) -> Result<Vec<Folder>> {
        Ok(folders::list(&self.db, user).await?)
    }

    /// Adds a folder at the end.
    pub async fn create_folder(&self, user: UserId, name: &str) -> Result<Folder> {
        let name = validate_name(name)?;
        let folder = self.db.transact(async |tx| {
            tx.changed(Change::User(user));
            match folders::create(tx, user, name, i64::from(MAX_FOLDERS), self.clock.now()).await? {
                FolderCreated::New(folder) => Ok(folder),
                FolderCreated::Present(_) => Err(Error::NameTaken),
                FolderCreated::Full => Err(Error::FolderLimit { max: MAX_FOLDERS }),
            }
        });
        self.get_folder(user, folder.await?).await
    }

    /// Renames a folder or moves it among the others.
    pub async fn update_folder(&self, user: UserId, folder: FolderId, patch: &FolderPatch) -> Result<Folder> {
        let name = patch.name.as_deref().map(validate_name).transpose()?;
        let now = self.clock.now();
        let changed = self.db.transact(async |tx| {
            if let Some(name) = name {
                let renamed = folders::rename(tx, user, folder, name, now).await.map_err(|error| match error {
                    store::Error::Conflict(_) => Error::NameTaken,
                    error => Error::Store(error),
                })?;
                if !renamed {
                    return Err(Error::NotFound);
                }
            }
            if let Some(position) = patch.position {
                let position = usize::try_from(position).unwrap_or(usize::MAX);
                if !folders::reorder(tx, user, folder, position, now).await? {
                    return Err(Error::NotFound);
                }
            }
            tx.changed(Change::User(user));
            Ok(())
        });
        changed.await?;
        self.get_folder(user, folder).await
    }

    /// Deletes a folder. Its subscriptions stay, without a folder. Returns the revision of the user.
    pub async fn delete_folder(&self, user: UserId, folder: FolderId) -> Result<i64> {
        self.db
            .transact(async |tx| {
                if !folders::delete(tx, user, folder, self.clock.now()).await? {
                    return Err(Error::NotFound);
                }
                tx.changed(Change::User(user));
                Ok(users::get_revision(tx, user).await?)
            })
            .await
    }

    async fn get_folder(&self, user: UserId, folder: FolderId) -> Result<Folder> {
        folders::get(&self.db, user, folder).await?.ok_or(Error::NotFound)
    }
}

/// The trimmed name, or why it cannot be used.
fn validate_name(name: &str) -> Result<&str> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(Error::NameMissing),
        1..=MAX_NAME_CHARS => Ok(name),
        _ => Err(Error::NameTooLong { max: MAX_NAME_CHARS }),
    }
}
