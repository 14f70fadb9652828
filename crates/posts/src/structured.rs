//! Lists that a page gives in data: JSON-LD.

use std::collections::{HashMap, HashSet};

use article::dom::{Document, Tag};
use chrono::{DateTime, Utc};
use serde_json::Value;
use url::Url;

use crate::{address::bare_host, find::Post, item::Item, links::Links};

/// Longer scripts are not read.
const MAX_BYTES: usize = 512 * 1024;
/// Objects inside objects are searched down to this depth.
const MAX_DEPTH: usize = 12;
/// A list has at least this many entries.
const LEAST_ENTRIES: usize = 3;

const TYPES: &[&str] =
    &["BlogPosting", "NewsArticle", "Article", "TechArticle", "Report", "SocialMediaPosting", "LiveBlogPosting"];

/// The address of a page, its links, and the time.
pub(crate) struct PageFacts<'a> {
    pub(crate) url: &'a Url,
    pub(crate) links: &'a Links,
    pub(crate) now: DateTime<Utc>,
}

/// A post in the data of a page.
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
    let entries = entries(document, page);
    let mut known: HashMap<String, Entry> =
        entries.into_iter().map(|entry| (feed::link::normalise(entry.url.as_str()), entry)).collect();
    let mut found = DataPosts::default();
    if known.len() < LEAST_ENTRIES {
        return found;
    }
    for (at, item) in items.iter_mut().enumerate() {
        let key = page.links.targets.get(item.target).map(|target| feed::link::normalise(target.url.as_str()));
        let Some(entry) = key.and_then(|key| known.remove(&key)) else { continue };
        found.linked.push(at);
        if let Some(title) = entry.title {
            item.title = title;
        }
        item.published = entry.date.or(item.published);
    }
    let linked: HashSet<String> =
        page.links.targets.iter().map(|target| feed::link::normalise(target.url.as_str())).collect();
    let others = known.into_iter().filter(|(key, entry)| !linked.contains(key) && entry.title.is_some());
    found.unlinked = others
        .map(|(_, entry)| Post { url: entry.url, title: entry.title.unwrap_or_default(), published_at: entry.date })
        .collect();
    found.unlinked.sort_by(|a, b| b.published_at.cmp(&a.published_at).then_with(|| a.url.cmp(&b.url)));
    found
}

fn entries(document: &Document<'_>, page: &PageFacts<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for script in document.all(Tag::Script) {
        let kind = document.raw_attribute(script, "type").unwrap_or_default();
        if !kind.trim().eq_ignore_ascii_case("application/ld+json") {
            continue;
        }
        let text = document.first_child(script).map_or("", |text| document.text(text)).trim();
        if text.len() <= MAX_BYTES
            && let Ok(value) = serde_json::from_str::<Value>(text)
        {
            collect(&value, 0, page, &mut entries);
        }
    }
    entries
}

/// Collects the posts in a value. The depth of JSON is limited by its parser.
fn collect(value: &Value, depth: usize, page: &PageFacts<'_>, entries: &mut Vec<Entry>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, depth + 1, page, entries)),
        Value::Object(fields) => {
            if is_post(value) {
                entries.extend(entry(value, page));
            }
            fields.values().for_each(|value| collect(value, depth + 1, page, entries));
        }
        _ => {}
    }
}

fn is_post(value: &Value) -> bool {
    let is_known =
        |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind.rsplit('/').next().unwrap_or_default()));
    match value.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_known),
        Some(kind) => is_known(kind),
        None => false,
    }
}

fn entry(value: &Value, page: &PageFacts<'_>) -> Option<Entry> {
    let string = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let main = value.get("mainEntityOfPage");
    let main = main.and_then(|main| main.as_str().or_else(|| main.get("@id").and_then(Value::as_str)));
    let mut url = page.url.join(string("url").or(main).or_else(|| string("@id"))?).ok()?;
    url.set_fragment(None);
    let is_own = matches!(url.scheme(), "http" | "https") && bare_host(&url) == bare_host(page.url) && url != *page.url;
    is_own.then(|| Entry {
        url,
        title: string("headline").or_else(|| string("name")).map(|title| feed::html::unescape(title).into_owned()),
        date: string("datePublished").and_then(|date| feed::parse_date(date, page.now)),
    })
}
