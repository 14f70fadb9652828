//! Splits a page into tags and texts, in linear time and without allocation for each token.

use memchr::{memchr, memmem};

/// Further attributes of a tag are ignored.
const MAX_ATTRIBUTES: usize = 64;

/// A piece of a page. Comments, declarations and truncated tags are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HtmlToken<'a> {
    /// Text with its character references.
    Text(&'a str),
    /// A start tag. Its name is as written; [`HtmlTokenizer::attributes`] has its attributes.
    Start { name: &'a str, is_self_closing: bool },
    /// An end tag.
    End { name: &'a str },
}

/// Reads a page from start to end.
#[derive(Debug)]
pub struct HtmlTokenizer<'a> {
    html: &'a str,
    at: usize,
    attributes: Vec<(&'a str, &'a str)>,
    // Names without a further end tag, so that a failed search is not repeated.
    never_closed: Vec<&'a str>,
    no_cdata_end: bool,
}

impl<'a> HtmlTokenizer<'a> {
    /// A tokenizer at the start of a page.
    pub fn new(html: &'a str) -> Self {
        Self { html, at: 0, attributes: Vec::new(), never_closed: Vec::new(), no_cdata_end: false }
    }

    /// Names and values of the attributes of the last start tag, as written.
    pub fn attributes(&self) -> &[(&'a str, &'a str)] {
        &self.attributes
    }

    /// Skips past the end tag `name` and returns the text before it. Without such a tag, returns nothing and stays.
    ///
    /// Call it after the start tag of an element whose content is not markup, such as `script`.
    pub fn raw_text(&mut self, name: &'a str) -> &'a str {
        if self.never_closed.iter().any(|never| never.eq_ignore_ascii_case(name)) {
            return "";
        }
        let rest = self.rest();
        for found in memmem::find_iter(rest.as_bytes(), b"</") {
            let after = rest.as_bytes().get(found + 2..).unwrap_or_default();
            if is_name(after, name) {
                self.at += found;
                self.tag(true);
                return rest.get(..found).unwrap_or_default();
            }
        }
        self.never_closed.push(name);
        ""
    }

    fn rest(&self) -> &'a str {
        self.html.get(self.at..).unwrap_or_default()
    }

    /// Reads a tag, comment or the like at a `<`; `None` for skipped ones.
    fn markup(&mut self) -> Option<HtmlToken<'a>> {
        let rest = self.rest();
        match rest.as_bytes() {
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => return self.tag(true),
            [b'<', first, ..] if first.is_ascii_alphabetic() => return self.tag(false),
            [b'<', b'!', b'-', b'-', ..] => self.at += comment_length(rest.as_bytes()),
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => self.skip_cdata(),
            bytes => self.at += memchr(b'>', bytes).map_or(bytes.len(), |end| end + 1),
        }
        None
    }

    fn tag(&mut self, is_end: bool) -> Option<HtmlToken<'a>> {
        self.at += if is_end { 2 } else { 1 };
        let name = self.word(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
        self.attributes.clear();
        loop {
            self.word(|byte| !byte.is_ascii_whitespace());
            match self.html.as_bytes().get(self.at) {
                None => return None,
                Some(b'>') => {
                    self.at += 1;
                    let is_self_closing = self.html.as_bytes().get(self.at.wrapping_sub(2)) == Some(&b'/');
                    return Some(if is_end {
                        HtmlToken::End { name }
                    } else {
                        HtmlToken::Start { name, is_self_closing }
                    });
                }
                Some(b'/') => self.at += 1,
                Some(_) => {
                    let (name, value) = self.attribute()?;
                    if self.attributes.len() < MAX_ATTRIBUTES {
                        self.attributes.push((name, value));
                    }
                }
            }
        }
    }

    /// An attribute; `None` if the page ends in it.
    fn attribute(&mut self) -> Option<(&'a str, &'a str)> {
        let start = self.at;
        // A leading equals sign belongs to the name.
        self.at += 1;
        self.word(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'='));
        let name = self.html.get(start..self.at).unwrap_or_default();
        self.word(|byte| !byte.is_ascii_whitespace());
        if self.html.as_bytes().get(self.at) != Some(&b'=') {
            return Some((name, ""));
        }
        self.at += 1;
        self.word(|byte| !byte.is_ascii_whitespace());
        let quote = match self.html.as_bytes().get(self.at) {
            Some(quote @ (b'"' | b'\'')) => *quote,
            _ => return Some((name, self.word(|byte| byte.is_ascii_whitespace() || byte == b'>'))),
        };
        let start = self.at + 1;
        let Some(length) = memchr(quote, self.html.as_bytes().get(start..).unwrap_or_default()) else {
            self.at = self.html.len();
            return None;
        };
        self.at = start + length + 1;
        Some((name, self.html.get(start..start + length).unwrap_or_default()))
    }

    /// Moves to the next byte that ends a word. Returns the skipped text.
    fn word(&mut self, is_end: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let rest = self.html.as_bytes().get(start..).unwrap_or_default();
        self.at += rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len());
        self.html.get(start..self.at).unwrap_or_default()
    }

    fn skip_cdata(&mut self) {
        let bytes = self.rest().as_bytes();
        let end = if self.no_cdata_end { None } else { memmem::find(bytes, b"]]>") };
        self.no_cdata_end |= end.is_none();
        self.at += match end {
            Some(end) => end + 3,
            None => memchr(b'>', bytes).map_or(bytes.len(), |end| end + 1),
        };
    }
}

impl<'a> Iterator for HtmlTokenizer<'a> {
    type Item = HtmlToken<'a>;

    fn next(&mut self) -> Option<HtmlToken<'a>> {
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return None;
            }
            let text = text_length(rest.as_bytes());
            if text > 0 {
                self.at += text;
                return rest.get(..text).map(HtmlToken::Text);
            }
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
    }
}

/// The number of bytes before the next `<` that starts markup.
fn text_length(bytes: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = memchr(b'<', bytes.get(from..).unwrap_or_default()) {
        let at = from + found;
        match bytes.get(at + 1) {
            Some(b'/') if bytes.len() > at + 2 => return at,
            Some(next) if next.is_ascii_alphabetic() || matches!(next, b'!' | b'?') => return at,
            _ => from = at + 1,
        }
    }
    bytes.len()
}

/// The length of the comment at the start; all of the rest if the comment does not end.
fn comment_length(bytes: &[u8]) -> usize {
    let inside = bytes.get(4..).unwrap_or_default();
    match inside {
        [b'>', ..] => return 5,
        [b'-', b'>', ..] => return 6,
        _ => {}
    }
    for dashes in memmem::find_iter(inside, b"--") {
        match inside.get(dashes + 2..) {
            Some([b'>', ..]) => return 4 + dashes + 3,
            // `--->` too: the search continues after the pair.
            Some([b'!' | b'-', b'>', ..]) => return 4 + dashes + 4,
            _ => {}
        }
    }
    bytes.len()
}

/// Whether a tag starts with this name.
fn is_name(tag: &[u8], name: &str) -> bool {
    tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && tag.get(name.len()).is_none_or(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace())
}
