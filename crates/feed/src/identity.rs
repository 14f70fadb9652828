//! When two entries are the same: by guid, else by link, else by what they say.
//!
//! Pure: [`keys`] gives what to look up, the caller fetches the rows that have any of it, and [`identify`] says which
//! entry is which row and which entries are new.

mod trust;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::{link::Normal, model::Entry};

/// The longest guid that is kept as it is; a longer one is replaced by its SHA-256.
const LONGEST_GUID: usize = 2_000;

/// The keys of one entry, as they are stored beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The guid or id, if there is one and it can be trusted.
    pub guid: Option<String>,
    /// SHA-256 of the normalised link, in hexadecimal.
    pub link: Option<String>,
    /// SHA-256 of title, published and summary, in hexadecimal.
    pub content: String,
}

/// The keys of an entry that is stored already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The guid it was stored with.
    pub guid: Option<String>,
    /// The key of its link.
    pub link: Option<String>,
    /// The hash of what it said.
    pub content: Option<String>,
}

/// Which key tells an entry from the others of its feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Its guid or id.
    Guid,
    /// Its link: it has no guid, or one that says nothing.
    Link,
    /// Title, published and summary: neither guid nor a link of its own.
    Content,
}

/// An entry of a document with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its place in the document.
    pub entry: usize,
    pub keys: Keys,
    pub by: By,
    /// Its place among the known ones; none when it is new.
    pub known: Option<usize>,
}

/// The keys to look for among what is stored, two link keys where the fragment may matter.
pub fn keys(entries: &[Entry]) -> Vec<Keys> {
    let both = entries.iter().map(Raw::of).flat_map(|raw| {
        let page = Keys { guid: raw.guid.clone(), link: raw.page.clone(), content: raw.content.clone() };
        let place = (raw.place != raw.page).then_some(Keys { guid: raw.guid, link: raw.place, content: raw.content });
        std::iter::once(page).chain(place)
    });
    both.collect()
}

/// Says which entries of a document are known and which are new, in the order of the document.
///
/// Entries with different guids never merge. A guid that several entries share, and guids that differ from fetch to
/// fetch while the links stay, are put aside and the link decides. An entry that the document has twice counts once,
/// the newest of them.
pub fn identify(entries: &[Entry], known: &[Known]) -> Vec<Identity> {
    let mut raws: Vec<Raw> = entries.iter().map(Raw::of).collect();
    trust::choose_links(&mut raws, known);
    trust::drop_shared_guids(&mut raws);
    trust::drop_changing_guids(&mut raws, known);
    let mut found = collapse(entries, raws);
    Matching::new(known, &found).run(entries, &mut found);
    found
}

/// The keys of an entry before it is known which of them can be trusted.
struct Raw {
    guid: Option<String>,
    /// The key of the link without its fragment.
    page: Option<String>,
    /// The key of the link with it.
    place: Option<String>,
    /// The one of the two that was chosen.
    link: Option<String>,
    /// Whether the link names a whole site, which tells nothing of an entry that has a guid.
    is_root: bool,
    content: String,
}

impl Raw {
    fn of(entry: &Entry) -> Raw {
        let guid = entry.id.as_deref().map(str::trim).filter(|guid| !guid.is_empty());
        let guid = guid.map(|guid| if guid.len() > LONGEST_GUID { sha256(&[guid]) } else { guid.to_owned() });
        let normal = entry.link.as_deref().filter(|link| !link.trim().is_empty()).map(Normal::of);
        let page = normal.as_ref().map(|normal| sha256(&[&normal.page()]));
        let place = normal.as_ref().map(|normal| sha256(&[&normal.with_fragment()]));
        let is_root = normal.is_some_and(|normal| normal.is_root);
        Raw { guid, link: page.clone(), page, place, is_root, content: content_key(entry) }
    }
}

/// Each part with its length before it, so that no two entries are written alike.
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

/// One identity for each entry that differs from the others by the key that decides.
fn collapse(entries: &[Entry], raws: Vec<Raw>) -> Vec<Identity> {
    let contents = distinct_contents(&raws);
    let mut places: HashMap<(u8, String), usize> = HashMap::new();
    let mut found: Vec<Identity> = Vec::with_capacity(raws.len());
    for (entry, raw) in raws.into_iter().enumerate() {
        let own_link = raw.link.as_ref().filter(|link| contents.get(*link).is_none_or(|several| !several));
        let (by, key) = match (&raw.guid, own_link) {
            (Some(guid), _) => (By::Guid, guid.clone()),
            (None, Some(link)) => (By::Link, link.clone()),
            (None, None) => (By::Content, raw.content.clone()),
        };
        let keys = Keys { guid: raw.guid, link: raw.link, content: raw.content };
        let identity = Identity { entry, keys, by, known: None };
        match places.get(&(by as u8, key.clone())) {
            Some(&place) if is_newer(&entries[entry], &entries[found[place].entry]) => found[place] = identity,
            Some(_) => {}
            None => {
                places.insert((by as u8, key), found.len());
                found.push(identity);
            }
        }
    }
    found
}

/// The links of entries without a guid, and whether they say different things: then the link is not theirs alone.
fn distinct_contents(raws: &[Raw]) -> HashMap<String, bool> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut several = HashMap::new();
    for raw in raws.iter().filter(|raw| raw.guid.is_none()) {
        let Some(link) = raw.link.as_deref() else { continue };
        let differs = *first.entry(link).or_insert(&raw.content) != raw.content;
        *several.entry(link.to_owned()).or_insert(false) |= differs;
    }
    several
}

fn is_newer(one: &Entry, other: &Entry) -> bool {
    one.updated.or(one.published) > other.updated.or(other.published)
}

/// The known entries by their keys; each is given away once.
struct Matching<'a> {
    by_guid: HashMap<&'a str, usize>,
    by_link: HashMap<&'a str, Shared>,
    by_content: HashMap<&'a str, Shared>,
    /// Known entries that are spoken for: their guid is in the document, or an entry took them.
    taken: HashSet<usize>,
    /// How often a link or hash is in the document.
    in_document: HashMap<String, usize>,
}

/// A place among the known ones, and whether another has the same key.
struct Shared {
    place: usize,
    several: bool,
}

impl<'a> Matching<'a> {
    fn new(known: &'a [Known], found: &[Identity]) -> Matching<'a> {
        let mut matching = Matching {
            by_guid: HashMap::new(),
            by_link: HashMap::new(),
            by_content: HashMap::new(),
            taken: HashSet::new(),
            in_document: HashMap::new(),
        };
        for (place, row) in known.iter().enumerate() {
            if let Some(guid) = row.guid.as_deref() {
                matching.by_guid.entry(guid).or_insert(place);
            }
            note(&mut matching.by_link, row.link.as_deref(), place);
            note(&mut matching.by_content, row.content.as_deref(), place);
        }
        for identity in found {
            for key in identity.keys.link.iter().chain([&identity.keys.content]) {
                *matching.in_document.entry(key.clone()).or_insert(0) += 1;
            }
        }
        matching
    }

    /// First the guids of the whole document, so that no entry takes what belongs to another.
    fn run(mut self, entries: &[Entry], found: &mut [Identity]) {
        for identity in found.iter_mut() {
            let place = identity.keys.guid.as_deref().and_then(|guid| self.by_guid.get(guid).copied());
            identity.known = place.filter(|place| self.taken.insert(*place));
        }
        for identity in found.iter_mut().filter(|identity| identity.known.is_none()) {
            identity.known = self.by_link(&entries[identity.entry], identity);
        }
        for identity in found.iter_mut().filter(|identity| identity.known.is_none()) {
            identity.known = self.by_content(&entries[identity.entry], identity);
        }
    }

    fn by_link(&mut self, entry: &Entry, identity: &Identity) -> Option<usize> {
        let link = identity.keys.link.as_deref().filter(|_| identity.by != By::Content)?;
        let is_root = identity.by == By::Guid && entry.link.as_deref().is_some_and(|link| Normal::of(link).is_root);
        let alone = self.in_document.get(link).is_none_or(|count| *count == 1);
        let row =
            self.by_link.get(link).filter(|row| alone && !is_root && (!row.several || identity.by == By::Link))?;
        self.taken.insert(row.place).then_some(row.place)
    }

    /// Without a date, two entries may well say the same: then the hash decides only where nothing else can.
    fn by_content(&mut self, entry: &Entry, identity: &Identity) -> Option<usize> {
        let content = identity.keys.content.as_str();
        let alone = self.in_document.get(content).is_none_or(|count| *count == 1);
        let telling = identity.by == By::Content || (entry.published.is_some() && !entry.title.is_empty());
        let row = self.by_content.get(content).filter(|row| alone && telling && !row.several)?;
        self.taken.insert(row.place).then_some(row.place)
    }
}

fn note<'a>(index: &mut HashMap<&'a str, Shared>, key: Option<&'a str>, place: usize) {
    let Some(key) = key else { return };
    index.entry(key).and_modify(|row| row.several = true).or_insert(Shared { place, several: false });
}
