//! The tags and texts of a page, one after the other, with no tree.
//!
//! Written by hand rather than with html5ever's tokenizer, which compares each attribute of a tag with all before it:
//! one tag of a megabyte would take minutes.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem, memrchr};

use crate::{decode, entity};

/// Nothing of interest is further down than this.
const LONGEST_PAGE: usize = 1 << 20;
/// No tag of interest has more attributes.
const MOST_ATTRIBUTES: usize = 32;
/// Elements whose content is no markup.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp"];

/// The beginning of a page as text, by byte-order mark, validity, header, `meta` and its bytes, in that order.
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let bytes = &bytes[..bytes.len().min(LONGEST_PAGE)];
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(text) = utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let label =
        content_type.and_then(charset).or_else(|| charset(&String::from_utf8_lossy(&bytes[..bytes.len().min(4096)])));
    let encoding = label.and_then(|label| Encoding::for_label(label.as_bytes())).filter(|encoding| *encoding != UTF_8);
    encoding.map_or_else(|| decode::undeclared(bytes), |encoding| encoding.decode_without_bom_handling(bytes).0)
}

/// UTF-8 whose last character may be cut.
fn utf8(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

/// What follows `charset=` in a header or in a `meta` tag.
fn charset(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let rest = lower.split_once("charset")?.1.trim_start().strip_prefix('=')?.trim_start();
    let label: String = rest
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
        .collect();
    (!label.is_empty()).then_some(label)
}

/// A tag with its attributes as they are written.
#[derive(Debug, PartialEq)]
pub struct Tag<'a> {
    /// In lower case.
    pub name: String,
    pub is_end: bool,
    attributes: Vec<(String, &'a str)>,
}

impl Tag<'_> {
    /// The value of an attribute, character references resolved, without white space around it.
    pub fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(entity::decode(value).trim().to_owned())
    }

    /// Whether an attribute that is a list of words has one, in any case.
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        self.get(name).is_some_and(|value| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
    }
}

/// A tag or what is between two tags.
#[derive(Debug, PartialEq)]
pub enum Piece<'a> {
    Tag(Tag<'a>),
    Text(&'a str),
}

/// Walks over the tags and texts of a page. Comments and the content of scripts are passed over.
pub struct Pieces<'a> {
    html: &'a str,
    at: usize,
    /// Where the last quotes of each kind are, so that a missing one is not looked for again and again.
    last_double: usize,
    last_single: usize,
}

impl<'a> Pieces<'a> {
    pub fn of(html: &'a str) -> Pieces<'a> {
        let last = |quote| memrchr(quote, html.as_bytes()).unwrap_or(0);
        Pieces { html, at: 0, last_double: last(b'"'), last_single: last(b'\'') }
    }

    fn rest(&self) -> &'a [u8] {
        &self.html.as_bytes()[self.at.min(self.html.len())..]
    }

    /// Moves behind the next `end`, or to the end of the page.
    fn skip_past(&mut self, end: &str) {
        self.at = memmem::find(self.rest(), end.as_bytes()).map_or(self.html.len(), |at| self.at + at + end.len());
    }

    /// Moves to the end tag of an element whose content is no markup.
    fn skip_raw(&mut self, name: &str) {
        loop {
            let Some(at) = memmem::find(self.rest(), b"</") else {
                self.at = self.html.len();
                return;
            };
            self.at += at;
            let rest = &self.rest()[2..];
            if rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes())) {
                return;
            }
            self.at += 2;
        }
    }

    fn tag(&mut self) -> Tag<'a> {
        let is_end = self.rest().get(1) == Some(&b'/');
        self.at += 1 + usize::from(is_end);
        let name = self.word(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/')).to_ascii_lowercase();
        let mut attributes = Vec::new();
        loop {
            self.word(|byte| !byte.is_ascii_whitespace() && byte != b'/');
            match self.rest().first() {
                None => break,
                Some(b'>') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {
                    let attribute = self.attribute();
                    if attributes.len() < MOST_ATTRIBUTES {
                        attributes.push((attribute.0.to_ascii_lowercase(), attribute.1));
                    }
                }
            }
        }
        Tag { name, is_end, attributes }
    }

    fn attribute(&mut self) -> (&'a str, &'a str) {
        let start = self.at;
        // A name may begin with `=`, and always moves on.
        self.at += self.html[start..].chars().next().map_or(0, char::len_utf8);
        self.word(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/'));
        let name = &self.html[start..self.at];
        self.word(|byte| !byte.is_ascii_whitespace());
        if self.rest().first() != Some(&b'=') {
            return (name, "");
        }
        self.at += 1;
        self.word(|byte| !byte.is_ascii_whitespace());
        (name, self.value())
    }

    fn value(&mut self) -> &'a str {
        let (quote, last) = match self.rest().first() {
            Some(b'"') => (b'"', self.last_double),
            Some(b'\'') => (b'\'', self.last_single),
            _ => return self.word(|byte| byte.is_ascii_whitespace() || byte == b'>'),
        };
        self.at += 1;
        if self.at > last {
            // Nothing closes it: what comes up to the end of the tag has to do.
            return self.word(|byte| byte == b'>');
        }
        let start = self.at;
        let end = memchr(quote, self.rest()).map_or(self.html.len(), |at| start + at);
        self.at = (end + 1).min(self.html.len());
        &self.html[start..end]
    }

    /// Moves to the next byte that ends a word, and gives what was passed.
    fn word(&mut self, ends: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let length = self.rest().iter().position(|byte| ends(*byte)).unwrap_or(self.rest().len());
        self.at += length;
        &self.html[start..self.at]
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let rest = self.rest();
            match rest {
                [] => return None,
                [b'<', b'!', b'-', b'-', ..] => self.skip_past("-->"),
                [b'<', b'!' | b'?', ..] => self.skip_past(">"),
                [b'<', b'/', next, ..] | [b'<', next, ..] if next.is_ascii_alphabetic() => {
                    let tag = self.tag();
                    if !tag.is_end && RAW.contains(&tag.name.as_str()) {
                        self.skip_raw(&tag.name);
                    }
                    return Some(Piece::Tag(tag));
                }
                _ => {
                    let start = self.at;
                    self.at += 1 + memchr(b'<', &rest[1..]).unwrap_or(rest.len() - 1);
                    // The first byte may begin a longer character; `<` never is inside one.
                    return self.html.get(start..self.at).map(Piece::Text);
                }
            }
        }
    }
}
