//! Parses RSS, RDF, Atom and JSON Feed.

mod address;
mod base64;
mod construct;
mod entry_draft;
mod entry_elements;
mod feed_elements;
mod feed_parser;
mod json;
mod person;
mod plain_text;
mod relative;

use chrono::{DateTime, Utc};
use url::Url;

use crate::{Parsed, decode, warn::Warnings};

/// The context of a document.
#[derive(Debug, Clone)]
pub struct ParseOptions {
    /// The address of the document, the base of relative addresses.
    pub url: Option<Url>,
    /// The `Content-Type` of the response.
    pub content_type: Option<String>,
    /// The current time, for incomplete dates.
    pub now: DateTime<Utc>,
}

/// Why bytes are not a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAFeed {
    /// The document has no text.
    #[error("the document is empty")]
    Empty,
    /// The document is HTML.
    #[error("the document is a web page, not a feed")]
    Html,
    /// The document is JSON of another kind.
    #[error("the document is JSON, but not a JSON Feed")]
    Json,
    /// The document is XML of another kind.
    #[error("the document is XML, but not a feed")]
    Xml,
    /// The document has an unknown format.
    #[error("the document is not a feed")]
    Other,
}

/// Parses a feed of any format.
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
    let found = feed_parser::read(&text, options, warnings);
    // A JSON feed with text before it.
    if found.is_err() && text.contains("jsonfeed.org/version/") {
        return json::read(&text, options, Warnings::default()).or(found);
    }
    found
}
