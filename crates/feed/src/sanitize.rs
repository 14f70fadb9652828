//! HTML from strangers, made safe to show.
//!
//! What comes out is written anew from a short list of tags and checked values, never copied: whatever the reading of
//! the input makes of a hostile body, the worst it can become is text. No tree is built, so the time and the memory are
//! linear in the input and no depth can overflow a stack. The pieces, in the order a body passes through them:
//! `tokenize` (markup into tokens), `element` (what each tag is to us), `reader` (which elements are open in the input),
//! `writer` (which are open in the output, and the nesting that a browser would keep as it is).

mod address;
mod attribute;
mod element;
mod image;
mod media;
mod reader;
mod tokenize;
mod unescape;
mod writer;

#[cfg(test)]
mod tests;

use url::Url;

use reader::Reader;
pub(crate) use writer::Mode;

/// The longest body that is read, in bytes; what comes after it is left out.
pub(crate) const MOST_BYTES: usize = 512 * 1024;

// A body that was sanitised is read to its end: the output stops early enough for its last piece and the end tags.
const MOST_OUTPUT: usize = MOST_BYTES - 64 * 1024;

/// Makes HTML from strangers safe to show: only `p br a ul ol li blockquote pre code strong em img` come out.
///
/// What has no tag in that list becomes what has (headings, captions, tables, definition lists, films) or text.
/// Relative addresses are resolved against `base`; without one they are dropped and their text stays. Sanitising what
/// was sanitised changes nothing.
pub fn sanitize(html: &str, base: Option<&Url>) -> String {
    let mut reader = Reader::new(Mode::Html, MOST_OUTPUT, base);
    reader.read(first_bytes(html, MOST_BYTES));
    reader.finish().out
}

/// The text of some HTML, at least `most_bytes` of it if there are as many, and whether some was left out.
pub(crate) fn text_of(html: &str, most_bytes: usize) -> (String, bool) {
    let mut reader = Reader::new(Mode::Text, most_bytes, None);
    reader.read(first_bytes(html, MOST_BYTES));
    let written = reader.finish();
    (written.out, written.is_cut || html.len() > MOST_BYTES)
}

fn first_bytes(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
