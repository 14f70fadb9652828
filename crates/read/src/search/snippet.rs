//! The part of a text around a match.

use unicode_segmentation::UnicodeSegmentation;

use super::words;

const MAX_CHARS: usize = 160;
/// Characters before the match.
const CHARS_BEFORE: usize = 40;

/// A line of `text` around the first of `needles` in it, or its beginning; and whether one was found.
pub(super) fn snippet(text: &str, needles: &[&str]) -> (String, bool) {
    let hit = find(text, needles);
    let found = hit.unwrap_or(0);
    let mut start = found;
    // More before the match if it is close to the end of the text.
    let after = text[found..].graphemes(true).take(MAX_CHARS).count();
    for (at, _) in text[..found].grapheme_indices(true).rev().take(CHARS_BEFORE.max(MAX_CHARS - after)) {
        start = at;
    }
    // Start at the beginning of a word if there is one before the match.
    if start > 0 {
        start = text[start..found].find(char::is_whitespace).map_or(start, |at| start + at);
        start += text[start..].len() - text[start..].trim_start().len();
    }
    let mut line = String::from(if start > 0 { "…" } else { "" });
    let mut letters = text[start..].graphemes(true);
    for letter in letters.by_ref().take(MAX_CHARS) {
        line.push_str(if letter.trim().is_empty() { " " } else { letter });
    }
    let is_cut = !letters.as_str().trim().is_empty();
    line.truncate(line.trim_end().len());
    if is_cut {
        line.push('…');
    }
    (line, hit.is_some())
}

/// Where the first needle begins.
fn find(text: &str, needles: &[&str]) -> Option<usize> {
    let folded = words::fold(text);
    let begin = |needle: &&str| folded.find(*needle).map(|at| at + usize::from(needle.starts_with(' ')));
    let found = needles.iter().filter_map(begin).min()?;
    // A second pass maps the folded offset to the text: chunk by chunk, then letter by letter.
    let mut folded = words::FoldBuffer::default();
    let mut start = 0;
    for chunk in words::chunks(text) {
        let mark = folded.mark();
        folded.add(chunk);
        if folded.len() > found {
            folded.rewind(mark);
            let hit = chunk.grapheme_indices(true).find(|(_, letter)| {
                folded.add(letter);
                folded.len() > found
            });
            return Some(start + hit.map_or(0, |(at, _)| at));
        }
        start += chunk.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_surrounds_the_match() {
        let text = format!("{} the Bor\u{301}row checker is here. {}", "a ".repeat(100), "z ".repeat(200));
        let (line, _) = snippet(&text, &[" borrow checker "]);
        assert!(
            line.starts_with("…a ") && line.contains("Bor\u{301}row checker is here") && line.ends_with('…'),
            "{line}"
        );
        assert!(line.graphemes(true).count() <= MAX_CHARS + 2, "{line}");
        let text = format!("{}「東京ﾀﾜｰ」{}", "あ".repeat(300), "い".repeat(300));
        let (line, _) = snippet(&text, &["京タワー"]);
        assert!(line.contains("「東京ﾀﾜｰ」い") && line.starts_with('…'), "{line}");
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(snippet("one\ntwo", &[" two "]), ("one two".to_owned(), true));
        assert_eq!(snippet("nothing of it", &[" else "]), ("nothing of it".to_owned(), false));
        assert_eq!(snippet("", &["x"]), (String::new(), false));
    }

    #[test]
    fn a_match_at_the_end_gets_a_full_snippet() {
        let text = format!("{}京", "あ".repeat(400));
        assert_eq!(snippet(&text, &["京"]).0.chars().count(), MAX_CHARS + 1);
    }
}
