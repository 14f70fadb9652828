//! The place of a text where something was found.

use unicode_segmentation::UnicodeSegmentation;

use super::words;

/// How long a snippet is, in characters.
const CHARS: usize = 160;
/// How much of it comes before what was found.
const BEFORE: usize = 40;

/// A line of `text` around the first of `needles` in it, or its beginning; and whether one was found.
pub(super) fn snippet(text: &str, needles: &[&str]) -> (String, bool) {
    let hit = find(text, needles);
    let found = hit.unwrap_or(0);
    let mut start = found;
    // From the end of the text backwards, if what was found stands close to it.
    let after = text[found..].graphemes(true).take(CHARS).count();
    for (at, _) in text[..found].grapheme_indices(true).rev().take(BEFORE.max(CHARS - after)) {
        start = at;
    }
    // Not in the middle of a word, if one begins soon.
    if start > 0 {
        start = text[start..found].find(char::is_whitespace).map_or(start, |at| start + at);
        start += text[start..].len() - text[start..].trim_start().len();
    }
    let mut line = String::from(if start > 0 { "…" } else { "" });
    let mut letters = text[start..].graphemes(true);
    for letter in letters.by_ref().take(CHARS) {
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
    // Where in the text that is tells a second pass: piece by piece, then letter by letter.
    let mut runs = words::Runs::default();
    let mut start = 0;
    for piece in words::pieces(text) {
        let mark = runs.mark();
        runs.add(piece);
        if runs.len() > found {
            runs.back_to(mark);
            let place = piece.grapheme_indices(true).find(|(_, letter)| {
                runs.add(letter);
                runs.len() > found
            });
            return Some(start + place.map_or(0, |(at, _)| at));
        }
        start += piece.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_around_what_was_found() {
        let text = format!("{} the Bor\u{301}row checker is here. {}", "a ".repeat(100), "z ".repeat(200));
        let (line, _) = snippet(&text, &[" borrow checker "]);
        assert!(
            line.starts_with("…a ") && line.contains("Bor\u{301}row checker is here") && line.ends_with('…'),
            "{line}"
        );
        assert!(line.graphemes(true).count() <= CHARS + 2, "{line}");
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
    fn the_end_of_a_text_is_shown_full() {
        let text = format!("{}京", "あ".repeat(400));
        assert_eq!(snippet(&text, &["京"]).0.chars().count(), CHARS + 1);
    }
}
