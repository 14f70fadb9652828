//! The links and anchors of a page that may be feeds.

use url::Url;

use super::{
    Candidate, CandidateKind, CandidateSource, heuristics,
    html::{HtmlTag, HtmlToken, HtmlTokens},
};
use crate::entity;

/// The maximum number of links of each sort: hostile pages have hundreds of thousands.
const MAX_LINKS: usize = 200;
/// Further anchors are ignored.
const MAX_ANCHORS: usize = 10_000;
const MAX_TITLE_CHARS: usize = 200;
const MAX_URL_BYTES: usize = 2_048;

/// The possible feeds of a page, in its order.
pub struct PageLinks {
    pub links: Vec<Candidate>,
    pub anchors: Vec<Candidate>,
    /// The content of `meta name=generator`.
    pub generator: String,
}

/// An anchor whose text is being read.
struct OpenAnchor {
    url: Url,
    kind: Option<CandidateKind>,
    words: String,
}

impl PageLinks {
    pub fn read(html: &str, page_url: &Url) -> PageLinks {
        let mut page = PageLinks { links: Vec::new(), anchors: Vec::new(), generator: String::new() };
        let mut base = Base::new(page_url);
        let mut open: Option<OpenAnchor> = None;
        let mut anchors = 0;
        for token in HtmlTokens::of(html) {
            match token {
                HtmlToken::Text(text) => {
                    if let Some(open) = open.as_mut().filter(|open| open.words.len() < MAX_TITLE_CHARS) {
                        let end = text.floor_char_boundary(MAX_TITLE_CHARS);
                        open.words.push_str(&text[..end]);
                    }
                }
                HtmlToken::Tag(tag) if tag.name == "a" => {
                    page.close(open.take());
                    anchors += usize::from(!tag.is_end);
                    open = (!tag.is_end && anchors <= MAX_ANCHORS).then(|| anchor(&tag, base.url())).flatten();
                }
                HtmlToken::Tag(tag) if tag.is_end => {}
                HtmlToken::Tag(tag) => match tag.name.as_str() {
                    "base" => base.set(&tag),
                    "link" if page.links.len() < MAX_LINKS => page.links.extend(link(&tag, base.url())),
                    "meta" if page.generator.is_empty() && tag.has_word("name", "generator") => {
                        page.generator = short(&tag.get("content").unwrap_or_default());
                    }
                    "img" => {
                        if let Some(open) = &mut open {
                            open.words.push_str(&tag.get("alt").unwrap_or_default());
                        }
                    }
                    _ => {}
                },
            }
        }
        page.close(open);
        page
    }

    /// Adds an anchor if its address or its text is that of a feed.
    fn close(&mut self, open: Option<OpenAnchor>) {
        let Some(open) = open.filter(|_| self.anchors.len() < MAX_LINKS) else { return };
        let words = short(&entity::decode(&open.words));
        let by_words = || {
            (heuristics::are_feed_words(&words) && !heuristics::is_known_non_feed(&open.url))
                .then_some(CandidateKind::Unknown)
        };
        if let Some(kind) = open.kind.or_else(by_words) {
            let title = (!words.is_empty()).then_some(words);
            self.anchors.push(Candidate { url: open.url, title, kind, source: CandidateSource::Anchor });
        }
    }
}

/// The base of relative addresses: the page, until its first `base`.
pub struct Base<'a> {
    page_url: &'a Url,
    given: Option<Url>,
}

impl<'a> Base<'a> {
    pub fn new(page_url: &'a Url) -> Base<'a> {
        Base { page_url, given: None }
    }

    pub fn set(&mut self, tag: &HtmlTag) {
        if self.given.is_none() {
            self.given = tag.get("href").and_then(|href| absolute(&href, self.page_url));
        }
    }

    pub fn url(&self) -> &Url {
        self.given.as_ref().unwrap_or(self.page_url)
    }
}

/// Resolves an `http`, `https` or `feed:` address.
pub fn absolute(href: &str, base: &Url) -> Option<Url> {
    if href.is_empty() || href.len() > MAX_URL_BYTES {
        return None;
    }
    let rest = href.get(..5).filter(|start| start.eq_ignore_ascii_case("feed:")).map(|_| &href[5..]);
    let url = match rest {
        Some(rest) if rest.starts_with("//") => Url::parse(&format!("https:{rest}")),
        Some(rest) => base.join(rest),
        None => base.join(href),
    };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

fn link(tag: &HtmlTag, base: &Url) -> Option<Candidate> {
    let declares = tag.has_word("rel", "alternate") || tag.has_word("rel", "feed");
    if !declares || tag.has_word("rel", "stylesheet") {
        return None;
    }
    let url = absolute(&tag.get("href")?, base)?;
    let media_type = tag.get("type").unwrap_or_default();
    let kind = match heuristics::kind_of_type(&media_type) {
        Some(_) if url.path().contains("/wp-json/") => None,
        Some(kind) => Some(kind),
        None if heuristics::is_vague_type(&media_type) => vague(&media_type, &url),
        None => None,
    }?;
    let title = tag.get("title").map(|title| short(&title)).filter(|title| !title.is_empty());
    Some(Candidate { url, title, kind, source: CandidateSource::Link })
}

fn vague(media_type: &str, url: &Url) -> Option<CandidateKind> {
    let kind = heuristics::kind_of_address(url)?;
    Some(if kind == CandidateKind::Unknown && media_type.to_ascii_lowercase().contains("json") {
        CandidateKind::Json
    } else {
        kind
    })
}

fn anchor(tag: &HtmlTag, base: &Url) -> Option<OpenAnchor> {
    let url = absolute(&tag.get("href")?, base)?;
    let by_type = tag.get("type").and_then(|media_type| heuristics::kind_of_type(&media_type));
    let kind = by_type.or_else(|| heuristics::kind_of_address(&url));
    let mut words = String::new();
    for name in ["title", "aria-label"] {
        if words.is_empty() {
            words = tag.get(name).unwrap_or_default();
        }
    }
    words.push(' ');
    Some(OpenAnchor { url, kind, words })
}

/// The text on one line, shortened.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(MAX_TITLE_CHARS).collect()
}
