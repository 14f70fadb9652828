//! Lists that a page gives in data: JSON-LD, and the state that scripts start from.

mod json_ld;
mod state;

use std::collections::{HashMap, HashSet};

use article::dom::{Document, NodeId, Tag};
use chrono::{DateTime, Utc};
use url::Url;

use crate::{
    address::{Address, Role},
    find::Post,
    item::Item,
    links::{Links, role},
};

/// A list has at least this many entries.
const LEAST_ENTRIES: usize = 3;

/// The address of a page, its links, and the time.
pub(crate) struct PageFacts<'a> {
    pub(crate) url: &'a Url,
    pub(crate) links: &'a Links,
    pub(crate) now: DateTime<Utc>,
    /// The page shows a list of posts.
    pub(crate) has_list: bool,
}

impl PageFacts<'_> {
    /// Whether an entry without a type is a post: it has a date, or its address is that of a post.
    fn is_post(&self, entry: &Entry) -> bool {
        let address = Address::of(&entry.url);
        role(&entry.url, &address, self.url, &Address::of(self.url)) == Role::Page
            && (entry.date.is_some() || address.is_post_like())
    }
}

/// A post in the data of a page.
#[derive(Debug)]
struct Entry {
    url: Url,
    title: Option<String>,
    date: Option<DateTime<Utc>>,
}

/// The posts in the data of a page.
#[derive(Default)]
pub(crate) struct DataPosts {
    /// Those that the page links to: indices of items.
    pub(crate) linked: Vec<usize>,
    /// Those that it does not link to, as on pages that a script writes.
    pub(crate) unlinked: Vec<Post>,
}

/// Reads the posts in the data of a page, and gives their titles and dates to the items.
pub(crate) fn apply(document: &Document<'_>, page: &PageFacts<'_>, items: &mut [Item]) -> DataPosts {
    let mut found = DataPosts::default();
    let entries = entries(document, page);
    if entries.is_empty() {
        return found;
    }
    let key = |url: &Url| feed::link::normalise(url.as_str());
    let linked_keys: Vec<Option<String>> =
        items.iter().map(|item| page.links.targets.get(item.target).map(|target| key(&target.url))).collect();
    let places: HashMap<&str, usize> =
        linked_keys.iter().enumerate().filter_map(|(at, key)| Some((key.as_deref()?, at))).collect();
    // Links that cannot be posts, such as tags.
    let other_keys: HashSet<String> = page.links.targets.iter().map(|target| key(&target.url)).collect();
    for entry in entries {
        let key = key(&entry.url);
        if let Some(at) = places.get(key.as_str()) {
            if let Some(item) = items.get_mut(*at) {
                item.title = entry.title.unwrap_or_else(|| std::mem::take(&mut item.title));
                item.published = entry.date.or(item.published);
                found.linked.push(*at);
            }
        } else if !other_keys.contains(&key) && (entry.title.is_some() || page.is_post(&entry)) {
            let title = entry.title.unwrap_or_default();
            found.unlinked.push(Post { url: entry.url, title, published_at: entry.date });
        }
    }
    found
}

/// The entries of the first kind of data that has a list, each address once.
fn entries(document: &Document<'_>, page: &PageFacts<'_>) -> Vec<Entry> {
    let posts = distinct(json_ld::posts(document, page));
    if posts.len() >= LEAST_ENTRIES || page.has_list {
        return if posts.len() >= LEAST_ENTRIES { posts } else { Vec::new() };
    }
    let listed = distinct(json_ld::lists(document, page));
    if listed.len() >= LEAST_ENTRIES {
        return listed;
    }
    state::posts(document, page)
}

/// Each address once, with all that its entries say.
fn distinct(entries: Vec<Entry>) -> Vec<Entry> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<Entry> = Vec::new();
    for entry in entries {
        let place = *places.entry(feed::link::normalise(entry.url.as_str())).or_insert(all.len());
        match all.get_mut(place) {
            Some(known) => {
                known.title = known.title.take().or(entry.title);
                known.date = known.date.or(entry.date);
            }
            None => all.push(entry),
        }
    }
    all
}

/// The scripts with data of this type, up to a size.
fn scripts<'d>(document: &'d Document<'d>, kind: &'d str, max_bytes: usize) -> impl Iterator<Item = (NodeId, &'d str)> {
    document.all(Tag::Script).filter_map(move |script| {
        let found = document.raw_attribute(script, "type").unwrap_or_default();
        let text = document.first_child(script).map_or("", |text| document.text(text)).trim();
        (found.trim().eq_ignore_ascii_case(kind) && text.len() <= max_bytes).then_some((script, text))
    })
}
