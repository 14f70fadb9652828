//! Splits a document into tags, text and CDATA. Anything that cannot be a tag is text.

use memchr::{memchr, memchr2, memmem};

/// A part of a document, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum XmlToken<'a> {
    /// Characters between tags, references not decoded.
    Text(&'a str),
    /// The text of a CDATA section.
    CData(&'a str),
    /// `<name attributes>`.
    Open(RawXmlTag<'a>),
    /// `</name>`.
    Close(&'a str),
    /// The text inside `<!DOCTYPE …>`.
    Doctype(&'a str),
    /// Comments, processing instructions, declarations.
    Other,
}

/// A start tag, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawXmlTag<'a> {
    /// With its prefix, in the document's case.
    pub(crate) name: &'a str,
    pub(crate) attributes: &'a str,
    /// Whether it ends in `/>`.
    pub(crate) empty: bool,
}

/// Caches the next occurrence of a needle, so that repeated searches stay linear.
#[derive(Debug)]
struct Finder {
    needle: &'static [u8],
    from: usize,
    result: Option<Option<usize>>,
}

impl Finder {
    const fn new(needle: &'static [u8]) -> Self {
        Finder { needle, from: 0, result: None }
    }

    fn find(&mut self, text: &str, from: usize) -> Option<usize> {
        if let Some(result) = self.result
            && from >= self.from
            && result.is_none_or(|at| from <= at)
        {
            return result;
        }
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        let found = match self.needle {
            [byte] => memchr(*byte, rest),
            needle => memmem::find(rest, needle),
        };
        self.from = from;
        let result = found.map(|at| from + at);
        self.result = Some(result);
        result
    }
}

#[derive(Debug)]
pub(crate) struct XmlScanner<'a> {
    source: &'a str,
    position: usize,
    doctype_seen: bool,
    /// The open element, whose end tag also ends an unclosed CDATA section.
    pub(crate) inside: &'a str,
    /// A section or comment has no end.
    pub(crate) unclosed: bool,
    /// A `<` starts no tag.
    pub(crate) bare: bool,
    comment_end: Finder,
    cdata_end: Finder,
    cdata_start: Finder,
    greater: Finder,
    double: Finder,
    single: Finder,
}

impl<'a> XmlScanner<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        XmlScanner {
            source,
            position: 0,
            doctype_seen: false,
            inside: "",
            unclosed: false,
            bare: false,
            comment_end: Finder::new(b"-->"),
            cdata_end: Finder::new(b"]]>"),
            cdata_start: Finder::new(b"<![CDATA["),
            greater: Finder::new(b">"),
            double: Finder::new(b"\""),
            single: Finder::new(b"'"),
        }
    }

    /// The text being read.
    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// The offset of the next token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Returns to an earlier position.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.position = position;
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.source.get(from..to).unwrap_or_default()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }

    fn starts_with(&self, at: usize, prefix: &str) -> bool {
        let bytes = self.source.as_bytes().get(at..at + prefix.len());
        bytes.is_some_and(|bytes| bytes.eq_ignore_ascii_case(prefix.as_bytes()))
    }

    pub(crate) fn next(&mut self) -> Option<XmlToken<'a>> {
        let start = self.position;
        let first = self.byte(start)?;
        let mut from = start;
        if first == b'<' {
            if let Some((token, end)) = self.markup(start) {
                self.position = end.max(start + 1);
                return Some(token);
            }
            self.bare = true;
            from = start + 1;
        }
        let rest = self.source.as_bytes().get(from..).unwrap_or_default();
        let end = memchr(b'<', rest).map_or(self.source.len(), |at| from + at);
        self.position = end;
        Some(XmlToken::Text(self.slice(start, end)))
    }

    fn markup(&mut self, start: usize) -> Option<(XmlToken<'a>, usize)> {
        match self.byte(start + 1)? {
            b'!' => self.declaration(start),
            b'?' => self.greater.find(self.source, start).map(|end| (XmlToken::Other, end + 1)),
            b'/' => self.close(start),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.open(start),
            _ => None,
        }
    }

    fn declaration(&mut self, start: usize) -> Option<(XmlToken<'a>, usize)> {
        if self.starts_with(start, "<!--") {
            let end = self.comment_end.find(self.source, start + 4);
            self.unclosed |= end.is_none();
            return Some((XmlToken::Other, end.map_or(start + 4, |end| end + 3)));
        }
        if self.starts_with(start, "<![CDATA[") {
            return Some(self.cdata(start + 9));
        }
        if self.starts_with(start, "<!DOCTYPE") && !self.doctype_seen {
            self.doctype_seen = true;
            if let Some(end) = self.doctype_end(start + 9) {
                return Some((XmlToken::Doctype(self.slice(start + 9, end)), end + 1));
            }
        }
        self.greater.find(self.source, start).map(|end| (XmlToken::Other, end + 1))
    }

    fn cdata(&mut self, body: usize) -> (XmlToken<'a>, usize) {
        let end = self.cdata_end.find(self.source, body);
        let another = self.cdata_start.find(self.source, body);
        let proper = match (end, another) {
            (Some(end), Some(another)) => end < another,
            (end, _) => end.is_some(),
        };
        if let (Some(end), true) = (end, proper) {
            return (XmlToken::CData(self.slice(body, end)), end + 3);
        }
        // Another section starts first: the end belongs to that one.
        self.unclosed = true;
        let limit = another.unwrap_or(self.source.len());
        let region = self.slice(body, limit);
        if let Some(at) = find_close(region, self.inside) {
            return (XmlToken::CData(self.slice(body, body + at)), body + at);
        }
        let (end, next) = end.map_or((self.source.len(), self.source.len()), |end| (end, end + 3));
        (XmlToken::CData(self.slice(body, end)), next)
    }

    fn doctype_end(&self, from: usize) -> Option<usize> {
        let (mut quote, mut inside) = (None, false);
        for (at, &byte) in self.source.as_bytes().iter().enumerate().skip(from) {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[') => inside = true,
                (None, b']') => inside = false,
                (None, b'>') if !inside => return Some(at),
                _ => {}
            }
        }
        None
    }

    fn close(&mut self, start: usize) -> Option<(XmlToken<'a>, usize)> {
        if !self.byte(start + 2).is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
            return None;
        }
        let from = start + 2;
        let rest = self.source.as_bytes().get(from..)?;
        let Some(length) = memchr2(b'<', b'>', rest) else {
            self.unclosed = true;
            return Some((XmlToken::Other, self.source.len()));
        };
        let inner = self.slice(from, from + length);
        let name = inner.split(|c: char| c.is_ascii_whitespace() || c == '/').next().unwrap_or_default();
        let end = if rest.get(length) == Some(&b'>') { from + length + 1 } else { from + length };
        Some((XmlToken::Close(name), end))
    }

    fn open(&mut self, start: usize) -> Option<(XmlToken<'a>, usize)> {
        let bytes = self.source.as_bytes();
        let from = start + 1;
        let name_end = from + bytes.get(from..)?.iter().position(|&byte| !is_name(byte))?;
        let name = self.slice(from, name_end);
        let mut at = name_end;
        let mut previous = b' ';
        loop {
            match self.byte(at)? {
                b'>' => break,
                b'<' => return None,
                quote @ (b'"' | b'\'') if previous == b'=' => {
                    if let Some(end) = self.quoted(at, quote) {
                        at = end;
                    }
                    previous = b' ';
                }
                byte if byte.is_ascii_whitespace() => {}
                byte => previous = byte,
            }
            at += 1;
        }
        let inner = self.slice(name_end, at);
        let attributes = inner.strip_suffix('/').unwrap_or(inner);
        let empty = attributes.len() < inner.len();
        Some((XmlToken::Open(RawXmlTag { name, attributes, empty }), at + 1))
    }

    /// The end of a quoted value; `None` if its closing quote is missing.
    fn quoted(&mut self, at: usize, quote: u8) -> Option<usize> {
        let finder = if quote == b'"' { &mut self.double } else { &mut self.single };
        let end = finder.find(self.source, at + 1)?;
        let value = self.source.as_bytes().get(at + 1..end)?;
        // The quote opens a value of another tag: `<a href="x><b c="y">`.
        let stolen = value.last() == Some(&b'=') && memchr(b'<', value).is_some();
        if stolen { None } else { Some(end) }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':') || byte >= 0x80
}

/// The offset of `</name`, ignoring case.
fn find_close(text: &str, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    memmem::find_iter(text.as_bytes(), b"</").find(|&at| {
        let from = at + 2;
        text.as_bytes().get(from..from + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// The attributes of a start tag, as written: names, and values without quotes.
pub(crate) fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '=' | '"' | '\''));
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end)?;
        let after_space = after.trim_ascii_start();
        let Some(value) = after_space.strip_prefix('=') else {
            rest = after;
            return Some((name, ""));
        };
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => {
                let inner = value.get(1..).unwrap_or_default();
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            None => value.split_at_checked(value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len()))?,
        };
        rest = after;
        Some((name, value))
    })
}
