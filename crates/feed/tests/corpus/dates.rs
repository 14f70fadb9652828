//! The dates of feedparser's tests, which are a table in its test program.

use std::{fs, path::Path};

use chrono::{DateTime, Utc};
use feed::ParseOptions;

use crate::{Tally, expect, fields};

/// Parses each date in an entry.
pub fn check_all(tests: &Path, tally: &mut Tally) {
    let program = fs::read_to_string(tests.join("runtests.py")).unwrap();
    let table = program.split_once("date_tests = {").unwrap().1.split("\n}\n").next().unwrap();
    for (date, expected) in table.lines().filter_map(row) {
        tally.cases += 1;
        let found = read(&date);
        tally.useful += usize::from(found.is_some());
        tally.in_scope += 1;
        if found.is_some_and(|found| fields::tuple(found)[..] == expected[..6]) {
            tally.holding += 1;
        } else {
            tally.failing.push((format!("dates/{date}"), format!("expected {expected:?}, found {found:?}")));
        }
    }
}

/// `('text', (2004, 1, …)),  # comment`. Rows that expect no date are left out, because our parser may read more.
fn row(line: &str) -> Option<(String, Vec<i64>)> {
    let (text, rest) = line.trim().strip_prefix('(')?.split_once(", (")?;
    let numbers = rest.split(')').next()?.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    match expect::literal_of(text)? {
        expect::Literal::Text(text) => Some((text, numbers)),
        _ => None,
    }
}

fn read(date: &str) -> Option<DateTime<Utc>> {
    let document = format!("<rss><channel><item><title>x</title><pubDate>{date}</pubDate></item></channel></rss>");
    let now = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
    let parsed = feed::parse(document.as_bytes(), &ParseOptions { url: None, content_type: None, now }).unwrap();
    parsed.feed.entries[0].published
}
