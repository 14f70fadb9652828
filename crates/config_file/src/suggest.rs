//! "Did you mean": the known word that is most similar to a misspelt one.

/// The maximum number of wrong letters.
const MAX_TYPOS: usize = 2;

/// The most similar known word, if one is similar enough. Upper and lower case are the same.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    known
        .into_iter()
        // Words of other lengths are never similar. Comparing a very long word would take long.
        .filter(|known| known.chars().count().abs_diff(length) <= MAX_TYPOS)
        .map(|known| (strsim::damerau_levenshtein(&word, known), known))
        // More wrong letters than right ones are not a typing error.
        .filter(|(distance, known)| *distance <= MAX_TYPOS && distance * 2 < known.chars().count())
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_words_are_suggested() {
        let known = ["id", "url", "name", "interval", "include", "exclude"];
        let cases = [
            ("intervall", Some("interval")),
            ("Interval", Some("interval")),
            ("uri", Some("url")),
            ("exlude", Some("exclude")),
            ("inclued", Some("include")),
            ("colour", None),
            ("a", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
        assert_eq!(nearest(&"i".repeat(1_000_000), known), None);
    }
}
