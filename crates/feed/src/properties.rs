//! Properties of the whole crate: any input is parsed without a panic, on the 2 MB stack of a test.
//!
//! `make fuzz` checks the same with millions of inputs.

use chrono::DateTime;
use proptest::prelude::*;
use url::Url;

use crate::{ParseOptions, discover, excerpt, identity, link, opml, parse, plain_text, sanitize};

const FRAGMENTS: &[&str] = &[
    "<rss>",
    "</rss>",
    "<channel>",
    "</channel>",
    "<item>",
    "</item>",
    "<feed>",
    "</feed>",
    "<entry>",
    "</entry>",
    "<rdf:RDF>",
    "<title>",
    "</title>",
    "<title type='xhtml'>",
    "<link>",
    "</link>",
    "<link href='x'/>",
    "<guid>",
    "<description>",
    "</description>",
    "<content type='xhtml'>",
    "</content>",
    "<content:encoded>",
    "<pubDate>",
    "</pubDate>",
    "<media:group>",
    "<x:y>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?xml encoding='",
    "?>",
    "<!DOCTYPE",
    "&amp;",
    "&",
    "&#0;",
    "&lt;p&gt;",
    "<p>",
    "</p>",
    "<a href='",
    "<link rel=alternate href=",
    "<base href=",
    "<outline ",
    "xmlUrl='https://x.example/'",
    "text='",
    "<opml>",
    "<body>",
    "{",
    "}",
    "[",
    "]",
    "\"items\":",
    "\"id\":",
    "\"",
    "'",
    ">",
    "<",
    "/",
    "=",
    " ",
    "\0",
    "\u{feff}",
    "日本",
    "2026-11-02T03:04:05Z",
    "Mon, 02 Nov 2026 03:04:05 +0900",
    "x",
];

fn check(bytes: &[u8]) {
    let url = Url::parse("https://e.example/dir/feed").unwrap();
    let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    let options = ParseOptions { url: Some(url.clone()), content_type: None, now };
    if let Ok(parsed) = parse(bytes, &options) {
        identity::identify(&parsed.feed.entries, &[]);
        assert!(parsed.feed.entries.len() <= bytes.len());
    }
    if let Ok(read) = opml::read(bytes, None) {
        assert!(opml::read(opml::write(&read.title, &read.feeds).as_bytes(), None).is_ok());
    }
    discover::from_page(bytes, None, &url);
    discover::icons(bytes, None, &url);
    discover::is_feed(bytes, None);
    let text = String::from_utf8_lossy(bytes);
    link::normalise(&text);
    sanitize(&text, Some(&url));
    plain_text(&text);
    excerpt(&text, 30);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn documents_made_of_pieces_are_read(fragments in prop::collection::vec(prop::sample::select(FRAGMENTS), 0..80)) {
        check(fragments.concat().as_bytes());
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn any_byte_of_a_feed_may_be_another(at in 0_usize..200, byte in any::<u8>()) {
        let mut feed = b"<?xml version='1.0'?><rss version='2.0'><channel><title>t</title><item><title>a</title>\
            <link>https://x.example/</link><pubDate>2 Nov 2026 03:04 JST</pubDate></item></channel></rss>".to_vec();
        if let Some(slot) = feed.get_mut(at) {
            *slot = byte;
        }
        check(&feed);
    }
}

#[test]
fn depth_costs_no_stack() {
    for fragment in
        ["<a>", "<item>", "<media:group>", "<outline>", "<ul><li>", "[", "{\"a\":", "<![CDATA[", "<!--", "&lt;"]
    {
        check(fragment.repeat(100_000 / fragment.len()).as_bytes());
        check(format!("<rss><channel><item>{}", fragment.repeat(100_000 / fragment.len())).as_bytes());
    }
}
