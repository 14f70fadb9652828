//! Benchmarks of the parser and the sanitiser, compared with feed-rs, ammonia and Python's feedparser.
//!
//! Run it with `make bench`. It fails if a budget is exceeded. Absolute budgets assume a quiet machine; ratios hold on any.
//! `FEEDPARSER_PYTHON` names a Python with feedparser; without it that column is empty.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]
#![expect(clippy::cast_precision_loss, reason = "megabytes and milliseconds fit a float")]

mod bodies;
mod documents;
mod feedparser;
mod hostile;

use std::{
    hint::black_box,
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::DateTime;
use documents::Document;
use feed::{ParseOptions, parse, plain_text, sanitize};

const PARSE_BUDGET: f64 = 100.0;
const SANITIZE_BUDGET: f64 = 30.0;
const WORST_BUDGET: Duration = Duration::from_millis(250);
const ENTRIES: usize = 100_000;
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    let results = [parsing(), sanitizing(), worst_bodies(), many_entries()];
    if results.iter().all(|is_met| *is_met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parsing() -> bool {
    let documents = documents::all();
    let python = feedparser::seconds(&documents);
    let total: usize = documents.iter().map(|document| document.bytes.len()).sum();
    println!("Parsing, bytes to values, not sanitised: {:.1} MB, best of {ROUNDS} rounds, MB/s\n", total as f64 / 1e6);
    println!("| document | MB | feed | feed-rs | feedparser | feed to feed-rs | budget |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for (index, document) in documents.iter().enumerate() {
        let feed = best(ROUNDS, || entries(document));
        let feed_rs = best(3, || feed_rs_entries(document));
        assert_eq!(entries(document), document.entries, "entries of {}", document.name);
        ours += feed;
        theirs += feed_rs;
        let python = python.as_ref().and_then(|all| all.get(index).copied());
        row(document.name, document.bytes.len(), feed, feed_rs, python, "");
    }
    let python = python.map(|all| all.iter().sum());
    let speed = rate(total, ours);
    row("**all**", total, ours, theirs, python, &verdict(speed >= PARSE_BUDGET, &format!("≥ {PARSE_BUDGET}")));
    println!();
    speed >= PARSE_BUDGET
}

fn row(name: &str, bytes: usize, feed: Duration, feed_rs: Duration, python: Option<f64>, budget: &str) {
    let python = python.map_or("–".to_owned(), |seconds| format!("{:.2}", bytes as f64 / 1e6 / seconds));
    println!(
        "| {name} | {:.2} | {:.0} | {:.0} | {python} | {:.1} | {budget} |",
        bytes as f64 / 1e6,
        rate(bytes, feed),
        rate(bytes, feed_rs),
        feed_rs.as_secs_f64() / feed.as_secs_f64(),
    );
}

fn sanitizing() -> bool {
    let bodies = bodies::all();
    let total: usize = bodies.iter().map(String::len).sum();
    let policy = bodies::nearest_policy();
    let ours = best(ROUNDS, || bodies.iter().map(|body| sanitize(body, None).len()).sum());
    let theirs = best(3, || bodies.iter().map(|body| policy.clean(body).to_string().len()).sum());
    let text = best(ROUNDS, || bodies.iter().map(|body| plain_text(body).len()).sum());
    let speed = rate(total, ours);
    println!("Sanitising {} bodies, {:.1} MB, best of {ROUNDS} rounds, MB/s\n", bodies.len(), total as f64 / 1e6);
    println!("| what | MB/s | to ammonia | budget |");
    println!("|---|---:|---:|---:|");
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("| feed::sanitize | {speed:.0} | {ratio:.1} | {} |", verdict(speed >= SANITIZE_BUDGET, "≥ 30"));
    println!("| ammonia, nearest policy | {:.0} | 1.0 | |", rate(total, theirs));
    println!("| feed::plain_text | {:.0} | | |\n", rate(total, text));
    speed >= SANITIZE_BUDGET
}

fn worst_bodies() -> bool {
    let mut slowest: Vec<(Duration, String)> = hostile::bodies()
        .into_iter()
        .map(|(name, body)| (best(3, || sanitize(&body, None).len() + plain_text(&body).len()), name))
        .collect();
    slowest.sort();
    slowest.reverse();
    let worst = slowest.first().map_or(Duration::ZERO, |(time, _)| *time);
    println!("The worst of {} hostile bodies of 512 kB, sanitised and read as text\n", slowest.len());
    println!("| body | ms | budget |\n|---|---:|---:|");
    for (time, name) in slowest.iter().take(5) {
        println!("| `{name}` | {:.1} | {} |", milliseconds(*time), verdict(*time < WORST_BUDGET, "< 250"));
    }
    println!();
    worst < WORST_BUDGET
}

fn many_entries() -> bool {
    let document = documents::many_entries(ENTRIES);
    let feed = best(3, || entries(&document));
    let feed_rs = best(1, || feed_rs_entries(&document));
    let found = entries(&document);
    println!("A feed of {ENTRIES} entries, {:.1} MB\n", document.bytes.len() as f64 / 1e6);
    println!("| what | entries | ms | MB/s |\n|---|---:|---:|---:|");
    for (name, entries, time) in [("feed", found, feed), ("feed-rs", feed_rs_entries(&document), feed_rs)] {
        println!("| {name} | {entries} | {:.0} | {:.0} |", milliseconds(time), rate(document.bytes.len(), time));
    }
    println!();
    found == ENTRIES
}

fn entries(document: &Document) -> usize {
    let options = ParseOptions {
        url: Some(document.url.clone()),
        content_type: None,
        now: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
    };
    parse(black_box(&document.bytes), &options).map_or(0, |parsed| black_box(parsed).feed.entries.len())
}

fn feed_rs_entries(document: &Document) -> usize {
    let parser = feed_rs::parser::Builder::new().base_uri(Some(&document.url)).sanitize_content(false).build();
    parser.parse(black_box(document.bytes.as_slice())).map_or(0, |feed| black_box(feed).entries.len())
}

/// The shortest time of several runs.
fn best(rounds: usize, mut work: impl FnMut() -> usize) -> Duration {
    let time = |work: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..rounds).map(|_| time(&mut work)).min().unwrap()
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn verdict(is_met: bool, budget: &str) -> String {
    if is_met { budget.to_owned() } else { format!("{budget} **missed**") }
}
