//! The links and anchors of a page that look like feeds.

use url::Url;

use super::{
    Candidate, Kind, Source,
    html::{Piece, Pieces, Tag},
    looks,
};
use crate::entity;

/// The most links of each sort that are kept; hostile pages have hundreds of thousands.
const MOST_LINKS: usize = 200;
/// The most anchors that are looked at.
const MOST_ANCHORS: usize = 10_000;
const LONGEST_TITLE: usize = 200;
const LONGEST_URL: usize = 2_048;

/// What a page says of its feeds, in its order.
pub struct Page {
    pub links: Vec<Candidate>,
    pub anchors: Vec<Candidate>,
    /// The program that made it.
    pub generator: String,
}

/// An anchor whose words are still being read.
struct Open {
    url: Url,
    kind: Option<Kind>,
    words: String,
}

impl Page {
    pub fn read(html: &str, page_url: &Url) -> Page {
        let mut page = Page { links: Vec::new(), anchors: Vec::new(), generator: String::new() };
        let mut base = Base::new(page_url);
        let mut open: Option<Open> = None;
        let mut anchors = 0;
        for piece in Pieces::of(html) {
            match piece {
                Piece::Text(text) => {
                    if let Some(open) = open.as_mut().filter(|open| open.words.len() < LONGEST_TITLE) {
                        let end = text.floor_char_boundary(LONGEST_TITLE);
                        open.words.push_str(&text[..end]);
                    }
                }
                Piece::Tag(tag) if tag.name == "a" => {
                    page.close(open.take());
                    anchors += usize::from(!tag.is_end);
                    open = (!tag.is_end && anchors <= MOST_ANCHORS).then(|| anchor(&tag, base.url())).flatten();
                }
                Piece::Tag(tag) if tag.is_end => {}
                Piece::Tag(tag) => match tag.name.as_str() {
                    "base" => base.set(&tag),
                    "link" if page.links.len() < MOST_LINKS => page.links.extend(link(&tag, base.url())),
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

    /// Keeps an anchor if its address or its words are those of a feed.
    fn close(&mut self, open: Option<Open>) {
        let Some(open) = open.filter(|_| self.anchors.len() < MOST_LINKS) else { return };
        let words = short(&entity::decode(&open.words));
        let by_words = || (looks::are_feed_words(&words) && !looks::is_no_feed(&open.url)).then_some(Kind::Unknown);
        if let Some(kind) = open.kind.or_else(by_words) {
            let title = (!words.is_empty()).then_some(words);
            self.anchors.push(Candidate { url: open.url, title, kind, source: Source::Anchor });
        }
    }
}

/// What relative addresses are relative to: the page, until its first `base`.
pub struct Base<'a> {
    page_url: &'a Url,
    given: Option<Url>,
}

impl<'a> Base<'a> {
    pub fn new(page_url: &'a Url) -> Base<'a> {
        Base { page_url, given: None }
    }

    pub fn set(&mut self, tag: &Tag) {
        if self.given.is_none() {
            self.given = tag.get("href").and_then(|href| absolute(&href, self.page_url));
        }
    }

    pub fn url(&self) -> &Url {
        self.given.as_ref().unwrap_or(self.page_url)
    }
}

/// An address of the web, `feed:` ones included.
pub fn absolute(href: &str, base: &Url) -> Option<Url> {
    if href.is_empty() || href.len() > LONGEST_URL {
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

fn link(tag: &Tag, base: &Url) -> Option<Candidate> {
    let declares = tag.has_word("rel", "alternate") || tag.has_word("rel", "feed");
    if !declares || tag.has_word("rel", "stylesheet") {
        return None;
    }
    let url = absolute(&tag.get("href")?, base)?;
    let media_type = tag.get("type").unwrap_or_default();
    let kind = match looks::kind_of_type(&media_type) {
        Some(_) if url.path().contains("/wp-json/") => None,
        Some(kind) => Some(kind),
        None if looks::is_vague_type(&media_type) => vague(&media_type, &url),
        None => None,
    }?;
    let title = tag.get("title").map(|title| short(&title)).filter(|title| !title.is_empty());
    Some(Candidate { url, title, kind, source: Source::Link })
}

fn vague(media_type: &str, url: &Url) -> Option<Kind> {
    let kind = looks::kind_of_address(url)?;
    Some(if kind == Kind::Unknown && media_type.to_ascii_lowercase().contains("json") { Kind::Json } else { kind })
}

fn anchor(tag: &Tag, base: &Url) -> Option<Open> {
    let url = absolute(&tag.get("href")?, base)?;
    let by_type = tag.get("type").and_then(|media_type| looks::kind_of_type(&media_type));
    let kind = by_type.or_else(|| looks::kind_of_address(&url));
    let mut words = String::new();
    for name in ["title", "aria-label"] {
        if words.is_empty() {
            words = tag.get(name).unwrap_or_default();
        }
    }
    words.push(' ');
    Some(Open { url, kind, words })
}

/// On one line and not too long.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(LONGEST_TITLE).collect()
}
