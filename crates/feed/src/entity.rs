//! Character references: those of XML, the names of HTML, numbers, and entities that a document declares.

use std::{borrow::Cow, collections::HashMap};

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::memchr;

/// The longest name between `&` and `;` that is looked up.
const MAX_REFERENCE_BYTES: usize = 40;
/// The maximum number of entities that a document may declare, and their length.
const MAX_DECLARED: usize = 256;
const MAX_DECLARED_BYTES: usize = 1024;
/// The maximum length of all expanded entities of a document.
const MAX_EXPANSION_BYTES: usize = 1 << 20;

/// The entities of a document, and the errors in its references.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    declared: HashMap<String, String>,
    expanded: usize,
    /// Only references that end with `;` count.
    closed_only: bool,
    /// A `&` does not start a reference.
    pub(crate) bare: bool,
    /// A reference has an unknown name.
    pub(crate) unknown: bool,
    /// A reference has an invalid number.
    pub(crate) bad_number: bool,
}

impl Entities {
    /// Reads the `<!ENTITY name "value">` declarations of a document type; external ones are ignored.
    pub(crate) fn declare(&mut self, doctype: &str) {
        for part in doctype.split("<!ENTITY").skip(1) {
            if self.declared.len() >= MAX_DECLARED {
                return;
            }
            let Some((name, rest)) = part.trim_start().split_once(char::is_whitespace) else { continue };
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            let Some(value) = rest.get(1..).and_then(|rest| rest.split(quote).next()) else { continue };
            if name.len() <= MAX_REFERENCE_BYTES && value.len() <= MAX_DECLARED_BYTES {
                let value = decode(value).into_owned();
                self.declared.entry(name.to_owned()).or_insert(value);
            }
        }
    }

    /// Whether the document declares entities.
    pub(crate) fn declares(&self) -> bool {
        !self.declared.is_empty()
    }

    /// Replaces the references in a text; the result is not decoded again.
    pub(crate) fn decode<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let Some(first) = memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
        let mut out = String::with_capacity(text.len());
        let (mut from, mut at) = (0, Some(first));
        while let Some(amp) = at {
            out.push_str(text.get(from..amp).unwrap_or_default());
            let used = self.reference(text.get(amp + 1..).unwrap_or_default(), &mut out);
            if used == 0 {
                out.push('&');
            }
            from = amp + 1 + used;
            at = memchr(b'&', text.as_bytes().get(from..).unwrap_or_default()).map(|next| from + next);
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Writes the characters of the reference after a `&`. Returns its length in bytes, or zero if it is not a reference.
    fn reference(&mut self, rest: &str, out: &mut String) -> usize {
        if rest.starts_with('#') {
            return self.number(rest, out);
        }
        let length = rest.bytes().take(MAX_REFERENCE_BYTES).take_while(|&b| is_name(b)).count();
        let name = rest.get(..length).unwrap_or_default();
        let closed = rest.as_bytes().get(length) == Some(&b';');
        if length == 0 || !closed {
            let open = if length == 0 || self.closed_only { 0 } else { legacy(rest, name, out) };
            self.bare |= open == 0;
            return open;
        }
        if let Some(c) = predefined(name) {
            out.push(c);
            return length + 1;
        }
        if let Some(value) = self.declared.get(name)
            && self.expanded + value.len() <= MAX_EXPANSION_BYTES
        {
            self.expanded += value.len();
            out.push_str(value);
            return length + 1;
        }
        if named(rest.get(..=length).unwrap_or_default(), out) {
            return length + 1;
        }
        let lower = name.to_ascii_lowercase();
        if matches!(lower.as_str(), "amp" | "lt" | "gt" | "quot" | "apos" | "nbsp") && named(&format!("{lower};"), out)
        {
            return length + 1;
        }
        self.unknown = true;
        0
    }

    /// A numeric reference, with `;` or without.
    fn number(&mut self, rest: &str, out: &mut String) -> usize {
        let hex = matches!(rest.as_bytes().get(1), Some(b'x' | b'X'));
        let start = if hex { 2 } else { 1 };
        let digits =
            rest.bytes().skip(start).take_while(|b| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() });
        let (mut value, mut count) = (0u32, 0usize);
        for digit in digits {
            let digit = (digit as char).to_digit(16).unwrap_or(0);
            value = value.saturating_mul(if hex { 16 } else { 10 }).saturating_add(digit);
            count += 1;
        }
        let closed = rest.as_bytes().get(start + count) == Some(&b';');
        if count == 0 || (self.closed_only && !closed) {
            self.bare = true;
            return 0;
        }
        match character(value) {
            Some(c) => out.push(c),
            None if is_control(value) => self.bad_number = true,
            None => {
                self.bad_number = true;
                out.push(char::REPLACEMENT_CHARACTER);
            }
        }
        start + count + usize::from(closed)
    }
}

/// Replaces the references in a text without a document.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    Entities::default().decode(text)
}

/// Replaces the references in a text that should have none: only those that end with `;`.
pub(crate) fn decode_closed(text: &str) -> Cow<'_, str> {
    Entities { closed_only: true, ..Entities::default() }.decode(text)
}

/// The five entities of XML, which are the most frequent.
fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_control(value: u32) -> bool {
    value < 0x20 || value == 0x7f || (0x80..0xa0).contains(&value)
}

/// The character of a number. Numbers of C1 control characters mean windows-1252; other control characters are `None`.
fn character(value: u32) -> Option<char> {
    match value {
        9 | 10 => char::from_u32(value),
        13 => Some('\n'),
        0x80..0xa0 => C1_REPLACEMENTS.get(value as usize - 0x80).copied().flatten(),
        _ if is_control(value) || value & 0xfffe == 0xfffe => None,
        _ => char::from_u32(value),
    }
}

fn named(name_with_semicolon: &str, out: &mut String) -> bool {
    match NAMED_ENTITIES.get(name_with_semicolon) {
        Some(&(first, second)) if first != 0 => {
            out.extend([first, second].into_iter().filter(|&c| c != 0).filter_map(char::from_u32));
            true
        }
        _ => false,
    }
}

/// A name that HTML accepts without `;`, unless it is the start of a longer word or of `name=value` in an address.
fn legacy(rest: &str, name: &str, out: &mut String) -> usize {
    if rest.as_bytes().get(name.len()) != Some(&b'=') && name.len() > 1 && named(name, out) { name.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(decode(input), expected, "{input}");
    }

    #[test]
    fn references_become_characters() {
        check("plain", "plain");
        check("a &amp; b &lt;b&gt; &quot;q&quot; &apos;", "a & b <b> \"q\" '");
        check("A&nbsp;B &eacute;&hellip;", "A\u{a0}B é…");
        check("&#65;&#x42;&#X43;&#68", "ABCD");
        check("&#147;q&#148; &#8217;", "“q” ’");
        check("&AMP; &Lt; &copy 2020", "& ≪ © 2020");
        check("&NotEqualTilde;", "≂̸");
    }

    #[test]
    fn other_ampersands_stay() {
        for same in ["AT&T R & D", "&foobar; x", "?a=1&copy=2&lt=3", "&", "&;", "&#;", "&#x;", "&&&", "R&D&"] {
            check(same, same);
        }
    }

    #[test]
    fn only_closed_references_are_decoded() {
        assert_eq!(decode_closed("AT&amp;T &#8217;&#x41; &eacute;"), "AT&T ’A é");
        assert_eq!(decode_closed("&amp;amp; &amp;lt;"), "&amp; &lt;", "once");
        for same in ["R&D", "&copy 2020", "&#65 &#x41", "&nosuch;", "?a=1&amp", "&"] {
            assert_eq!(decode_closed(same), same);
        }
    }

    #[test]
    fn invalid_numbers_are_replaced() {
        check("A&#0;B&#11;C&#31;", "ABC");
        check("A&#99999999999999;B&#xD800;&#xFFFF;", "A\u{fffd}B\u{fffd}\u{fffd}");
    }

    #[test]
    fn declared_entities_are_replaced() {
        let mut entities = Entities::default();
        entities.declare(r#"rss [<!ENTITY co "Acme"><!ENTITY b '&co;&co;'><!ENTITY x SYSTEM "file:///etc/passwd">]"#);
        assert_eq!(entities.decode("&co; &b; &x;"), "Acme &co;&co; &x;");
        let many = "&co;".repeat(1_000_000);
        assert!(entities.decode(&many).len() <= many.len() + MAX_EXPANSION_BYTES);
    }
}
