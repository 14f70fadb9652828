//! Walks over an XML document and assigns each element to the feed or to the current entry.
//!
//! RSS, RDF and Atom are parsed as one vocabulary, because real documents mix them. Where the formats differ, the root
//! element decides.

use std::rc::Rc;

use url::Url;

use super::{NotAFeed, ParseOptions, address, entry_draft::EntryDraft};
use crate::{
    Entry, Format, Hints, Parsed, ParsedFeed, date,
    warn::Warnings,
    xml::{Event, Ns, XmlReader, XmlTag},
};

/// Elements that never nest in themselves.
const NON_NESTING: &[&str] = &["item", "entry"];

/// The section of the feed that an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Unknown,
    Feed,
    Entry,
    /// A group inside an entry, whose elements belong to the entry.
    Group,
}

#[derive(Debug)]
struct Context {
    part: Section,
    base: Option<Rc<Url>>,
}

/// The state of parsing an XML document.
#[derive(Debug)]
pub(super) struct FeedParser<'a, 'o> {
    pub(super) reader: XmlReader<'a>,
    pub(super) options: &'o ParseOptions,
    pub(super) feed: ParsedFeed,
    pub(super) feed_link_rank: u8,
    pub(super) feed_authors: Vec<String>,
    pub(super) update_period: Option<u32>,
    pub(super) update_frequency: Option<u32>,
    /// The base of addresses without an `xml:base`.
    pub(super) document_base: Option<Rc<Url>>,
    contexts: Vec<Context>,
    entry: Option<Box<EntryDraft<'a>>>,
    format: Option<Format>,
    first_element: Option<String>,
    has_root: bool,
}

/// Parses an XML document.
pub(super) fn read(text: &str, options: &ParseOptions, warnings: Warnings) -> Result<Parsed, NotAFeed> {
    let mut reader = XmlReader::new(text).never_nest(NON_NESTING);
    reader.warnings = warnings;
    let mut document = FeedParser {
        reader,
        options,
        feed: empty_feed(),
        feed_link_rank: 0,
        feed_authors: Vec::new(),
        update_period: None,
        update_frequency: None,
        document_base: options.url.clone().map(Rc::new),
        contexts: Vec::new(),
        entry: None,
        format: None,
        first_element: None,
        has_root: false,
    };
    document.walk();
    document.finish()
}

/// A feed without content.
pub(super) fn empty_feed() -> ParsedFeed {
    ParsedFeed {
        format: Format::Rss,
        version: String::new(),
        title: String::new(),
        link: None,
        description: None,
        language: None,
        icon: None,
        hints: Hints::default(),
        hubs: Vec::new(),
        self_link: None,
        new_feed_url: None,
        updated: None,
        entries: Vec::new(),
    }
}

impl<'a> FeedParser<'a, '_> {
    fn walk(&mut self) {
        while let Some(event) = self.reader.next() {
            match event {
                Event::Start(tag) => self.start(&tag),
                Event::End => self.end(),
                Event::Text(text) => {
                    if self.contexts.is_empty() && self.first_element.is_none() && !text.trim().is_empty() {
                        self.reader.warnings.add("junk_before_root", || "there is text before the feed".to_owned());
                    }
                }
            }
        }
    }

    fn start(&mut self, tag: &XmlTag<'a>) {
        let around = self.contexts.last();
        let part = around.map_or(Section::Unknown, |context| context.part);
        let base = around.and_then(|context| context.base.clone());
        let base = self.base_of(tag, base);
        if self.first_element.is_none() {
            self.first_element = Some(tag.local.to_string());
        }
        let opened = match &*tag.local {
            "item" | "entry" if is_core(tag) => self.start_entry(tag, base.clone()),
            "rss" | "rdf" | "feed" | "channel" if part != Section::Entry && (is_core(tag) || tag.ns == Ns::Rdf) => {
                self.start_feed(tag)
            }
            _ => match part {
                Section::Feed => self.feed_element(tag, base.as_deref()).then_some(Section::Unknown),
                Section::Entry | Section::Group => self.entry_child(tag, base.as_ref()),
                Section::Unknown => Some(Section::Unknown),
            },
        };
        if let Some(part) = opened {
            self.contexts.push(Context { part, base });
        }
    }

    /// Reads an element of the entry. Returns the section that it opens if it was not read to its end.
    fn entry_child(&mut self, tag: &XmlTag<'a>, base: Option<&Rc<Url>>) -> Option<Section> {
        if tag.ns == Ns::Media && &*tag.local == "group" {
            return Some(Section::Group);
        }
        let Some(mut draft) = self.entry.take() else { return Some(Section::Unknown) };
        let read = self.entry_element(&mut draft, tag, base);
        self.entry = Some(draft);
        match read {
            true => None,
            false if tag.ns == Ns::Media && &*tag.local == "content" => Some(Section::Group),
            false => Some(Section::Unknown),
        }
    }

    fn end(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        if context.part == Section::Entry
            && let Some(draft) = self.entry.take()
        {
            let truncated = self.reader.at_end();
            let entry = draft.finish(self);
            let says_something = !entry.title.is_empty() || entry.link.is_some() || entry.content.is_some();
            if says_something || entry.summary.is_some() || !truncated || self.feed.entries.is_empty() {
                self.feed.entries.push(entry);
            }
        }
    }

    fn start_entry(&mut self, tag: &XmlTag<'a>, base: Option<Rc<Url>>) -> Option<Section> {
        if self.entry.is_some() {
            return Some(Section::Unknown);
        }
        if self.format.is_none() {
            self.format = Some(if &*tag.local == "entry" { Format::Atom } else { Format::Rss });
        }
        let mut draft = Box::new(EntryDraft::new(base));
        draft.about = tag.filled("rdf:about").map(str::to_owned);
        // CDF, the oldest format, has these in attributes.
        draft.link.offer(3, tag.filled("href").and_then(|raw| self.address(raw, None)));
        let changed = tag.filled("lastmod").and_then(|text| date::read(text, self.options.now));
        draft.updated.offer(1, changed);
        self.entry = Some(draft);
        Some(Section::Entry)
    }

    fn start_feed(&mut self, tag: &XmlTag<'a>) -> Option<Section> {
        let version = tag.filled("version").unwrap_or_default().to_owned();
        let (format, version) = match &*tag.local {
            "rss" => (Format::Rss, version),
            "rdf" => (Format::Rdf, self.rdf_version()),
            "feed" if tag.ns == Ns::Atom03 && version.is_empty() => (Format::Atom, "0.3".to_owned()),
            "feed" if version.is_empty() && tag.ns == Ns::Atom => (Format::Atom, "1.0".to_owned()),
            "feed" => (Format::Atom, version),
            _ => (Format::Rss, String::new()),
        };
        self.has_root = true;
        if self.format.is_none() {
            self.format = Some(format);
            self.feed.version = version;
        }
        if self.feed.language.is_none() {
            self.feed.language = tag.filled("xml:lang").map(|language| language.replace('_', "-"));
        }
        if self.feed.link.is_none() && &*tag.local == "channel" {
            self.feed.link = tag.filled("href").and_then(|raw| self.address(raw, None));
            let changed = tag.filled("lastmod").and_then(|text| date::read(text, self.options.now));
            self.feed.updated = self.feed.updated.or(changed);
        }
        Some(Section::Feed)
    }

    fn rdf_version(&self) -> String {
        // The root declares the namespace of the channel, which depends on the version.
        let head = self.reader.source().as_bytes();
        let head = head.get(..head.len().min(4096)).unwrap_or_default();
        let old = memchr::memmem::find(head, b"netscape.com/rdf/simple/0.9").is_some();
        if old { "0.90" } else { "1.0" }.to_owned()
    }

    fn base_of(&self, tag: &XmlTag<'a>, around: Option<Rc<Url>>) -> Option<Rc<Url>> {
        let Some(raw) = tag.filled("xml:base") else { return around };
        let base = around.as_ref().or(self.document_base.as_ref());
        address::rebase(raw, base.map(|base| &**base)).map(Rc::new).or(around)
    }

    /// Whether an element follows the rules of Atom.
    pub(super) fn is_atom(&self, tag: &XmlTag<'a>) -> bool {
        if tag.prefix.is_empty() { self.format == Some(Format::Atom) } else { matches!(tag.ns, Ns::Atom | Ns::Atom03) }
    }

    /// An address of the document, absolute if possible.
    pub(super) fn address(&self, raw: &str, base: Option<&Url>) -> Option<String> {
        address::resolve(raw, base.or(self.document_base.as_deref()))
    }

    /// Parses a date, with a warning if it is invalid.
    pub(super) fn date(&mut self, text: &str) -> Option<chrono::DateTime<chrono::Utc>> {
        let found = date::read(text, self.options.now);
        if found.is_none() && !text.is_empty() {
            let shown: String = text.chars().take(60).collect();
            self.reader.warnings.add("bad_date", || format!("{shown:?} is not a valid date"));
        }
        found
    }

    fn finish(mut self) -> Result<Parsed, NotAFeed> {
        let page = self.first_element.as_deref() == Some("html");
        let Some(format) = self.format else {
            return Err(match self.first_element.as_deref() {
                Some("html" | "head" | "body" | "div" | "p" | "script" | "title" | "meta") => NotAFeed::Html,
                Some(_) if self.reader.source().trim_start().starts_with("<?xml") => NotAFeed::Xml,
                Some(_) if self.reader.source().trim_start().starts_with('<') => NotAFeed::Xml,
                _ => NotAFeed::Other,
            });
        };
        let is_real = |entry: &Entry| entry.link.is_some() || entry.id.is_some();
        let is_blank = self.feed.title.is_empty() && self.feed.entries.is_empty();
        if page && (is_blank || !self.has_root && !self.feed.entries.iter().any(is_real)) {
            return Err(NotAFeed::Html);
        }
        self.feed.format = format;
        self.finish_feed();
        Ok(Parsed { feed: self.feed, warnings: self.reader.warnings.into_list() })
    }
}

/// Whether an element belongs to the formats themselves.
pub(super) fn is_core(tag: &XmlTag<'_>) -> bool {
    tag.prefix.is_empty() || matches!(tag.ns, Ns::None | Ns::Rss | Ns::Atom | Ns::Atom03)
}

/// The namespace by which an element is read.
///
/// A wrong default namespace on the root is common (Media RSS, the author's own site) and is ignored; one that the element
/// itself declares counts.
pub(super) fn vocabulary(tag: &XmlTag<'_>) -> Ns {
    let inherited = tag.prefix.is_empty() && tag.attr("xmlns").is_none();
    if inherited && tag.ns != Ns::Xhtml { Ns::None } else { tag.ns }
}
