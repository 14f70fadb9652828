//! Pages that try to take time or memory.

use std::time::{Duration, Instant};

use crate::find;

/// The time for a page, the best of three.
fn time(html: &str) -> Duration {
    let run = || {
        let start = Instant::now();
        let found = find(html, "https://site.example/");
        assert!(found.posts.len() + found.rejected.len() < 200_000);
        start.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap()
}

/// A page of four times the size may take eight times as long, but not sixteen.
#[track_caller]
fn check_linear(page: impl Fn(usize) -> String, count: usize) {
    let (small, large) = (time(&page(count / 4)), time(&page(count)));
    assert!(large < small * 10 + Duration::from_millis(50), "{small:?} {large:?}");
}

#[test]
fn many_links() {
    check_linear(
        |count| (0..count).map(|at| format!("<li>2026-03-04 <a href=/p/{at}>Post number {at}</a>")).collect(),
        20_000,
    );
    check_linear(|count| (0..count).map(|at| format!("<a href=/same>Post number {at}</a> 2026")).collect(), 60_000);
    check_linear(|count| (0..count).map(|at| format!("<h2>2026-03-04</h2><a href=/{at}>x</a>")).collect(), 20_000);
}

#[test]
fn nested_elements() {
    check_linear(|count| "<table><tr><td><a href=/a>A title of a post</a>".repeat(count), 5_000);
    check_linear(|count| "<div class=sidebar><header><a href=/a>x</a>2026-03-04".repeat(count), 20_000);
    check_linear(|count| "<h2>".repeat(count) + "<a href=/a>", 50_000);
}

#[test]
fn long_texts() {
    check_linear(|count| format!("<a href=/a>{}</a>", "2026-03-04 ".repeat(count)), 20_000);
    check_linear(|count| format!("<p>{}<a href=/a>x</a>", "1 ".repeat(count)), 40_000);
    check_linear(|count| (0..count).map(|at| format!("<a href=/{at}>x</a> text of some width ")).collect(), 20_000);
    let class = "name ".repeat(20_000);
    check_linear(
        |count| {
            format!("<div class='{class}'>") + &(0..count).map(|at| format!("<a href=/{at}>x</a>")).collect::<String>()
        },
        20_000,
    );
}
