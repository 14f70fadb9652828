//! The parts of HTML that other crates need: decoding a page, character references, and a tokenizer.
//!
//! The sanitiser and discovery have tokenizers of their own. The first reduces names to groups of elements, the second skips
//! the content of scripts; a tree needs both.

#[cfg(test)]
mod tests;
mod tokens;

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP};

use crate::{decode, discover, entity};
pub use tokens::{HtmlToken, HtmlTokenizer};

/// Decodes the first `max_bytes` of a page: by byte-order mark, UTF-8 validity, header, `meta` or detection, in that order.
pub fn decode_page<'a>(bytes: &'a [u8], content_type: Option<&str>, max_bytes: usize) -> Cow<'a, str> {
    let bytes = bytes.get(..max_bytes).unwrap_or(bytes);
    // The only encoding of pages that is valid UTF-8 and means something else.
    if Encoding::for_bom(bytes).is_none() && decode::has_escapes(bytes) {
        return ISO_2022_JP.decode_without_bom_handling(bytes).0;
    }
    discover::decode_page(bytes, content_type, max_bytes)
}

/// Replaces character references by their characters.
pub fn unescape(text: &str) -> Cow<'_, str> {
    entity::decode(text)
}
