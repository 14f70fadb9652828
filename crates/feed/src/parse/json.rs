//! JSON Feed 1.0 and 1.1, and similar documents.

mod value;

#[cfg(test)]
mod tests;

use url::Url;

use super::{
    NotAFeed, ParseOptions, address, entry_draft::words_of_address, feed_parser::empty_feed, person, plain_text,
    relative,
};
use crate::{Enclosure, Entry, Format, Parsed, date, entity, warn::Warnings};
use value::Json;

/// The maximum number of authors, tags or files of an entry.
const MAX_VALUES: usize = 64;

/// Parses a JSON document.
pub(super) fn read(text: &str, options: &ParseOptions, mut warnings: Warnings) -> Result<Parsed, NotAFeed> {
    let start = memchr::memchr2(b'{', b'[', text.as_bytes()).unwrap_or(0);
    let (document, is_complete) = value::read(text.get(start..).unwrap_or_default());
    let says = |name: &str| document.get(name).and_then(Json::text).is_some();
    let items = document.get("items");
    let is_feed = items.is_some_and(has_entries) || version_of(&document).is_some();
    if !is_feed || (items.is_none() && !says("title")) {
        return Err(NotAFeed::Json);
    }
    if !is_complete {
        warnings.add("truncated", || "the JSON is incomplete".to_owned());
    }
    let mut feed = empty_feed();
    feed.format = Format::Json;
    feed.version = version_of(&document).unwrap_or_default();
    feed.self_link =
        document.get("feed_url").and_then(Json::text).and_then(|raw| address::resolve(raw, options.url.as_ref()));
    let own = feed.self_link.as_deref().and_then(|link| Url::parse(link).ok());
    let base = options.url.clone().or(own);
    let link =
        |name: &str| document.get(name).and_then(Json::text).and_then(|raw| address::resolve(raw, base.as_ref()));
    feed.title = document.get("title").and_then(Json::text).map(title_of).unwrap_or_default();
    feed.link = link("home_page_url");
    feed.description = document.get("description").and_then(Json::text).map(plain_text::collapse);
    feed.language = document.get("language").and_then(Json::text).map(str::to_owned);
    feed.icon = link("icon").or_else(|| link("favicon"));
    for hub in document.get("hubs").map(Json::elements).unwrap_or_default().iter().take(16) {
        let url = hub.get("url").unwrap_or(hub).text();
        feed.hubs.extend(url.and_then(|raw| address::resolve(raw, base.as_ref())));
    }
    let authors = authors(&document);
    for item in items.map(Json::elements).unwrap_or_default() {
        if !matches!(item, Json::Object(_)) {
            continue;
        }
        let mut entry = entry(item, base.as_ref(), options, &mut warnings);
        if entry.authors.is_empty() {
            entry.authors.clone_from(&authors);
        }
        feed.entries.push(entry);
    }
    // Drop the last entry if the text ended before it had content.
    let is_blank = |entry: &Entry| entry.title.is_empty() && entry.link.is_none() && entry.content.is_none();
    if !is_complete && feed.entries.len() > 1 && feed.entries.last().is_some_and(is_blank) {
        feed.entries.pop();
    }
    Ok(Parsed { feed, warnings: warnings.into_list() })
}

/// Whether the items look like entries: many other APIs return `items`.
fn has_entries(items: &Json<'_>) -> bool {
    let fields = ["url", "content_html", "content_text", "title", "summary"];
    let is_entry = |item: &Json<'_>| fields.iter().any(|field| item.get(field).and_then(Json::text).is_some());
    matches!(items, Json::List(list) if list.iter().any(is_entry))
}

/// `1.1` of `https://jsonfeed.org/version/1.1`.
fn version_of(document: &Json<'_>) -> Option<String> {
    let version = document.get("version").and_then(Json::text)?;
    let (_, number) = version.split_once("jsonfeed.org/version/")?;
    Some(number.trim_matches('/').to_owned())
}

/// A title as text. The format has no character references, but many programs write those of HTML.
fn title_of(text: &str) -> String {
    plain_text::collapse(&entity::decode_closed(text))
}

fn authors(object: &Json<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for list in ["authors", "author"] {
        for author in object.get(list).map(Json::elements).unwrap_or_default().iter().take(MAX_VALUES) {
            let name = author.get("name").unwrap_or(author).text().or_else(|| author.get("url").and_then(Json::text));
            person::add(&mut names, name.and_then(person::name_of));
        }
    }
    names
}

fn entry(item: &Json<'_>, base: Option<&Url>, options: &ParseOptions, warnings: &mut Warnings) -> Entry {
    let says = |name: &str| item.get(name).and_then(Json::text);
    let link = |name: &str| says(name).and_then(|raw| address::resolve(raw, base));
    let id = says("id").or_else(|| says("guid")).map(str::to_owned);
    let page = link("url").or_else(|| link("external_url")).or_else(|| id.clone().filter(|id| address::is_web(id)));
    let page_base = || page.as_deref().and_then(|page| Url::parse(page).ok()).or_else(|| base.cloned());
    let html = |text: &str| relative::resolve_in(text.into(), page_base).into_owned();
    let plain_text = says("content_text").map(|text| plain_text::escape(text).into_owned());
    let content = says("content_html").map(html).or(plain_text);
    let summary = says("summary").map(|text| plain_text::escape(text).into_owned());
    let title = says("title").map(title_of).filter(|title| !title.is_empty());
    let stand_in = || summary.as_deref().or(content.as_deref()).and_then(plain_text::first_words);
    let title = title.or_else(stand_in).or_else(|| page.as_deref().and_then(words_of_address)).unwrap_or_default();
    let mut when = |name: &str| {
        let text = says(name)?;
        let found = date::read(text, options.now);
        if found.is_none() {
            warnings.add("bad_date", || "a date is invalid".to_owned());
        }
        found
    };
    let mut categories: Vec<String> = Vec::new();
    for tag in item.get("tags").map(Json::elements).unwrap_or_default().iter().take(MAX_VALUES) {
        let tag = tag.text().map(plain_text::collapse).filter(|tag| !categories.contains(tag));
        categories.extend(tag);
    }
    Entry {
        id_is_permalink: id.is_some() && id == page,
        published: when("date_published"),
        updated: when("date_modified"),
        authors: authors(item),
        categories,
        enclosures: enclosures(item, base),
        thumbnail: link("image").or_else(|| link("banner_image")),
        comments: None,
        id,
        link: page.clone(),
        title,
        content,
        summary,
    }
}

fn enclosures(item: &Json<'_>, base: Option<&Url>) -> Vec<Enclosure> {
    let files = item.get("attachments").map(Json::elements).unwrap_or_default().iter().take(MAX_VALUES);
    let read = |file: &Json<'_>| {
        let length = file.get("size_in_bytes").and_then(Json::text);
        Some(Enclosure {
            url: file.get("url").and_then(Json::text).and_then(|raw| address::resolve(raw, base))?,
            media_type: file.get("mime_type").and_then(Json::text).map(str::to_owned),
            length: length.and_then(|length| length.split('.').next()?.parse().ok()),
        })
    };
    files.filter_map(read).collect()
}
