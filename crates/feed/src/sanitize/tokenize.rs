//! Splits markup into tokens as the HTML standard does, in linear time.
//!
//! html5ever's tokenizer is quadratic on `&amp` without its semicolon (512 kB take 0.4 s). Simplifications here cannot
//! produce unsafe markup, because the output is written from scratch.

use memchr::{memchr, memmem};

use super::{attribute::Attributes, element::Element};

#[derive(Debug)]
pub(super) enum HtmlToken<'a> {
    /// Text with its character references.
    Text(&'a str),
    /// A start tag.
    Start(Start<'a>),
    /// An end tag.
    End { element: Element, name: &'a str },
}

/// A start tag.
#[derive(Debug)]
pub(super) struct Start<'a> {
    pub(super) element: Element,
    pub(super) name: &'a str,
    pub(super) attributes: Attributes<'a>,
    /// Whether it ends in `/>`.
    pub(super) is_self_closing: bool,
}

pub(super) struct Tokenizer<'a> {
    html: &'a str,
    at: usize,
    // Names without a further end tag, so that a failed search is not repeated.
    never_closed: Vec<&'a str>,
    no_cdata_end: bool,
    // Bytes that `element_of` may still read ahead, so that nested elements are not read again and again.
    ahead: usize,
}

impl<'a> Tokenizer<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { html, at: 0, never_closed: Vec::new(), no_cdata_end: false, ahead: 4 * html.len() }
    }

    pub(super) fn next(&mut self) -> Option<HtmlToken<'a>> {
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return None;
            }
            let text = text_length(rest.as_bytes());
            if text > 0 {
                self.at += text;
                return Some(HtmlToken::Text(rest.get(..text)?));
            }
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
    }

    /// Skips past the end tag of `name` and returns the text before it; `None` if there is no such tag.
    pub(super) fn content_of(&mut self, name: &'a str) -> Option<&'a str> {
        if self.never_closed.iter().any(|never| never.eq_ignore_ascii_case(name)) {
            return None;
        }
        let rest = self.rest();
        for found in memmem::find_iter(rest.as_bytes(), b"</") {
            if is_tag(rest.as_bytes().get(found + 2..).unwrap_or_default(), name) {
                self.at += found;
                self.markup();
                return rest.get(..found);
            }
        }
        // Only known names are searched for, so the list stays short.
        self.never_closed.push(name);
        None
    }

    /// Skips past the end tag that belongs to a start tag of `name`, over elements of this name inside, and returns what is
    /// between them; `None` if there is no such tag, or if `is_skipped` refuses.
    pub(super) fn element_of(&mut self, name: &'a str, is_skipped: impl FnOnce(&'a str) -> bool) -> Option<&'a str> {
        if self.never_closed.iter().any(|never| never.eq_ignore_ascii_case(name)) {
            return None;
        }
        let rest = self.rest();
        let rest = rest.get(..rest.floor_char_boundary(self.ahead)).unwrap_or_default();
        let mut depth = 0_usize;
        for found in memchr::memchr_iter(b'<', rest.as_bytes()) {
            let after = rest.as_bytes().get(found + 1..).unwrap_or_default();
            if is_tag(after, name) {
                depth += 1;
            } else if after.first() == Some(&b'/') && is_tag(after.get(1..).unwrap_or_default(), name) {
                let Some(fewer) = depth.checked_sub(1) else {
                    let content = rest.get(..found)?;
                    self.ahead -= found;
                    if !is_skipped(content) {
                        return None;
                    }
                    self.at += found;
                    self.markup();
                    return Some(content);
                };
                depth = fewer;
            }
        }
        self.ahead -= rest.len();
        self.never_closed.push(name);
        None
    }

    /// The markup that has not been read.
    pub(super) fn upcoming(&self) -> &'a str {
        self.rest()
    }

    /// The rest of the markup.
    pub(super) fn take_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.html.len();
        rest
    }

    fn rest(&self) -> &'a str {
        self.html.get(self.at..).unwrap_or_default()
    }

    /// Reads a tag, comment or the like at a `<`; `None` for skipped ones.
    fn markup(&mut self) -> Option<HtmlToken<'a>> {
        let rest = self.rest();
        match rest.as_bytes() {
            [b'<', b'/', b'>', ..] => self.at += 3,
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => return self.tag(true),
            [b'<', first, ..] if first.is_ascii_alphabetic() => return self.tag(false),
            [b'<', b'!', b'-', b'-', ..] => self.at += comment_length(rest),
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => self.cdata(),
            _ => self.at += memchr(b'>', rest.as_bytes()).map_or(rest.len(), |end| end + 1),
        }
        None
    }

    fn tag(&mut self, is_end: bool) -> Option<HtmlToken<'a>> {
        let rest = self.rest();
        let from = if is_end { 2 } else { 1 };
        let name = rest.get(from..)?;
        let length = name
            .bytes()
            .position(|byte| byte.is_ascii_whitespace() || byte == b'/' || byte == b'>')
            .unwrap_or(name.len());
        let (name, after) = name.split_at(length);
        let mut attributes = Attributes::new(after);
        let Some((tag_end, is_self_closing)) = attributes.end() else {
            // Browsers drop a truncated tag.
            self.at = self.html.len();
            return None;
        };
        self.at += from + length + tag_end;
        let element = Element::named(name);
        if is_end {
            return Some(HtmlToken::End { element, name });
        }
        Some(HtmlToken::Start(Start { element, name, attributes: Attributes::new(after), is_self_closing }))
    }

    fn cdata(&mut self) {
        let rest = self.rest();
        let end = if self.no_cdata_end { None } else { memmem::find(rest.as_bytes(), b"]]>") };
        self.no_cdata_end |= end.is_none();
        self.at += match end {
            Some(end) => end + 3,
            None => memchr(b'>', rest.as_bytes()).map_or(rest.len(), |end| end + 1),
        };
    }
}

/// The number of bytes before the next `<` that starts markup.
fn text_length(bytes: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = memchr(b'<', bytes.get(from..).unwrap_or_default()) {
        let at = from + found;
        match bytes.get(at + 1) {
            Some(b'/') if bytes.len() > at + 2 => return at,
            Some(next) if next.is_ascii_alphabetic() || *next == b'!' || *next == b'?' => return at,
            _ => from = at + 1,
        }
    }
    bytes.len()
}

/// The length of the comment at the start of `rest`; all of it if the comment does not end.
fn comment_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    match bytes.get(4..) {
        Some([b'>', ..]) => return 5,
        Some([b'-', b'>', ..]) => return 6,
        _ => {}
    }
    let inside = bytes.get(4..).unwrap_or_default();
    for dashes in memmem::find_iter(inside, b"--") {
        match inside.get(dashes + 2..) {
            Some([b'>', ..]) => return 4 + dashes + 3,
            Some([b'!', b'>', ..]) => return 4 + dashes + 4,
            // `--->`: the search continues after the pair.
            Some([b'-', b'>', ..]) => return 4 + dashes + 4,
            _ => {}
        }
    }
    bytes.len()
}

/// Whether a tag of this name begins here, after its `<` or `</`.
fn is_tag(after: &[u8], name: &str) -> bool {
    after.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && after.get(name.len()).is_some_and(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace())
}
