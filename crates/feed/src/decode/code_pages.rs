//! Code pages of DOS, old Macs and mainframes, which occur in a few archives.

use std::borrow::Cow;

/// One code page per line: its names, then the characters of its bytes (all, or those above ASCII), `␤` for a line end.
const CODE_PAGES: &str = include_str!("code-pages.txt");

/// Decodes a document in the code page with this label, if there is one.
pub(super) fn decode(bytes: &[u8], label: &str) -> Option<String> {
    let label = label.replace(['-', '_', ' '], "");
    let pages = CODE_PAGES.lines().filter_map(|line| line.split_once('\t'));
    let (_, page) = { pages }.find(|(names, _)| names.split(' ').any(|name| name == label))?;
    let page: Vec<char> = page.chars().map(|c| if c == '␤' { '\n' } else { c }).collect();
    let ascii = if page.len() == 256 { 0 } else { 128 };
    let character = |&byte: &u8| match usize::from(byte).checked_sub(ascii) {
        Some(at) => page.get(at).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(byte),
    };
    Some(bytes.iter().map(character).collect())
}

/// Decodes a document in EBCDIC, which starts with `<?xm` in that encoding.
pub(super) fn decode_ebcdic(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if !bytes.starts_with(&[0x4c, 0x6f, 0xa7, 0x94]) {
        return None;
    }
    let head = decode(bytes.get(..bytes.len().min(super::HEAD_BYTES))?, "cp037")?;
    let declared = super::declared_encoding(head.as_bytes());
    let text = declared.and_then(|label| decode(bytes, &label)).or_else(|| decode(bytes, "cp037"))?;
    Some(Cow::Owned(text))
}
