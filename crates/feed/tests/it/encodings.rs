//! Documents in real languages without a declared encoding, or with a wrong one.

use std::fs;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_5, KOI8_U, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252,
};
use feed::{ParseOptions, discover::from_page};

use crate::{options, parse};

const UNDECLARED: [(&str, &Encoding); 20] = [
    ("korean", EUC_KR),
    ("korean-kitchen", EUC_KR),
    ("taiwanese", BIG5),
    ("taiwanese-trains", BIG5),
    ("russian", WINDOWS_1251),
    ("russian-forest", WINDOWS_1251),
    ("russian-code", WINDOWS_1251),
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

/// Each text of [`UNDECLARED`], its first 200 and its last 200 characters, with a name and the encoding.
fn undeclared() -> impl Iterator<Item = (String, String, &'static Encoding)> {
    UNDECLARED.into_iter().flat_map(|(language, encoding)| {
        let characters: Vec<char> = text(language).chars().collect();
        let parts = [&characters[..], &characters[..200], &characters[characters.len() - 200..]];
        let name = format!("{language} in {}", encoding.name());
        let named = |(part, text): (&str, &[char])| (format!("{name}, {part}"), text.iter().collect(), encoding);
        ["whole", "start", "end"].into_iter().zip(parts).map(named).collect::<Vec<_>>()
    })
}

/// The text split into titles of about twenty characters.
fn titles(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(20).map(|part| part.iter().collect::<String>().trim().to_owned()).collect()
}

fn bytes(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, has_unknown) = encoding.encode(text);
    assert!(!has_unknown, "{}", encoding.name());
    bytes.into_owned()
}

/// A feed with the text as titles, and much markup around them.
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
    for (name, text, encoding) in undeclared() {
        let quiet = "<?xml version=\"1.0\"?>";
        let one = format!(
            "{quiet}<rss version=\"2.0\"><channel><title>x</title><item><description>{text}</description></item></channel></rss>"
        );
        let feed = parse(&bytes(&one, encoding)).expect("a feed").feed;
        assert_eq!(feed.entries[0].summary.as_deref(), Some(text.trim()), "{name}");
        for declaration in [quiet, "<?xml version=\"1.0\" encoding=\"utf-8\"?>"] {
            check_titles(&bytes(&title_feed(declaration, &text), encoding), &text, &name);
        }
    }
}

#[test]
fn a_default_latin_1_header_is_ignored() {
    for (name, text, encoding) in undeclared() {
        for charset in ["iso-8859-1", "us-ascii", "windows-1252"] {
            let content_type = Some(format!("text/xml; charset={charset}"));
            let document = bytes(&title_feed("<?xml version=\"1.0\"?>", &text), encoding);
            let feed = feed::parse(&document, &ParseOptions { content_type, ..options() }).expect("a feed").feed;
            let found: Vec<&str> = feed.entries.iter().map(|entry| entry.title.as_str()).collect();
            assert_eq!(found, titles(&text), "{name}, served as {charset}");
        }
    }
}

#[test]
fn pages_without_a_declaration_are_read() {
    for (name, text, encoding) in undeclared() {
        let head: String = text.chars().take(25).filter(|c| !matches!(c, '"' | '\'')).collect();
        let page = format!(
            "<!doctype html><html><head><link rel=\"stylesheet\" href=\"/assets/site.css\"><link rel=\"alternate\" type=\"application/rss+xml\" title=\"{head}\" href=\"/f\"></head><body class=\"home page\"><p>{text}</p></body></html>"
        );
        let found = from_page(&bytes(&page, encoding), None, &"https://example.com/".parse().expect("a URL"));
        assert_eq!(found[0].title.as_deref(), Some(head.trim()), "{name}");
    }
}

#[test]
fn a_stray_byte_does_not_change_the_encoding() {
    for language in ["japanese", "korean", "russian", "chinese", "french", "portuguese"] {
        let text = text(language);
        let mut document = title_feed("", &text).into_bytes();
        let at = document.windows(4).position(|four| four == b"News").expect("the title");
        document[at] = 0xe9;
        check_titles(&document, &text, language);
    }
}

/// The text encoded as UTF-8 twice, by way of windows-1252 and of Latin-1.
fn twice(text: &str) -> [String; 2] {
    [WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned(), text.bytes().map(char::from).collect()]
}

#[test]
fn double_encoding_is_repaired() {
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

/// The text with references for all characters above ASCII.
fn referred(text: &str, write: impl Fn(char) -> String) -> String {
    text.chars().map(|c| if c.is_ascii() { c.to_string() } else { write(c) }).collect()
}

#[test]
fn double_encoding_in_references_is_repaired() {
    for language in ["french", "german", "portuguese", "spanish", "swedish", "russian", "japanese", "korean"] {
        let text = text(language);
        let titles = titles(&text);
        for doubled in twice(&title_feed("", &text)) {
            let decimal = referred(&doubled, |c| format!("&#{};", u32::from(c)));
            check_titles(decimal.as_bytes(), &text, language);
            let hex = referred(&doubled, |c| format!("&#x{:X};", u32::from(c)));
            check_titles(hex.as_bytes(), &text, language);
        }
        // As written by PHP's `json_encode`.
        for way in 0..2 {
            let items: Vec<_> = titles.iter().map(|title| serde_json::json!({ "title": twice(title)[way] })).collect();
            let json = serde_json::json!({ "version": "https://jsonfeed.org/version/1.1", "items": items });
            let json = referred(&json.to_string(), |c| format!("\\u{:04x}", u32::from(c)));
            let feed = parse(json.as_bytes()).expect("a feed").feed;
            let found: Vec<&str> = feed.entries.iter().map(|entry| entry.title.as_str()).collect();
            assert_eq!(found, titles, "{language}");
        }
    }
    for title in
        ["Actualit&#195;&#169;s", "Actualit&#xc3;&#XA9;s", "Actualit&Atilde;&copy;s", "Actualit&amp;Atilde;&amp;copy;s"]
    {
        let document = format!("<rss><channel><title>{title}</title><item><title>x</title></item></channel></rss>");
        assert_eq!(parse(document.as_bytes()).expect("a feed").feed.title, "Actualités", "{title}");
    }
    let body = "<rss><channel><title>x</title><item><description>&lt;p&gt;L&amp;acirc;&amp;euro;&amp;trade;&amp;Atilde;&amp;copy;t&amp;Atilde;&amp;copy;&lt;/p&gt;</description></item></channel></rss>";
    let feed = parse(body.as_bytes()).expect("a feed").feed;
    assert_eq!(feed.entries[0].summary.as_deref(), Some("<p>L’été</p>"));
}

#[test]
fn correct_references_are_unchanged() {
    for (title, expected) in [
        ("Actualit&#195;&#169;s et caf&eacute;", "ActualitÃ©s et café"),
        ("Actualit&#195;&#169;s et café", "ActualitÃ©s et café"),
        ("Actualit&Atilde;&copy;s&nbsp;!", "ActualitÃ©s\u{a0}!"),
        ("What is &quot;&Atilde;&copy;&quot;?", "What is \"Ã©\"?"),
        ("N&Atilde;O", "NÃO"),
        ("caf&eacute; &amp; th&eacute;", "café & thé"),
        ("\\u00c3\\u00a9t\\u00c3\\u00a9", "\\u00c3\\u00a9t\\u00c3\\u00a9"),
    ] {
        let document = format!("<rss><channel><title>{title}</title><item><title>x</title></item></channel></rss>");
        assert_eq!(parse(document.as_bytes()).expect("a feed").feed.title, expected, "{title}");
    }
    for (title, expected) in [
        (r"Actualit\u00c3\u00a9s et caf\u00e9", "ActualitÃ©s et café"),
        (r"Actualit\\u00c3\\u00a9s", r"Actualit\u00c3\u00a9s"),
        (r"Say:\n\u00c3\u00a9", "Say: Ã©"),
    ] {
        let json =
            format!("{{\"version\": \"https://jsonfeed.org/version/1\", \"title\": \"{title}\", \"items\": []}}");
        assert_eq!(parse(json.as_bytes()).expect("a feed").feed.title, expected, "{title}");
    }
}

#[test]
fn correct_text_is_unchanged() {
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
    // Every part of a correct text as a document.
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
