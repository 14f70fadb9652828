//! An entry as it is stored: shortened, sanitised, dated.

use chrono::{DateTime, TimeDelta, Utc};
use feed::{Entry, identity::EntryIdentity};
use net::Url;
use serde_json::json;
use store::items::{KnownItem, NewItem};

use crate::items::excerpt;

/// Maximum lengths in characters; longer texts are cut.
const MAX_TITLE: usize = 1_000;
const MAX_AUTHOR: usize = 500;
const MAX_CATEGORY: usize = 200;
/// Longer addresses are dropped, in bytes.
const MAX_ADDRESS: usize = 8_192;
/// Maximum lengths of lists; the rest is dropped.
const MAX_CATEGORIES: usize = 50;
const MAX_ENCLOSURES: usize = 20;

/// A date, and whether it is estimated.
pub(super) type Dated = (DateTime<Utc>, bool);

pub(super) fn item(
    entry: &Entry,
    identity: &EntryIdentity,
    base: &Url,
    digest: String,
    (published_at, is_date_estimated): Dated,
) -> NewItem {
    let page = entry.link.as_deref().and_then(|link| base.join(link).ok());
    let html = |html: &Option<String>| {
        let clean = clean(&feed::sanitize_article(html.as_deref()?, Some(base), page.as_ref()));
        (!clean.trim().is_empty()).then_some(clean)
    };
    let author = text(&entry.authors.join(", "), MAX_AUTHOR);
    let (content, summary) = (html(&entry.content), html(&entry.summary));
    NewItem {
        guid_or_id: identity.keys.guid.as_deref().map(clean),
        link: entry.link.as_deref().and_then(address),
        link_key: identity.keys.link.clone(),
        title: text(&entry.title, MAX_TITLE),
        excerpt: Some(clean(&excerpt(summary.as_deref().or(content.as_deref())))),
        content,
        summary,
        sanitizer_version: feed::SANITIZER_VERSION,
        author: (!author.is_empty()).then_some(author),
        published_at,
        is_date_estimated,
        content_hash: identity.keys.content.clone(),
        digest,
        categories: categories(entry),
        enclosures: enclosures(entry),
        thumbnail_url: entry.thumbnail.as_deref().and_then(address),
        comments_url: entry.comments.as_deref().and_then(address),
    }
}

/// When the entry was published. Without a date that can be believed, when it was first seen, in the document's order;
/// a date in the future is the present. What is stored with a guess keeps it until the publisher gives a date.
pub(super) fn date(entry: &Entry, row: Option<&KnownItem>, now: DateTime<Utc>, place: i64) -> Dated {
    // Programs write their zero for "no date": 0001-01-01, 1970-01-01.
    let earliest = DateTime::UNIX_EPOCH + TimeDelta::days(1);
    let given = entry.published.or(entry.updated).filter(|at| *at >= earliest).map(whole_micros);
    match (given, row) {
        (Some(at), _) if at <= now => (at, false),
        (_, Some(row)) => (row.published_at, row.is_date_estimated),
        (Some(_), None) => (now, true),
        // A millisecond apart, so that a list shows them in the order of the document.
        (None, None) => (now - TimeDelta::milliseconds(place), true),
    }
}

/// As both databases keep it.
fn whole_micros(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

fn categories(entry: &Entry) -> String {
    let categories = entry.categories.iter().map(|category| text(category, MAX_CATEGORY));
    let categories: Vec<String> = categories.filter(|category| !category.is_empty()).take(MAX_CATEGORIES).collect();
    json!(categories).to_string()
}

fn enclosures(entry: &Entry) -> String {
    let enclosures = entry.enclosures.iter().filter_map(|enclosure| {
        let media_type = enclosure.media_type.as_deref().map(|media_type| text(media_type, 100));
        Some(json!({ "url": address(&enclosure.url)?, "type": media_type, "length": enclosure.length }))
    });
    let enclosures: Vec<_> = enclosures.take(MAX_ENCLOSURES).collect();
    json!(enclosures).to_string()
}

/// At most so many characters, trimmed.
pub(super) fn text(text: &str, longest: usize) -> String {
    clean(text.trim()).chars().take(longest).collect::<String>().trim_end().to_owned()
}

/// An address that can be followed and kept.
pub(super) fn address(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let text = clean(text.trim());
    // What was published, unless it needs the parser to be one.
    let kept = if text.is_ascii() && !text.contains(char::is_whitespace) { text } else { url.into() };
    (kept.len() <= MAX_ADDRESS).then_some(kept)
}

/// Without what PostgreSQL cannot keep in a text.
fn clean(text: &str) -> String {
    text.replace('\0', "")
}
