//! Writes text, escaped as browsers do, without control characters.

use super::{Gap, Mode, Writer};

/// The context of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// The text between tags.
    Text,
    /// The value of an attribute.
    Attribute,
    /// Plain text.
    Nothing,
}

impl Writer {
    /// Adds text inside a `pre`, with its spaces and lines.
    pub(super) fn preformatted_text(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() && !self.is_full {
            let word = rest.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
            let (before, after) = rest.split_at(word);
            self.word(before);
            let (space, after) = after.split_at(after.len().min(1));
            rest = after;
            match space {
                "" => {}
                "\r" if after.starts_with('\n') => {}
                "\t" | " " => self.preformatted_gap.push_str(space),
                _ => self.preformatted_gap.push('\n'),
            }
        }
    }

    /// Adds a word. Non-breaking spaces at its ends count as spaces, because editors write them into empty paragraphs.
    pub(super) fn running_word(&mut self, word: &str) {
        let blank = |c: char| c == '\u{a0}' || !is_shown(c);
        let shown = word.trim_start_matches(blank);
        let (before, _) = word.split_at(word.len() - shown.len());
        self.space_if(before.contains('\u{a0}'));
        let bare = shown.trim_end_matches(blank);
        self.word(bare);
        let (_, after) = shown.split_at(bare.len());
        self.space_if(after.contains('\u{a0}'));
        while self.is_full && self.out.ends_with("&nbsp;") {
            self.out.truncate(self.out.len() - "&nbsp;".len());
        }
    }

    /// Separates the previous text from the next by a space, if `is_space`.
    pub(super) fn space_if(&mut self, is_space: bool) {
        if is_space {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    fn word(&mut self, word: &str) {
        let word = word.trim_start_matches(|first| !is_shown(first));
        if !word.is_empty() && self.prepare(0) {
            let escape = if self.mode == Mode::Html { Escape::Text } else { Escape::Nothing };
            // At least one letter is written, so that no element is empty.
            let limit = self.limit.max(self.out.len() + 1);
            self.is_full = !push_text(&mut self.out, word, escape, limit);
        }
    }
}

/// Whether a character is written; control characters and byte-order marks are not.
pub(super) fn is_shown(character: char) -> bool {
    !character.is_ascii_control() && character != '\u{feff}'
}

/// Adds text without white space until the output is `limit` long; false if the text was cut.
pub(super) fn push_text(out: &mut String, text: &str, escape: Escape, limit: usize) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let room = limit.saturating_sub(out.len());
        let plain = rest.bytes().position(|byte| is_special(byte, escape)).unwrap_or(rest.len());
        if plain > room {
            out.push_str(rest.get(..rest.ceil_char_boundary(room)).unwrap_or_default());
            return false;
        }
        let (before, after) = rest.split_at(plain);
        out.push_str(before);
        let mut characters = after.chars();
        let Some(special) = characters.next() else { return true };
        if plain == room {
            return false;
        }
        push_special(out, special, escape);
        rest = characters.as_str();
    }
    true
}

/// Adds text between tags.
pub(in super::super) fn push_escaped(out: &mut String, text: &str) {
    push_text(out, text, Escape::Text, usize::MAX);
}

/// Adds the value of an attribute, in quotes.
pub(in super::super) fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value, Escape::Attribute, usize::MAX);
    out.push('"');
}

fn is_special(byte: u8, escape: Escape) -> bool {
    match byte {
        // 0xef is the first byte of a byte-order mark, and of other characters.
        ..b' ' | 0x7f | 0xef => true,
        // 0xc2 is the first byte of a non-breaking space.
        0xc2 | b'&' | b'<' | b'>' => escape != Escape::Nothing,
        b'"' => escape == Escape::Attribute,
        _ => false,
    }
}

fn push_special(out: &mut String, special: char, escape: Escape) {
    match special {
        _ if !is_shown(special) => {}
        _ if escape == Escape::Nothing => out.push(special),
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\u{a0}' => out.push_str("&nbsp;"),
        _ => out.push(special),
    }
}
