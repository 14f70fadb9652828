use super::*;

const PAGE: &str =
    "<div id=main class='entry big'><p class=lead>a</p><ul><li><a href='/x?a=1&amp;b=2' rel='nofollow me'>b</a></ul>
    <x-card data-kind=post><p>c</p></x-card></div><p>d</p><section><div><div><p>e</p></div></div></section>";

/// The texts of the elements that match.
fn texts(selector: &str) -> Vec<String> {
    let document = Document::parse(PAGE);
    let selector = Selector::parse(selector).unwrap();
    let found = selector.select(&document);
    let by_one: Vec<NodeId> = document.nodes().filter(|id| selector.matches(&document, *id)).collect();
    assert_eq!(found, by_one);
    found.into_iter().map(|id| document.text_of(id)).collect()
}

#[test]
fn elements_are_selected() {
    for (selector, expected) in [
        ("p", &["a", "c", "d", "e"][..]),
        ("P.lead", &["a"]),
        (".entry.big > p", &["a"]),
        (".entry p", &["a", "c"]),
        ("#main", &["a b c"]),
        ("x-card", &["c"]),
        ("[data-kind]", &["c"]),
        ("[data-kind=post] p", &["c"]),
        ("[data-kind='post']>p", &["c"]),
        ("a[href*=\"a=1&b\"]", &["b"]),
        ("a[href^='/x'], p.lead", &["a", "b"]),
        ("a[href$='=2']", &["b"]),
        ("a[rel~=me]", &["b"]),
        ("a[rel=me]", &[]),
        ("section div div > p", &["e"]),
        ("section > div > p", &[]),
        ("section * p", &["e"]),
        ("body > p", &["d"]),
        ("*.lead", &["a"]),
    ] {
        assert_eq!(texts(selector), expected, "{selector}");
    }
}

#[test]
fn other_selectors_are_errors_with_words() {
    for (selector, words) in [
        ("", "the selector is empty"),
        ("  ", "the selector is empty"),
        ("p,", "the selector is empty"),
        ("p >", "the selector is empty"),
        ("p:first-child", "`:first-child` is not understood in a selector"),
        ("p + p", "`+ p` is not understood in a selector"),
        ("> p", "`> p` is not understood in a selector"),
        ("[href", "the selector is empty"),
        ("[href=='x']", "`='x']` is not understood in a selector"),
        ("div{}", "`{}` is not understood in a selector"),
    ] {
        assert_eq!(Selector::parse(selector).unwrap_err().to_string(), words, "{selector}");
    }
    assert_eq!(Selector::parse(&"a ".repeat(600)).unwrap_err(), SelectorError::TooLong);
    assert_eq!(Selector::parse(&"a ".repeat(20)).unwrap_err(), SelectorError::TooLong);
}

#[test]
fn long_selectors_take_linear_time() {
    let page = "<div>".repeat(200) + &"<div></div>".repeat(50_000);
    let document = Document::parse(&page);
    let selector = Selector::parse(&"div ".repeat(16)).unwrap();
    assert!(selector.select(&document).len() > 50_000);
}

proptest! {
    #[test]
    fn any_text_is_a_selector_or_an_error(text in "[a-z.#\\[\\]='\" >,*:é]{0,30}") {
        let document = Document::parse(PAGE);
        if let Ok(selector) = Selector::parse(&text) {
            selector.select(&document);
        }
    }
}
