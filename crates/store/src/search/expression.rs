//! What to ask an index for, and how each of the two is asked.

use chrono::{DateTime, Utc};

use crate::FeedId;

/// Never part of a word, so that no text can look like a feed or a day.
const FEED_MARK: char = '\u{E000}';
const DAY_MARK: char = '\u{E001}';
const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// Words and how they belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// The word is there: letters and digits only.
    Word(String),
    /// A word that begins so is there.
    Beginning(String),
    /// The item is one of this feed.
    Feed(FeedId),
    /// All of them; there must be one at least.
    All(Vec<Expression>),
    /// Any of them; if there are none, nothing is found.
    Any(Vec<Expression>),
}

/// What narrows a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrowing {
    pub must: Expression,
    pub but_not: Vec<String>,
}

/// How an index spells its questions.
struct Spelling {
    quote: char,
    beginning: &'static str,
    and: &'static str,
    or: &'static str,
}

const FTS5: Spelling = Spelling { quote: '"', beginning: " *", and: " AND ", or: " OR " };
const TSQUERY: Spelling = Spelling { quote: '\'', beginning: ":*", and: " & ", or: " | " };

impl Narrowing {
    /// In the language of FTS5; nothing if nothing can be found.
    pub(super) fn to_fts5(&self) -> Option<String> {
        let must = FTS5.write(&self.must)?;
        let not: Vec<String> = self.but_not.iter().map(|word| FTS5.quoted(word)).collect();
        Some(if not.is_empty() { must } else { format!("({must}) NOT ({})", not.join(" OR ")) })
    }

    /// In the language of `tsquery`, for some days or for all; nothing if nothing can be found.
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

impl Spelling {
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

    /// The word as a text of the language: whatever is in it, it means itself.
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

/// The word that stands for a feed.
pub(super) fn word_of_feed(feed: FeedId) -> String {
    format!("{FEED_MARK}{}", feed.0.simple())
}

/// The word that stands for a day.
pub(super) fn word_of_day(day: i64) -> String {
    format!("{DAY_MARK}{day}")
}

/// The day of a moment, counted from 1970.
pub(super) fn day_of(moment: DateTime<Utc>) -> i64 {
    moment.timestamp().div_euclid(SECONDS_A_DAY)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn word(text: &str) -> Expression {
        Expression::Word(text.to_owned())
    }

    #[test]
    fn each_index_is_asked_in_its_own_language() {
        let must = Expression::All(vec![
            word("a"),
            Expression::Any(vec![Expression::Beginning("b".to_owned()), Expression::Feed(FeedId(Uuid::nil()))]),
        ]);
        let narrowing = Narrowing { must, but_not: vec!["c".to_owned()] };
        let feed = format!("\u{E000}{}", "0".repeat(32));
        assert_eq!(narrowing.to_fts5().unwrap(), format!("((\"a\" AND (\"b\" * OR \"{feed}\"))) NOT (\"c\")"));
        assert_eq!(narrowing.to_tsquery(&[]).unwrap(), format!("('a' & ('b':* | '{feed}')) & !'c'"));
        assert_eq!(
            narrowing.to_tsquery(&[1, 2]).unwrap(),
            format!("(('a' & ('b':* | '{feed}'))) & ('\u{E001}1' | '\u{E001}2') & !'c'")
        );
    }

    #[test]
    fn what_cannot_be_found_is_not_asked_for() {
        let nothing = Expression::Any(Vec::new());
        let narrowing = |must| Narrowing { must, but_not: Vec::new() };
        assert_eq!(narrowing(nothing.clone()).to_fts5(), None);
        assert_eq!(narrowing(Expression::All(vec![word("a"), nothing.clone()])).to_tsquery(&[]), None);
        assert_eq!(narrowing(Expression::Any(vec![word("a"), nothing])).to_fts5().unwrap(), "\"a\"");
    }

    #[test]
    fn a_quote_in_a_word_stays_in_it() {
        let narrowing = Narrowing { must: word("a\"b'c\\"), but_not: Vec::new() };
        assert_eq!(narrowing.to_fts5().unwrap(), "\"a\"\"b'c\\\\\"");
        assert_eq!(narrowing.to_tsquery(&[]).unwrap(), "'a\"b''c\\\\'");
    }
}
