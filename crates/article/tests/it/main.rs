//! Pages in, articles out.
#![cfg(test)]

mod articles;
mod hostile;
mod metadata;
mod properties;
mod rules;

use article::{Article, ExtractError, PageContext, Rules, extract};
use chrono::{DateTime, Utc};
use url::Url;

/// Paragraphs of an article, long enough to be found.
const TEXT: &str = "<p>The first paragraph has a few clauses, as texts do, and says something about rivers and the sea.</p>\
    <p>The second paragraph goes on, with more words, more commas, and a sentence that is not a link at all.</p>\
    <p>The third paragraph ends the article, as third paragraphs often do, and is as long as the others are.</p>";

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).unwrap()
}

fn try_read(html: &str, rules: &Rules) -> Result<Article, ExtractError> {
    let base = Url::parse("https://example.com/news/1").unwrap();
    extract(html, &PageContext { base_url: Some(&base), rules, now: now() })
}

fn read(html: &str) -> Article {
    try_read(html, &Rules::default()).unwrap()
}
