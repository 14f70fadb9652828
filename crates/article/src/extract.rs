//! Finds the article in a page.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use url::Url;

use crate::{
    dom::{Document, NodeId, Selector, Tag},
    linked_body::LinkedBody,
    measure::Measures,
    metadata::{Metadata, clean_byline, resolve},
    page::Page,
    prune::{self, Pruning, drop_boilerplate},
    rules::Rules,
    score::Scores,
    select::{Selection, select},
    strip::{Stripping, strip},
    write,
};

/// The rest of a longer page is ignored.
pub const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// With less text, looser rules are tried.
const ENOUGH_CHARS: u32 = 500;
/// The length of an excerpt.
const EXCERPT_CHARS: usize = 300;

/// An article with its metadata.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Article {
    pub title: Option<String>,
    /// The names of the authors.
    pub byline: Option<String>,
    pub published_at: Option<DateTime<Utc>>,
    /// A language tag, as the page gives it.
    pub lang: Option<String>,
    pub site_name: Option<String>,
    /// The picture that the page has for links to it.
    pub image: Option<Url>,
    /// Safe to show.
    pub html: String,
    pub text: String,
    pub excerpt: String,
    /// The address that the page asks to be known by.
    pub canonical_url: Option<Url>,
}

/// Why there is no article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The page is empty, or made by a script.
    #[error("the page has no text")]
    NoText,
    /// Change the rule.
    #[error("no element of the page matches the content selector")]
    NoMatch,
}

/// The address of a page, its rules and the time.
#[derive(Debug, Clone, Copy)]
pub struct PageContext<'c> {
    /// The address of the page, for relative links.
    pub base_url: Option<&'c Url>,
    pub rules: &'c Rules,
    /// The current time, for dates without a year.
    pub now: DateTime<Utc>,
}

/// Decodes a page as it came from the network.
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    feed::html::decode_page(bytes, content_type, MAX_PAGE_BYTES)
}

/// Finds the article in a page.
pub fn extract(html: &str, context: &PageContext<'_>) -> Result<Article, ExtractError> {
    let html = html.get(..html.floor_char_boundary(MAX_PAGE_BYTES)).unwrap_or(html);
    let document = Document::parse(html);
    let base = base_url(&document, context.base_url);
    let mut metadata = Metadata::of(&document, base.as_ref(), context.now);
    let mut page = Page::new(&document);
    let mut measures = Measures::new(document.len());
    for selector in &context.rules.drop {
        for id in selector.select(&document) {
            page.drop_node(id);
        }
    }
    let parts = match &context.rules.content {
        Some(selector) => by_rule(&page, selector)?,
        None => search(&mut page, &mut measures, &mut metadata),
    };
    let mut text = write::text(&page, &parts);
    let mut html = feed::sanitize(&write::html(&page, &parts), base.as_ref());
    if context.rules.content.is_none()
        && let Some(body) = LinkedBody::if_longer(metadata.body.as_deref(), &text, base.as_ref())
    {
        (html, text) = (body.html, body.text);
    }
    if text.is_empty() {
        return Err(ExtractError::NoText);
    }
    Ok(Article {
        title: metadata.title,
        byline: metadata.byline,
        published_at: metadata.published_at,
        lang: metadata.lang,
        site_name: metadata.site_name,
        image: metadata.image,
        excerpt: metadata.description.unwrap_or_else(|| feed::excerpt(&html, EXCERPT_CHARS)),
        html,
        text,
        canonical_url: metadata.canonical_url,
    })
}

fn base_url(document: &Document<'_>, url: Option<&Url>) -> Option<Url> {
    let href = document.all(Tag::Base).find_map(|base| document.attribute(base, "href"));
    href.and_then(|href| resolve(&href, url)).or_else(|| url.cloned())
}

/// The elements that match, without those inside others.
fn by_rule(page: &Page<'_, '_>, selector: &Selector) -> Result<Vec<NodeId>, ExtractError> {
    let mut parts: Vec<NodeId> = Vec::new();
    for id in selector.select(page.document) {
        let is_inside = parts.last().is_some_and(|last| page.document.contains(*last, id));
        if !is_inside && !page.is_dropped(id) {
            parts.push(id);
        }
    }
    if parts.is_empty() { Err(ExtractError::NoMatch) } else { Ok(parts) }
}

/// How strict an attempt is.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    drops_unlikely: bool,
    uses_hints: bool,
    prunes: bool,
}

const ATTEMPTS: [Attempt; 4] = [
    Attempt { drops_unlikely: true, uses_hints: true, prunes: true },
    Attempt { drops_unlikely: false, uses_hints: true, prunes: true },
    Attempt { drops_unlikely: false, uses_hints: false, prunes: true },
    Attempt { drops_unlikely: false, uses_hints: false, prunes: false },
];

/// Looks for the article, with looser rules as long as there is too little text. A looser attempt wins if it finds much more.
fn search(page: &mut Page<'_, '_>, measures: &mut Measures, metadata: &mut Metadata) -> Vec<NodeId> {
    let untouched = page.save();
    let mut byline = None;
    let mut best: Option<(u32, Selection, Vec<bool>)> = None;
    for attempt in ATTEMPTS {
        page.restore(&untouched);
        let Some((chars, selection)) = try_once(page, measures, metadata, &mut byline, attempt) else { break };
        if best.as_ref().is_none_or(|(most, ..)| chars > *most + *most / 4) {
            best = Some((chars, selection, page.save()));
        }
        if chars >= ENOUGH_CHARS {
            break;
        }
    }
    if metadata.byline.is_none() {
        metadata.byline = byline;
    }
    let Some((_, selection, dropped)) = best else { return Vec::new() };
    page.restore(&dropped);
    drop_boilerplate(page, &selection, measures);
    selection.parts
}

fn try_once(
    page: &mut Page<'_, '_>,
    measures: &mut Measures,
    metadata: &Metadata,
    byline: &mut Option<String>,
    attempt: Attempt,
) -> Option<(u32, Selection)> {
    let stripping = Stripping {
        title: metadata.title.as_deref(),
        wants_byline: metadata.byline.is_none(),
        drops_unlikely: attempt.drops_unlikely,
        drops_furniture: attempt.prunes,
    };
    if let Some(found) = strip(page, stripping) {
        *byline = Some(clean_byline(&found));
    }
    measures.measure(page, NodeId::ROOT, |_, _, _| {});
    let paragraphs = page.find_paragraphs(measures);
    let scores = Scores::new(page, &paragraphs, measures, attempt.uses_hints);
    let selection = select(page, &scores, measures)?;
    let pruning = Pruning { by_content: attempt.prunes, by_hints: attempt.uses_hints };
    prune::prune(page, &selection, measures, pruning);
    Some((prune::remaining_chars(page, selection.root, measures), selection))
}
