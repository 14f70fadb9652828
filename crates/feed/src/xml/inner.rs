//! The content of an element, up to its end tag or to where a missing end tag must be.

use std::borrow::Cow;

use super::{RawXmlTag, XmlReader, XmlTag, XmlToken, hash};

/// The possible content of an element, which determines where it ends if its end tag is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InnerKind {
    /// A title, address or date: any element of the feed's vocabulary ends it.
    Line,
    /// A body: HTML's own names do not end it.
    Body,
    /// XML of any vocabulary: only the next entry ends it.
    Foreign,
}

/// The content of an element, as written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InnerXml<'a> {
    /// From after the start tag to before the end tag.
    pub(crate) source: &'a str,
    /// Whether there are tags in it.
    pub(crate) markup: bool,
    /// Whether there is a CDATA section in it.
    pub(crate) cdata: bool,
}

/// Names that start a new section of a feed anywhere, in lower case.
const SECTION_NAMES: &[&str] = &["item", "entry", "channel"];
/// Names of feed elements that HTML does not have.
const FEED_NAMES: &[&str] = &[
    "guid",
    "pubdate",
    "description",
    "category",
    "comments",
    "enclosure",
    "author",
    "updated",
    "published",
    "issued",
    "modified",
    "created",
    "lastbuilddate",
    "generator",
    "language",
    "copyright",
    "managingeditor",
    "webmaster",
    "ttl",
    "docs",
    "cloud",
    "rights",
    "contributor",
    "content:encoded",
    "dc:creator",
    "dc:date",
    "dc:subject",
    "textinput",
    "skiphours",
    "skipdays",
    "tagline",
];
/// Names of feed elements that HTML has too, or that mean something else in a body.
const AMBIGUOUS_NAMES: &[&str] =
    &["title", "link", "id", "content", "summary", "source", "logo", "icon", "subtitle", "image", "items", "url"];
/// Prefixes of vocabularies whose elements never occur in a line of text.
const FEED_PREFIXES: &[&str] =
    &["dc", "content", "media", "itunes", "atom", "wfw", "slash", "sy", "dcterms", "feedburner"];

impl<'a> XmlReader<'a> {
    /// Reads to the end of the element that has just started, including its end tag.
    pub(crate) fn inner(&mut self, tag: &XmlTag<'a>, kind: InnerKind) -> InnerXml<'a> {
        if tag.raw.empty {
            self.pop();
            self.floor = usize::MAX;
            return InnerXml::default();
        }
        let start = self.scanner.position();
        let mut inner = InnerXml::default();
        let end = self.inner_end(tag, kind, &mut inner);
        inner.source = self.scanner.source().get(start..end).unwrap_or_default();
        self.pop();
        inner
    }

    fn inner_end(&mut self, tag: &XmlTag<'a>, kind: InnerKind, inner: &mut InnerXml<'a>) -> usize {
        let name = tag.raw.name;
        let (mut same, mut opened) = (0usize, Vec::<u32>::new());
        loop {
            let before = self.scanner.position();
            let Some(token) = self.scanner.next() else {
                self.warnings.add("truncated", || format!("the document ends inside <{}>", super::shorten(name)));
                return before;
            };
            match token {
                XmlToken::Close(closed) if closed.eq_ignore_ascii_case(name) => {
                    if same == 0 {
                        return before;
                    }
                    same -= 1;
                }
                XmlToken::Close(closed) => {
                    inner.markup = true;
                    let closed_hash = hash(closed);
                    if let Some(at) = opened.iter().rposition(|&known| known == closed_hash) {
                        opened.swap_remove(at);
                    } else if self.find_open(closed).is_some() {
                        return self.implied_end(name, before);
                    }
                }
                XmlToken::Open(raw) if ends(tag, raw, kind) => return self.implied_end(name, before),
                XmlToken::Open(raw) => {
                    inner.markup = true;
                    if raw.empty {
                        continue;
                    }
                    if raw.name.eq_ignore_ascii_case(name) {
                        same += 1;
                    } else if opened.len() < 64 && self.find_open(raw.name).is_some() {
                        opened.push(hash(raw.name));
                    }
                }
                XmlToken::CData(_) => inner.cdata = true,
                XmlToken::Other | XmlToken::Doctype(_) => inner.markup = true,
                XmlToken::Text(_) => {}
            }
        }
    }

    fn implied_end(&mut self, name: &str, at: usize) -> usize {
        self.warnings.add("unclosed_tag", || format!("<{}> is never closed", super::shorten(name)));
        self.scanner.rewind(at);
        at
    }

    /// The text of the element that has just started: references decoded, tags removed, trimmed.
    pub(crate) fn line(&mut self, tag: &XmlTag<'a>) -> Cow<'a, str> {
        let inner = self.inner(tag, InnerKind::Line);
        let text = self.text_of(inner);
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    /// The text of some content: references decoded, CDATA as it is, tags removed.
    pub(crate) fn text_of(&mut self, inner: InnerXml<'a>) -> Cow<'a, str> {
        if !inner.markup && !inner.cdata {
            return self.entities.decode(inner.source);
        }
        if let Some(text) = inner.only_cdata() {
            return Cow::Borrowed(text);
        }
        let mut reader = super::XmlScanner::new(inner.source);
        let mut out = String::new();
        while let Some(token) = reader.next() {
            match token {
                XmlToken::Text(text) => out.push_str(&self.entities.decode(text)),
                XmlToken::CData(text) => out.push_str(text),
                XmlToken::Open(_) | XmlToken::Close(_) | XmlToken::Doctype(_) | XmlToken::Other => {}
            }
        }
        Cow::Owned(out)
    }

    /// Skips the element that has just started.
    pub(crate) fn skip(&mut self, tag: &XmlTag<'a>) {
        self.inner(tag, InnerKind::Foreign);
    }
}

impl<'a> InnerXml<'a> {
    /// The text of the CDATA section, if there is nothing else.
    pub(crate) fn only_cdata(&self) -> Option<&'a str> {
        if !self.cdata || self.markup {
            return None;
        }
        let body = self.source.trim().strip_prefix("<![CDATA[")?.strip_suffix("]]>")?;
        (memchr::memmem::find(body.as_bytes(), b"]]>").is_none()).then_some(body)
    }
}

/// Whether a start tag inside an element means that the element's end tag is missing.
fn ends(tag: &XmlTag<'_>, raw: RawXmlTag<'_>, kind: InnerKind) -> bool {
    let among = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(raw.name));
    let (prefix, local) = raw.name.split_once(':').unwrap_or(("", raw.name));
    if prefix.is_empty() || prefix.eq_ignore_ascii_case(tag.prefix) {
        let same_vocabulary = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(local));
        if same_vocabulary(SECTION_NAMES) {
            return true;
        }
        match kind {
            InnerKind::Foreign => false,
            InnerKind::Body => {
                same_vocabulary(FEED_NAMES) || (local.eq_ignore_ascii_case("link") && raw.attributes.trim().is_empty())
            }
            InnerKind::Line => same_vocabulary(FEED_NAMES) || same_vocabulary(AMBIGUOUS_NAMES),
        }
    } else {
        match kind {
            InnerKind::Foreign => false,
            InnerKind::Body => among(FEED_NAMES),
            InnerKind::Line => FEED_PREFIXES.iter().any(|known| known.eq_ignore_ascii_case(prefix)),
        }
    }
}
