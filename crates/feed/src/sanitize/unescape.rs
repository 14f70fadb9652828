//! Decodes character references as in the HTML standard, in linear time.

use std::borrow::Cow;

use html5ever::data::NAMED_ENTITIES;
use memchr::memchr;

// Names without a semicolon have two to six letters, all names at most 32.
const MAX_UNCLOSED_NAME: usize = 6;
const MAX_NAME: usize = 32;

/// Replaces character references. In attributes, `&copy=` stays, because it occurs in addresses.
pub(super) fn unescape(text: &str, is_attribute: bool) -> Cow<'_, str> {
    let Some(first) = memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at(first);
    out.push_str(before);
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let after = after.get(1..).unwrap_or_default();
        let read = match after.as_bytes().first() {
            Some(b'#') => numeric(after, &mut out),
            Some(letter) if letter.is_ascii_alphabetic() => named(after, is_attribute, &mut out),
            _ => None,
        };
        if read.is_none() {
            out.push('&');
        }
        rest = after.get(read.unwrap_or(0)..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Decodes `#123;` or `#x7b;`. Returns its length in bytes.
fn numeric(after: &str, out: &mut String) -> Option<usize> {
    let bytes = after.as_bytes();
    let (radix, from) = match bytes.get(1) {
        Some(b'x' | b'X') => (16, 2),
        _ => (10, 1),
    };
    let mut code = 0_u32;
    let mut length = from;
    while let Some(digit) = bytes.get(length).and_then(|byte| char::from(*byte).to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == from {
        return None;
    }
    out.push(character(code));
    Some(length + usize::from(bytes.get(length) == Some(&b';')))
}

/// The character of a number. Numbers of C1 control characters mean windows-1252.
fn character(code: u32) -> char {
    const WINDOWS_1252: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let windows = code.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(usize::try_from(index).ok()?));
    match (code, windows) {
        (0, _) => char::REPLACEMENT_CHARACTER,
        (_, Some(windows)) => *windows,
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Decodes `amp;` or `amp`. Returns its length in bytes.
fn named(after: &str, is_attribute: bool, out: &mut String) -> Option<usize> {
    let bytes = after.as_bytes();
    let length = bytes.iter().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(length) == Some(&b';')
        && let Some(codes) = lookup(after.get(..=length)?)
    {
        push(codes, out);
        return Some(length + 1);
    }
    let (bare, codes) =
        (2..=length.min(MAX_UNCLOSED_NAME)).rev().find_map(|length| Some((length, lookup(after.get(..length)?)?)))?;
    let next = bytes.get(bare);
    if is_attribute && next.is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric()) {
        return None;
    }
    push(codes, out);
    Some(bare)
}

fn lookup(name: &str) -> Option<(u32, u32)> {
    // The table also has prefixes of names, without characters.
    NAMED_ENTITIES.get(name).copied().filter(|codes| codes.0 != 0)
}

fn push(codes: (u32, u32), out: &mut String) {
    out.extend(char::from_u32(codes.0));
    if codes.1 != 0 {
        out.extend(char::from_u32(codes.1));
    }
}
