//! Decodes bytes to text. The actual encoding of a document may differ from the declared one.

mod code_pages;
mod double_encoding;
mod guess;
mod utf16_utf32;

use std::borrow::Cow;

use encoding_rs::{EUC_JP, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5ever::data::C1_REPLACEMENTS;
use memchr::memmem;

use crate::warn::Warnings;

/// The declaration of a document must be within these bytes.
const HEAD_BYTES: usize = 2048;

/// Decodes a document to text without control characters, with `\n` as line end.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>, warnings: &mut Warnings) -> Cow<'a, str> {
    let mut text = decode_bytes(bytes, content_type, warnings);
    if let Some(once) = double_encoding::undo(&text) {
        warnings.add("wrong_encoding", || "the text was encoded as UTF-8 twice".to_owned());
        text = Cow::Owned(once);
    }
    clean(text, warnings)
}

fn decode_bytes<'a>(bytes: &'a [u8], content_type: Option<&str>, warnings: &mut Warnings) -> Cow<'a, str> {
    if let Some(text) = utf16_utf32::decode_utf32(bytes) {
        return Cow::Owned(text);
    }
    if let Some(text) = code_pages::decode_ebcdic(bytes) {
        return text;
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let body = bytes.get(length..).unwrap_or_default();
        if encoding != UTF_8 {
            return encoding.decode_without_bom_handling(body).0;
        }
        return std::str::from_utf8(body).map_or_else(|_| utf8_with_windows_1252(body, warnings), Cow::Borrowed);
    }
    match utf16_utf32::sniff_utf16(bytes) {
        Some(true) => return UTF_16LE.decode_without_bom_handling(bytes).0,
        Some(false) => return UTF_16BE.decode_without_bom_handling(bytes).0,
        None => {}
    }
    let head = bytes.get(..bytes.len().min(HEAD_BYTES)).unwrap_or_default();
    let declared = declared_encoding(head);
    let served = content_type.and_then(charset);
    match std::str::from_utf8(bytes) {
        Ok(_) if has_escapes(bytes) => ISO_2022_JP.decode_without_bom_handling(bytes).0,
        Ok(text) => {
            let wrong =
                |label: &String| encoding_by_label(label).is_some_and(|known| known != UTF_8) && !text.is_ascii();
            if declared.as_ref().or(served.as_ref()).is_some_and(wrong) {
                warnings.add("wrong_encoding", || "the document is UTF-8 but declares another encoding".to_owned());
            }
            Cow::Borrowed(text)
        }
        Err(_) => decode_legacy(bytes, declared.as_deref(), served.as_deref(), warnings),
    }
}

/// Decodes a document that is not UTF-8.
fn decode_legacy<'a>(
    bytes: &'a [u8],
    declared: Option<&str>,
    served: Option<&str>,
    warnings: &mut Warnings,
) -> Cow<'a, str> {
    let old = [served, declared].into_iter().flatten().filter(|label| encoding_by_label(label).is_none());
    if let Some(text) = { old }.find_map(|label| code_pages::decode(bytes, label)) {
        return Cow::Owned(text);
    }
    let declared = declared.and_then(encoding_by_label).filter(|&known| known != UTF_8);
    let served = served.and_then(encoding_by_label).filter(|&known| known != UTF_8);
    // Many servers declare Latin-1 by default: the document's own declaration or its bytes are more reliable.
    let is_default = served == Some(WINDOWS_1252);
    if is_default
        && declared.is_none()
        && let Some(text) = guess::guess(bytes)
    {
        warnings.add("wrong_encoding", || "the document is not in the encoding that the server declares".to_owned());
        return text;
    }
    let order = if is_default { [declared, served] } else { [served, declared] };
    for encoding in order.into_iter().flatten() {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return text;
        }
    }
    if let Some(encoding) = order.into_iter().flatten().next().filter(|&known| known != WINDOWS_1252) {
        warnings.add("invalid_bytes", || format!("some bytes are not {}", encoding.name()));
        return encoding.decode_without_bom_handling(bytes).0;
    }
    if let Some(text) = guess::guess(bytes) {
        warnings.add("wrong_encoding", || "the document does not declare its encoding".to_owned());
        return text;
    }
    utf8_with_windows_1252(bytes, warnings)
}

/// Decodes a page that declares no encoding, or a wrong one.
pub(crate) fn decode_undeclared(bytes: &[u8]) -> Cow<'_, str> {
    guess::guess(bytes).unwrap_or_else(|| utf8_with_windows_1252(bytes, &mut Warnings::default()))
}

/// Decodes valid UTF-8 as such, and other bytes as windows-1252.
fn utf8_with_windows_1252<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Cow<'a, str> {
    warnings.add("invalid_bytes", || "some bytes are not UTF-8 and were read as windows-1252".to_owned());
    let mut out = String::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    Cow::Owned(out)
}

/// Whether the text is ISO-2022-JP, which is ASCII except for its escapes.
pub(crate) fn has_escapes(bytes: &[u8]) -> bool {
    memchr::memchr(0x1b, bytes).is_some()
        && [b"\x1b$B", b"\x1b$@"].iter().any(|escape| memmem::find(bytes, *escape).is_some())
}

/// The encoding named in `<?xml … encoding="…"?>` (or in a page's `charset=`).
fn declared_encoding(head: &[u8]) -> Option<String> {
    let start = memmem::find(head, b"<?xml")?;
    let declaration = head.get(start..)?;
    let end = memchr::memchr(b'>', declaration).unwrap_or(declaration.len());
    let declaration = String::from_utf8_lossy(declaration.get(..end)?).to_ascii_lowercase();
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    Some(value.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '?')).next()?.to_owned())
}

fn charset(content_type: &str) -> Option<String> {
    let lower = content_type.to_ascii_lowercase();
    let (_, value) = lower.split_once("charset")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    Some(value.trim_matches(['"', '\'']).split([';', ' ', ',', '"']).next()?.to_owned())
}

fn encoding_by_label(label: &str) -> Option<&'static Encoding> {
    let known = |label: &str| Encoding::for_label(label.as_bytes());
    known(label).or_else(|| known(&label.replace('_', "-"))).or_else(|| match label {
        "cp932" | "ms932" | "windows932" | "sjis-win" | "x-sjis-cp932" => Some(SHIFT_JIS),
        "cp936" | "windows-936" => Some(GBK),
        "eucjp" | "eucjp-win" | "ujis" => Some(EUC_JP),
        "cp949" | "uhc" => Some(encoding_rs::EUC_KR),
        "macroman" | "mac-roman" => Some(encoding_rs::MACINTOSH),
        "maccyrillic" | "mac-cyrillic" | "mac_cyrillic" => Some(encoding_rs::X_MAC_CYRILLIC),
        "ms-cyrl" => Some(encoding_rs::WINDOWS_1251),
        "cp950" => Some(encoding_rs::BIG5),
        _ => {
            label.strip_prefix("cp").or_else(|| label.strip_prefix("win")).and_then(|n| known(&format!("windows-{n}")))
        }
    })
}

/// Removes control characters and normalises line ends.
fn clean<'a>(text: Cow<'a, str>, warnings: &mut Warnings) -> Cow<'a, str> {
    let text = fix_c1_controls(text);
    let control = has_controls(text.as_bytes());
    if !control && memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return text;
    }
    if control {
        warnings.add("control_characters", || "control characters were removed".to_owned());
    }
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != 0x7f || matches!(byte, b'\t' | b'\n') {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        if byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            out.push('\n');
        }
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Replaces C1 control characters, which result from decoding windows-1252 as Latin-1.
fn fix_c1_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let found = memchr::memchr_iter(0xc2, bytes).any(|at| bytes.get(at + 1).is_some_and(|byte| *byte < 0xa0));
    if !found {
        return text;
    }
    let meant = |c: char| match u32::from(c).checked_sub(0x80) {
        Some(at @ 0..0x20) => C1_REPLACEMENTS.get(at as usize).copied().flatten(),
        _ => Some(c),
    };
    Cow::Owned(text.chars().filter_map(meant).collect())
}

fn has_controls(bytes: &[u8]) -> bool {
    // Blocks without an early exit compile to vector code.
    bytes.chunks(256).any(|chunk| {
        chunk.iter().fold(false, |found, &byte| {
            found | ((byte < 0x20) & (byte != 9) & (byte != 10) & (byte != 13)) | (byte == 0x7f)
        })
    })
}

#[cfg(test)]
mod tests;
