//! Repairs a second encoding in character references: `&Atilde;&copy;`, `&#195;&#169;`, and `\u00c3\u00a9` in JSON.

use html5ever::data::NAMED_ENTITIES;
use memchr::{memchr, memchr2};

use super::{Repair, windows_1252};

/// The longest name or number that is looked up.
const MAX_REFERENCE_BYTES: usize = 8;

/// Undoes the second encoding in runs of references. One other run stops it: then the references stand for characters
/// that were encoded once.
pub(super) fn undo(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_json = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with(['{', '[']);
    let mut repair = Repair::new(text);
    let mut run = Vec::new();
    let mut from = 0;
    while let Some(rest) = bytes.get(from..) {
        let found = if is_json { memchr2(b'&', b'\\', rest) } else { memchr(b'&', rest) };
        let Some(start) = found.map(|at| from + at) else { break };
        run.clear();
        let mut end = start;
        while let Some((code, length)) = reference(bytes.get(end..).unwrap_or_default(), is_json) {
            run.push(windows_1252(code)?);
            end += length;
        }
        if run.is_empty() {
            // An escape has two characters, so that `\\u00c3` is not read as `\u00c3`.
            from = start + if bytes.get(start) == Some(&b'\\') { 2 } else { 1 };
            continue;
        }
        repair.replace(start, end, &run).ok()?;
        from = end;
    }
    repair.finish()
}

/// The character above ASCII of the reference at the start of a text, and the length of the reference.
fn reference(text: &[u8], is_json: bool) -> Option<(u32, usize)> {
    if let Some(escape) = text.strip_prefix(b"\\u").filter(|_| is_json) {
        let code = number(escape.get(..4)?, 16)?;
        return Some((code, 6)).filter(|_| code >= 0x80);
    }
    let name = text.strip_prefix(b"&")?;
    // HTML inside XML is escaped twice.
    let name = name.strip_prefix(b"amp;").unwrap_or(name);
    // Nearly all references are these.
    if [&b"lt;"[..], b"gt;", b"quot;", b"amp;", b"apos;"].iter().any(|known| name.starts_with(known)) {
        return None;
    }
    let end = name.iter().take(MAX_REFERENCE_BYTES + 1).position(|byte| *byte == b';')?;
    let code = match name.get(..end)? {
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
        [b'#', digits @ ..] => number(digits, 10)?,
        _ => NAMED_ENTITIES.get(std::str::from_utf8(name.get(..=end)?).ok()?)?.0,
    };
    let length = text.len() - name.len() + end + 1;
    Some((code, length)).filter(|_| code >= 0x80)
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}
