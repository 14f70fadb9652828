//! What a feed says, whatever format it says it in.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// What a document was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub feed: Feed,
    /// What was wrong with it, in the order of the document; at most a few dozen.
    pub warnings: Vec<Warning>,
}

/// Something that was wrong with a document and was read all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// A stable name: `bare_ampersand`, `unclosed_tag`, `truncated`…
    pub code: &'static str,
    /// What it was, for a person.
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
pub struct Feed {
    /// The family of the document.
    pub format: Format,
    /// The version as the document gives it; empty if it gives none.
    pub version: String,
    /// As text, not HTML; empty if there is none.
    pub title: String,
    /// The site the feed belongs to, absolute.
    pub link: Option<String>,
    /// As text.
    pub description: Option<String>,
    /// As the document gives it: `ja`, `en-US`.
    pub language: Option<String>,
    /// A picture for the feed, absolute.
    pub icon: Option<String>,
    pub hints: Hints,
    /// The WebSub hubs, absolute.
    pub hubs: Vec<String>,
    /// The feed's own address, absolute.
    pub self_link: Option<String>,
    /// Where the feed has moved to (`itunes:new-feed-url`), absolute.
    pub new_feed_url: Option<String>,
    /// When the feed says it last changed.
    pub updated: Option<DateTime<Utc>>,
    /// The entries in the order of the document.
    pub entries: Vec<Entry>,
}

/// When the publisher would like to be asked again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Hints {
    /// RSS `ttl`.
    pub ttl_minutes: Option<u32>,
    /// `sy:updatePeriod` divided by `sy:updateFrequency`.
    pub update_minutes: Option<u32>,
    /// Hours of the day, 0 to 23 UTC, in which not to ask.
    pub skip_hours: Vec<u8>,
    /// Days of the week, 0 for Monday, on which not to ask.
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
    /// As text, not HTML; a stand-in from the content if the document has none.
    pub title: String,
    /// The full text as HTML, not sanitised, its relative addresses resolved.
    pub content: Option<String>,
    /// A summary as HTML, not sanitised, its relative addresses resolved.
    pub summary: Option<String>,
    /// Names, without e-mail addresses where there is a name.
    pub authors: Vec<String>,
    pub published: Option<DateTime<Utc>>,
    /// When it was last changed.
    pub updated: Option<DateTime<Utc>>,
    /// As text, each once.
    pub categories: Vec<String>,
    /// Files that come with it.
    pub enclosures: Vec<Enclosure>,
    /// A picture for it, absolute.
    pub thumbnail: Option<String>,
    /// The page with its comments, absolute.
    pub comments: Option<String>,
}

/// A file that comes with an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Enclosure {
    /// Where it is, absolute.
    pub url: String,
    /// Its media type, if given.
    pub media_type: Option<String>,
    /// Its length in bytes, if given and a number.
    pub length: Option<u64>,
}
