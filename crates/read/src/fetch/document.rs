//! A feed document on its way into the database: parsed, compared with the stored items, sanitised. No step blocks a task.

mod item;

use std::{
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use feed::{
    Entry, NotAFeed, ParseOptions, ParsedFeed,
    identity::{self, EntryIdentity, StoredKeys},
};
use net::Url;
use sha2::{Digest, Sha256};
use store::{
    Db, FeedId, ItemId, Result, Tx,
    items::{self, ItemChange, ItemKeys, KnownItem, NewItem},
    subscriptions::UNREAD_AT_FIRST,
};

use crate::{Events, FeedItem};

/// The maximum number of entries of one document. The rest is ignored.
const MAX_ENTRIES: usize = 10_000;
/// Documents up to this many bytes take about a millisecond and need no other thread.
const SMALL: usize = 64 * 1024;
/// How precisely `seen_at` says when an item was last in its document.
const SEEN_PRECISION: TimeDelta = TimeDelta::days(7);
/// The longest title of a feed, in characters.
const MAX_TITLE: usize = 500;

/// A parsed document.
#[derive(Clone)]
pub(crate) struct Document(Arc<Read>);

struct Read {
    feed: ParsedFeed,
    url: Url,
    content_hash: String,
    bytes: usize,
}

/// What a document changes.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub new: Vec<NewItem>,
    pub changed: Vec<ItemChange>,
    /// Items that an older sanitiser wrote. They are stored anew; nobody is told, because their publisher changed nothing.
    pub sanitized_again: Vec<ItemChange>,
    /// Items that are still in the document and whose `seen_at` is old.
    pub seen: Vec<ItemId>,
    /// The new items start as read.
    pub start_read: bool,
}

/// Why a body is not a document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error(transparent)]
    NotAFeed(#[from] NotAFeed),
    /// The parser panicked.
    #[error("reading it failed")]
    Broken,
}

/// SHA-256 of a body, in hexadecimal.
pub fn hash(body: &[u8]) -> String {
    hex::encode(Sha256::digest(body))
}

impl Document {
    /// Parses a body that came from `url`.
    pub async fn read(
        body: impl AsRef<[u8]> + Send + 'static,
        content_hash: String,
        url: Url,
        content_type: Option<String>,
        now: DateTime<Utc>,
    ) -> std::result::Result<Document, Unreadable> {
        let bytes = body.as_ref().len();
        let read = move || {
            let options = ParseOptions { url: Some(url.clone()), content_type, now };
            let feed = feed::parse(body.as_ref(), &options)?.feed;
            Ok(Document::of(feed, content_hash, url, bytes))
        };
        work_on(bytes, read).await.unwrap_or(Err(Unreadable::Broken))
    }

    /// Entries that a fetcher has read. Their response came from `url` and had this many bytes.
    pub fn of(mut feed: ParsedFeed, content_hash: String, url: Url, bytes: usize) -> Document {
        feed.entries.truncate(MAX_ENTRIES);
        Document(Arc::new(Read { feed, url, content_hash, bytes }))
    }

    /// The feed's title, or else its host.
    pub fn title(&self) -> String {
        let title = item::text(&self.0.feed.title, MAX_TITLE);
        if title.is_empty() { self.0.url.host_str().unwrap_or_default().to_owned() } else { title }
    }

    pub fn site_url(&self) -> Option<String> {
        self.0.feed.link.as_deref().and_then(item::address)
    }

    /// The address of the picture that the feed names.
    pub fn icon(&self) -> Option<&str> {
        self.0.feed.icon.as_deref()
    }

    /// SHA-256 of the body.
    pub fn content_hash(&self) -> &str {
        &self.0.content_hash
    }

    /// How often the publisher wants to be asked.
    pub fn hints(&self) -> &feed::Hints {
        &self.0.feed.hints
    }

    /// The changes to the stored items of the feed.
    pub async fn compare(&self, db: &Db, feed: FeedId, now: DateTime<Utc>) -> Result<Changes> {
        let known = items::list_known(db, feed, &self.keys()).await?;
        Ok(self.changes(known, now).await)
    }

    /// The same in a transaction that has locked the feed.
    pub async fn compare_in(&self, tx: &mut Tx, feed: FeedId, now: DateTime<Utc>) -> Result<Changes> {
        let known = items::list_known_in(tx, feed, &self.keys()).await?;
        Ok(self.changes(known, now).await)
    }

    /// The changes to a feed without items.
    pub async fn all_new(&self, now: DateTime<Utc>) -> Changes {
        self.changes(Vec::new(), now).await
    }

    fn keys(&self) -> ItemKeys {
        let mut found = ItemKeys::default();
        for keys in identity::keys(&self.0.feed.entries) {
            // PostgreSQL has no text with a zero byte, so nothing is stored with one.
            found.guids.extend(keys.guid.map(|guid| guid.replace('\0', "")));
            found.links.extend(keys.link);
            found.contents.push(keys.content);
        }
        found
    }

    async fn changes(&self, known: Vec<KnownItem>, now: DateTime<Utc>) -> Changes {
        let document = self.clone();
        let compare = move || document.compare_with(&known, now);
        // Sanitising does not panic. If it did, the document would count as unchanged.
        work_on(self.0.bytes, compare).await.unwrap_or_default()
    }

    fn compare_with(&self, rows: &[KnownItem], now: DateTime<Utc>) -> Changes {
        let entries = &self.0.feed.entries;
        let known: Vec<StoredKeys> = rows.iter().map(known).collect();
        let mut changes = Changes::default();
        for identity in identity::identify(entries, &known) {
            let entry = &entries[identity.entry];
            let digest = digest(entry);
            match identity.known.map(|place| &rows[place]) {
                None => changes.new.push(self.item(entry, &identity, digest, None, now)),
                Some(row) => {
                    let is_current = row.sanitizer_version == feed::SANITIZER_VERSION;
                    if is_current && row.digest.as_deref() == Some(&digest) {
                        changes.seen.extend((row.seen_at < now - SEEN_PRECISION).then_some(row.id));
                        continue;
                    }
                    let item = self.item(entry, &identity, digest, Some(row), now);
                    let moves = item.published_at != row.published_at;
                    let changed = if is_current { &mut changes.changed } else { &mut changes.sanitized_again };
                    changed.push(ItemChange { id: row.id, moves, item });
                }
            }
        }
        // The newest entry is usually the first; ids ascend in the order of arrival.
        changes.new.reverse();
        changes
    }

    fn item(
        &self,
        entry: &Entry,
        identity: &EntryIdentity,
        digest: String,
        row: Option<&KnownItem>,
        now: DateTime<Utc>,
    ) -> NewItem {
        let place = i64::try_from(identity.entry).unwrap_or(0);
        let date = item::date(entry, row, now, place);
        item::item(entry, identity, &self.0.url, digest, date)
    }
}

/// Runs `work` on a document of this size: a small one here, because another thread would take longer, a large one on a
/// blocking thread, because it would delay other tasks. `None` after a panic.
async fn work_on<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if bytes <= SMALL {
        return panic::catch_unwind(AssertUnwindSafe(work)).ok();
    }
    tokio::task::spawn_blocking(work).await.ok()
}

/// Stores the changes of several feeds, for all subscribers, with few statements.
pub(crate) async fn store_all(tx: &mut Tx, documents: &[(FeedId, &Changes)], now: DateTime<Utc>) -> Result<Events> {
    let mut events = Events::default();
    let is_large = |changes: &Changes| {
        changes.start_read || i64::try_from(changes.new.len()).unwrap_or(i64::MAX) > UNREAD_AT_FIRST
    };
    let (large, small): (Vec<_>, Vec<_>) = documents.iter().partition(|(_, changes)| is_large(changes));
    // Too many to read: the older ones start as read. So do all items of a site that is new.
    for &(feed, changes) in large {
        let ids = items::insert(tx, feed, &changes.new, now).await?;
        let unread = if changes.start_read { 0 } else { UNREAD_AT_FIRST };
        items::fan_out(tx, feed, &ids, unread, now).await?;
        events.items_arrived.extend(ids.into_iter().map(|item| FeedItem { feed, item }));
    }
    let new = small.iter().flat_map(|(feed, changes)| changes.new.iter().map(|item| (*feed, item)));
    let new: Vec<_> = new.collect();
    let ids = items::insert_all(tx, &new, now).await?;
    items::fan_out_all(tx, &ids, now).await?;
    let arrived = new.iter().zip(ids).map(|((feed, _), item)| FeedItem { feed: *feed, item });
    events.items_arrived.extend(arrived);
    for &(feed, changes) in documents {
        events.items_changed.extend(changes.changed.iter().map(|change| FeedItem { feed, item: change.id }));
        items::change(tx, &changes.changed, now).await?;
        items::change(tx, &changes.sanitized_again, now).await?;
        items::mark_seen(tx, &changes.seen, now).await?;
    }
    Ok(events)
}

fn known(row: &KnownItem) -> StoredKeys {
    StoredKeys { guid: row.guid_or_id.clone(), link: row.link_key.clone(), content: row.content_hash.clone() }
}

/// A hash of everything in the entry. An item with the same digest is not sanitised and stored again.
fn digest(entry: &Entry) -> String {
    let mut hash = Sha256::new();
    // Equal entries have equal JSON, and different entries different JSON.
    if let Ok(json) = serde_json::to_vec(entry) {
        hash.update(&json);
    }
    hex::encode(&hash.finalize()[..16])
}
