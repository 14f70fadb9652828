//! Finds feeds: in a page, by the form of an address, and in pasted text.

mod address;
mod heuristics;
mod html;
mod icons;
mod page_links;
mod patterns;
mod sniff;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;
use url::Url;

pub use address::{AddressError, tidy_address};
pub(crate) use html::decode_page;
pub use icons::{IconCandidate, icons};
pub use patterns::from_address;
pub use sniff::is_feed;

const MAX_CANDIDATES: usize = 50;

/// A possible feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub url: Url,
    /// The title on the page.
    pub title: Option<String>,
    pub kind: CandidateKind,
    pub source: CandidateSource,
}

/// The probable format of a feed that was not yet fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateKind {
    /// Atom.
    Atom,
    /// RSS of any version, including RDF.
    Rss,
    /// JSON Feed.
    Json,
    /// The format is not known before the feed is fetched.
    Unknown,
}

/// How a candidate was found, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateSource {
    /// The page declares it: `link rel=alternate`.
    Link,
    /// The address of the page has a known form.
    Pattern,
    /// The page links to it.
    Anchor,
    /// The address is a usual one.
    Guess,
}

/// The possible feeds of a page, in the order in which to try them.
///
/// Declared feeds come first, then those by the form of the address, linked ones, feeds of comments, and usual addresses.
/// Among equals, those of the same host come first, then Atom, RSS, JSON Feed, then the order of the page.
pub fn from_page(html: &[u8], content_type: Option<&str>, page_url: &Url) -> Vec<Candidate> {
    let html = html::decode(html, content_type);
    let page = page_links::PageLinks::read(&html, page_url);
    let mut candidates = page.links;
    candidates.extend(from_address(page_url));
    candidates.extend(patterns::from_source(&html, page_url));
    candidates.extend(page.anchors);
    candidates.sort_by_key(|candidate| rank(candidate, page_url));
    candidates.extend(guesses(page_url, &page.generator));
    unique(candidates)
}

/// The sort key: lower is better.
fn rank(candidate: &Candidate, page_url: &Url) -> (bool, CandidateSource, bool, CandidateKind) {
    let is_comments = candidate.source != CandidateSource::Pattern
        && heuristics::is_comments(&candidate.url, candidate.title.as_deref().unwrap_or_default());
    (is_comments, candidate.source, !is_same_host(&candidate.url, page_url), candidate.kind)
}

fn is_same_host(one: &Url, other: &Url) -> bool {
    let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    host(one) == host(other)
}

/// Removes duplicates, ignoring fragments and the difference between `http` and `https`.
fn unique(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    let mut new = |candidate: &Candidate| {
        let address = candidate.url.as_str().split('#').next().unwrap_or_default();
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        seen.insert(address.trim_end_matches('/').to_owned())
    };
    candidates.into_iter().filter(|candidate| new(candidate)).take(MAX_CANDIDATES).collect()
}

/// Usual paths of feeds, the most usual first.
const USUAL_PATHS: &[&str] = &["feed", "rss.xml", "feed.xml", "atom.xml", "index.xml", "rss", "feeds/posts/default"];

/// The number of them that are also tried below the page's folder.
const FOLDER_PATHS: usize = 2;

/// The path of the feed by a word in `meta name=generator`.
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

/// Guessed addresses, the most likely first, because only a few are tried.
///
/// First the path of the page's generator, then the usual paths. The first ones are also tried below the page's folder,
/// because a blog is often part of a site.
fn guesses(page_url: &Url, generator: &str) -> Vec<Candidate> {
    let path = page_url.path();
    // `/blog` may be a folder like `/blog/`; `/post.html` is not.
    let last = path.rsplit('/').next().unwrap_or_default();
    let folder = if last.is_empty() || last.contains('.') { ".".to_owned() } else { format!("{path}/") };
    let generator = generator.to_ascii_lowercase();
    let hinted = GENERATORS.iter().filter(|(word, _)| generator.contains(word)).map(|(_, place)| (place, true));
    let usual = USUAL_PATHS.iter().enumerate().map(|(at, place)| (place, at < FOLDER_PATHS));
    let mut guesses = Vec::new();
    for (place, is_in_folder) in hinted.chain(usual) {
        for base in [folder.as_str(), "/"].iter().skip(usize::from(!is_in_folder)) {
            let url = page_url.join(base).and_then(|base| base.join(place));
            guesses.extend(url.ok().map(|url| Candidate {
                url,
                title: None,
                kind: CandidateKind::Unknown,
                source: CandidateSource::Guess,
            }));
        }
    }
    guesses
}
