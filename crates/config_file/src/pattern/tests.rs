//! Tests of patterns.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, url: &str) -> bool {
    UrlPattern::parse(pattern).unwrap().matches(&Url::parse(url).unwrap())
}

#[test]
fn a_pattern_covers_the_whole_address() {
    let cases = [
        ("*", "https://example.com/"),
        ("**", "https://example.com/"),
        ("https://example.com/blog/*", "https://example.com/blog/a?b=c"),
        ("https://example.com/blog/*", "https://example.com/blog/"),
        ("*/news/*", "https://example.com/a/news/b"),
        ("*/news/*", "https://example.com/news/"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com?a=*", "https://example.com/?a=1"),
        ("http*://example.com/*", "http://example.com/a"),
        ("*.html", "https://example.com/a.html#part"),
        ("*a*b*c", "https://a.example/b/c"),
        ("*aa*aa*", "https://example.com/aaaa"),
        ("*?page=*", "https://example.com/?page=2"),
    ];
    for (pattern, url) in cases {
        assert!(matches(pattern, url), "{pattern} {url}");
    }
    let others = [
        ("https://example.com/blog/*", "https://example.com/blog"),
        ("https://example.com/blog/*", "http://example.com/blog/"),
        ("https://example.com/blog", "https://example.com/blog/"),
        ("*/news/*", "https://example.com/news"),
        ("*aa*aa*", "https://example.com/aaa"),
        ("*aab*ab", "https://example.com/aab"),
        ("https://example.com/*example.com/", "https://example.com/"),
        ("*.html", "https://example.com/a.html?b"),
        ("https://example.com/?", "https://example.com/x"),
    ];
    for (pattern, url) in others {
        assert!(!matches(pattern, url), "{pattern} {url}");
    }
}

#[test]
fn only_the_host_ignores_case() {
    for pattern in ["HTTPS://Example.COM/Blog/*", "*.COM/Blog/*", "*Example*", "*PLE.com/Bl*g/*", "*E.c*M/*/"] {
        assert!(matches(pattern, "https://eXample.com/Blog/"), "{pattern}");
    }
    for pattern in ["https://example.com/blog/*", "*.com/blog/*", "*blog*", "*/BLOG/"] {
        assert!(!matches(pattern, "https://example.com/Blog/"), "{pattern}");
    }
}

#[test]
fn encoded_and_plain_characters_are_the_same() {
    let url = "https://例え.jp/ブログ/a";
    for pattern in [
        "https://例え.jp/ブログ/*",
        "https://xn--r8jz45g.jp/*",
        "*/ブログ/*",
        "*/%e3%83%96%e3%83%ad%e3%82%b0/*",
        "*/%E3%83%96*",
    ] {
        assert!(matches(pattern, url), "{pattern}");
    }
    assert!(matches("*/%e3%83%96*", "https://example.com/%E3%83%96"));
    assert!(matches("*/%E3%83%96*", "https://example.com/%e3%83%96"));
    assert_eq!(normalise("%ab%aGa%%abab"), "%AB%AGa%%ABab");
}

#[test]
fn a_bad_pattern_says_what_to_write() {
    let error = |text: &str| UrlPattern::parse(text).unwrap_err();
    let spaces = "write an address with * for any text, such as \"*/news/*\", without spaces";
    assert_eq!(error(""), spaces);
    assert_eq!(error("*/a b"), spaces);
    assert_eq!(error("*/a\tb"), spaces);
    assert_eq!(error("/news/*"), "a pattern covers the whole address: write \"*/news/*\", or start with https://");
    assert_eq!(error("*#a"), "a pattern covers the address without its fragment: remove the part from \"#\" on");
    assert_eq!(error(&"*".repeat(501)), "write at most 500 characters");
    assert_eq!(UrlPattern::parse("*/News/*").unwrap().as_str(), "*/News/*");
}

#[test]
fn matching_takes_linear_time() {
    let pattern = UrlPattern::parse(&format!("{}b", "*a".repeat(249))).unwrap();
    let long = UrlPattern::parse(&format!("*{}b*", "a".repeat(497))).unwrap();
    let path = Url::parse(&format!("https://example.com/{}", "a".repeat(1_000_000))).unwrap();
    let user = Url::parse(&format!("https://{}@example.com/", "a".repeat(1_000_000))).unwrap();
    let start = Instant::now();
    for url in [&path, &user] {
        assert!(!pattern.matches(url) && !long.matches(url));
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// The definition of a pattern, without regard to speed.
fn slow_match(pattern: &[u8], text: &[u8], path_start: usize) -> bool {
    match (pattern, text) {
        ([], _) => text.is_empty(),
        ([b'*', rest @ ..], _) => {
            (0..=text.len()).any(|skip| slow_match(rest, &text[skip..], path_start.saturating_sub(skip)))
        }
        ([wanted, rest @ ..], [found, others @ ..]) => {
            let is_same = wanted == found || (path_start > 0 && wanted.eq_ignore_ascii_case(found));
            is_same && slow_match(rest, others, path_start.saturating_sub(1))
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn matching_follows_its_definition(
        pattern in "\\*[abAB./*]{0,8}",
        host in "[ab]{1,3}\\.[ab]{1,3}",
        path in "[abAB/]{0,6}",
    ) {
        let url = Url::parse(&format!("http://{host}/{path}")).unwrap();
        let expected = slow_match(pattern.as_bytes(), url.as_str().as_bytes(), "http://".len() + host.len());
        prop_assert_eq!(UrlPattern::parse(&pattern).unwrap().matches(&url), expected, "{} {}", pattern, url);
    }

    #[test]
    fn any_pattern_is_read_without_a_panic(pattern in "\\PC*", url in "https://[a-z]{1,5}/\\PC*") {
        if let (Ok(pattern), Ok(url)) = (UrlPattern::parse(&pattern), Url::parse(&url)) {
            pattern.matches(&url);
        }
    }
}
