//! Benchmarks of the extraction. Run it with `make bench`. It fails if a budget is exceeded. Absolute budgets assume a quiet
//! machine; ratios hold on any.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

use std::{
    hint::black_box,
    process::ExitCode,
    time::{Duration, Instant},
};

use article::{PageContext, Rules, extract};
use chrono::DateTime;

const PAGES_BUDGET: f64 = 300.0;
const WORST_BUDGET: Duration = Duration::from_millis(250);
/// Twice the page may take at most so many times as long.
const GROWTH_BUDGET: f64 = 3.0;
const ROUNDS: usize = 7;

/// The name of a kind of page, how to make one, and the size that must keep the budget.
type HostilePage = (&'static str, fn(usize) -> String, usize);

const HOSTILE: &[HostilePage] = &[
    ("<p>", |size| "<p>Words, words".repeat(size), 60_000),
    ("nested tables", |size| "<table><tr><td>".repeat(size) + "Text", 5_000),
    ("nested div", |size| "<div>".repeat(size) + "Text", 50_000),
    ("nested <b><i>", |size| "<b><i>".repeat(size) + "Text", 20_000),
    ("misnested links", |size| "<a href=x><div>".repeat(size) + "Text", 20_000),
    ("pieces", |size| "<div><div class=x><p>Some text, with clauses, and an end.</p></div></div>".repeat(size), 10_000),
];

fn main() -> ExitCode {
    let results = [ordinary_page(), hostile_pages()];
    if results.iter().all(|is_met| *is_met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn ordinary_page() -> bool {
    let link = "<li class='menu-item'><a href='/section/page.html' class='link'>A section of the site</a></li>";
    let text = "<p class='paragraph'>A sentence of the article, with clauses, <a href='/x'>a link</a> and an end. </p>";
    let page = format!(
        "<html><head><title>A title of some words | Site</title>{}</head><body><nav class='menu'><ul>{}</ul></nav><div class='content'>\
        {}</div><div class='sidebar'><ul>{}</ul></div></body></html>",
        "<script>var a = '<p>';</script>".repeat(200),
        link.repeat(500),
        text.repeat(200),
        link.repeat(500)
    );
    let speed = 1.0 / best(ROUNDS, &page).as_secs_f64();
    let is_met = speed >= PAGES_BUDGET;
    println!("A page of {} kB: {speed:.0} pages/s, budget ≥ {PAGES_BUDGET} {}\n", page.len() / 1000, verdict(is_met));
    is_met
}

fn hostile_pages() -> bool {
    println!("| hostile page | ms | twice the page | budget < 250 ms, < {GROWTH_BUDGET}× |\n|---|---:|---:|---:|");
    let mut are_met = true;
    for (name, page, size) in HOSTILE {
        // The growth is measured below the limits that would hide a square.
        let (half, whole) = (best(5, &page(size / 4)), best(5, &page(size / 2)));
        let time = best(3, &page(*size));
        let growth = whole.as_secs_f64() / half.as_secs_f64();
        let is_met = time < WORST_BUDGET && growth < GROWTH_BUDGET;
        println!("| {name} | {:.0} | {growth:.1}× | {} |", time.as_secs_f64() * 1e3, verdict(is_met));
        are_met &= is_met;
    }
    println!();
    are_met
}

/// The shortest time of several runs.
fn best(rounds: usize, page: &str) -> Duration {
    let rules = Rules::default();
    let context = PageContext { base_url: None, rules: &rules, now: DateTime::UNIX_EPOCH };
    let time = |_| {
        let start = Instant::now();
        let _ = black_box(extract(black_box(page), &context));
        start.elapsed()
    };
    (0..rounds).map(time).min().unwrap()
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "kept" } else { "**missed**" }
}
