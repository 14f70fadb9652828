//! The inside of an element that carries text: everything up to its end, however that end is written.

use std::borrow::Cow;

use super::{RawTag, Reader, Tag, Token, hash};

/// What may be inside an element, which says where it ends when its end tag is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A title, an address, a date: any element of the feed's vocabulary ends it.
    Line,
    /// A body: HTML's own names do not end it.
    Body,
    /// XML of any vocabulary: only the next entry ends it.
    Foreign,
}

/// The inside of an element, as it is written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Inner<'a> {
    /// From after the start tag to before the end tag.
    pub(crate) source: &'a str,
    /// Whether there are tags in it.
    pub(crate) markup: bool,
    /// Whether there is a CDATA section in it.
    pub(crate) cdata: bool,
}

/// Names that start a new part of a feed wherever they stand, in lower case.
const PARTS: &[&str] = &["item", "entry", "channel"];
/// Names of the vocabulary that HTML does not have.
const SIBLINGS: &[&str] = &[
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
/// Names that HTML has too, or that mean something else in a body.
const LINES: &[&str] =
    &["title", "link", "id", "content", "summary", "source", "logo", "icon", "subtitle", "image", "items", "url"];
/// Prefixes of vocabularies whose elements stand beside others, never in a line of text.
const PREFIXES: &[&str] = &["dc", "content", "media", "itunes", "atom", "wfw", "slash", "sy", "dcterms", "feedburner"];

impl<'a> Reader<'a> {
    /// Reads on to the end of the element that has just started, its end included.
    pub(crate) fn inner(&mut self, tag: &Tag<'a>, kind: Kind) -> Inner<'a> {
        if tag.raw.empty {
            self.pop();
            self.floor = usize::MAX;
            return Inner::default();
        }
        let start = self.scanner.position();
        let mut inner = Inner::default();
        let end = self.inner_end(tag, kind, &mut inner);
        inner.source = self.scanner.source().get(start..end).unwrap_or_default();
        self.pop();
        inner
    }

    fn inner_end(&mut self, tag: &Tag<'a>, kind: Kind, inner: &mut Inner<'a>) -> usize {
        let name = tag.raw.name;
        let (mut same, mut opened) = (0usize, Vec::<u32>::new());
        loop {
            let before = self.scanner.position();
            let Some(token) = self.scanner.next() else {
                self.warnings.add("truncated", || format!("the document ends inside <{}>", super::shown(name)));
                return before;
            };
            match token {
                Token::Close(closed) if closed.eq_ignore_ascii_case(name) => {
                    if same == 0 {
                        return before;
                    }
                    same -= 1;
                }
                Token::Close(closed) => {
                    inner.markup = true;
                    let closed_hash = hash(closed);
                    if let Some(at) = opened.iter().rposition(|&known| known == closed_hash) {
                        opened.swap_remove(at);
                    } else if self.find_open(closed).is_some() {
                        return self.implied_end(name, before);
                    }
                }
                Token::Open(raw) if ends(tag, raw, kind) => return self.implied_end(name, before),
                Token::Open(raw) => {
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
                Token::CData(_) => inner.cdata = true,
                Token::Other | Token::Doctype(_) => inner.markup = true,
                Token::Text(_) => {}
            }
        }
    }

    fn implied_end(&mut self, name: &str, at: usize) -> usize {
        self.warnings.add("unclosed_tag", || format!("<{}> is never closed", super::shown(name)));
        self.scanner.rewind(at);
        at
    }

    /// The text of the element that has just started: references decoded, tags left out, trimmed.
    pub(crate) fn line(&mut self, tag: &Tag<'a>) -> Cow<'a, str> {
        let inner = self.inner(tag, Kind::Line);
        let text = self.text_of(inner);
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    /// The text of an inside: references decoded, CDATA as it is, tags left out.
    pub(crate) fn text_of(&mut self, inner: Inner<'a>) -> Cow<'a, str> {
        if !inner.markup && !inner.cdata {
            return self.entities.decode(inner.source);
        }
        if let Some(text) = inner.only_cdata() {
            return Cow::Borrowed(text);
        }
        let mut reader = super::Scanner::new(inner.source);
        let mut out = String::new();
        while let Some(token) = reader.next() {
            match token {
                Token::Text(text) => out.push_str(&self.entities.decode(text)),
                Token::CData(text) => out.push_str(text),
                Token::Open(_) | Token::Close(_) | Token::Doctype(_) | Token::Other => {}
            }
        }
        Cow::Owned(out)
    }

    /// Skips the element that has just started, with all its children.
    pub(crate) fn skip(&mut self, tag: &Tag<'a>) {
        self.inner(tag, Kind::Foreign);
    }
}

impl<'a> Inner<'a> {
    /// The inside of the CDATA section, if there is nothing else.
    pub(crate) fn only_cdata(&self) -> Option<&'a str> {
        if !self.cdata || self.markup {
            return None;
        }
        let body = self.source.trim().strip_prefix("<![CDATA[")?.strip_suffix("]]>")?;
        (memchr::memmem::find(body.as_bytes(), b"]]>").is_none()).then_some(body)
    }
}

/// Whether a start tag inside an element means that the element's end tag is missing.
fn ends(tag: &Tag<'_>, raw: RawTag<'_>, kind: Kind) -> bool {
    let among = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(raw.name));
    let (prefix, local) = raw.name.split_once(':').unwrap_or(("", raw.name));
    if prefix.is_empty() || prefix.eq_ignore_ascii_case(tag.prefix) {
        let same_vocabulary = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(local));
        if same_vocabulary(PARTS) {
            return true;
        }
        match kind {
            Kind::Foreign => false,
            Kind::Body => {
                same_vocabulary(SIBLINGS) || (local.eq_ignore_ascii_case("link") && raw.attributes.trim().is_empty())
            }
            Kind::Line => same_vocabulary(SIBLINGS) || same_vocabulary(LINES),
        }
    } else {
        match kind {
            Kind::Foreign => false,
            Kind::Body => among(SIBLINGS),
            Kind::Line => PREFIXES.iter().any(|known| known.eq_ignore_ascii_case(prefix)),
        }
    }
}
