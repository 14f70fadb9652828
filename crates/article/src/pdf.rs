//! The text of PDF files.
//!
//! `lopdf` parses them. It limits nesting and the size of a stream; this module limits the sum, and no panic leaves it.

mod bombs;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use lopdf::{Document, Error, LoadOptions, Object};

use crate::{Article, dom::fold_spaces};

/// The largest file.
pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;
/// The largest stream after decompression. Pages with more have drawings, not text.
const MAX_STREAM_BYTES: usize = 2 * 1024 * 1024;
/// The drawing commands of all pages together. Further pages are left out.
const MAX_CONTENT_BYTES: usize = 64 * 1024 * 1024;
/// Further pages are left out.
const MAX_PAGES: usize = 1000;
/// The rest of a longer text is left out.
const MAX_TEXT_BYTES: usize = 512 * 1024;
/// The length of an excerpt.
const EXCERPT_CHARS: usize = 300;

/// Why a file has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// Nothing to do.
    #[error("the PDF file is too large")]
    TooLarge,
    /// Ask for an unprotected copy.
    #[error("the PDF file is encrypted")]
    Encrypted,
    /// Fetch it again.
    #[error("the PDF file is damaged")]
    Broken,
    /// The pages are probably scanned images.
    #[error("the PDF file has no text")]
    NoText,
}

/// Whether a file is PDF.
pub fn is_pdf(bytes: &[u8]) -> bool {
    let start = bytes.get(..1024).unwrap_or(bytes);
    memchr::memmem::find(start, b"%PDF-").is_some()
}

/// The text of a file, with the line breaks of its pages.
pub fn text(bytes: &[u8]) -> Result<String, PdfError> {
    read(bytes).map(|(text, _)| text)
}

/// A file as an article.
pub fn article(bytes: &[u8]) -> Result<Article, PdfError> {
    let (text, title) = read(bytes)?;
    let mut html = String::new();
    for paragraph in text.split("\n\n") {
        html.push_str("<p>");
        crate::write::escape(paragraph, &mut html);
        html.push_str("</p>");
    }
    let html = feed::sanitize(&html, None);
    Ok(Article { title, excerpt: feed::excerpt(&html, EXCERPT_CHARS), html, text, ..Article::default() })
}

fn read(bytes: &[u8]) -> Result<(String, Option<String>), PdfError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(PdfError::TooLarge);
    }
    if bombs::has_bombs(bytes) {
        return Err(PdfError::TooLarge);
    }
    // The parser is other people's code on hostile input. It keeps no state that a panic could leave half done.
    catch_unwind(AssertUnwindSafe(|| read_unguarded(bytes))).unwrap_or(Err(PdfError::Broken))
}

fn read_unguarded(bytes: &[u8]) -> Result<(String, Option<String>), PdfError> {
    let options = LoadOptions::with_max_decompressed_size(bombs::MAX_STREAM_BYTES);
    let document = Document::load_mem_with_options(bytes, options).map_err(|error| match error {
        Error::InvalidPassword | Error::Decryption(_) => PdfError::Encrypted,
        _ => PdfError::Broken,
    })?;
    if document.is_encrypted() {
        return Err(PdfError::Encrypted);
    }
    let text = tidy(&pages(&document));
    if text.is_empty() { Err(PdfError::NoText) } else { Ok((text, title(&document))) }
}

/// The text of all pages. Damaged pages are left out.
fn pages(document: &Document) -> String {
    let mut out = String::new();
    let mut room = MAX_CONTENT_BYTES;
    for (number, page) in document.get_pages().into_iter().take(MAX_PAGES) {
        let Ok(content) = document.get_page_content_with_limit(page, MAX_STREAM_BYTES) else { continue };
        let Some(rest) = room.checked_sub(content.len()) else { break };
        (room, _) = (rest, content);
        for chunk in document.extract_text_chunks_with_limit(&[number], MAX_STREAM_BYTES).into_iter().flatten() {
            out.push_str(&chunk);
        }
        out.push_str("\n\n");
        if out.len() > MAX_TEXT_BYTES {
            out.truncate(out.floor_char_boundary(MAX_TEXT_BYTES));
            break;
        }
    }
    out
}

/// The title in the information about the file.
fn title(document: &Document) -> Option<String> {
    let information = document.trailer.get(b"Info").ok()?;
    let (_, information) = document.dereference(information).ok()?;
    let title: &Object = information.as_dict().ok()?.get(b"Title").ok()?;
    let mut line = String::new();
    fold_spaces(&lopdf::decode_text_string(title).ok()?, &mut line);
    let title: String = line.trim().chars().filter(|c| !c.is_control()).take(300).collect();
    (!title.is_empty()).then_some(title)
}

/// Folds spaces, drops control characters and leaves at most one empty line between others.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let mut folded = String::new();
        fold_spaces(&line, &mut folded);
        let folded = folded.trim();
        if !folded.is_empty() || !out.ends_with("\n\n") {
            out.push_str(folded);
            out.push('\n');
        }
    }
    out.trim().to_owned()
}
