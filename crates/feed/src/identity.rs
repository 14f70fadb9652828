//! Decides whether two entries are the same: by guid, else by link, else by content.
//!
//! Pure: [`keys`] returns the keys to look up, the caller loads the rows with any of them, and [`identify`] matches entries
//! with rows.

mod trust;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::{link::NormalLink, model::Entry};

/// A longer guid is replaced by its SHA-256.
const MAX_GUID_BYTES: usize = 2_000;

/// The keys of one entry, as they are stored with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryKeys {
    /// The guid or id, if there is one and it can be trusted.
    pub guid: Option<String>,
    /// SHA-256 of the normalised link, in hexadecimal.
    pub link: Option<String>,
    /// SHA-256 of title, published and summary, in hexadecimal.
    pub content: String,
}

/// The keys of a stored entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredKeys {
    pub guid: Option<String>,
    pub link: Option<String>,
    pub content: Option<String>,
}

/// The key that distinguishes an entry from the others of its feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentifiedBy {
    /// The guid or id.
    Guid,
    /// The link: the entry has no guid, or one that cannot be trusted.
    Link,
    /// Title, published and summary: the entry has neither a guid nor a link of its own.
    Content,
}

/// An entry of a document, and the stored row that it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryIdentity {
    /// The index in the document.
    pub entry: usize,
    pub keys: EntryKeys,
    pub by: IdentifiedBy,
    /// The index of the stored row; `None` if the entry is new.
    pub known: Option<usize>,
}

/// The keys to look up in the store, with two link keys if the fragment may matter.
pub fn keys(entries: &[Entry]) -> Vec<EntryKeys> {
    let both = entries.iter().map(RawKeys::of).flat_map(|raw| {
        let has_fragment = raw.with_fragment != raw.without_fragment;
        let without = EntryKeys { guid: raw.guid.clone(), link: raw.without_fragment, content: raw.content.clone() };
        let with = has_fragment.then_some(EntryKeys { guid: raw.guid, link: raw.with_fragment, content: raw.content });
        std::iter::once(without).chain(with)
    });
    both.collect()
}

/// Matches the entries of a document with stored rows, in the order of the document.
///
/// Entries with different guids never merge. Guids that several entries share, and guids that change with every fetch
/// while the links stay, are ignored and the link decides. Of duplicates in a document, the newest counts.
pub fn identify(entries: &[Entry], known: &[StoredKeys]) -> Vec<EntryIdentity> {
    let mut all_keys: Vec<RawKeys> = entries.iter().map(RawKeys::of).collect();
    trust::choose_links(&mut all_keys, known);
    trust::drop_shared_guids(&mut all_keys);
    trust::drop_changing_guids(&mut all_keys, known);
    let mut found = collapse(entries, all_keys);
    Matching::new(known, &found).run(entries, &mut found);
    found
}

/// The keys of an entry before untrustworthy ones are removed.
struct RawKeys {
    guid: Option<String>,
    /// The key of the link without its fragment.
    without_fragment: Option<String>,
    /// The key of the link with its fragment.
    with_fragment: Option<String>,
    /// The chosen one of the two.
    link: Option<String>,
    /// Whether the link is the front page of a site, which does not identify an entry with a guid.
    is_root: bool,
    content: String,
}

impl RawKeys {
    fn of(entry: &Entry) -> RawKeys {
        let guid = entry.id.as_deref().map(str::trim).filter(|guid| !guid.is_empty());
        let guid = guid.map(|guid| if guid.len() > MAX_GUID_BYTES { sha256(&[guid]) } else { guid.to_owned() });
        let normal = entry.link.as_deref().filter(|link| !link.trim().is_empty()).map(NormalLink::of);
        let without_fragment = normal.as_ref().map(|normal| sha256(&[&normal.page()]));
        let with_fragment = normal.as_ref().map(|normal| sha256(&[&normal.with_fragment()]));
        let is_root = normal.is_some_and(|normal| normal.is_root);
        let link = without_fragment.clone();
        RawKeys { guid, link, without_fragment, with_fragment, is_root, content: content_key(entry) }
    }
}

/// Hashes each part with its length, so that different entries never have the same input.
fn content_key(entry: &Entry) -> String {
    let published = entry.published.map_or_else(String::new, |at| at.timestamp().to_string());
    let summary = entry.summary.as_deref().unwrap_or_default();
    let part = |text: &str| format!("{}:", text.len());
    sha256(&[&part(&entry.title), &entry.title, &part(&published), &published, &part(summary), summary])
}

fn sha256(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hex::encode(hash.finalize())
}

/// Removes duplicates: one identity for each value of the deciding key.
fn collapse(entries: &[Entry], all_keys: Vec<RawKeys>) -> Vec<EntryIdentity> {
    let contents = distinct_contents(&all_keys);
    let mut indexes: HashMap<(u8, String), usize> = HashMap::new();
    let mut found: Vec<EntryIdentity> = Vec::with_capacity(all_keys.len());
    for (entry, raw) in all_keys.into_iter().enumerate() {
        let own_link = raw.link.as_ref().filter(|link| contents.get(*link).is_none_or(|several| !several));
        let (by, key) = match (&raw.guid, own_link) {
            (Some(guid), _) => (IdentifiedBy::Guid, guid.clone()),
            (None, Some(link)) => (IdentifiedBy::Link, link.clone()),
            (None, None) => (IdentifiedBy::Content, raw.content.clone()),
        };
        let keys = EntryKeys { guid: raw.guid, link: raw.link, content: raw.content };
        let identity = EntryIdentity { entry, keys, by, known: None };
        match indexes.get(&(by as u8, key.clone())) {
            Some(&index) if is_newer(&entries[entry], &entries[found[index].entry]) => found[index] = identity,
            Some(_) => {}
            None => {
                indexes.insert((by as u8, key), found.len());
                found.push(identity);
            }
        }
    }
    found
}

/// The links of entries without a guid, and whether entries with different content share the link.
fn distinct_contents(all_keys: &[RawKeys]) -> HashMap<String, bool> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut several = HashMap::new();
    for raw in all_keys.iter().filter(|raw| raw.guid.is_none()) {
        let Some(link) = raw.link.as_deref() else { continue };
        let differs = *first.entry(link).or_insert(&raw.content) != raw.content;
        *several.entry(link.to_owned()).or_insert(false) |= differs;
    }
    several
}

fn is_newer(one: &Entry, other: &Entry) -> bool {
    one.updated.or(one.published) > other.updated.or(other.published)
}

/// The stored rows by their keys; each is matched once.
struct Matching<'a> {
    by_guid: HashMap<&'a str, usize>,
    by_link: HashMap<&'a str, IndexedRow>,
    by_content: HashMap<&'a str, IndexedRow>,
    /// The rows that are already matched.
    taken: HashSet<usize>,
    /// The number of entries with a link or content hash.
    in_document: HashMap<String, usize>,
}

/// The index of a stored row, and whether another row has the same key.
struct IndexedRow {
    index: usize,
    is_ambiguous: bool,
}

impl<'a> Matching<'a> {
    fn new(known: &'a [StoredKeys], found: &[EntryIdentity]) -> Matching<'a> {
        let mut matching = Matching {
            by_guid: HashMap::new(),
            by_link: HashMap::new(),
            by_content: HashMap::new(),
            taken: HashSet::new(),
            in_document: HashMap::new(),
        };
        for (index, row) in known.iter().enumerate() {
            if let Some(guid) = row.guid.as_deref() {
                matching.by_guid.entry(guid).or_insert(index);
            }
            add_to_index(&mut matching.by_link, row.link.as_deref(), index);
            add_to_index(&mut matching.by_content, row.content.as_deref(), index);
        }
        for identity in found {
            for key in identity.keys.link.iter().chain([&identity.keys.content]) {
                *matching.in_document.entry(key.clone()).or_insert(0) += 1;
            }
        }
        matching
    }

    /// Matches by guid for the whole document first, so that no entry takes the row of another.
    fn run(mut self, entries: &[Entry], found: &mut [EntryIdentity]) {
        for identity in found.iter_mut() {
            let index = identity.keys.guid.as_deref().and_then(|guid| self.by_guid.get(guid).copied());
            identity.known = index.filter(|index| self.taken.insert(*index));
        }
        for identity in found.iter_mut().filter(|identity| identity.known.is_none()) {
            identity.known = self.by_link(&entries[identity.entry], identity);
        }
        for identity in found.iter_mut().filter(|identity| identity.known.is_none()) {
            identity.known = self.by_content(&entries[identity.entry], identity);
        }
    }

    fn by_link(&mut self, entry: &Entry, identity: &EntryIdentity) -> Option<usize> {
        let link = identity.keys.link.as_deref().filter(|_| identity.by != IdentifiedBy::Content)?;
        let is_root =
            identity.by == IdentifiedBy::Guid && entry.link.as_deref().is_some_and(|link| NormalLink::of(link).is_root);
        let alone = self.in_document.get(link).is_none_or(|count| *count == 1);
        let row = self
            .by_link
            .get(link)
            .filter(|row| alone && !is_root && (!row.is_ambiguous || identity.by == IdentifiedBy::Link))?;
        self.taken.insert(row.index).then_some(row.index)
    }

    /// Entries without a date may have equal content: then the hash decides only if there is no other key.
    fn by_content(&mut self, entry: &Entry, identity: &EntryIdentity) -> Option<usize> {
        let content = identity.keys.content.as_str();
        let alone = self.in_document.get(content).is_none_or(|count| *count == 1);
        let is_distinctive =
            identity.by == IdentifiedBy::Content || (entry.published.is_some() && !entry.title.is_empty());
        let row = self.by_content.get(content).filter(|row| alone && is_distinctive && !row.is_ambiguous)?;
        self.taken.insert(row.index).then_some(row.index)
    }
}

fn add_to_index<'a>(rows: &mut HashMap<&'a str, IndexedRow>, key: Option<&'a str>, index: usize) {
    let Some(key) = key else { return };
    rows.entry(key).and_modify(|row| row.is_ambiguous = true).or_insert(IndexedRow { index, is_ambiguous: false });
}
