//! Import and export of subscriptions as OPML. Jobs fetch the feeds, so an import survives a restart.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use feed::opml::{self, OpmlFeed};
use queue::Timing;
use store::{
    FolderId, ImportId, Tx, UserId,
    folders::{self, FolderCreated},
    imports::{self, Import, ImportedFeed, NewImportFeed},
    subscriptions,
};

use crate::{Error, Reader, Result, folders::MAX_FOLDERS, import_feed::ImportFeed};

const MAX_FEEDS: usize = 5_000;
/// The limit of the column.
const MAX_FOLDER_CHARS: usize = 100;
const EXPORT_TITLE: &str = "Kawaraban";

impl Reader {
    /// Creates the folders of a file and a job for each of its feeds.
    pub async fn import_opml(&self, user: UserId, file: Vec<u8>, content_type: Option<String>) -> Result<ImportId> {
        let read = tokio::task::spawn_blocking(move || opml::read(&file, content_type.as_deref())).await;
        // A parser that panics did not understand the file.
        let list = read.unwrap_or(Err(opml::OpmlError::NotOpml))?;
        match list.feeds.len() {
            0 => return Err(Error::OpmlEmpty),
            1..=MAX_FEEDS => {}
            _ => return Err(Error::OpmlTooManyFeeds { max: MAX_FEEDS }),
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
                let jobs: Vec<ImportFeed> = (0..)
                    .zip(&feeds)
                    .map(|(position, feed)| ImportFeed::new(import, position, &feed.feed_url))
                    .collect();
                queue::enqueue_many(tx, &self.clock, &jobs, Timing::default()).await?;
                Ok(import)
            })
            .await
    }

    /// The progress of an import.
    pub async fn get_import(&self, user: UserId, import: ImportId) -> store::Result<Option<Import>> {
        imports::get(&self.db, user, import).await
    }

    /// The outcome of each feed of an import.
    pub async fn list_import_feeds(&self, user: UserId, import: ImportId) -> store::Result<Vec<ImportedFeed>> {
        imports::list_feeds(&self.db, user, import).await
    }

    /// The user's latest imports, newest first.
    pub async fn list_imports(&self, user: UserId) -> store::Result<Vec<Import>> {
        imports::list(&self.db, user, 10).await
    }

    /// All subscriptions of a user as an OPML file.
    pub async fn export_opml(&self, user: UserId) -> store::Result<String> {
        let subscriptions = subscriptions::list_for_opml(&self.db, user).await?;
        let feeds: Vec<OpmlFeed> = subscriptions
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

/// The user's folder with this name, created at the end if there is none. `None` if the user has too many folders.
pub(crate) async fn ensure_folder(
    tx: &mut Tx,
    user: UserId,
    name: &str,
    now: DateTime<Utc>,
) -> store::Result<Option<FolderId>> {
    match folders::create(tx, user, name, i64::from(MAX_FOLDERS), now).await? {
        FolderCreated::New(folder) | FolderCreated::Present(folder) => Ok(Some(folder)),
        FolderCreated::Full => Ok(None),
    }
}

/// Nested folders become one folder with the joined names.
fn new_feed(feed: OpmlFeed) -> NewImportFeed {
    let folder = printable(&feed.folders.join(" / "), MAX_FOLDER_CHARS);
    // An export names a feed without a title by its address.
    let title = Some(feed.title).filter(|title| *title != feed.feed_url).unwrap_or_default();
    NewImportFeed {
        title: printable(&title, 500),
        feed_url: feed.feed_url,
        folder: (!folder.is_empty()).then_some(folder),
    }
}

/// The text without control characters, which PostgreSQL may reject, cut to `max_chars`.
fn printable(text: &str, max_chars: usize) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).take(max_chars).collect();
    text.trim().to_owned()
}
