//! A query to the index, and its text for FTS5 and for `tsquery`.

use chrono::{DateTime, Utc};

use crate::FeedId;

/// Characters that no word contains, so that no text can look like a feed or a day.
const FEED_MARK: char = '\u{E000}';
const DAY_MARK: char = '\u{E001}';
const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// A boolean expression over words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// The item has this word, of letters and digits only.
    Word(String),
    /// The item has a word with this prefix.
    Beginning(String),
    /// The item belongs to this feed.
    Feed(FeedId),
    /// All of them. Must not be empty.
    All(Vec<Expression>),
    /// Any of them. Empty matches nothing.
    Any(Vec<Expression>),
}

/// A query to the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexQuery {
    pub must: Expression,
    pub but_not: Vec<String>,
}

/// The operators of a query language.
struct Syntax {
    quote: char,
    beginning: &'static str,
    and: &'static str,
    or: &'static str,
}

const FTS5: Syntax = Syntax { quote: '"', beginning: " *", and: " AND ", or: " OR " };
const TSQUERY: Syntax = Syntax { quote: '\'', beginning: ":*", and: " & ", or: " | " };

impl IndexQuery {
    /// The query for FTS5. None if it matches nothing.
    pub(super) fn to_fts5(&self) -> Option<String> {
        let must = FTS5.write(&self.must)?;
        let not: Vec<String> = self.but_not.iter().map(|word| FTS5.quoted(word)).collect();
        Some(if not.is_empty() { must } else { format!("({must}) NOT ({})", not.join(" OR ")) })
    }

    /// The query for `tsquery`, for these days or, if empty, for all. None if it matches nothing.
    pub(super) fn to_tsquery(&self, days: &[i64]) -> Option<String> {
        let mut text = TSQUERY.write(&self.must)?;
        if !days.is_empty() {
            let days: Vec<String> = days.iter().map(|day| TSQUERY.quoted(&word_of_day(*day))).collect();
            text = format!("({text}) & ({})", days.join(" | "));
        }
        for word in &self.but_not {
            text.push_str(" & !");
            text.push_str(&TSQUERY.quoted(word));
        }
        Some(text)
    }
}

impl Syntax {
    fn write(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Word(word) => Some(self.quoted(word)),
            Expression::Beginning(word) => Some(self.quoted(word) + self.beginning),
            Expression::Feed(feed) => Some(self.quoted(&word_of_feed(*feed))),
            Expression::All(all) => {
                let all: Option<Vec<String>> = all.iter().map(|one| self.write(one)).collect();
                joined(all?, self.and)
            }
            Expression::Any(any) => joined(any.iter().filter_map(|one| self.write(one)).collect(), self.or),
        }
    }

    /// The word as a literal of the language.
    fn quoted(&self, word: &str) -> String {
        let mut text = String::with_capacity(word.len() + 2);
        text.push(self.quote);
        for letter in word.chars() {
            if letter == self.quote || letter == '\\' {
                text.push(letter);
            }
            text.push(letter);
        }
        text.push(self.quote);
        text
    }
}

fn joined(mut parts: Vec<String>, by: &str) -> Option<String> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(format!("({})", parts.join(by))),
    }
}

/// The index word of a feed.
pub(super) fn word_of_feed(feed: FeedId) -> String {
    format!("{FEED_MARK}{}", feed.0.simple())
}

/// The index word of a day.
pub(super) fn word_of_day(day: i64) -> String {
    format!("{DAY_MARK}{day}")
}

/// The day of `time`, counted from 1970.
pub(super) fn day_of(time: DateTime<Utc>) -> i64 {
    time.timestamp().div_euclid(SECONDS_A_DAY)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn word(text: &str) -> Expression {
        Expression::Word(text.to_owned())
    }

    #[test]
    fn each_index_has_its_own_syntax() {
        let must = Expression::All(vec![
            word("a"),
            Expression::Any(vec![Expression::Beginning("b".to_owned()), Expression::Feed(FeedId(Uuid::nil()))]),
        ]);
        let query = IndexQuery { must, but_not: vec!["c".to_owned()] };
        let feed = format!("\u{E000}{}", "0".repeat(32));
        assert_eq!(query.to_fts5().unwrap(), format!("((\"a\" AND (\"b\" * OR \"{feed}\"))) NOT (\"c\")"));
        assert_eq!(query.to_tsquery(&[]).unwrap(), format!("('a' & ('b':* | '{feed}')) & !'c'"));
        assert_eq!(
            query.to_tsquery(&[1, 2]).unwrap(),
            format!("(('a' & ('b':* | '{feed}'))) & ('\u{E001}1' | '\u{E001}2') & !'c'")
        );
    }

    #[test]
    fn unmatchable_query_is_none() {
        let nothing = Expression::Any(Vec::new());
        let query = |must| IndexQuery { must, but_not: Vec::new() };
        assert_eq!(query(nothing.clone()).to_fts5(), None);
        assert_eq!(query(Expression::All(vec![word("a"), nothing.clone()])).to_tsquery(&[]), None);
        assert_eq!(query(Expression::Any(vec![word("a"), nothing])).to_fts5().unwrap(), "\"a\"");
    }

    #[test]
    fn quotes_in_words_are_escaped() {
        let query = IndexQuery { must: word("a\"b'c\\"), but_not: Vec::new() };
        assert_eq!(query.to_fts5().unwrap(), "\"a\"\"b'c\\\\\"");
        assert_eq!(query.to_tsquery(&[]).unwrap(), "'a\"b''c\\\\'");
    }
}
