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
    pub url: Url,
    /// What the page calls it.
    pub title: Option<String>,
    /// What it seems to be.
    pub kind: Kind,
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
    candidates.extend(guesses(page_url, &page.generator));
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
const PLACES: &[&str] = &["feed", "rss.xml", "feed.xml", "atom.xml", "index.xml", "rss", "feeds/posts/default"];

/// How many of them are tried below the page's own folder, when that is not the root.
const FOLDER_PLACES: usize = 2;

/// Where the program that made a page puts its feed, by a word of its `meta name=generator`.
const GENERATORS: &[(&str, &str)] = &[
    ("wordpress", "feed"),
    ("hugo", "index.xml"),
    ("jekyll", "feed.xml"),
    ("ghost", "rss"),
    ("blogger", "feeds/posts/default"),
    ("astro", "rss.xml"),
    ("gatsby", "rss.xml"),
    ("hexo", "atom.xml"),
    ("eleventy", "feed.xml"),
    ("drupal", "rss.xml"),
    ("docusaurus", "rss.xml"),
    ("zola", "atom.xml"),
    ("pelican", "feeds/all.atom.xml"),
    ("nikola", "rss.xml"),
    ("publii", "feed.xml"),
    ("quarto", "index.xml"),
    ("movable type", "atom.xml"),
    ("discourse", "latest.rss"),
    ("squarespace", "?format=rss"),
    ("wix.com", "blog-feed.xml"),
    ("joomla", "?format=feed&type=rss"),
    ("dokuwiki", "feed.php"),
];

/// Places that no page names, the likeliest first: few sites have more than a few visits to spare for a guess.
///
/// First where the page's generator puts feeds. Then the usual places: the first ones below the page's own folder too,
/// because a blog is often a part of a site.
fn guesses(page_url: &Url, generator: &str) -> Vec<Candidate> {
    let path = page_url.path();
    // `/blog` may be a folder as much as `/blog/`; `/post.html` is not.
    let last = path.rsplit('/').next().unwrap_or_default();
    let folder = if last.is_empty() || last.contains('.') { ".".to_owned() } else { format!("{path}/") };
    let generator = generator.to_ascii_lowercase();
    let hinted = GENERATORS.iter().filter(|(word, _)| generator.contains(word)).map(|(_, place)| (place, true));
    let usual = PLACES.iter().enumerate().map(|(at, place)| (place, at < FOLDER_PLACES));
    let mut guesses = Vec::new();
    for (place, is_in_folder) in hinted.chain(usual) {
        for base in [folder.as_str(), "/"].iter().skip(usize::from(!is_in_folder)) {
            let url = page_url.join(base).and_then(|base| base.join(place));
            guesses.extend(url.ok().map(|url| Candidate {
                url,
                title: None,
                kind: Kind::Unknown,
                source: Source::Guess,
            }));
        }
    }
    guesses
}
