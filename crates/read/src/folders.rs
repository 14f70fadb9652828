//! Folders for subscriptions: named, in an order, each person's own.

use store::{
    Change, FolderId, UserId,
    folders::{self, Folder, FolderCreated},
};

use crate::{Error, Reader, Result};

/// The most folders of one person.
pub const MOST_FOLDERS: u32 = 200;
const MOST_CHARS: usize = 100;

/// What to change about a folder; the rest stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderPatch {
    pub name: Option<String>,
    /// Another place among the folders, from 0; beyond the last is the last.
    pub position: Option<u32>,
}

impl Reader {
    /// The person's folders, in their order.
    pub async fn list_folders(&self, user: UserId) -> Result<Vec<Folder>> {
        Ok(folders::list(&self.db, user).await?)
    }

    /// Adds a folder behind the others.
    pub async fn add_folder(&self, user: UserId, name: &str) -> Result<Folder> {
        let name = usable(name)?;
        let folder = self.db.transact(async |tx| {
            tx.changed(Change::User(user));
            match folders::create(tx, user, name, i64::from(MOST_FOLDERS), self.clock.now()).await? {
                FolderCreated::New(folder) => Ok(folder),
                FolderCreated::Present(_) => Err(Error::NameTaken),
                FolderCreated::Full => Err(Error::FolderLimit { max: MOST_FOLDERS }),
            }
        });
        self.folder(user, folder.await?).await
    }

    /// Renames a folder or moves it among the others.
    pub async fn change_folder(&self, user: UserId, folder: FolderId, patch: &FolderPatch) -> Result<Folder> {
        let name = patch.name.as_deref().map(usable).transpose()?;
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
        self.folder(user, folder).await
    }

    /// Removes a folder; its feeds stay, in no folder.
    pub async fn remove_folder(&self, user: UserId, folder: FolderId) -> Result<()> {
        self.db
            .transact(async |tx| {
                if !folders::delete(tx, user, folder, self.clock.now()).await? {
                    return Err(Error::NotFound);
                }
                tx.changed(Change::User(user));
                Ok(())
            })
            .await
    }

    async fn folder(&self, user: UserId, folder: FolderId) -> Result<Folder> {
        folders::get(&self.db, user, folder).await?.ok_or(Error::NotFound)
    }
}

/// The name without white space around it.
fn usable(name: &str) -> Result<&str> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(Error::NameMissing),
        1..=MOST_CHARS => Ok(name),
        _ => Err(Error::NameTooLong { max: MOST_CHARS }),
    }
}
