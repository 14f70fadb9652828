//! Finding feeds: in a page, by the shape of an address, and in what a person pasted.

mod address;
mod html;
mod icons;
mod looks;
mod page;
mod patterns;
mod sniff;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;
use url::Url;

pub use address::{AddressError, tidy_address};
pub use icons::{IconCandidate, icons};
pub use patterns::from_address;
pub use sniff::is_feed;

/// The most candidates that are given; nobody tries more.
const MOST_CANDIDATES: usize = 50;

/// A feed that may be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Where.
    pub url: Url,
    /// What the page calls it.
    pub title: Option<String>,
    /// What it seems to be.
    pub kind: Kind,
    /// How it was found.
    pub source: Source,
}

/// What a feed seems to be before it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Atom.
    Atom,
    /// RSS of any version, RDF included.
    Rss,
    /// JSON Feed.
    Json,
    /// It does not say.
    Unknown,
}

/// How a candidate was found, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The page declares it: `link rel=alternate`.
    Link,
    /// The address is of a known shape.
    Pattern,
    /// The page links to it.
    Anchor,
    /// Many sites have one there.
    Guess,
}

/// The feeds that a page may have, in the order in which to try them.
///
/// What it declares, then what its address tells, then what it links to, then feeds of comments, then usual places;
/// among equals those of the same host first, then Atom, RSS, JSON Feed, then the order of the page.
pub fn from_page(html: &[u8], content_type: Option<&str>, page_url: &Url) -> Vec<Candidate> {
    let html = html::decode(html, content_type);
    let page = page::Page::read(&html, page_url);
    let mut candidates = page.links;
    candidates.extend(from_address(page_url));
    candidates.extend(patterns::from_source(&html, page_url));
    candidates.extend(page.anchors);
    candidates.sort_by_key(|candidate| rank(candidate, page_url));
    candidates.extend(guesses(page_url));
    unique(candidates)
}

/// The order of the reader document: same host, Atom, RSS, first. Its list ends there; JSON Feed comes after RSS.
fn rank(candidate: &Candidate, page_url: &Url) -> (bool, Source, bool, Kind) {
    let is_comments = candidate.source != Source::Pattern
        && looks::is_comments(&candidate.url, candidate.title.as_deref().unwrap_or_default());
    (is_comments, candidate.source, !is_same_host(&candidate.url, page_url), candidate.kind)
}

fn is_same_host(one: &Url, other: &Url) -> bool {
    let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    host(one) == host(other)
}

/// The first of each address; fragments and `http` against `https` make no difference.
fn unique(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    let mut new = |candidate: &Candidate| {
        let address = candidate.url.as_str().split('#').next().unwrap_or_default();
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        seen.insert(address.trim_end_matches('/').to_owned())
    };
    candidates.into_iter().filter(|candidate| new(candidate)).take(MOST_CANDIDATES).collect()
}

/// Usual places, the most usual first.
const PLACES: &[(&str, Kind)] = &[
    ("feed", Kind::Unknown),
    ("rss", Kind::Rss),
    ("atom.xml", Kind::Atom),
    ("index.xml", Kind::Unknown),
    ("feed.xml", Kind::Unknown),
    ("rss.xml", Kind::Rss),
    ("feeds/posts/default", Kind::Atom),
    ("?feed=rss2", Kind::Rss),
    ("feed.json", Kind::Json),
    ("index.rdf", Kind::Rss),
];

/// Places below the page's own folder come first: a blog is often a part of a site.
fn guesses(page_url: &Url) -> Vec<Candidate> {
    let mut folders: Vec<Url> = Vec::new();
    let path = page_url.path();
    // `/blog` may be a folder as much as `/blog/`; `/post.html` is not.
    let last = path.rsplit('/').next().unwrap_or_default();
    let folder = if last.is_empty() || last.contains('.') { ".".to_owned() } else { format!("{path}/") };
    folders.extend(page_url.join(&folder).ok());
    folders.extend(page_url.join("/").ok());
    folders.dedup();
    let places = folders.iter().flat_map(|folder| PLACES.iter().map(move |(place, kind)| (folder.join(place), *kind)));
    let guess = |(url, kind): (Result<Url, _>, Kind)| {
        Some(Candidate { url: url.ok()?, title: None, kind, source: Source::Guess })
    };
    places.filter_map(guess).collect()
}
