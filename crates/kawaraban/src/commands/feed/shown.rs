//! Prints a feed as JSON or as readable lines.

use std::fmt::Write;

use chrono::{DateTime, SecondsFormat, Utc};
use feed::{Enclosure, Entry, Format, Parsed, ParsedFeed, Warning};
use serde::Serialize;

use crate::output::on_one_line;

/// The maximum length of an entry's text in readable output.
const EXCERPT_CHARS: usize = 160;

/// A file in the output of `--json`. Null is written out.
#[derive(Serialize)]
pub struct Line<'a> {
    file: &'a str,
    ok: bool,
    error: Option<String>,
    format: Option<String>,
    title: Option<String>,
    link: Option<String>,
    warnings: Vec<Warning>,
    entries: Vec<EntryLine>,
}

#[derive(Serialize)]
struct EntryLine {
    id: Option<String>,
    link: Option<String>,
    title: Option<String>,
    summary: Option<String>,
    content: Option<String>,
    author: Option<String>,
    published: Option<String>,
    updated: Option<String>,
    categories: Vec<String>,
    enclosures: Vec<EnclosureLine>,
}

#[derive(Serialize)]
struct EnclosureLine {
    url: String,
    r#type: Option<String>,
    length: Option<u64>,
}

impl<'a> Line<'a> {
    pub fn of(file: &'a str, read: Result<Parsed, String>) -> Line<'a> {
        match read {
            Ok(Parsed { feed, warnings }) => Line {
                file,
                ok: true,
                error: None,
                format: Some(format_text(&feed)),
                title: filled(feed.title),
                link: feed.link,
                warnings,
                entries: feed.entries.into_iter().map(EntryLine::from).collect(),
            },
            Err(error) => Line {
                file,
                ok: false,
                error: Some(error),
                format: None,
                title: None,
                link: None,
                warnings: Vec::new(),
                entries: Vec::new(),
            },
        }
    }
}

impl From<Entry> for EntryLine {
    fn from(entry: Entry) -> EntryLine {
        EntryLine {
            author: filled(entry.authors.join(", ")),
            id: entry.id,
            link: entry.link,
            title: filled(entry.title),
            summary: entry.summary,
            content: entry.content,
            published: entry.published.map(time),
            updated: entry.updated.map(time),
            categories: entry.categories,
            enclosures: entry.enclosures.into_iter().map(EnclosureLine::from).collect(),
        }
    }
}

impl From<Enclosure> for EnclosureLine {
    fn from(enclosure: Enclosure) -> EnclosureLine {
        EnclosureLine { url: enclosure.url, r#type: enclosure.media_type, length: enclosure.length }
    }
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The family and version: `rss 2.0`, or `rss` if the document gives no version.
fn format_text(feed: &ParsedFeed) -> String {
    let family = match feed.format {
        Format::Rss => "rss",
        Format::Rdf => "rdf",
        Format::Atom => "atom",
        Format::Json => "json",
    };
    format!("{family} {}", feed.version).trim_end().to_owned()
}

/// A file as readable lines.
pub fn readable(file: &str, read: Result<Parsed, String>) -> String {
    let mut text = format!("{}\n", on_one_line(file));
    match read {
        Err(error) => line(&mut text, "error", &error),
        Ok(Parsed { feed, warnings }) => {
            line(&mut text, "format", &format_text(&feed));
            line(&mut text, "title", &feed.title);
            line(&mut text, "link", feed.link.as_deref().unwrap_or_default());
            for warning in &warnings {
                line(&mut text, "warning", &format!("{} ({})", warning.message, warning.code));
            }
            line(&mut text, "entries", &feed.entries.len().to_string());
            for (place, entry) in feed.entries.iter().enumerate() {
                show_entry(&mut text, place + 1, entry);
            }
        }
    }
    text.push('\n');
    text
}

fn show_entry(text: &mut String, place: usize, entry: &Entry) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n  {place}. {}", on_one_line(&entry.title));
    line(text, "link", entry.link.as_deref().unwrap_or_default());
    line(text, "id", entry.id.as_deref().unwrap_or_default());
    line(text, "published", &entry.published.map(time).unwrap_or_default());
    line(text, "updated", &entry.updated.map(time).unwrap_or_default());
    line(text, "author", &entry.authors.join(", "));
    line(text, "categories", &entry.categories.join(", "));
    for file in &entry.enclosures {
        let media_type = file.media_type.as_deref().unwrap_or_default();
        let length = file.length.map(|length| format!("{length} bytes")).unwrap_or_default();
        line(text, "enclosure", format!("{} {media_type} {length}", file.url).trim_end());
    }
    let body = entry.content.as_deref().or(entry.summary.as_deref()).unwrap_or_default();
    line(text, "text", &feed::excerpt(body, EXCERPT_CHARS));
}

/// Adds a named line, unless the value is empty.
fn line(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = writeln!(text, "  {name:<11}{}", on_one_line(value));
    }
}
