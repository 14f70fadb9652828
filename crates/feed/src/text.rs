//! The text of HTML, whole or its beginning.

#[cfg(test)]
mod tests;

use unicode_segmentation::UnicodeSegmentation;

use crate::sanitize::{MOST_BYTES, text_of};

// Enough for any letter with its accents; a longer one is no letter of any language.
const BYTES_PER_CHAR: usize = 32;

/// The text of some HTML: a line for each block, white space folded, no scripts, styles or pictures but emoji.
pub fn plain_text(html: &str) -> String {
    text_of(html, MOST_BYTES).0
}

/// The beginning of the text of some HTML on one line, `most_chars` characters as a reader counts them.
///
/// It ends between words where it can, and in `…`, which counts, where something was left out.
pub fn excerpt(html: &str, most_chars: usize) -> String {
    let most_bytes = most_chars.saturating_mul(BYTES_PER_CHAR).saturating_add(BYTES_PER_CHAR);
    let (text, is_cut) = text_of(html, most_bytes.min(MOST_BYTES));
    let line = text.replace('\n', " ");
    let Some((end, _)) = line.grapheme_indices(true).nth(most_chars) else {
        return if is_cut { shortened(&line, line.len(), most_chars) } else { line };
    };
    shortened(&line, end, most_chars)
}

/// What comes before `end`, cut so that `…` fits in.
fn shortened(line: &str, end: usize, most_chars: usize) -> String {
    if most_chars == 0 {
        return String::new();
    }
    let kept = line.get(..end).unwrap_or(line);
    let room = match kept.grapheme_indices(true).nth(most_chars - 1) {
        Some((last, _)) => last,
        None => kept.len(),
    };
    // The word that the cut falls into goes, unless that would cost half of the line: an address, or no spaces at all.
    let word = line.split_word_bound_indices().map(|(start, _)| start).take_while(|start| *start <= room).last();
    let cut = word.filter(|start| *start > room / 2).unwrap_or(room);
    let mut out = line.get(..cut).unwrap_or_default().trim_end().to_owned();
    out.push('…');
    out
}
