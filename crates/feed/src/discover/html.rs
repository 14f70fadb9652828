//! A tokenizer for pages, without a tree.
//!
//! html5ever's tokenizer compares each attribute of a tag with all before it, so that one tag of a megabyte would take
//! minutes.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem, memrchr};

use crate::{decode, entity};

/// The rest of a page is ignored.
const MAX_PAGE_BYTES: usize = 1 << 20;
/// Further attributes of a tag are ignored.
const MAX_ATTRIBUTES: usize = 32;
/// Elements whose content is not markup.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp"];

/// Decodes the beginning of a page, by byte-order mark, UTF-8 validity, header, `meta` or detection, in that order.
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    decode_page(bytes, content_type, MAX_PAGE_BYTES)
}

/// The same for the first `max_bytes`.
pub fn decode_page<'a>(bytes: &'a [u8], content_type: Option<&str>, max_bytes: usize) -> Cow<'a, str> {
    let bytes = &bytes[..bytes.len().min(max_bytes)];
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(text) = utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let label =
        content_type.and_then(charset).or_else(|| charset(&String::from_utf8_lossy(&bytes[..bytes.len().min(4096)])));
    let encoding = label.and_then(|label| Encoding::for_label(label.as_bytes())).filter(|encoding| *encoding != UTF_8);
    encoding.map_or_else(|| decode::decode_undeclared(bytes), |encoding| encoding.decode_without_bom_handling(bytes).0)
}

/// UTF-8 whose last character may be incomplete.
fn utf8(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

/// The label after `charset=` in a header or in a `meta` tag.
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

/// A tag with its attributes, as written.
#[derive(Debug, PartialEq)]
pub struct HtmlTag<'a> {
    /// In lower case.
    pub name: String,
    pub is_end: bool,
    attributes: Vec<(String, &'a str)>,
}

impl HtmlTag<'_> {
    /// The trimmed value of an attribute, with references decoded.
    pub fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(entity::decode(value).trim().to_owned())
    }

    /// Whether an attribute with a list of words has one, ignoring case.
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        self.get(name).is_some_and(|value| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
    }
}

/// A tag, or the text between two tags.
#[derive(Debug, PartialEq)]
pub enum HtmlToken<'a> {
    /// A start or end tag.
    Tag(HtmlTag<'a>),
    /// Text with its character references.
    Text(&'a str),
}

/// Iterates over the tags and texts of a page. Comments and the content of scripts are skipped.
pub struct HtmlTokens<'a> {
    html: &'a str,
    at: usize,
    /// The positions of the last quotes of each kind, so that a missing quote is not searched repeatedly.
    last_double: usize,
    last_single: usize,
}

impl<'a> HtmlTokens<'a> {
    /// The tokens of a page.
    pub fn of(html: &'a str) -> HtmlTokens<'a> {
        let last = |quote| memrchr(quote, html.as_bytes()).unwrap_or(0);
        HtmlTokens { html, at: 0, last_double: last(b'"'), last_single: last(b'\'') }
    }

    fn rest(&self) -> &'a [u8] {
        &self.html.as_bytes()[self.at.min(self.html.len())..]
    }

    /// Moves past the next `end`, or to the end of the page.
    fn skip_past(&mut self, end: &str) {
        self.at = memmem::find(self.rest(), end.as_bytes()).map_or(self.html.len(), |at| self.at + at + end.len());
    }

    /// Moves to the end tag of an element whose content is not markup.
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

    fn tag(&mut self) -> HtmlTag<'a> {
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
                    if attributes.len() < MAX_ATTRIBUTES {
                        attributes.push((attribute.0.to_ascii_lowercase(), attribute.1));
                    }
                }
            }
        }
        HtmlTag { name, is_end, attributes }
    }

    fn attribute(&mut self) -> (&'a str, &'a str) {
        let start = self.at;
        // A name may begin with `=`, and has at least one character.
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
            // No closing quote: the value ends with the tag.
            return self.word(|byte| byte == b'>');
        }
        let start = self.at;
        let end = memchr(quote, self.rest()).map_or(self.html.len(), |at| start + at);
        self.at = (end + 1).min(self.html.len());
        &self.html[start..end]
    }

    /// Moves to the next byte that ends a word. Returns the skipped text.
    fn word(&mut self, ends: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let length = self.rest().iter().position(|byte| ends(*byte)).unwrap_or(self.rest().len());
        self.at += length;
        &self.html[start..self.at]
    }
}

impl<'a> Iterator for HtmlTokens<'a> {
    type Item = HtmlToken<'a>;

    fn next(&mut self) -> Option<HtmlToken<'a>> {
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
                    return Some(HtmlToken::Tag(tag));
                }
                _ => {
                    let start = self.at;
                    self.at += 1 + memchr(b'<', &rest[1..]).unwrap_or(rest.len() - 1);
                    // The first byte may begin a longer character; `<` is never inside one.
                    return self.html.get(start..self.at).map(HtmlToken::Text);
                }
            }
        }
    }
}
