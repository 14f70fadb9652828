use proptest::prelude::*;

use super::*;

fn feed(title: &str, feed_url: &str, site_url: Option<&str>, folders: &[&str]) -> OpmlFeed {
    OpmlFeed {
        title: title.to_owned(),
        feed_url: feed_url.to_owned(),
        site_url: site_url.map(str::to_owned),
        folders: folders.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn feeds(text: &str) -> Vec<OpmlFeed> {
    read(text.as_bytes(), None).unwrap().feeds
}

#[test]
fn feeds_and_folders() {
    let opml = read(
        br#"<?xml version="1.0"?><opml version="1.0"><head><title> My
            feeds </title></head><body>
            <outline text="Alone" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/"/>
            <outline text="Tech"><outline title="Rust">
                <outline text="B &amp; C" title="other" type="rss" xmlUrl="https://b.example/feed?x=1&amp;y=2"/>
            </outline></outline>
            <outline text="D" type="atom" url="https://d.example/feed"/>
            <outline text="E" category="/News/World,/Other" xmlUrl="https://e.example/feed"/>
            <outline text="page" type="link" url="https://f.example/"/></body></opml>"#,
        None,
    )
    .unwrap();
    assert_eq!(opml.title, "My feeds");
    assert_eq!(
        opml.feeds,
        [
            feed("Alone", "https://a.example/feed", Some("https://a.example/"), &[]),
            feed("B & C", "https://b.example/feed?x=1&y=2", None, &["Tech", "Rust"]),
            feed("D", "https://d.example/feed", None, &[]),
            feed("E", "https://e.example/feed", None, &["News", "World"]),
        ]
    );
    assert_eq!(opml.warnings, []);
}

#[test]
fn names_ignore_case() {
    let text = r#"<OPML><BODY><OUTLINE TEXT="F"><Outline Title="a" XMLURL="https://a.example/" HTMLurl="a.example"/>"#;
    assert_eq!(feeds(text), [feed("a", "https://a.example/", Some("https://a.example/"), &["F"])]);
}

#[test]
fn invalid_lists_are_read() {
    let text = r#"junk <opml><head><title>AT&T</title><body>
        <outline text="R & D"><outline text="a" xmlUrl=https://a.example/?x=1&y=2>
        <outline text="b" xmlUrl="feed://b.example/x"/>
        </outline></outline><outline text="c" xmlUrl='https://c.example/'"#;
    let opml = read(text.as_bytes(), None).unwrap();
    assert_eq!(opml.title, "AT&T");
    let urls: Vec<&str> = opml.feeds.iter().map(|feed| feed.feed_url.as_str()).collect();
    assert_eq!(urls[..2], ["https://a.example/?x=1&y=2", "https://b.example/x"]);
    assert!(opml.feeds[..2].iter().all(|feed| feed.folders == ["R & D"]));
}

#[test]
fn duplicates_and_invalid_addresses_are_dropped() {
    let opml = read(
        br#"<opml><outline text="F"><outline text="1" xmlUrl="https://a.example"/></outline>
            <outline text="2" xmlUrl="https://a.example/"/><outline text="3" xmlUrl="javascript:x"/></opml>"#,
        None,
    )
    .unwrap();
    assert_eq!(opml.feeds, [feed("1", "https://a.example/", None, &["F"])]);
    assert_eq!(opml.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["duplicate", "bad_address"]);
}

#[test]
fn other_documents_are_rejected() {
    for text in ["", "words", "<html><body>x</body></html>", "<rss><channel><title>x</title></channel></rss>", "{}"] {
        assert_eq!(read(text.as_bytes(), None), Err(OpmlError::NotOpml), "{text}");
    }
    assert_eq!(feeds("<opml/>"), []);
}

#[test]
fn odd_addresses_are_kept() {
    let url = |address: &str| feeds(&format!("<opml><outline xmlUrl='{address}'/>"))[0].feed_url.clone();
    assert_eq!(url(" https://a.example/my feed.xml "), "https://a.example/my%20feed.xml");
    assert_eq!(url("https://a.example/feed?q=(x)."), "https://a.example/feed?q=(x).");
    assert_eq!(url("a.example/feed"), "https://a.example/feed");
}

#[test]
fn other_encodings_are_read() {
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(
        r#"<?xml version="1.0" encoding="Shift_JIS"?><opml><outline text="日本" xmlUrl="https://a.example/"/>"#,
    );
    assert_eq!(read(&bytes, None).unwrap().feeds[0].title, "日本");
}

#[test]
fn long_and_deep_lists_are_read() {
    let many: String =
        (0..10_000).map(|n| format!("<outline text=\"f{n}\" xmlUrl=\"https://e.example/{n}\">")).collect();
    assert_eq!(feeds(&format!("<opml><body>{many}")).len(), 10_000);
    let deep = "<outline text=\"x\">".repeat(100_000);
    let read = feeds(&format!("<opml>{deep}<outline xmlUrl=\"https://a.example/\"/>"));
    assert_eq!(read[0].folders.len(), MAX_DEPTH);
}

#[test]
fn written_lists_can_be_read() {
    let list = [
        feed("A & B <\"'>", "https://a.example/?x=1&y=2", Some("https://a.example/"), &[]),
        feed("日本", "https://b.example/", None, &["ニュース", "R & D"]),
        feed("c", "https://c.example/", None, &["ニュース", "R & D"]),
        feed("d", "https://d.example/", None, &["ニュース"]),
        feed("e", "https://e.example/", None, &["\u{1}Other"]),
    ];
    let text = write("My <list>", &list);
    let opml = read(text.as_bytes(), None).unwrap();
    assert_eq!(opml.title, "My <list>");
    assert_eq!(opml.warnings, []);
    assert_eq!(opml.feeds[..4], list[..4]);
    assert_eq!(opml.feeds[4].folders, ["Other"]);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n"), "{text}");
    assert!(
        text.contains("\n    <outline text=\"ニュース\" title=\"ニュース\">\n      <outline text=\"R &amp; D\""),
        "{text}"
    );
    assert!(text.ends_with("    </outline>\n  </body>\n</opml>\n"), "{text}");
}

#[test]
fn a_very_deep_list_is_written() {
    let folders = vec!["x"; 100_000];
    assert!(write("", &[feed("a", "https://a.example/", None, &folders)]).len() < 20_000_000);
}

proptest! {
    #[test]
    fn any_list_survives_the_round_trip(titles in prop::collection::vec("\\S{1,9}( \\S{1,9})?", 1..9), depth in 0..5_usize) {
        let clean = |text: &str| text.chars().filter(|c| !c.is_control() && !c.is_whitespace() && *c != '\u{feff}').collect::<String>();
        let list: Vec<OpmlFeed> = titles.iter().enumerate().map(|(n, title)| {
            let title = format!("t{}", clean(title));
            feed(&title, &format!("https://e.example/{n}"), None, &vec!["f"; depth])
        }).collect();
        prop_assert_eq!(read(write("t", &list).as_bytes(), None).unwrap().feeds, list);
    }

    #[test]
    fn nothing_panics(text in "(<|>|outline|opml|text|xmlUrl|=|\"|'|/| |&|https://a\\.b){0,60}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(text.as_bytes(), None);
        let _ = read(&bytes, None);
    }
}
