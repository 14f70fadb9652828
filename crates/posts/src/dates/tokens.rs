//! Splits a text into what can be part of a date.

use std::ops::Range;

/// What a token can be in a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number and its count of digits.
    Number(u32, usize),
    /// The name of a month.
    Month(u32),
    /// `年`, `月`, `日` and their Korean forms, after a number.
    Unit(char),
    /// `th` after a number.
    Ordinal,
    /// `of` between day and month.
    Of,
    /// The end of `3 days ago`.
    Ago,
    Word,
    Space,
    Mark(char),
}

#[derive(Debug, Clone)]
pub(super) struct DateToken {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

const UNITS: &str = "年月日년월일";
/// Longer words name no month.
const MAX_MONTH_BYTES: usize = 24;

pub(super) fn tokenize(text: &str) -> Vec<DateToken> {
    let mut out: Vec<DateToken> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let c = plain(c);
        let mut end = start + char_at(text, start);
        let kind = if let Some(digit) = c.to_digit(10) {
            let (mut value, mut digits) = (digit, 1);
            while let Some((at, digit)) = chars.next_if(|(_, c)| plain(*c).is_ascii_digit()) {
                value = value.saturating_mul(10).saturating_add(plain(digit).to_digit(10).unwrap_or(0));
                digits += 1;
                end = at + char_at(text, at);
            }
            Kind::Number(value, digits)
        } else if UNITS.contains(c)
            && matches!(out.last().map(|token| token.kind), Some(Kind::Number(..) | Kind::Space))
        {
            Kind::Unit(c)
        } else if c == '前' || c == '전' {
            Kind::Ago
        } else if is_letter(c) {
            while let Some((at, _)) = chars.next_if(|(_, c)| is_letter(*c)) {
                end = at + char_at(text, at);
            }
            word(text.get(start..end).unwrap_or_default(), out.last())
        } else if c.is_whitespace() {
            while let Some((at, _)) = chars.next_if(|(_, c)| c.is_whitespace()) {
                end = at + char_at(text, at);
            }
            Kind::Space
        } else if c.is_alphanumeric() {
            Kind::Word
        } else {
            Kind::Mark(c)
        };
        out.push(DateToken { kind, range: start..end });
    }
    out
}

/// A letter of a script with words. Characters of Japanese and Chinese are words alone.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !('\u{1100}'..='\u{11ff}').contains(&c) && (c < '\u{2e80}')
}

fn word(text: &str, before: Option<&DateToken>) -> Kind {
    let follows_number = matches!(before.map(|token| token.kind), Some(Kind::Number(..)));
    let lower = if text.len() <= MAX_MONTH_BYTES { text.to_lowercase() } else { return Kind::Word };
    match lower.as_str() {
        "st" | "nd" | "rd" | "th" | "er" if follows_number => Kind::Ordinal,
        "of" | "de" | "del" | "da" => Kind::Of,
        "ago" | "fa" | "назад" => Kind::Ago,
        // The T of ISO 8601.
        "t" if follows_number => Kind::Space,
        _ => feed::month_named(&lower).map_or(Kind::Word, Kind::Month),
    }
}

fn char_at(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

/// Full-width digits and marks as ASCII.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '−' | '–' | '‐' | '—' => '-',
        _ => c,
    }
}
