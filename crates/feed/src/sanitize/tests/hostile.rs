//! Bodies designed to cost time, memory or stack. `make bench` measures the time.

use super::checker::check_harmless;
use crate::{plain_text, sanitize, sanitize::MAX_BYTES};

const FRAGMENTS: &[&str] = &[
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
    "<table><tr><th>x",
    "<tr>",
    "<td></td>",
    "<td class=gutter>1",
    "<table width=1><td>",
    "<span class=katex-html>",
    "<span lang=ja>x",
    "<div dir=rtl>x",
    "<sup>x",
    "<sub><p>x",
    "<ruby>x<rt>y",
    "<a href=#x>",
    "<a id=x href=#x>y",
    "<p id=x><a href=#x>",
    "<math><mi>x",
    "<math><mrow><mi>x</mi></math>",
    "<details><summary>x",
    "<figure><figcaption>x",
    "<dl><dt>x",
    "<hr>x",
    "x<wbr>",
    "<h2><a>#</a>",
    "<input type=checkbox>",
    "<picture><source srcset=x>",
    "<abbr title=x>y",
    "<pre>1</pre><td>",
    "<x",
];

// The output of these is larger than the input.
const GROWING: &[&str] =
    &["<", "&", "&amp", "<b><p>", "<ul><li>", "<a href=https://x.example/>x<p>", "x\u{a0}", "<p>x"];

/// Long bodies of each part, and bodies of half a megabyte of the growing ones.
fn bodies() -> Vec<String> {
    let body = |fragment: &&str, bytes: usize| fragment.repeat(bytes / fragment.len() + 1);
    let growing = GROWING.iter().map(|fragment| body(fragment, MAX_BYTES));
    FRAGMENTS.iter().map(|fragment| body(fragment, MAX_BYTES / 16)).chain(growing).collect()
}

#[test]
fn long_bodies_are_sanitised_on_a_small_stack() {
    let check = || {
        for body in bodies() {
            let start: String = body.chars().take(20).collect();
            let out = sanitize(&body, None);
            assert!(out.len() <= MAX_BYTES, "{start} gave {}", out.len());
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
    assert_eq!(out.matches("<ul>").count(), 30);
    check_harmless(&out, "deep lists");
    let quotes = sanitize(&"<blockquote>x".repeat(1000), None);
    assert_eq!(quotes.matches("<blockquote>").count(), 59);
    assert!(quotes.contains("x<p>x</p>"));
}

#[test]
fn elements_beyond_the_limit_become_text() {
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
fn long_bodies_are_cut_between_characters_and_tags() {
    let text = sanitize(&"語".repeat(MAX_BYTES), None);
    assert!(text.len() > MAX_BYTES * 3 / 4 && text.chars().all(|c| c == '語'));
    let mut cut = "x ".repeat(MAX_BYTES / 2 - 10);
    cut.push_str("<a href=\"https://x.example/\">y</a>");
    assert!(!sanitize(&cut, None).contains("https"));
}
