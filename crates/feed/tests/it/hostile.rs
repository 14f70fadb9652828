//! Hostile input: depth, repetition and mutation, on a stack of 2 MB.

use proptest::prelude::*;

use crate::{fixtures, parse};

/// Runs on a thread with the smallest stack of the program.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

fn in_item(inner: &str) -> Vec<u8> {
    let head = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>t</title>";
    format!("{head}<item><title>x</title>{inner}</item><item><title>y</title></item></channel></rss>").into_bytes()
}

fn nested(open: &str, close: &str, times: usize) -> String {
    format!("{}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn depth_and_repetition_are_handled() {
    on_small_stack(|| {
        for inner in [
            nested("<a>", "</a>", 200_000),
            nested("<media:group>", "</media:group>", 100_000),
            nested("<media:content>", "</media:content>", 100_000),
            format!("<description>{}</description>", nested("<div>", "</div>", 100_000)),
            format!("<description>{}</description>", nested("&lt;b&gt;", "&lt;/b&gt;", 100_000)),
            nested("<author>", "</author>", 50_000),
            nested("<image>", "</image>", 50_000),
            nested("<a xml:base='b/'>", "</a>", 50_000),
            format!("<description>{}</description>", "&".repeat(2_000_000)),
            format!("<description>{}</description>", "<".repeat(2_000_000)),
            format!("<a {}/>", "b='c' ".repeat(100_000)),
            format!("<a {}/>", (0..20_000).map(|n| format!("xmlns:n{n}='u{n}' ")).collect::<String>()),
            "</nothing>".repeat(200_000),
            "<category>c</category>".repeat(100_000),
            "<enclosure url='http://x.example/'/>".repeat(50_000),
        ] {
            let parsed = parse(&in_item(&inner)).expect("a feed");
            let titles: Vec<&str> = parsed.feed.entries.iter().map(|entry| entry.title.as_str()).collect();
            assert_eq!(titles, ["x", "y"], "{}", inner.chars().take(40).collect::<String>());
            assert!(parsed.warnings.len() <= 48);
        }
    });
}

#[test]
fn unclosed_constructs_are_handled() {
    on_small_stack(|| {
        for inner in [
            "<![CDATA[",
            "<!--",
            "<a b=\"",
            "<a b='",
            "<?",
            "<!DOCTYPE [",
            "</a",
            "&#",
            "<item>",
            "<title>",
            "<description>",
            "<media:group>",
            "<a ",
        ] {
            let parsed = parse(&in_item(&inner.repeat(300_000))).expect("a feed");
            assert_eq!(parsed.feed.entries[0].title.chars().next(), Some('x'), "{inner}");
        }
        for all in ["<", "&", "{", "[", "{\"a\":", "\"", "<!DOCTYPE", "\u{feff}", "<rss", "<rss>", "<item>"] {
            let _ = parse(all.repeat(300_000).as_bytes());
        }
    });
}

#[test]
fn entity_expansion_is_limited() {
    let mut doctype = String::from("<!DOCTYPE x [<!ENTITY a0 \"ha\"><!ENTITY out SYSTEM \"file:///etc/passwd\">");
    for level in 1..20 {
        let times = format!("&a{};", level - 1).repeat(10);
        doctype.push_str(&format!("<!ENTITY a{level} \"{times}\">"));
    }
    let text =
        format!("{doctype}]><rss><channel><title>&a19; &out;</title><item><title>&a0;</title></item></channel></rss>");
    let feed = parse(text.as_bytes()).expect("a feed").feed;
    assert!(feed.title.len() < 200 && feed.title.contains("&out;"), "{}", feed.title);
    assert_eq!(feed.entries[0].title, "ha");
}

#[test]
fn a_hundred_thousand_entries() {
    let item = "<item><title>T</title><link>https://x.example/1</link><description>&lt;p&gt;words&lt;/p&gt;</description></item>";
    let text = format!("<rss version='2.0'><channel><title>t</title>{}</channel></rss>", item.repeat(100_000));
    assert_eq!(parse(text.as_bytes()).expect("a feed").feed.entries.len(), 100_000);
}

#[derive(Debug, Clone)]
enum Change {
    Remove(usize),
    Put(Vec<u8>),
    Repeat(usize),
}

const WORDS: &[&str] = &[
    "<item>",
    "</item>",
    "<title>",
    "</",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&",
    "&#",
    ";",
    "\"",
    "'",
    "<",
    ">",
    "\\u",
    "{",
    "]",
    "xml:base='",
    "\u{0}",
];

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Change)>> {
    let change = prop_oneof![
        (1usize..400).prop_map(Change::Remove),
        prop::collection::vec(any::<u8>(), 1..12).prop_map(Change::Put),
        prop::sample::select(WORDS).prop_map(|word| Change::Put(word.as_bytes().to_vec())),
        (1usize..400).prop_map(Change::Repeat),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), change), 1..8)
}

fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, Change)]) -> Vec<u8> {
    for (place, change) in changes {
        let at = place.index(bytes.len() + 1);
        let until = |length: usize| (at + length).min(bytes.len());
        match change {
            Change::Remove(length) => drop(bytes.drain(at..until(*length))),
            Change::Put(new) => drop(bytes.splice(at..at, new.iter().copied())),
            Change::Repeat(length) => {
                let piece = bytes[at..until(*length)].to_vec();
                drop(bytes.splice(at..at, piece));
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_feeds_are_parsed_deterministically(pick in any::<prop::sample::Index>(), list in changes()) {
        let all = fixtures();
        let bytes = changed(pick.get(&all).1.clone(), &list);
        let (one, two) = (parse(&bytes), parse(&bytes));
        prop_assert_eq!(&one, &two);
        if let Ok(parsed) = one {
            prop_assert!(parsed.warnings.len() <= 48);
        }
    }

    #[test]
    fn any_bytes_are_parsed_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes);
        let _ = parse(&in_item(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn no_item_is_silently_lost(junk in "[a-z<>&;/ \"'=!\\[\\]-]{0,60}") {
        let text = format!("<rss><channel>{junk}<item><title>one</title></item></channel></rss>");
        let hidden = junk.contains("<!") || junk.contains('"') || junk.contains('\'');
        if let Ok(parsed) = parse(text.as_bytes()) {
            prop_assert!(hidden || !parsed.feed.entries.is_empty(), "{}", text);
        }
    }

    #[test]
    fn any_date_is_parsed_without_a_panic(text in "\\PC{0,60}") {
        let _ = parse(&in_item(&format!("<pubDate>{text}</pubDate>")));
    }
}
