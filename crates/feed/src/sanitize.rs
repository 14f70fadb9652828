//! Makes untrusted HTML safe to show.
//!
//! The output is written from a closed list of tags and checked values, never copied: at worst, hostile input becomes text.
//! No tree is built, so time and memory are linear in the input and no depth can overflow a stack. The modules, in the order
//! of processing: `plain` (a body without markup), `survey` (a first look for links and tables), `tokenize` (markup into
//! tokens), `element` (how each tag is treated), `html_reader` (the open elements of the input), `writer` (the open elements
//! of the output, nested so that a browser keeps them as they are).

mod address;
mod attribute;
mod element;
mod html_reader;
mod image;
mod math;
mod media;
mod plain;
mod survey;
mod tokenize;
mod unescape;
mod writer;

#[cfg(test)]
mod tests;

use url::Url;

use html_reader::{HtmlReader, Origin};
pub(crate) use writer::Mode;

/// Changes with the output for the same input. Stored items of an older version are sanitised again when their document is
/// read. A new version comes with a migration like `0013_sanitizer_version.sql`, so that each feed is read once in full.
pub const SANITIZER_VERSION: i64 = 2;

/// The rest of a longer body is left out.
pub(crate) const MAX_BYTES: usize = 512 * 1024;

// Leaves room for the last token and the end tags, so that sanitised output is never cut when it is sanitised again.
const MAX_OUTPUT_BYTES: usize = MAX_BYTES - 64 * 1024;

/// Makes untrusted HTML safe to show.
///
/// The output has inert text, structure, tables, images, ruby and formulas; `docs/adr/0021-what-articles-may-contain.md` lists
/// the tags. Relative addresses are resolved against `base`; without one they are dropped and their text stays. Idempotent.
pub fn sanitize(html: &str, base: Option<&Url>) -> String {
    write(html, Origin { base, page: None })
}

/// [`sanitize`] for the body of an article whose own page is known: a link to a place in the page stays in the article. A body
/// without any tag is text: its lines stay lines, and addresses in it become links. Idempotent.
pub fn sanitize_article(html: &str, base: Option<&Url>, page: Option<&Url>) -> String {
    let plain = plain::to_html(first_bytes(html, MAX_BYTES));
    let out = write(plain.as_deref().unwrap_or(html), Origin { base, page });
    // HTML of which only text is left must not be taken for a text the next time.
    let looks_plain = plain.is_none() && plain::to_html(&out).is_some_and(|html| html != out);
    if looks_plain { format!("<p>{out}</p>") } else { out }
}

fn write(html: &str, origin: Origin<'_>) -> String {
    let mut reader = HtmlReader::new(Mode::Html, MAX_OUTPUT_BYTES, first_bytes(html, MAX_BYTES), origin);
    reader.read();
    reader.finish().out
}

/// The text of some HTML, cut after about `max_bytes`, and whether it was cut.
pub(crate) fn text_of(html: &str, max_bytes: usize) -> (String, bool) {
    let mut reader = HtmlReader::new(Mode::Text, max_bytes, first_bytes(html, MAX_BYTES), Origin::default());
    reader.read();
    let written = reader.finish();
    (written.out, written.is_cut || html.len() > MAX_BYTES)
}

fn first_bytes(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
