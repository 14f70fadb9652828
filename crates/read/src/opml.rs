//! Lists of subscriptions in and out as OPML. Jobs do the fetching: an import survives whatever dies in between.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use feed::opml::{self, OpmlFeed};
use queue::Timing;
use store::{
    FolderId, ImportId, Tx, UserId,
    folders::{self, FolderCreated},
    imports::{self, Import, ImportFeed, NewImportFeed},
    subscriptions,
};

use crate::{Error, Reader, Result, folders::MOST_FOLDERS, import_feed::ImportFeed as ImportJob};

/// More than any reader lets one have.
const MOST_IMPORTED: usize = 5_000;
/// What the column takes, in characters.
const LONGEST_FOLDER: usize = 100;
/// The file's own name for itself.
const EXPORT_TITLE: &str = "Kawaraban";

impl Reader {
    /// Takes a file in: its folders at once, each of its feeds by a job.
    pub async fn import_opml(&self, user: UserId, file: Vec<u8>, content_type: Option<String>) -> Result<ImportId> {
        let read = tokio::task::spawn_blocking(move || opml::read(&file, content_type.as_deref())).await;
        // A reader that panics has not understood the file.
        let list = read.unwrap_or(Err(opml::OpmlError::NotOpml))?;
        match list.feeds.len() {
            0 => return Err(Error::OpmlEmpty),
            1..=MOST_IMPORTED => {}
            _ => return Err(Error::OpmlTooManyFeeds { max: MOST_IMPORTED }),
        }
        let feeds: Vec<NewImportFeed> = list.feeds.into_iter().map(new_feed).collect();
        let now = self.clock.now();
        self.db
            .transact(async |tx| {
                let mut seen = HashSet::new();
                for name in feeds.iter().filter_map(|feed| feed.folder.as_deref()).filter(|name| seen.insert(*name)) {
                    ensure_folder(tx, user, name, now).await?;
                }
                let import = imports::create(tx, user, &feeds, now).await?;
                let jobs: Vec<ImportJob> = (0..)
                    .zip(&feeds)
                    .map(|(position, feed)| ImportJob::new(import, position, &feed.feed_url))
                    .collect();
                queue::enqueue_many(tx, &self.clock, &jobs, Timing::default()).await?;
                Ok(import)
            })
            .await
    }

    /// How far a file is.
    pub async fn import(&self, user: UserId, import: ImportId) -> store::Result<Option<Import>> {
        imports::get(&self.db, user, import).await
    }

    /// What became of each of its feeds.
    pub async fn import_feeds(&self, user: UserId, import: ImportId) -> store::Result<Vec<ImportFeed>> {
        imports::list_feeds(&self.db, user, import).await
    }

    /// The latest files of a person, the newest first.
    pub async fn imports(&self, user: UserId) -> store::Result<Vec<Import>> {
        imports::list(&self.db, user, 10).await
    }

    /// All subscriptions of a person as a file.
    pub async fn export_opml(&self, user: UserId) -> store::Result<String> {
        let filed = subscriptions::list_for_export(&self.db, user).await?;
        let feeds: Vec<OpmlFeed> = filed
            .into_iter()
            .map(|one| OpmlFeed {
                title: one.title,
                feed_url: one.feed_url,
                site_url: one.site_url,
                folders: one.folder.into_iter().collect(),
            })
            .collect();
        Ok(opml::write(EXPORT_TITLE, &feeds))
    }
}

/// The person's folder with this name, made behind the others if there is none; none when they have too many.
pub(crate) async fn ensure_folder(
    tx: &mut Tx,
    user: UserId,
    name: &str,
    now: DateTime<Utc>,
) -> store::Result<Option<FolderId>> {
    match folders::create(tx, user, name, i64::from(MOST_FOLDERS), now).await? {
        FolderCreated::New(folder) | FolderCreated::Present(folder) => Ok(Some(folder)),
        FolderCreated::Full => Ok(None),
    }
}

/// Folders inside folders become one, named for all of them.
fn new_feed(feed: OpmlFeed) -> NewImportFeed {
    let folder = printable(&feed.folders.join(" / "), LONGEST_FOLDER);
    // An export names a feed without a title by its address.
    let title = Some(feed.title).filter(|title| *title != feed.feed_url).unwrap_or_default();
    NewImportFeed {
        title: printable(&title, 500),
        feed_url: feed.feed_url,
        folder: (!folder.is_empty()).then_some(folder),
    }
}

/// Cut, and without the characters that no database keeps.
fn printable(text: &str, most: usize) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).take(most).collect();
    text.trim().to_owned()
}
