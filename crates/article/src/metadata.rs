//! What a page says about its article: JSON-LD first, then OpenGraph and other `meta` elements, then visible markup.

mod json_ld;
mod meta;
mod title;

use chrono::{DateTime, Utc};
use url::Url;

use crate::dom::{Document, Tag, fold_spaces};
use json_ld::LinkedData;
use meta::MetaTags;

/// The longest title, name or description in characters.
const MAX_CHARS: usize = 500;

/// The metadata of an article: its title, author, date and so on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) title: Option<String>,
    pub(crate) byline: Option<String>,
    pub(crate) published_at: Option<DateTime<Utc>>,
    pub(crate) lang: Option<String>,
    pub(crate) site_name: Option<String>,
    pub(crate) image: Option<Url>,
    pub(crate) description: Option<String>,
    pub(crate) canonical_url: Option<Url>,
    /// The text of the article, for programs.
    pub(crate) body: Option<String>,
}

impl Metadata {
    /// Collects the metadata of a page. Dates after `now` by more than a day are not believed.
    pub(crate) fn of(document: &Document<'_>, base: Option<&Url>, now: DateTime<Utc>) -> Metadata {
        let linked = LinkedData::of(document);
        let tags = MetaTags::of(document);
        let text = |first: Option<&str>, names: &[&str]| first.or_else(|| tags.get(names)).and_then(line);
        let title = text(linked.headline.as_deref(), meta::TITLE);
        let byline = text(linked.author.as_deref(), meta::AUTHOR).filter(|name| !name.contains("://"));
        let date = |value: &str| feed::parse_date(value, now);
        Metadata {
            title: title::choose(document, title),
            byline: byline.map(|byline| clean_byline(&byline)).filter(|byline| !byline.is_empty()),
            published_at: linked.published.as_deref().and_then(date).or_else(|| tags.all(meta::DATE).find_map(date)),
            lang: lang(document, &tags),
            site_name: text(linked.publisher.as_deref(), meta::SITE),
            image: tags.get(meta::IMAGE).or(linked.image.as_deref()).and_then(|image| resolve(image, base)),
            description: text(linked.description.as_deref(), meta::DESCRIPTION),
            canonical_url: canonical(document, &tags, base),
            body: linked.body,
        }
    }
}

/// A name without the words around it.
pub(crate) fn clean_byline(text: &str) -> String {
    let text = text.trim();
    let start = ["by ", "written by ", "von ", "par ", "por ", "文：", "文 ", "著者："];
    let lower = text.to_lowercase();
    let found = start.iter().find(|start| lower.starts_with(**start)).map_or(0, |start| start.len());
    text.get(found..).unwrap_or(text).trim().to_owned()
}

/// A text on one line, with references decoded and not too long. `None` if nothing is left.
fn line(text: &str) -> Option<String> {
    let mut out = String::new();
    fold_spaces(&feed::html::unescape(text), &mut out);
    if let Some((end, _)) = out.char_indices().nth(MAX_CHARS) {
        out.truncate(end);
    }
    let trimmed = out.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// An address of the web.
pub(crate) fn resolve(address: &str, base: Option<&Url>) -> Option<Url> {
    let address = address.trim();
    let url = match base {
        Some(base) => base.join(address).ok()?,
        None => Url::parse(address).ok()?,
    };
    (matches!(url.scheme(), "http" | "https") && !address.is_empty()).then_some(url)
}

fn lang(document: &Document<'_>, tags: &MetaTags<'_>) -> Option<String> {
    let root = document.first(Tag::Html);
    let attribute = |name| root.and_then(|root| document.raw_attribute(root, name));
    let found = attribute("lang").or_else(|| attribute("xml:lang")).filter(|lang| !lang.trim().is_empty());
    let lang = found.or_else(|| tags.get(meta::LANG))?.split([',', ';']).next()?.trim().replace('_', "-");
    let is_tag = lang.len() <= 35 && lang.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_tag && !lang.is_empty()).then_some(lang)
}

fn canonical(document: &Document<'_>, tags: &MetaTags<'_>, base: Option<&Url>) -> Option<Url> {
    let is_canonical = |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"));
    let mut links =
        document.all(Tag::Link).filter(|link| document.raw_attribute(*link, "rel").is_some_and(is_canonical));
    let link = links.find_map(|link| resolve(&document.attribute(link, "href")?, base));
    link.or_else(|| resolve(tags.get(&["og:url"])?, base))
}
