//! A parsed feed, independent of its format.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// The result of parsing a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub feed: ParsedFeed,
    /// The errors that the parser recovered from, in the order of the document; at most a few dozen.
    pub warnings: Vec<Warning>,
}

/// An error in a document that the parser recovered from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// A stable name: `bare_ampersand`, `unclosed_tag`, `truncated`…
    pub code: &'static str,
    pub message: String,
}

/// The family and version of a document: `rss 2.0`, `atom 1.0`, `rdf 1.0`, `json 1.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// RSS 0.91 to 2.0, with or without a version.
    Rss,
    /// RSS 0.90 and 1.0.
    Rdf,
    /// Atom 0.3 and 1.0.
    Atom,
    /// JSON Feed.
    Json,
}

/// A feed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParsedFeed {
    /// The family of the document.
    pub format: Format,
    /// The version as declared; empty if not declared.
    pub version: String,
    /// As text, not HTML; empty if there is none.
    pub title: String,
    /// The site of the feed, absolute.
    pub link: Option<String>,
    /// As text.
    pub description: Option<String>,
    /// As declared: `ja`, `en-US`.
    pub language: Option<String>,
    /// A picture for the feed, absolute.
    pub icon: Option<String>,
    pub hints: Hints,
    /// The WebSub hubs, absolute.
    pub hubs: Vec<String>,
    /// The feed's own address, absolute.
    pub self_link: Option<String>,
    /// The new address of the feed (`itunes:new-feed-url`), absolute.
    pub new_feed_url: Option<String>,
    pub updated: Option<DateTime<Utc>>,
    /// The entries in the order of the document.
    pub entries: Vec<Entry>,
}

/// When the publisher wants the feed to be fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Hints {
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// `sy:updatePeriod` divided by `sy:updateFrequency`.
    pub update_minutes: Option<u32>,
    /// Hours of the day, 0 to 23 UTC, in which not to fetch.
    pub skip_hours: Vec<u8>,
    /// Days of the week, 0 for Monday, on which not to fetch.
    pub skip_days: Vec<u8>,
}

/// An entry of a feed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Entry {
    /// The guid or id as published, trimmed.
    pub id: Option<String>,
    /// Whether the id is also the entry's address.
    pub id_is_permalink: bool,
    /// The best alternate link, absolute, as published.
    pub link: Option<String>,
    /// As text, not HTML; made from the content if the document has none.
    pub title: String,
    /// The full text as HTML, not sanitised, its relative addresses resolved.
    pub content: Option<String>,
    /// A summary as HTML, not sanitised, its relative addresses resolved.
    pub summary: Option<String>,
    /// Names; an e-mail address only if there is no name.
    pub authors: Vec<String>,
    pub published: Option<DateTime<Utc>>,
    pub updated: Option<DateTime<Utc>>,
    /// As text, each once.
    pub categories: Vec<String>,
    pub enclosures: Vec<Enclosure>,
    /// A picture for it, absolute.
    pub thumbnail: Option<String>,
    /// The page with its comments, absolute.
    pub comments: Option<String>,
}

/// A file attached to an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Enclosure {
    /// Absolute.
    pub url: String,
    pub media_type: Option<String>,
    /// In bytes.
    pub length: Option<u64>,
}
