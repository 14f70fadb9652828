//! Plain text and excerpts of HTML.

#[cfg(test)]
mod tests;

use unicode_segmentation::UnicodeSegmentation;

use crate::sanitize::{MAX_BYTES, text_of};

// Enough for any grapheme of a real language.
const BYTES_PER_CHAR: usize = 32;

/// The text of some HTML: a line for each block, white space folded, without scripts, styles and images except emoji.
pub fn plain_text(html: &str) -> String {
    text_of(html, MAX_BYTES).0
}

/// The first `max_chars` graphemes of the text of some HTML, on one line.
///
/// A shortened text ends between words where possible, with `…`, which counts.
pub fn excerpt(html: &str, max_chars: usize) -> String {
    let max_bytes = max_chars.saturating_mul(BYTES_PER_CHAR).saturating_add(BYTES_PER_CHAR);
    let (text, is_cut) = text_of(html, max_bytes.min(MAX_BYTES));
    let line = text.replace('\n', " ");
    let Some((end, _)) = line.grapheme_indices(true).nth(max_chars) else {
        return if is_cut { shortened(&line, line.len(), max_chars) } else { line };
    };
    shortened(&line, end, max_chars)
}

/// The text before `end`, cut so that `…` fits.
fn shortened(line: &str, end: usize, max_chars: usize) -> String {
    if max_chars == 0 {
        return String::new();
    }
    let kept = line.get(..end).unwrap_or(line);
    let room = match kept.grapheme_indices(true).nth(max_chars - 1) {
        Some((last, _)) => last,
        None => kept.len(),
    };
    // Drop the word at the cut, unless it takes half of the line: an address, or a script without spaces.
    let word = line.split_word_bound_indices().map(|(start, _)| start).take_while(|start| *start <= room).last();
    let cut = word.filter(|start| *start > room / 2).unwrap_or(room);
    let mut out = line.get(..cut).unwrap_or_default().trim_end().to_owned();
    out.push('…');
    out
}
