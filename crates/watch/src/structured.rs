//! Lists that a page gives in data: JSON-LD.

use std::collections::HashMap;

use article::dom::{Document, Tag};
use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::{item::Item, links::Links, select::Verdict};

/// Longer scripts are not read.
const MAX_BYTES: usize = 512 * 1024;
/// Objects inside objects are searched down to this depth.
const MAX_DEPTH: usize = 12;
/// A list has at least this many entries.
const LEAST_ENTRIES: usize = 3;

const TYPES: &[&str] =
    &["BlogPosting", "NewsArticle", "Article", "TechArticle", "Report", "SocialMediaPosting", "LiveBlogPosting"];

/// A post in the data of a page.
struct Entry {
    key: String,
    title: Option<String>,
    date: Option<DateTime<Utc>>,
}

/// Adds what the data of a page says about its links.
pub(crate) fn apply(
    document: &Document<'_>,
    links: &Links,
    items: &mut [Item],
    verdicts: &mut [Verdict],
    now: DateTime<Utc>,
) {
    let entries = entries(document, now);
    if entries.len() < LEAST_ENTRIES {
        return;
    }
    let known: HashMap<&str, &Entry> = entries.iter().map(|entry| (entry.key.as_str(), entry)).collect();
    for (item, verdict) in items.iter_mut().zip(verdicts) {
        let key = links.targets.get(item.target).map(|target| feed::link::normalise(target.url.as_str()));
        let Some(entry) = key.and_then(|key| known.get(key.as_str()).copied()) else { continue };
        *verdict = Verdict::Post;
        if let Some(title) = &entry.title {
            item.title.clone_from(title);
        }
        item.published = entry.date.or(item.published);
    }
}

fn entries(document: &Document<'_>, now: DateTime<Utc>) -> Vec<Entry> {
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
            collect(&value, 0, now, &mut entries);
        }
    }
    entries
}

/// Collects the posts in a value. The depth of JSON is limited by its parser.
fn collect(value: &Value, depth: usize, now: DateTime<Utc>, entries: &mut Vec<Entry>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, depth + 1, now, entries)),
        Value::Object(fields) => {
            if is_post(value) {
                entries.extend(entry(value, now));
            }
            fields.values().for_each(|value| collect(value, depth + 1, now, entries));
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

fn entry(value: &Value, now: DateTime<Utc>) -> Option<Entry> {
    let string = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let page = value.get("mainEntityOfPage");
    let page = page.and_then(|page| page.as_str().or_else(|| page.get("@id").and_then(Value::as_str)));
    let url = string("url").or(page).or_else(|| string("@id"))?;
    Some(Entry {
        key: feed::link::normalise(url),
        title: string("headline").or_else(|| string("name")).map(|title| feed::html::unescape(title).into_owned()),
        date: string("datePublished").and_then(|date| feed::parse_date(date, now)),
    })
}
