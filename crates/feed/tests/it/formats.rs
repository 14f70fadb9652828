//! Valid documents of each format.

use feed::{Entry, Format, ParsedFeed};

use crate::{fixture, fixtures, parse};

fn feed(name: &str) -> ParsedFeed {
    let parsed = parse(&fixture(name)).expect("a feed");
    assert_eq!(parsed.warnings, [], "{name}");
    parsed.feed
}

fn first(name: &str) -> Entry {
    feed(name).entries.swap_remove(0)
}

fn utc(text: &str) -> Option<chrono::DateTime<chrono::Utc>> {
    Some(text.parse().expect("a date"))
}

#[test]
fn fixtures_are_parsed_without_a_warning() {
    let counts = [14, 14, 16, 14, 16, 14, 10, 12, 12, 16, 16, 14];
    for ((name, bytes), count) in fixtures().into_iter().zip(counts) {
        let parsed = parse(&bytes).expect("a feed");
        assert_eq!(parsed.warnings, [], "{name}");
        assert_eq!(parsed.feed.entries.len(), count, "{name}");
        for entry in &parsed.feed.entries {
            assert!(!entry.title.is_empty(), "{name}");
            assert!(entry.link.is_some() || name.starts_with("rss092"), "{name}");
        }
    }
}

#[test]
fn rss_2_with_the_usual_extensions() {
    let feed = feed("rss20-courier.xml");
    assert_eq!((feed.format, feed.version.as_str()), (Format::Rss, "2.0"));
    assert_eq!(feed.title, "The Harbour Courier");
    assert_eq!(feed.link.as_deref(), Some("https://courier.example/"));
    assert_eq!(feed.self_link.as_deref(), Some("https://courier.example/feed/"));
    assert_eq!(feed.language.as_deref(), Some("en-GB"));
    assert_eq!(feed.icon.as_deref(), Some("https://courier.example/icon-32.png"));
    assert_eq!(feed.hints.update_minutes, Some(60));
    assert_eq!(feed.updated, utc("2026-11-15T10:00:00Z"));
    let entry = &feed.entries[0];
    assert_eq!(entry.id.as_deref(), Some("https://courier.example/?p=100"));
    assert!(!entry.id_is_permalink);
    assert_eq!(entry.authors, ["Ada Fisher"]);
    assert_eq!(entry.categories, ["Town", "Sea & land"]);
    assert_eq!(entry.comments.as_deref(), Some("https://courier.example/2026/11/1/#comments"));
    assert_eq!(entry.published, utc("2026-11-15T09:30:00Z"));
    assert!(entry.summary.as_deref().is_some_and(|summary| summary.ends_with("[&#8230;]")));
    let content = entry.content.as_deref().expect("content");
    assert!(content.contains("<a href=\"https://courier.example/notes/0\">More about it</a> &amp; <img"), "{content}");
}

#[test]
fn rss_2_in_japanese() {
    let feed = feed("rss20-sakanomachi.xml");
    assert_eq!(feed.hints.ttl_minutes, Some(60));
    assert_eq!(feed.hints.skip_hours, [0, 1, 2]);
    let entry = &feed.entries[0];
    assert_eq!(entry.title, "川沿いの古い製材所が図書館になる");
    assert!(entry.id_is_permalink);
    assert_eq!(entry.authors, ["編集部"]);
    assert_eq!(entry.published, utc("2026-11-15T00:30:00Z"));
    let summary = entry.summary.as_deref().expect("a summary");
    assert!(summary.contains("src=\"https://sakanomachi.example.jp/2026/11/15/images/0.png\""), "{summary}");
}

#[test]
fn old_versions_of_rss() {
    let valley = feed("rss091-valley.xml");
    assert_eq!(valley.version, "0.91");
    assert_eq!(valley.entries[1].link.as_deref(), Some("http://valley.example/story?id=1&from=rss"));
    let board = feed("rss090-board.rdf");
    assert_eq!((board.format, board.version.as_str()), (Format::Rdf, "0.90"));
    assert_eq!(board.icon.as_deref(), Some("http://board.example/board.gif"));
    let workshop = first("rss092-workshop.xml");
    assert_eq!(workshop.enclosures[0].length, Some(12000));
    assert_eq!(workshop.link, None);
}

#[test]
fn rss_1() {
    let feed = feed("rdf10-kawaberi.rdf");
    assert_eq!((feed.format, feed.version.as_str(), feed.title.as_str()), (Format::Rdf, "1.0", "川べり日記"));
    assert_eq!(feed.language.as_deref(), Some("ja"));
    let entry = &feed.entries[0];
    assert_eq!(entry.id.as_deref(), Some("https://kawaberi.example.jp/e/0"));
    assert_eq!(
        (entry.authors.as_slice(), entry.categories.as_slice()),
        (["川辺 花".to_owned()].as_slice(), ["日記".to_owned()].as_slice())
    );
    assert_eq!(entry.published, utc("2026-11-15T00:30:00Z"));
    assert!(entry.content.as_deref().is_some_and(|content| content.contains("続きを読む")));
}

#[test]
fn atom_1() {
    let feed = feed("atom10-notes.xml");
    assert_eq!((feed.format, feed.version.as_str()), (Format::Atom, "1.0"));
    assert_eq!(feed.title, "Release notes & field notes");
    assert_eq!(feed.description.as_deref(), Some("From a small team"));
    assert_eq!(feed.hubs, ["https://hub.example/"]);
    assert_eq!(feed.icon.as_deref(), Some("https://notes.example/favicon.ico"));
    for entry in &feed.entries[..2] {
        assert_eq!(entry.authors, ["Robin Marsh"]);
        assert_eq!(entry.enclosures[0].media_type.as_deref(), Some("audio/ogg"));
        let content = entry.content.as_deref().expect("content");
        assert!(content.starts_with("<p>") && content.contains("href=\"https://notes.example/notes/"), "{content}");
        assert!(content.contains("</a> &amp; <img"), "{content}");
    }
}

#[test]
fn atom_with_media() {
    let entry = first("atom10-douga.xml");
    assert_eq!(entry.thumbnail.as_deref(), Some("https://i.douga.example.jp/000/hq.jpg"));
    assert_eq!(entry.enclosures[0].url, "https://douga.example.jp/v/000");
    assert!(entry.summary.as_deref().is_some_and(|summary| summary.starts_with("来春")));
    assert_eq!(entry.id.as_deref(), Some("video:000"));
}

#[test]
fn atom_0_3() {
    let feed = feed("atom03-journal.xml");
    assert_eq!((feed.version.as_str(), feed.description.as_deref()), ("0.3", Some("Kept since 2003")));
    let entry = &feed.entries[0];
    assert_eq!(entry.published, utc("2026-11-15T08:30:00Z"));
    assert!(entry.content.as_deref().is_some_and(|html| html.contains("href=\"http://journal.example/notes/0\"")));
}

#[test]
fn podcasts() {
    let feed = feed("rss20-podcast.xml");
    assert_eq!(feed.new_feed_url.as_deref(), Some("https://stairwell.example/podcast.xml"));
    assert_eq!(feed.icon.as_deref(), Some("https://stairwell.example/cover.jpg"));
    let entry = &feed.entries[0];
    assert_eq!(entry.title, "1. Night ferry returns to the northern islands");
    assert_eq!(entry.enclosures[0].url, "https://cdn.example/stairwell/0.mp3?a=1&b=2");
    assert_eq!(entry.authors, ["The Stairwell Choir"]);
    assert_eq!(entry.thumbnail.as_deref(), Some("https://stairwell.example/0.jpg"));
    assert_eq!(entry.published, utc("2026-11-15T17:30:00Z"));
}

#[test]
fn json_feeds() {
    let garden = feed("json11-garden.json");
    assert_eq!((garden.format, garden.version.as_str()), (Format::Json, "1.1"));
    assert_eq!(garden.entries[0].authors, ["Gwen Frost"]);
    assert_eq!(garden.entries[0].enclosures[0].length, Some(1000));
    let hoshi = first("json10-hoshi.json");
    assert_eq!((hoshi.id.as_deref(), hoshi.authors[0].as_str()), (Some("0"), "星野 守"));
}

#[test]
fn titles_of_json_decode_references_once() {
    let text = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Q&amp;A &#8211; caf&eacute;", "items": [
        {"id": 1, "title": "AT&amp;T"}, {"id": 2, "title": "&amp;lt; is &amp;amp;"}, {"id": 3, "title": "R&D &copy 2020 &x;"}]}"#;
    let feed = parse(text.as_bytes()).expect("a feed").feed;
    assert_eq!(feed.title, "Q&A – café");
    let titles: Vec<&str> = feed.entries.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, ["AT&T", "&lt; is &amp;", "R&D &copy 2020 &x;"]);
}

/// Content and summary of an item with these elements.
fn bodies(elements: &str) -> (Option<String>, Option<String>) {
    let xml = format!(
        "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" \
         xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><item><title>x</title>{elements}</item></channel></rss>"
    );
    let entry = parse(xml.as_bytes()).expect("a feed").feed.entries.swap_remove(0);
    (entry.content, entry.summary)
}

#[test]
fn the_longer_text_of_a_podcast_is_its_content() {
    let (short, long) = ("In short.", "A much longer text that says what the episode is about.");
    let summary = |text: &str| format!("<itunes:summary>{text}</itunes:summary>");
    let description = |text: &str| format!("<description>{text}</description>");
    let both = (Some(long.to_owned()), Some(short.to_owned()));
    assert_eq!(bodies(&(summary(long) + &description(short))), both);
    assert_eq!(bodies(&(description(short) + &summary(long))), both);
    assert_eq!(bodies(&(description(long) + &summary(short))), both);
    // Tags do not count for the length.
    let tagged =
        "&lt;p&gt;&lt;a href='https://example.com/a/long/address/that/nobody/reads'&gt;In short.&lt;/a&gt;&lt;/p&gt;";
    assert_eq!(bodies(&(description(tagged) + &summary(long))).0.as_deref(), Some(long));
    let encoded = "<content:encoded>Whole</content:encoded>";
    let whole = (Some("Whole".to_owned()), Some(short.to_owned()));
    assert_eq!(bodies(&(description(short) + &summary(long) + encoded)), whole);
    assert_eq!(bodies(&(encoded.to_owned() + &summary(long) + &description(short))), whole);
    assert_eq!(bodies(&summary(long)), (None, Some(long.to_owned())));
    assert_eq!(bodies(&(description(long) + &summary(long))), (None, Some(long.to_owned())));
}
