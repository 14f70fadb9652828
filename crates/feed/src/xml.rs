//! A tolerant XML reader: it produces balanced events from any text.
//!
//! An end tag closes the matching open element and all inside it, an unmatched end tag is ignored, and elements that are
//! open at the end of the text are closed. Nesting beyond a limit is flattened.

mod inner;
mod namespace;
mod scan;
mod visit;

use std::borrow::Cow;

pub(crate) use inner::{InnerKind, InnerXml};
pub(crate) use namespace::Ns;
pub(crate) use scan::{RawXmlTag, XmlScanner, XmlToken, attributes};
pub use visit::{XmlPart, visit_xml};

use crate::{entity::Entities, warn::Warnings};
use namespace::Scopes;

const MAX_DEPTH: usize = 200;
/// Further attributes of a tag are ignored.
const MAX_ATTRIBUTES: usize = 64;

/// An event; each start has its end.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Start(XmlTag<'a>),
    /// Text, references decoded, CDATA included.
    Text(Cow<'a, str>),
    /// The innermost open element closes.
    End,
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct XmlTag<'a> {
    /// The prefix as written, empty if there is none.
    pub(crate) prefix: &'a str,
    /// The name without prefix, in lower case.
    pub(crate) local: Cow<'a, str>,
    pub(crate) ns: Ns,
    /// Names as written and values with references decoded.
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    raw: RawXmlTag<'a>,
}

impl<'a> XmlTag<'a> {
    /// An attribute by its name with prefix, in any case.
    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    /// The trimmed value of an attribute, if it is not empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.attr(name).map(str::trim).filter(|value| !value.is_empty())
    }
}

#[derive(Debug)]
struct OpenElement<'a> {
    name: &'a str,
    hash: u32,
}

#[derive(Debug)]
pub(crate) struct XmlReader<'a> {
    scanner: XmlScanner<'a>,
    stack: Vec<OpenElement<'a>>,
    scopes: Scopes<'a>,
    pub(crate) entities: Entities,
    pub(crate) warnings: Warnings,
    /// Elements deeper than this are closed before the next event.
    floor: usize,
    /// The document ended inside an element: the further ends are not in it.
    is_cut: bool,
    pending: Option<XmlTag<'a>>,
    non_nesting: &'static [&'static str],
}

impl<'a> XmlReader<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        XmlReader {
            scanner: XmlScanner::new(source),
            stack: Vec::new(),
            scopes: Scopes::default(),
            entities: Entities::default(),
            warnings: Warnings::default(),
            floor: usize::MAX,
            is_cut: false,
            pending: None,
            non_nesting: &[],
        }
    }

    /// Sets the elements that never nest: a start tag closes the open element of that name.
    pub(crate) fn never_nest(mut self, names: &'static [&'static str]) -> Self {
        self.non_nesting = names;
        self
    }

    /// The next event; `None` at the end, when all elements are closed.
    pub(crate) fn next(&mut self) -> Option<Event<'a>> {
        if self.stack.len() > self.floor {
            self.pop();
            return Some(Event::End);
        }
        self.floor = usize::MAX;
        if let Some(tag) = self.pending.take() {
            return Some(self.enter(tag));
        }
        while let Some(token) = self.scanner.next() {
            match token {
                XmlToken::Text(text) => {
                    let text = self.entities.decode(text);
                    return Some(Event::Text(text));
                }
                XmlToken::CData(text) => return Some(Event::Text(Cow::Borrowed(text))),
                XmlToken::Doctype(text) => self.entities.declare(text),
                XmlToken::Other => {}
                XmlToken::Open(raw) => return Some(self.open(raw)),
                XmlToken::Close(name) => {
                    if let Some(depth) = self.find_open(name) {
                        self.close_to(depth);
                        self.pop();
                        return Some(Event::End);
                    }
                    self.warnings.add("unmatched_end_tag", || format!("</{}> closes nothing", shorten(name)));
                }
            }
        }
        self.finish();
        if self.stack.is_empty() {
            return None;
        }
        self.warnings.add("unclosed_tag", || "the document ends inside an element".to_owned());
        self.is_cut = true;
        self.floor = 0;
        self.pop();
        Some(Event::End)
    }

    /// Whether the whole text has been read.
    pub(crate) fn at_end(&self) -> bool {
        self.scanner.position() >= self.scanner.source().len()
    }

    /// The text being read.
    pub(crate) fn source(&self) -> &'a str {
        self.scanner.source()
    }

    fn finish(&mut self) {
        if self.scanner.unclosed {
            self.warnings.add("unclosed_section", || "a comment, section or tag has no end".to_owned());
        }
        if self.scanner.bare {
            self.warnings.add("bare_less_than", || "a < that starts no tag was read as text".to_owned());
        }
        if self.entities.bare {
            self.warnings.add("bare_ampersand", || "an & that starts no reference was read as text".to_owned());
        }
        if self.entities.unknown {
            self.warnings.add("unknown_entity", || "an unknown reference was kept as text".to_owned());
        }
        if self.entities.bad_number {
            self.warnings.add("bad_character", || "a reference to a character that does not exist".to_owned());
        }
    }

    /// Makes the next events close all elements deeper than this.
    fn close_to(&mut self, depth: usize) {
        if depth + 1 < self.stack.len() {
            self.warnings.add("unclosed_tag", || {
                format!("<{}> is never closed", shorten(self.stack.last().map_or("", |open| open.name)))
            });
        }
        self.floor = depth;
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.scopes.leave(self.stack.len());
        self.scanner.inside = self.stack.last().map_or("", |open| open.name);
    }

    fn find_open(&self, name: &str) -> Option<usize> {
        let hash = hash(name);
        self.stack.iter().rposition(|open| open.hash == hash && open.name.eq_ignore_ascii_case(name))
    }

    fn open(&mut self, raw: RawXmlTag<'a>) -> Event<'a> {
        let tag = self.tag(raw);
        let mut floor = None;
        if self.non_nesting.contains(&&*tag.local) {
            floor = self.find_open(raw.name);
        }
        if floor.is_none() && self.stack.len() >= MAX_DEPTH {
            self.warnings.add("too_deep", || format!("elements nest more than {MAX_DEPTH} deep"));
            floor = Some(self.stack.len() - 1);
        }
        let Some(depth) = floor else { return self.enter(tag) };
        self.close_to(depth);
        self.pending = Some(tag);
        self.pop();
        Event::End
    }

    fn enter(&mut self, mut tag: XmlTag<'a>) -> Event<'a> {
        let depth = self.stack.len() + 1;
        for (name, value) in &tag.attributes {
            if let Some(rest) = strip_xmlns(name) {
                self.scopes.bind(depth, rest, value);
            }
        }
        tag.ns = self.scopes.resolve(tag.prefix);
        self.stack.push(OpenElement { name: tag.raw.name, hash: hash(tag.raw.name) });
        self.scanner.inside = tag.raw.name;
        if tag.raw.empty {
            self.floor = self.stack.len() - 1;
        }
        Event::Start(tag)
    }

    fn tag(&mut self, raw: RawXmlTag<'a>) -> XmlTag<'a> {
        let (prefix, local) = raw.name.split_once(':').unwrap_or(("", raw.name));
        let local = lower(local);
        let mut list: Vec<(&'a str, Cow<'a, str>)> = Vec::new();
        if !raw.attributes.is_empty() {
            for (name, value) in attributes(raw.attributes).take(MAX_ATTRIBUTES) {
                list.push((name, self.entities.decode(value)));
            }
        }
        XmlTag { prefix, local, ns: Ns::None, attributes: list, raw }
    }
}

fn strip_xmlns(name: &str) -> Option<&str> {
    let (head, rest) = name.split_at_checked(5)?;
    if !head.eq_ignore_ascii_case("xmlns") {
        return None;
    }
    if rest.is_empty() { Some("") } else { rest.strip_prefix(':') }
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// A name for a message: hostile names have megabytes.
fn shorten(name: &str) -> String {
    name.chars().take(40).collect()
}

fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests;
