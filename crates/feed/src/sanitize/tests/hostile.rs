//! Bodies that are made to cost time, memory or stack. Time is measured in `make bench`; here it is only bounded work.

use super::checker::check_harmless;
use crate::{plain_text, sanitize, sanitize::MOST_BYTES};

const PIECES: &[&str] = &[
    "<",
    "</",
    "<!",
    "<!--",
    "<![CDATA[",
    "<?",
    "&",
    "&amp",
    "&a",
    "&#",
    "&#x1",
    "&notit;",
    "<a ",
    "<a href=\"",
    "<a b='",
    "<div>",
    "<blockquote>",
    "<ul><li>",
    "<ul>",
    "<li>",
    "<b>",
    "<b><p>",
    "<a href=https://x.example/>x<p>",
    "<table>",
    "<table><tr><td>",
    "<td>x",
    "<font><p>",
    "<b><i></b>",
    "<svg>",
    "<math>",
    "<svg",
    "<script",
    "<script>",
    "<title>",
    "<template>",
    "<select>",
    "<button>",
    "<video>",
    "<video><source src=x>",
    "<iframe/>",
    "<noscript>",
    "<pre>",
    "<pre>\n",
    "<q>",
    "<rt>",
    "<rp>x",
    "<p>x",
    "x<br>",
    "<br>",
    "<p> ",
    "</p>",
    "</li>",
    "</a>",
    "<img>",
    "<dl><dt>x<dd>y",
    "<img src=https://x.example/>",
    "\u{301}",
    "\0",
    "\u{a0}",
    "<h1>x",
    "</svg",
    "</video",
    "]]>",
    "-->",
    "<x y>",
    "<x",
];

// Of these the output is larger than the input, or there is no end of it.
const GROWING: &[&str] =
    &["<", "&", "&amp", "<b><p>", "<ul><li>", "<a href=https://x.example/>x<p>", "x\u{a0}", "<p>x"];

/// Much of each thing that has brought a parser down, and half a megabyte of what grows.
fn bodies() -> Vec<String> {
    let body = |piece: &&str, bytes: usize| piece.repeat(bytes / piece.len() + 1);
    let growing = GROWING.iter().map(|piece| body(piece, MOST_BYTES));
    PIECES.iter().map(|piece| body(piece, MOST_BYTES / 16)).chain(growing).collect()
}

#[test]
fn much_of_anything_is_read_on_a_small_stack() {
    let check = || {
        for body in bodies() {
            let start: String = body.chars().take(20).collect();
            let out = sanitize(&body, None);
            assert!(out.len() <= MOST_BYTES, "{start} gave {}", out.len());
            assert!(sanitize(&out, None) == out, "not idempotent: {start}");
            plain_text(&body);
        }
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(check).unwrap().join().unwrap();
}

#[test]
fn deep_lists_are_flattened() {
    let deep = "<ul><li>x".repeat(1000);
    let out = sanitize(&deep, None);
    assert_eq!(out.matches("<ul>").count(), 31);
    check_harmless(&out, "deep lists");
    let quotes = sanitize(&"<blockquote>x".repeat(1000), None);
    assert_eq!(quotes.matches("<blockquote>").count(), 63);
    assert!(quotes.contains("x<p>x</p>"));
}

#[test]
fn after_too_many_elements_the_rest_is_text() {
    let out = sanitize(&"<p>x<b>y</b></p>".repeat(15_000), None);
    assert_eq!(out.matches("<p>").count(), 10_000);
    assert!(
        out.ends_with("<p>x<strong>y</strong></p>xy xy xy") || out.ends_with(" xy xy xy"),
        "{}",
        &out[out.len() - 50..]
    );
    assert_eq!(sanitize(&out, None), out);
    let lists = sanitize(&"<ul><li>1<li>2<ul><li>3</ul>".repeat(9000), None);
    assert!(lists.ends_with("</ul>"));
    assert!(sanitize(&lists, None) == lists);
    let items = sanitize(&format!("<ul>{}", "<li>1<ul><li>2</ul>".repeat(9000)), None);
    assert!(items.contains("1 2 1 2") && sanitize(&items, None) == items);
}

#[test]
fn a_long_body_is_cut_between_letters_and_outside_of_tags() {
    let text = sanitize(&"語".repeat(MOST_BYTES), None);
    assert!(text.len() > MOST_BYTES * 3 / 4 && text.chars().all(|c| c == '語'));
    let mut cut = "x ".repeat(MOST_BYTES / 2 - 10);
    cut.push_str("<a href=\"https://x.example/\">y</a>");
    assert!(!sanitize(&cut, None).contains("https"));
}
