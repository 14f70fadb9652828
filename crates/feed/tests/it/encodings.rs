//! Documents whose encoding is not declared, or declared wrongly, in real languages.

use std::fs;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_5, KOI8_U, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252,
};
use feed::discover::from_page;

use crate::parse;

const UNDECLARED: [(&str, &Encoding); 16] = [
    ("korean", EUC_KR),
    ("taiwanese", BIG5),
    ("russian", WINDOWS_1251),
    ("russian", KOI8_U),
    ("russian", ISO_8859_5),
    ("russian", IBM866),
    ("japanese", SHIFT_JIS),
    ("japanese", EUC_JP),
    ("chinese", GBK),
    ("chinese", GB18030),
    ("french", WINDOWS_1252),
    ("german", WINDOWS_1252),
    ("portuguese", WINDOWS_1252),
    ("spanish", WINDOWS_1252),
    ("swedish", WINDOWS_1252),
    ("korean", encoding_rs::UTF_8),
];

/// A text of at least 200 characters, on one line.
fn text(language: &str) -> String {
    let path = format!("{}/testdata/languages/{language}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("a text").trim().to_owned();
    assert!(text.chars().count() >= 200, "{language}");
    text
}

/// The text in titles of twenty characters or so.
fn titles(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(20).map(|part| part.iter().collect::<String>().trim().to_owned()).collect()
}

fn bytes(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, has_unknown) = encoding.encode(text);
    assert!(!has_unknown, "{}", encoding.name());
    bytes.into_owned()
}

/// A feed whose titles are a text, with much markup around them.
fn title_feed(declaration: &str, text: &str) -> String {
    let item = |(at, title): (usize, String)| {
        format!(
            "<item><guid isPermaLink=\"false\">post-{at}</guid><link>https://example.com/posts/{at}?utm_source=rss&amp;utm_medium=feed</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><title>{title}</title></item>"
        )
    };
    let items: String = titles(text).into_iter().enumerate().map(item).collect();
    format!("{declaration}<rss version=\"2.0\"><channel><title>News</title>{items}</channel></rss>")
}

fn check_titles(document: &[u8], text: &str, name: &str) {
    let feed = parse(document).expect("a feed").feed;
    let found: Vec<&str> = feed.entries.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(found, titles(text), "{name}");
}

#[test]
fn feeds_without_a_declaration_are_read() {
    for (language, encoding) in UNDECLARED {
        let (text, name) = (text(language), format!("{language} in {}", encoding.name()));
        let quiet = "<?xml version=\"1.0\"?>";
        let one = format!(
            "{quiet}<rss version=\"2.0\"><channel><title>x</title><item><description>{text}</description></item></channel></rss>"
        );
        let feed = parse(&bytes(&one, encoding)).expect("a feed").feed;
        assert_eq!(feed.entries[0].summary.as_deref(), Some(text.as_str()), "{name}");
        for declaration in [quiet, "<?xml version=\"1.0\" encoding=\"utf-8\"?>"] {
            check_titles(&bytes(&title_feed(declaration, &text), encoding), &text, &name);
        }
    }
}

#[test]
fn pages_without_a_declaration_are_read() {
    for (language, encoding) in UNDECLARED {
        let text = text(language);
        let head: String = text.chars().take(25).filter(|c| !matches!(c, '"' | '\'')).collect();
        let page = format!(
            "<!doctype html><html><head><link rel=\"stylesheet\" href=\"/assets/site.css\"><link rel=\"alternate\" type=\"application/rss+xml\" title=\"{head}\" href=\"/f\"></head><body class=\"home page\"><p>{text}</p></body></html>"
        );
        let found = from_page(&bytes(&page, encoding), None, &"https://example.com/".parse().expect("a URL"));
        assert_eq!(found[0].title.as_deref(), Some(head.trim()), "{language} in {}", encoding.name());
    }
}

#[test]
fn a_stray_byte_does_not_turn_utf8_into_something_else() {
    for language in ["japanese", "korean", "russian", "chinese", "french", "portuguese"] {
        let text = text(language);
        let mut document = title_feed("", &text).into_bytes();
        let at = document.windows(4).position(|four| four == b"News").expect("the title");
        document[at] = 0xe9;
        check_titles(&document, &text, language);
    }
}

/// What a program makes of UTF-8 that it takes for windows-1252, or for Latin-1.
fn twice(text: &str) -> [String; 2] {
    [WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned(), text.bytes().map(char::from).collect()]
}

#[test]
fn text_that_was_encoded_twice_is_repaired() {
    for language in
        ["french", "german", "portuguese", "spanish", "swedish", "russian", "japanese", "korean", "taiwanese"]
    {
        let text = text(language);
        for doubled in twice(&title_feed("", &text)) {
            check_titles(doubled.as_bytes(), &text, language);
        }
    }
    let short = "<rss><channel><title>ActualitÃ©s</title><item><title>Sans accent</title></item></channel></rss>";
    assert_eq!(parse(short.as_bytes()).expect("a feed").feed.title, "Actualités");
    let english =
        "<rss><channel><title>Donâ€™t â€œquoteâ€\u{9d} the RenÃ©e â€“ itâ€™s Â£5</title><item/></channel></rss>";
    assert_eq!(parse(english.as_bytes()).expect("a feed").feed.title, "Don’t “quote” the Renée – it’s £5");
}

#[test]
fn text_that_was_encoded_once_is_left_alone() {
    for title in [
        "Why “é” becomes Ã©, and Actualités becomes ActualitÃ©s",
        "文字化け：「é」が「Ã©」になる",
        "What is \"Ã©\"?",
        "Why do I see â€™ in my text",
        "PÃO",
        "NÃO HÁ AÇÃO É",
        "IRMÃ… MANHÃ… AMANHÃ… IRMÃ” MANHÃ\u{a0}!",
        "A „Spaß“ und Spaß… ß™",
        "«CAFÉ» — CAFÉ…",
        "ESPAÑA — AÑO 2026…",
        "3 × 4 ± 1",
    ] {
        let document = format!("<rss><channel><title>{title}</title><item><title>x</title></item></channel></rss>");
        assert_eq!(parse(document.as_bytes()).expect("a feed").feed.title, title);
    }
    // Every stretch of a genuine text, as a document of its own.
    for language in ["french", "german", "portuguese", "spanish", "swedish", "russian", "japanese", "korean", "chinese"]
    {
        let upper = text(language).to_uppercase();
        for text in [text(language), upper] {
            let characters: Vec<char> = text.chars().collect();
            for length in [1, 2, 3, 7, 25] {
                for part in characters.windows(length) {
                    let part: String = part.iter().collect::<String>().replace(['<', '&', ' '], "x");
                    let document = format!("<rss><channel><title>{part}</title><item/></channel></rss>");
                    assert_eq!(parse(document.as_bytes()).expect("a feed").feed.title, part, "{language}");
                }
            }
        }
    }
}
