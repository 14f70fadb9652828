use chrono::DateTime;

use super::*;

fn options() -> ParseOptions {
    let now = DateTime::from_timestamp(1_794_700_800, 0).expect("a time");
    ParseOptions { url: Url::parse("https://example.jp/feed.json").ok(), content_type: None, now }
}

fn parsed(text: &str) -> Parsed {
    read(text, &options(), Warnings::default()).expect("a feed")
}

const WHOLE: &str = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "瓦版 \ud83d\uddde", "home_page_url": "/",
  "authors": [{"name": "Hanako"}], "items": [
  {"id": 1, "url": "a.html", "content_html": "<img src='/i.png'>x", "date_published": "2026-11-15T10:00:00+09:00",
   "tags": ["a", "a", "b"], "attachments": [{"url": "x.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12}]},
  {"id": "2", "title": "Two", "content_text": "1 < 2", "author": {"name": "Taro"}}]}"#;

#[test]
fn a_whole_feed() {
    let feed = parsed(WHOLE).feed;
    assert_eq!((feed.title.as_str(), feed.version.as_str()), ("瓦版 🗞", "1.1"));
    assert_eq!(feed.link.as_deref(), Some("https://example.jp/"));
    let [one, two] = &feed.entries[..] else { panic!("two entries") };
    assert_eq!((one.id.as_deref(), one.title.as_str()), (Some("1"), "x"));
    assert_eq!(one.content.as_deref(), Some("<img src='https://example.jp/i.png'>x"));
    assert_eq!((one.authors.as_slice(), one.categories.len()), (["Hanako".to_owned()].as_slice(), 2));
    assert_eq!(one.enclosures[0].length, Some(12));
    assert_eq!((two.content.as_deref(), two.authors[0].as_str()), (Some("1 &lt; 2"), "Taro"));
}

#[test]
fn a_truncated_feed_keeps_its_entries() {
    for end in 0..WHOLE.len() {
        let Some(text) = WHOLE.get(..end) else { continue };
        let _ = read(text, &options(), Warnings::default());
    }
    let cut = parsed(WHOLE.get(..WHOLE.len() - 20).expect("a boundary"));
    assert_eq!(cut.feed.entries.len(), 2);
    assert_eq!(cut.warnings[0].code, "truncated");
    let start = WHOLE.find("\"title\": \"Two\"").expect("the second title");
    assert_eq!(parsed(WHOLE.get(..start).expect("a boundary")).feed.entries.len(), 1);
}

#[test]
fn sloppy_json_is_read() {
    let feed = parsed("junk {\"items\": [{\"title\": \"a\nb\", \"id\": 1.5,}, null, {\"title\": \"c\\q\"},],}").feed;
    let titles: Vec<&str> = feed.entries.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, ["a b", "cq"]);
}

#[test]
fn a_blank_title_is_replaced() {
    for title in ["&nbsp;", "&#32;", " \\u00a0 "] {
        let text = format!("{{\"items\": [{{\"title\": \"{title}\", \"content_text\": \"A short note\"}}]}}");
        assert_eq!(parsed(&text).feed.entries[0].title, "A short note", "{title}");
    }
}

#[test]
fn other_json_is_not_a_feed() {
    for text in ["{}", "[1, 2]", "{\"items\": 3}", "{\"items\": [{\"sku\": 1}]}", "{\"title\": \"x\"}", "{"] {
        assert_eq!(read(text, &options(), Warnings::default()), Err(NotAFeed::Json), "{text}");
    }
}

#[test]
fn deep_nesting_is_parsed() {
    let deep = format!("{{\"x\": {}1{}, \"items\": [{{\"title\": \"t\"}}]}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parsed(&deep).feed.entries.len(), 1);
    let _ = read(&"{\"a\":".repeat(100_000), &options(), Warnings::default());
}
