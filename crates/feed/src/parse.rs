//! Bytes to a feed: RSS, RDF, Atom and JSON Feed.

mod address;
mod base64;
mod channel;
mod construct;
mod document;
mod draft;
mod entry;
mod json;
mod person;
mod plain;
mod relative;

use chrono::{DateTime, Utc};
use url::Url;

use crate::{Parsed, decode, warn::Warnings};

/// What is known about a document besides its bytes.
#[derive(Debug, Clone)]
pub struct ParseOptions {
    /// Where the bytes came from: what relative addresses are relative to.
    pub url: Option<Url>,
    /// The `Content-Type` they came with.
    pub content_type: Option<String>,
    /// The present time, for dates that leave part of themselves out.
    pub now: DateTime<Utc>,
}

/// Why bytes are not a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAFeed {
    /// There is nothing in them.
    #[error("the document is empty")]
    Empty,
    /// They are a web page.
    #[error("the document is a web page, not a feed")]
    Html,
    /// They are JSON of another kind.
    #[error("the document is JSON, but no JSON Feed")]
    Json,
    /// They are XML of another kind.
    #[error("the document is XML, but no feed")]
    Xml,
    /// They are something else.
    #[error("the document is not a feed")]
    Other,
}

/// Reads a feed of any kind, with what was wrong with it.
pub fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, NotAFeed> {
    let mut warnings = Warnings::default();
    let text = decode::decode(bytes, options.content_type.as_deref(), &mut warnings);
    if text.trim().is_empty() {
        return Err(NotAFeed::Empty);
    }
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if start.starts_with(['{', '[']) {
        return json::read(start, options, warnings);
    }
    let found = document::read(&text, options, warnings);
    // A JSON feed with something written before it.
    if found.is_err() && text.contains("jsonfeed.org/version/") {
        return json::read(&text, options, Warnings::default()).or(found);
    }
    found
}
