//! The query language: words, "phrases", `-exclusions`, each with an optional `title:`, `author:` or `feed:`.

use super::words;
use crate::{Error, Result};

const MAX_CHARS: usize = 200;
const MAX_TERMS: usize = 20;

/// Where a term must occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Anywhere,
    Title,
    Author,
    Feed,
}

/// A word or phrase of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub field: Field,
    /// Folded, between spaces.
    pub text: String,
    /// The last word is a prefix: `benchm` finds `benchmarks`. In quotes and after a minus, words are whole.
    pub is_prefix: bool,
}

impl Term {
    /// The words to find in the index.
    pub fn keys(&self) -> Vec<words::Key<'_>> {
        words::key_words(&self.text, self.is_prefix)
    }

    /// The term as it occurs in a folded text.
    pub fn needle(&self) -> &str {
        words::needle(&self.text, self.is_prefix)
    }
}

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedQuery {
    /// All of these must occur.
    pub wanted: Vec<Term>,
    /// None of these may occur.
    pub unwanted: Vec<Term>,
}

impl ParsedQuery {
    pub fn parse(text: &str) -> Result<ParsedQuery> {
        if text.chars().count() > MAX_CHARS {
            return Err(Error::QueryTooLong { max: MAX_CHARS });
        }
        let mut query = ParsedQuery { wanted: Vec::new(), unwanted: Vec::new() };
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (is_unwanted, term, after) = next_term(rest);
            let terms = if is_unwanted { &mut query.unwanted } else { &mut query.wanted };
            // Punctuation and emoji alone are not words.
            if !term.text.is_empty() && !terms.contains(&term) {
                terms.push(term);
            }
            rest = after.trim_start();
        }
        match (query.wanted.len(), query.unwanted.len()) {
            (0, 0) => Err(Error::QueryEmpty),
            (0, _) => Err(Error::QueryOnlyExcludes),
            (wanted, unwanted) if wanted + unwanted > MAX_TERMS => Err(Error::QueryTooManyWords { max: MAX_TERMS }),
            _ => Ok(query),
        }
    }
}

/// Whether the next term is unwanted, the term, and the rest of the text.
fn next_term(text: &str) -> (bool, Term, &str) {
    let minus = text.strip_prefix(['-', '－', '−']);
    let unsigned = minus.unwrap_or(text);
    let (field, named) = field(unsigned);
    let mut letters = named.chars();
    let quote = letters.next().and_then(closing);
    let (term, after) = match quote {
        Some(closing) => {
            let inside = letters.as_str();
            // An unclosed quote ends with the query.
            inside.split_once(|letter| closing.contains(&letter)).unwrap_or((inside, ""))
        }
        None => {
            let end = named.find(|letter: char| letter.is_whitespace() || closing(letter).is_some());
            named.split_at(end.unwrap_or(named.len()))
        }
    };
    let is_prefix = quote.is_none() && minus.is_none();
    (minus.is_some(), Term { field, text: words::fold(term), is_prefix }, after)
}

/// The field at the start of the text, and the rest. A field must be followed by text without a space.
fn field(text: &str) -> (Field, &str) {
    let named =
        text.split_once([':', '：']).filter(|(_, rest)| !rest.is_empty() && !rest.starts_with(char::is_whitespace));
    match named.map(|(name, rest)| (name.to_ascii_lowercase(), rest)) {
        Some((name, rest)) if name == "title" => (Field::Title, rest),
        Some((name, rest)) if name == "author" => (Field::Author, rest),
        Some((name, rest)) if name == "feed" => (Field::Feed, rest),
        _ => (Field::Anywhere, text),
    }
}

/// The quotes that may close a phrase that this one opens.
fn closing(quote: char) -> Option<&'static [char]> {
    match quote {
        '"' | '＂' | '“' | '”' | '„' | '〝' => Some(&['"', '＂', '“', '”', '〞', '〟']),
        '「' => Some(&['」']),
        '『' => Some(&['』']),
        '«' => Some(&['»']),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms as `field=text`, unwanted ones with a minus.
    fn check(text: &str, expected: &[&str]) {
        let query = ParsedQuery::parse(text).unwrap();
        let shown = |sign: &str, term: &Term| format!("{sign}{:?}={}", term.field, term.text.trim());
        let terms: Vec<String> =
            query.wanted.iter().map(|t| shown("", t)).chain(query.unwanted.iter().map(|t| shown("-", t))).collect();
        assert_eq!(terms, expected, "{text}");
    }

    #[test]
    fn words_phrases_and_exclusions() {
        check("Rust 東京", &["Anywhere=rust", "Anywhere=東京"]);
        check("\u{3000}Rust\u{3000}東京\u{3000}", &["Anywhere=rust", "Anywhere=東京"]);
        check("\"borrow checker\" -c", &["Anywhere=borrow checker", "-Anywhere=c"]);
        check("「東京 タワー」 －「大阪」", &["Anywhere=東京 タワー", "-Anywhere=大阪"]);
        check("“a b” ＂c d＂ 『e』 «f g»", &["Anywhere=a b", "Anywhere=c d", "Anywhere=e", "Anywhere=f g"]);
        check("well-known node.js", &["Anywhere=well known", "Anywhere=node js"]);
        check("a\"b c\"d", &["Anywhere=a", "Anywhere=b c", "Anywhere=d"]);
        check("rust Rust ＲＵＳＴ", &["Anywhere=rust"]);
    }

    #[test]
    fn fields_stand_directly_before_their_term() {
        check("title:rust -feed:\"daily news\" Author：山田", &["Title=rust", "Author=山田", "-Feed=daily news"]);
        check("title: rust other:rust", &["Anywhere=title", "Anywhere=rust", "Anywhere=other rust"]);
    }

    #[test]
    fn unclosed_quotes_and_punctuation_are_tolerated() {
        check("\"open end", &["Anywhere=open end"]);
        check("- -- \"\" -\"\" 「」 ★ rust )(*^:", &["Anywhere=rust"]);
        check("a\0b", &["Anywhere=a b"]);
    }

    #[test]
    fn invalid_queries_are_rejected() {
        assert!(matches!(ParsedQuery::parse(" \"\" ★"), Err(Error::QueryEmpty)));
        assert!(matches!(ParsedQuery::parse("-a -\"b c\""), Err(Error::QueryOnlyExcludes)));
        assert!(matches!(ParsedQuery::parse(&"あ".repeat(201)), Err(Error::QueryTooLong { max: MAX_CHARS })));
        assert!(ParsedQuery::parse(&"あ".repeat(200)).is_ok());
        let many: Vec<String> = (0..21).map(|n| n.to_string()).collect();
        assert!(matches!(ParsedQuery::parse(&many.join(" ")), Err(Error::QueryTooManyWords { max: MAX_TERMS })));
        assert!(ParsedQuery::parse(&many[..20].join(" ")).is_ok());
    }
}
