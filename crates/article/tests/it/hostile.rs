//! Pages that are made to be slow or to overflow the stack. Tests run on stacks of 2 MB.

use std::time::{Duration, Instant};

use article::Rules;

use crate::try_read;

/// The name of a kind of page, how to make one, and the size that must be read without trouble.
type HostilePage = (&'static str, fn(usize) -> String, usize);

const PAGES: &[HostilePage] = &[
    ("paragraphs", |size| "<p>Words, words".repeat(size), 60_000),
    ("tables", |size| "<table><tr><td>".repeat(size) + "Text", 5_000),
    ("divisions", |size| "<div>".repeat(size) + "Text", 50_000),
    ("divisions with text", |size| "<div class=x>Some text, with clauses, and an end.".repeat(size), 20_000),
    ("inline", |size| "<b><i>".repeat(size) + "Text", 20_000),
    ("misnested links", |size| "<a href=x><div>".repeat(size) + "Text", 20_000),
    ("noscript", |size| "<noscript><img src=x></noscript>".repeat(size) + "Text", 20_000),
    ("pieces", |size| "<div><div class=x><p>Some text, with clauses, and an end.</p></div></div>".repeat(size), 10_000),
    ("asides", |size| "<aside class=x><p>Some text, with clauses, and an end.</p></aside>".repeat(size), 20_000),
    ("bylines", |size| "<div class=author>".repeat(100) + &"<span class=author>x</span>".repeat(size), 20_000),
    ("titles", |size| format!("<title>{}</title>", "a b ".repeat(200)) + &"<h1>a b</h1>".repeat(size), 20_000),
];

/// The shortest of a few times, which is the least disturbed by other tests.
fn time(page: &str) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let _ = try_read(page, &Rules::default());
        start.elapsed()
    };
    (0..3).map(once).min().unwrap()
}

/// How many times as long four times the page takes: 4 if time is linear, 16 if it is a square.
fn growth(page: fn(usize) -> String, size: usize) -> f64 {
    // Smaller than the limits that would hide a square.
    let (small, large) = (page(size / 24), page(size / 6));
    time(&large).as_secs_f64() / time(&small).as_secs_f64()
}

#[test]
fn time_is_linear() {
    for (name, page, size) in PAGES {
        // Other processes disturb single measurements; a square shows in all of them.
        let is_linear = (0..8).any(|_| growth(*page, *size) < 9.0);
        assert!(is_linear, "{name}: four times the page takes more than nine times as long");
    }
}

#[test]
fn no_page_overflows_the_stack() {
    for (_, page, size) in PAGES {
        let _ = try_read(&page(*size), &Rules::default());
    }
}

#[test]
fn output_is_limited() {
    let article = try_read(&"<p>Some words, and some more of them, to the end.".repeat(100_000), &Rules::default());
    let article = article.unwrap();
    assert!(article.text.len() < 600_000 && article.html.len() < 600_000);
}
