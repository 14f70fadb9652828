//! Folded text, and the words by which an index finds it.
//!
//! Folding removes differences of width, case, and accents of Latin and Greek letters. Kana keep their marks, and hiragana
//! stays distinct from katakana. The result is runs of letters and digits, each between two spaces. A run ends where a
//! script with spaces between words meets one without.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A longer word is indexed by its first letters.
const MAX_WORD_LETTERS: usize = 40;
/// The shortest prefix by which a word is found.
const MIN_PREFIX_LETTERS: usize = 3;
const MIN_CHUNK_BYTES: usize = 100;
/// The maximum number of different words of one item.
const MAX_WORDS: usize = 30_000;

/// The runs of `text`, each between spaces: `" iphone 発売 "`; empty if there are none.
pub(super) fn fold(text: &str) -> String {
    let mut folded = FoldBuffer::default();
    folded.text.reserve(text.len() + 2);
    folded.add(text);
    folded.finish()
}

/// The words of a folded text for the index: whole words where the script separates them by spaces, else each pair of
/// adjacent characters and the last character. So every character is the prefix of a word.
pub(super) fn words(folded: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    folded.split(' ').filter(|run| !run.is_empty()).for_each(|run| push_words(run, &mut words));
    words.sort_unstable();
    words.dedup();
    words.truncate(MAX_WORDS);
    words
}

/// A word to find in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    pub text: &'a str,
    /// Words that begin with it match too.
    pub is_prefix: bool,
}

impl Key<'_> {
    /// A prefix of so many words that the index reads much for it.
    pub fn is_broad(&self) -> bool {
        self.is_prefix && self.text.chars().nth(MIN_PREFIX_LETTERS).is_none()
    }
}

/// The fewest words by which the index finds all occurrences of a folded text. The last word is a prefix if `as_prefix`.
///
/// Broad keys are left out if there are others.
pub(super) fn key_words(folded: &str, as_prefix: bool) -> Vec<Key<'_>> {
    let mut keys: Vec<Key<'_>> = Vec::new();
    for run in folded.split(' ').filter(|run| !run.is_empty()) {
        let mut words = Vec::new();
        push_words(run, &mut words);
        if words.len() > 1 {
            // The last pair contains it.
            words.pop();
        }
        let is_character = run.starts_with(is_unspaced) && run.chars().nth(1).is_none();
        keys.extend(words.into_iter().map(|text| Key { text, is_prefix: is_character }));
    }
    if let Some(last) = keys.last_mut().filter(|_| as_prefix && may_be_prefix(folded)) {
        last.is_prefix = true;
    }
    if keys.iter().any(|key| !key.is_broad()) {
        keys.retain(|key| !key.is_broad());
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether one word in the index finds the folded text and nothing else.
pub(super) fn is_one_word(folded: &str) -> bool {
    let run = folded.trim_matches(' ');
    let letters = run.chars().count();
    let is_short = if run.starts_with(is_unspaced) { letters == 2 } else { letters <= MAX_WORD_LETTERS };
    !run.contains(' ') && is_short
}

/// The folded text as a substring to look for: with a space where a word must begin or end. The last word may be a prefix
/// if `as_prefix`.
pub(super) fn needle(folded: &str, as_prefix: bool) -> &str {
    let run = folded.trim_matches(' ');
    let start = if run.starts_with(is_unspaced) { " " } else { "" };
    let end = if is_end_unspaced(run) || as_prefix && may_be_prefix(folded) { " " } else { "" };
    let text = folded.strip_prefix(start).unwrap_or(folded);
    text.strip_suffix(end).unwrap_or(text)
}

/// Whether the last word is long enough to be a prefix: `go` must not find `google`.
fn may_be_prefix(folded: &str) -> bool {
    let last = folded.trim_matches(' ').rsplit(' ').next().unwrap_or_default();
    !last.starts_with(is_unspaced) && last.chars().nth(MIN_PREFIX_LETTERS - 1).is_some()
}

/// Whether the script of the letter has no spaces between words or, like Korean, attaches particles to words.
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0E00..=0x0EFF // Thai and Lao
        | 0x1000..=0x109F // Myanmar
        | 0x1100..=0x11FF // Hangul letters
        | 0x1780..=0x17FF // Khmer
        | 0x2E80..=0x2FDF // radicals
        | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x303C // marks and numbers among Han
        | 0x3040..=0x318F // kana, bopomofo, Hangul
        | 0x31A0..=0x31BF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF // Han
        | 0xA960..=0xA97F | 0xAC00..=0xD7FF // Hangul
        | 0xF900..=0xFAFF // Han
        | 0x1AFF0..=0x1B16F // kana
        | 0x20000..=0x3FFFF) // Han
}

fn is_end_unspaced(run: &str) -> bool {
    run.chars().rev().find(|letter| letter.is_alphanumeric()).is_some_and(is_unspaced)
}

/// Builds a folded text.
#[derive(Default)]
pub(super) struct FoldBuffer {
    text: String,
    script: Script,
}

/// A position to which a [`FoldBuffer`] can be rewound.
#[derive(Clone, Copy)]
pub(super) struct FoldMark {
    len: usize,
    script: Script,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Script {
    #[default]
    None,
    Spaced,
    Unspaced,
}

impl FoldBuffer {
    /// Appends `text`, which must not begin with a combining mark.
    pub fn add(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let (plain, odd) = rest.split_at(find_odd(rest));
            plain.chars().for_each(|letter| self.push_as(plain_script(letter), letter.to_ascii_lowercase()));
            let (odd, after) = odd.split_at(find_plain(odd));
            fold_odd(odd, self);
            rest = after;
        }
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn mark(&self) -> FoldMark {
        FoldMark { len: self.text.len(), script: self.script }
    }

    /// Removes everything added since the mark.
    pub fn rewind(&mut self, mark: FoldMark) {
        self.text.truncate(mark.len);
        self.script = mark.script;
    }

    pub fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text
    }

    fn push(&mut self, letter: char) {
        let script = if letter.is_alphanumeric() {
            if is_unspaced(letter) { Script::Unspaced } else { Script::Spaced }
        } else if is_combining_mark(letter) {
            self.script
        } else {
            Script::None
        };
        self.push_as(script, letter);
    }

    fn push_as(&mut self, script: Script, letter: char) {
        if script != Script::None {
            if script != self.script {
                self.text.push(' ');
            }
            self.text.push(letter);
        }
        self.script = script;
    }
}

/// The script of a plain letter, without a lookup in the Unicode tables.
fn plain_script(letter: char) -> Script {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Script::Spaced,
        '\0'..='\x7F' | '、'..='〃' | '〈'..='】' | '・' => Script::None,
        _ => Script::Unspaced,
    }
}

/// Folds letters with several encodings.
fn fold_odd(text: &str, folded: &mut FoldBuffer) {
    let mut base = '\0';
    let letters = text.nfkd().flat_map(char::to_lowercase).filter(|&letter| {
        // It may be between a letter and its accent.
        if is_invisible(letter) {
            return false;
        }
        let is_accent = ('\u{300}'..='\u{36F}').contains(&letter);
        if !is_accent {
            base = letter;
        }
        !is_accent || base >= '\u{400}'
    });
    letters.nfc().for_each(|letter| folded.push(letter));
}

/// Characters that only change the rendering of the letters around them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{FE00}'..='\u{FE0F}' | '\u{20D0}'..='\u{20F0}')
}

/// Splits the text into chunks that can be folded one by one with the same result.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let cut = rest
            .char_indices()
            .find(|(at, letter)| *at >= MIN_CHUNK_BYTES && is_plain(*letter))
            .map_or(rest.len(), |(at, _)| at);
        let (chunk, after) = rest.split_at(cut);
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// The offset of the next plain letter that is followed by another: otherwise a combining mark may follow it.
fn find_plain(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if is_plain(letter) && letters.peek().is_none_or(|(_, next)| is_plain(*next)) {
            return at;
        }
    }
    text.len()
}

/// The offset of the next letter that may have several encodings or be followed by a combining mark.
fn find_odd(text: &str) -> usize {
    let mut last = 0;
    for (at, letter) in text.char_indices() {
        if !is_plain(letter) {
            return last;
        }
        last = at;
    }
    text.len()
}

/// Whether the letter has only one encoding and is not a combining mark.
fn is_plain(letter: char) -> bool {
    letter.is_ascii()
        || matches!(letter, '、'..='〃' | '々'..='】' | 'ぁ'..='ゖ' | 'ァ'..='ヾ' | '\u{4E00}'..='\u{9FFF}')
}

/// Adds the words of one run.
fn push_words<'a>(run: &'a str, words: &mut Vec<&'a str>) {
    if !run.starts_with(is_unspaced) {
        words.push(run.char_indices().nth(MAX_WORD_LETTERS).map_or(run, |(end, _)| &run[..end]));
        return;
    }
    let mut before = None;
    for (at, letter) in run.char_indices() {
        if let Some(before) = before {
            words.push(&run[before..at + letter.len_utf8()]);
        }
        before = Some(at);
    }
    words.push(&run[before.unwrap_or_default()..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, folded: &str) {
        assert_eq!(fold(text), folded, "{text:?}");
    }

    #[test]
    fn width_case_and_accents_are_folded() {
        check("Rust, 2024!", " rust 2024 ");
        check("ＲＵＳＴ ２０２４", " rust 2024 ");
        check("Café CAFE\u{301} Straße", " cafe cafe straße ");
        check("ﾊﾞﾅﾅ バナナ", " バナナ バナナ ");
        check("か\u{3099}", " が ");
        check("İstanbul", " istanbul ");
        check("ﬁne ① ㈱", " fine 1 株 ");
        check("co\u{AD}operate 1\u{FE0F}\u{20E3}", " cooperate 1 ");
        check("Ελλάδα", " ελλαδα ");
    }

    #[test]
    fn kana_and_cyrillic_stay_distinct() {
        check("はハばバぱ", " はハばバぱ ");
        check("мой мои", " мой мои ");
        check("", "");
        check("!? 😀 \0", "");
    }

    #[test]
    fn a_run_ends_where_the_script_changes() {
        check("iPhone15発売。第3回", " iphone15 発売 第 3 回 ");
        check("東京タワー・大阪", " 東京タワー 大阪 ");
        check("人々のコーヒー", " 人々のコーヒー ");
        check("well-known node.js", " well known node js ");
    }

    #[test]
    fn words_are_whole_or_pairs() {
        assert_eq!(words(&fold("Rust rust 東京都")), ["rust", "京都", "東京", "都"]);
        assert_eq!(words(&fold("都")), ["都"]);
        assert_eq!(words(&"x".repeat(99)), ["x".repeat(40)]);
        assert!(words("").is_empty());
    }

    #[test]
    fn keys_are_few() {
        let keys = |text: &str, as_prefix: bool| {
            let folded = fold(text);
            let shown = |key: Key<'_>| format!("{}{}", key.text, if key.is_prefix { "*" } else { "" });
            key_words(&folded, as_prefix).into_iter().map(shown).collect::<Vec<_>>()
        };
        assert_eq!(keys("Rust 東京都", true), ["rust", "京都", "東京"]);
        assert_eq!(keys("東京 Rust", true), ["rust*", "東京"]);
        assert_eq!(keys("Rust", false), ["rust"]);
        assert_eq!(keys("go", true), ["go"], "too short for a prefix");
        assert_eq!(keys("都", true), ["都*"]);
        assert_eq!(keys("都", false), ["都*"], "pairs begin with it");
        assert_eq!(keys("第3回", true), ["3"], "broad keys are used only if there are no others");
        assert_eq!(keys("borrow che", true), ["borrow"]);
    }

    #[test]
    fn a_needle_ends_at_the_end_of_a_word() {
        for as_prefix in [true, false] {
            assert_eq!(needle(&fold("東京"), as_prefix), "東京");
            assert_eq!(needle(&fold("第3回 go"), as_prefix), "第 3 回 go ");
        }
        assert_eq!(needle(&fold("rust"), false), " rust ");
        assert_eq!(needle(&fold("a rust"), true), " a rust");
        assert!(is_one_word(&fold("rust")) && is_one_word(&fold("東京")) && !is_one_word(&fold("都")));
        assert!(!is_one_word(&fold("東京都")) && !is_one_word(&fold("a b")) && !is_one_word(&"x".repeat(41)));
    }

    #[test]
    fn plain_letters_agree_with_the_unicode_tables() {
        for letter in ('\0'..='\u{FFFF}').filter(|letter| is_plain(*letter)) {
            let (mut plain, mut by_table) = (FoldBuffer::default(), FoldBuffer::default());
            plain.add(&letter.to_string());
            fold_odd(&letter.to_string(), &mut by_table);
            assert_eq!(plain.finish(), by_table.finish(), "{letter:?}");
        }
    }

    #[test]
    fn invisible_characters_do_not_keep_an_accent() {
        assert_eq!(fold("À\u{20EA}"), " a ");
        assert_eq!(fold("e\u{200D}\u{301}"), " e ");
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn every_part_of_a_text_is_found_by_its_words(text in "[ a-cがカ゛東京ﾊﾞ\\u{301}、é]{0,30}", from in 0usize..30, most in 1usize..8, as_prefix: bool) {
            let whole = fold(&text);
            let part: String = whole.chars().skip(from).take(most).collect();
            let part = fold(&part);
            if !part.is_empty() && whole.contains(needle(&part, as_prefix)) {
                let words = words(&whole);
                for key in key_words(&part, as_prefix) {
                    let is_there = |word: &&str| if key.is_prefix { word.starts_with(key.text) } else { *word == key.text };
                    prop_assert!(words.iter().any(is_there), "{key:?} of {part:?} in {whole:?}");
                }
            }
        }
    }
}
