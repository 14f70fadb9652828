//! Makes untrusted HTML safe to show.
//!
//! The output is written from a short list of tags and checked values, never copied: at worst, hostile input becomes text.
//! No tree is built, so time and memory are linear in the input and no depth can overflow a stack. The modules, in the order
//! of processing: `tokenize` (markup into tokens), `element` (how each tag is treated), `html_reader` (the open elements of
//! the input), `writer` (the open elements of the output, nested so that a browser keeps them as they are).

mod address;
mod attribute;
mod element;
mod html_reader;
mod image;
mod media;
mod tokenize;
mod unescape;
mod writer;

#[cfg(test)]
mod tests;

use url::Url;

use html_reader::HtmlReader;
pub(crate) use writer::Mode;

/// The rest of a longer body is left out.
pub(crate) const MAX_BYTES: usize = 512 * 1024;

// Leaves room for the last token and the end tags, so that sanitised output is never cut when it is sanitised again.
const MAX_OUTPUT_BYTES: usize = MAX_BYTES - 64 * 1024;

/// Makes untrusted HTML safe to show. The output only has `p br a ul ol li blockquote pre code strong em img`.
///
/// Other elements become one of these (headings, captions, tables, definition lists, videos) or text. Relative addresses are
/// resolved against `base`; without one they are dropped and their text stays. Idempotent.
pub fn sanitize(html: &str, base: Option<&Url>) -> String {
    let mut reader = HtmlReader::new(Mode::Html, MAX_OUTPUT_BYTES, base);
    reader.read(first_bytes(html, MAX_BYTES));
    reader.finish().out
}

/// The text of some HTML, cut after about `max_bytes`, and whether it was cut.
pub(crate) fn text_of(html: &str, max_bytes: usize) -> (String, bool) {
    let mut reader = HtmlReader::new(Mode::Text, max_bytes, None);
    reader.read(first_bytes(html, MAX_BYTES));
    let written = reader.finish();
    (written.out, written.is_cut || html.len() > MAX_BYTES)
}

fn first_bytes(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
