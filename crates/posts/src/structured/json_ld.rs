//! Posts in JSON-LD: those with a type of their own, and lists of addresses.

use article::dom::Document;
use serde_json::Value;
use url::Url;

use super::{Entry, PageFacts, scripts};
use crate::address::bare_host;

/// Longer scripts are not read.
const MAX_BYTES: usize = 512 * 1024;
/// Objects inside objects are searched down to this depth.
const MAX_DEPTH: usize = 12;

const POSTS: &[&str] =
    &["BlogPosting", "NewsArticle", "Article", "TechArticle", "Report", "SocialMediaPosting", "LiveBlogPosting"];
/// Entries of lists that can be posts. Products, recipes and parts of menus are others.
const ENTRIES: &[&str] = &["ListItem", "WebPage", "Thing", "CreativeWork"];

/// The objects with the type of a post.
pub(super) fn posts(document: &Document<'_>, page: &PageFacts<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    each_object(document, &mut |value| {
        if has_type(value, POSTS) {
            entries.extend(entry(value, page));
        }
    });
    entries
}

/// The entries of each `ItemList`: addresses, or objects with an address. Lists of other things are left out.
pub(super) fn lists(document: &Document<'_>, page: &PageFacts<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    each_object(document, &mut |value| {
        if !has_type(value, &["ItemList"]) {
            return;
        }
        let Some(elements) = value.get("itemListElement").and_then(Value::as_array) else { return };
        let listed: Vec<Entry> = elements.iter().filter_map(|element| listed(element, page)).collect();
        // One list has one kind of entries.
        if listed.len() == elements.len() && listed.iter().all(|entry| page.is_post(entry)) {
            entries.extend(listed);
        }
    });
    entries
}

fn listed(element: &Value, page: &PageFacts<'_>) -> Option<Entry> {
    if let Some(text) = element.as_str() {
        return Some(Entry { url: own_address(text, page)?, title: None, date: None });
    }
    let inner = element.get("item").unwrap_or(element);
    if [element, inner].iter().any(|value| value.get("@type").is_some() && !has_type(value, ENTRIES)) {
        return None;
    }
    let mut found = match inner.as_str() {
        Some(text) => Entry { url: own_address(text, page)?, title: None, date: None },
        None => entry(inner, page)?,
    };
    found.title = found.title.or_else(|| title(element));
    Some(found)
}

fn each_object(document: &Document<'_>, visit: &mut impl FnMut(&Value)) {
    for (_, text) in scripts(document, "application/ld+json", MAX_BYTES) {
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            visit_objects(&value, 0, visit);
        }
    }
}

/// Visits the objects in a value. The depth of JSON is limited by its parser.
fn visit_objects(value: &Value, depth: usize, visit: &mut impl FnMut(&Value)) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| visit_objects(value, depth + 1, visit)),
        Value::Object(fields) => {
            visit(value);
            fields.values().for_each(|value| visit_objects(value, depth + 1, visit));
        }
        _ => {}
    }
}

fn has_type(value: &Value, types: &[&str]) -> bool {
    let is_known =
        |kind: &Value| kind.as_str().is_some_and(|kind| types.contains(&kind.rsplit('/').next().unwrap_or_default()));
    match value.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_known),
        Some(kind) => is_known(kind),
        None => false,
    }
}

fn entry(value: &Value, page: &PageFacts<'_>) -> Option<Entry> {
    let main = value.get("mainEntityOfPage");
    let main = main.and_then(|main| main.as_str().or_else(|| main.get("@id").and_then(Value::as_str)));
    let url = own_address(string(value, "url").or(main).or_else(|| string(value, "@id"))?, page)?;
    let date = string(value, "datePublished").and_then(|date| feed::parse_date(date, page.now));
    Some(Entry { url, title: title(value), date })
}

fn title(value: &Value) -> Option<String> {
    let title = string(value, "headline").or_else(|| string(value, "name"))?;
    Some(feed::html::unescape(title).into_owned())
}

fn string<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// An address on the site of the page, without a fragment.
fn own_address(written: &str, page: &PageFacts<'_>) -> Option<Url> {
    let mut url = page.url.join(written.trim()).ok()?;
    url.set_fragment(None);
    let is_own = matches!(url.scheme(), "http" | "https") && bare_host(&url) == bare_host(page.url) && url != *page.url;
    is_own.then_some(url)
}
