//! Pages that try to take time or memory.

use std::time::{Duration, Instant};

use posts::{parse_sitemap, posts_in_sitemap};
use url::Url;

use crate::find;

/// The time for a text, the best of three.
fn time(text: &str, read: impl Fn(&str)) -> Duration {
    let run = || {
        let start = Instant::now();
        read(text);
        start.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap()
}

/// A page of four times the size may take eight times as long, but not sixteen.
#[track_caller]
fn check_linear(page: impl Fn(usize) -> String, count: usize) {
    check_linear_with(page, count, |html| {
        let found = find(html, "https://site.example/");
        assert!(found.posts.len() + found.rejected.len() < 200_000);
    });
}

#[track_caller]
fn check_linear_with(text: impl Fn(usize) -> String, count: usize, read: impl Fn(&str)) {
    let (small, large) = (time(&text(count / 4), &read), time(&text(count), &read));
    assert!(large < small * 10 + Duration::from_millis(50), "{small:?} {large:?}");
}

#[test]
fn sitemaps() {
    let url = Url::parse("https://site.example/sitemap.xml").unwrap();
    let read = |body: &str| {
        let sitemap = parse_sitemap(body.as_bytes(), &url).unwrap_or_default();
        assert!(posts_in_sitemap(&sitemap, &url).len() <= 50_000);
    };
    let check = |piece: &str| check_linear_with(|count| "<urlset>".to_owned() + &piece.repeat(count), 8_000, read);
    check("<url><loc>/a</loc></url>");
    check("<url><loc>");
    check("<url>");
    check("<x>");
    check("<url><loc>/a</loc><n:news><n:title>&amp;");
    check("<!--");
    check("<![CDATA[");
    check("https://site.example/a ");
}

/// The links `page(0)`, `page(1)` and so on.
fn repeated(count: usize, page: impl Fn(usize) -> String) -> String {
    (0..count).map(page).collect()
}

#[test]
fn many_links() {
    let post = |at| format!("<li>2026-03-04 <a href=/p/{at}>Post number {at}</a>");
    assert!(find(&repeated(60_000, post), "https://site.example/").posts.len() > 10_000);
    check_linear(|count| repeated(count, post), 8_000);
    check_linear(|count| repeated(count, |at| format!("<a href=/same>Post number {at}</a> 2026")), 8_000);
    check_linear(|count| repeated(count, |at| format!("<h2>2026-03-04</h2><a href=/{at}>x</a>")), 8_000);
}

#[test]
fn nested_elements() {
    check_linear(|count| "<table><tr><td><a href=/a>A title of a post</a>".repeat(count), 5_000);
    check_linear(|count| "<div class=sidebar><header><a href=/a>x</a>2026-03-04".repeat(count), 5_000);
    check_linear(|count| "<h2>".repeat(count) + "<a href=/a>", 20_000);
}

#[test]
fn long_texts() {
    check_linear(|count| format!("<a href=/a>{}</a>", "2026-03-04 ".repeat(count)), 20_000);
    check_linear(|count| format!("<p>{}<a href=/a>x</a>", "1 ".repeat(count)), 40_000);
    check_linear(|count| repeated(count, |at| format!("<a href=/{at}>x</a> text of some width ")), 8_000);
    let class = format!("<div class='{}'>", "name ".repeat(20_000));
    check_linear(|count| class.clone() + &repeated(count, |at| format!("<a href=/{at}>x</a>")), 8_000);
}

#[test]
fn states_of_scripts() {
    let script = |id: &str, json: String| format!("<script id={id} type=application/json>{json}</script>");
    let array = |entry: &str, count: usize| format!("[{}]", vec![entry; count].join(","));
    let entry = r#"{"title":"A title","url":"/blog/2026/03/04/a","date":"2026-03-04"}"#;
    check_linear(|count| script("__NEXT_DATA__", array(entry, count)), 4_000);
    check_linear(|count| script("__NEXT_DATA__", array(&array(entry, 3), count)), 1_500);
    check_linear(|count| repeated(count, |at| script("x", array(&format!("{{\"title\":{at}}}"), 3))), 4_000);
    // One large object that many places name.
    let fields: String = (0..2_000).map(|at| format!("\"field{at}\":2,")).collect();
    let table = |count: usize| format!(r#"[{},{{{fields}"title":2}},"{}"]"#, array("1", count), "x".repeat(10_000));
    check_linear(|count| script("__NUXT_DATA__", table(count)), 10_000);
    check_linear(|count| script("__NUXT_DATA__", array("[0,1,2,3]", count)), 10_000);
    check_linear(|count| script("__NEXT_DATA__", "[".repeat(count)), 40_000);
}
