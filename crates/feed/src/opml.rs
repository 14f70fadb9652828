//! Lists of subscriptions: reads OPML, also invalid, and writes OPML 2.0.

mod write;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use thiserror::Error;
use url::Url;

use crate::{
    Warning,
    decode::decode,
    discover::{AddressError, tidy_address},
    warn::Warnings,
    xml::{Event, XmlReader, XmlTag},
};

pub use write::write;

/// Deeper folders are left out of a path.
const MAX_DEPTH: usize = 20;
const MAX_NAME_CHARS: usize = 500;

/// A list of subscriptions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opml {
    /// Empty if the list has none.
    pub title: String,
    /// In the order of the document, each address once.
    pub feeds: Vec<OpmlFeed>,
    pub warnings: Vec<Warning>,
}

/// A feed of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpmlFeed {
    /// Empty if the list has none.
    pub title: String,
    pub feed_url: String,
    pub site_url: Option<String>,
    /// The path of folders, outermost first.
    pub folders: Vec<String>,
}

/// Why a list could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum OpmlError {
    /// The document is not OPML.
    #[error("this is not an OPML file: export the subscriptions as OPML and choose that file")]
    NotOpml,
}

/// Reads a list, also an invalid one.
pub fn read(bytes: &[u8], content_type: Option<&str>) -> Result<Opml, OpmlError> {
    let mut warnings = Warnings::default();
    let text = decode(bytes, content_type, &mut warnings);
    let mut reader = XmlReader::new(&text);
    let mut list = OpmlBuilder { warnings, ..OpmlBuilder::default() };
    while let Some(event) = reader.next() {
        match event {
            Event::Start(tag) => list.open(&tag),
            Event::Text(text) if list.in_title => list.opml.title.push_str(&text),
            Event::Text(_) => {}
            Event::End => list.close(),
        }
    }
    if !list.is_opml {
        return Err(OpmlError::NotOpml);
    }
    let mut opml = list.opml;
    opml.title = name(&opml.title);
    opml.warnings = list.warnings.into_list();
    opml.warnings.extend(reader.warnings.into_list());
    Ok(opml)
}

#[derive(Default)]
struct OpmlBuilder {
    opml: Opml,
    warnings: Warnings,
    is_opml: bool,
    in_title: bool,
    /// For each open element, the name of its folder if it is one.
    open: Vec<Option<String>>,
    seen: HashSet<String>,
}

impl OpmlBuilder {
    fn open(&mut self, tag: &XmlTag<'_>) {
        let mut folder = None;
        match &*tag.local {
            "opml" => self.is_opml = true,
            "title" => self.in_title = self.opml.title.is_empty() && self.opml.feeds.is_empty(),
            "outline" => {
                self.is_opml = true;
                match address(tag) {
                    Some(address) => self.feed(tag, address),
                    None => folder = Some(title(tag)).filter(|name| !name.is_empty()),
                }
            }
            _ => {}
        }
        self.open.push(folder);
    }

    fn close(&mut self) {
        self.open.pop();
        self.in_title = false;
    }

    fn feed(&mut self, tag: &XmlTag<'_>, address: &str) {
        let feed_url = match absolute(address) {
            Ok(url) => url,
            Err(error) => {
                let shown: String = address.chars().take(100).collect();
                self.warnings.add("bad_address", || format!("`{shown}` is left out: {error}"));
                return;
            }
        };
        if !self.seen.insert(feed_url.clone()) {
            self.warnings.add("duplicate", || format!("{feed_url} is listed more than once"));
            return;
        }
        let site_url = tag.filled("htmlUrl").and_then(|address| absolute(address).ok());
        let mut folders: Vec<String> = self.open.iter().flatten().take(MAX_DEPTH).cloned().collect();
        if folders.is_empty() {
            folders = tag.filled("category").map(category).unwrap_or_default();
        }
        self.opml.feeds.push(OpmlFeed { title: title(tag), feed_url, site_url, folders });
    }
}

/// The address of an outline's feed; an outline without is a folder.
fn address<'a>(tag: &'a XmlTag<'_>) -> Option<&'a str> {
    let is_feed = |kind: &str| matches!(kind.to_ascii_lowercase().as_str(), "rss" | "rss1" | "rss2" | "atom" | "feed");
    tag.filled("xmlUrl").or_else(|| tag.filled("url").filter(|_| tag.filled("type").is_some_and(is_feed)))
}

/// A valid address as it is, others as [`tidy_address`] reads them.
fn absolute(address: &str) -> Result<String, AddressError> {
    match Url::parse(address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url.into()),
        _ => tidy_address(address).map(String::from),
    }
}

fn title(tag: &XmlTag<'_>) -> String {
    name(tag.filled("text").or_else(|| tag.filled("title")).unwrap_or_default())
}

/// The first path of a list such as `/Tech/Rust,/News`.
fn category(list: &str) -> Vec<String> {
    let path = list.split(',').next().unwrap_or_default();
    path.split('/').map(name).filter(|part| !part.is_empty()).take(MAX_DEPTH).collect()
}

/// The text on one line, at most [`MAX_NAME_CHARS`] long.
fn name(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_NAME_CHARS).collect()
}
