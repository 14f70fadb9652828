//! Recovery from single errors.

use feed::{Entry, NotAFeed};

use crate::parse;

fn entries(text: &str) -> Vec<Entry> {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}")).feed.entries
}

#[track_caller]
fn check_titles(text: &str, expected: &[&str]) {
    let entries = entries(text);
    let titles: Vec<&str> = entries.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, expected, "{text}");
}

#[test]
fn documents_that_are_not_feeds() {
    for (text, expected) in [
        ("", NotAFeed::Empty),
        (" \n\t", NotAFeed::Empty),
        ("\u{feff}", NotAFeed::Empty),
        ("<!DOCTYPE html><html><head><title>x</title></head><body><p>y</body></html>", NotAFeed::Html),
        ("<html><body><item>a</item></body></html>", NotAFeed::Html),
        ("{\"a\": 1}", NotAFeed::Json),
        ("<?xml version='1.0'?><opml><body/></opml>", NotAFeed::Xml),
        ("just words", NotAFeed::Other),
        ("\u{0}\u{1}\u{2}", NotAFeed::Empty),
    ] {
        assert_eq!(parse(text.as_bytes()).map(|parsed| parsed.feed.entries.len()), Err(expected), "{text}");
    }
}

#[test]
fn roots_of_every_kind() {
    for root in
        ["rss version='2.0'", "rss", "RSS version='0.93'", "rss version='2.0.1'", "rss xmlns='http://nobody.example/'"]
    {
        let name = root.split(' ').next().unwrap_or_default();
        check_titles(&format!("<{root}><channel><item><title>a</title></item></channel></{name}>"), &["a"]);
    }
    check_titles("<channel><item><title>a</title></item></channel>", &["a"]);
    check_titles("<item><title>a</title></item><item><title>b</title></item>", &["a", "b"]);
    check_titles("<feed xmlns='urn:none'><entry><title>a</title></entry></feed>", &["a"]);
    check_titles(
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:title>a</a:title></a:entry></a:feed>",
        &["a"],
    );
    check_titles("<html><body><rss><channel><item><title>a</title></item></channel></rss></body></html>", &["a"]);
    let one = "<rss><channel><item><title>a</title></item></channel></rss>";
    check_titles(&format!("{one}\n{one}"), &["a", "a"]);
    check_titles(&format!("HTTP/1.1 200 OK\n\n{one}<script>x</script>"), &["a"]);
}

#[test]
fn tags_that_do_not_match() {
    check_titles(
        "<rss><channel><item><title>a<link>http://x.example/</link></item><item><title>b</title></item>",
        &["a", "b"],
    );
    check_titles("<rss><channel><item><title>a</title><item><title>b</title></channel></rss>", &["a", "b"]);
    check_titles(
        "<rss><channel><item><title>a</titel></item><item><title>b</title></item></channel></rss>",
        &["a", "b"],
    );
    check_titles("<rss><channel><foo><bar><item><title>a</title></item></channel></rss>", &["a"]);
    check_titles(
        "<rss><channel><item><title>a</title><description>x<b>y</description></item><item><title>b</title></item>",
        &["a", "b"],
    );
    check_titles("<rss><channel><item><title>a</title><description>x</item><item><title>b</title></item>", &["a", "b"]);
    check_titles(
        "<rss><channel><item><title>a</title><description><![CDATA[x</description></item><item><title><![CDATA[b]]></title></item>",
        &["a", "b"],
    );
    check_titles(
        "<feed><entry><title>a</title><content type='xhtml'><div><p>x</div></content></entry><entry><title>b</title></entry></feed>",
        &["a", "b"],
    );
}

#[test]
fn titles() {
    let title = |inner: &str| format!("<rss><channel><item><title>{inner}</title></item></channel></rss>");
    check_titles(&title("AT&T R & D"), &["AT&T R & D"]);
    check_titles(&title("1 < 2 > 0"), &["1 < 2 > 0"]);
    check_titles(&title("a<br>b"), &["ab"]);
    check_titles(&title("&lt;b&gt;bold&lt;/b&gt; &amp;amp; more"), &["bold & more"]);
    check_titles(&title("<![CDATA[Vec<T> & co]]>"), &["Vec<T> & co"]);
    check_titles(&title("<速報>地震"), &["<速報>地震"]);
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>a &lt;b&gt; c</title></entry></feed>";
    check_titles(atom, &["a <b> c"]);
}

#[test]
fn missing_titles_are_replaced() {
    let item = |inner: &str| format!("<rss><channel><item>{inner}</item></channel></rss>");
    check_titles(&item("<description>&lt;p&gt;First words&lt;/p&gt;</description>"), &["First words"]);
    check_titles(&item("<link>https://x.example/2026/new-bridge.html</link>"), &["new bridge"]);
    check_titles(&item("<title> </title><link>https://x.example/</link>"), &["x.example"]);
}

#[test]
fn escaped_and_inline_bodies() {
    let body = |inner: &str| {
        let text = format!("<rss><channel><item><description>{inner}</description></item></channel></rss>");
        entries(&text)[0].summary.clone().unwrap_or_default()
    };
    assert_eq!(body("&lt;p&gt;a &amp;amp; b&lt;/p&gt;"), "<p>a &amp; b</p>");
    assert_eq!(body("<p>a &amp; b</p><hr/><a name='x'/>"), "<p>a &amp; b</p><hr/><a name='x'></a>");
    assert_eq!(body("&lt;p&gt;a<br>b&lt;/p&gt;"), "<p>a<br>b</p>");
    assert_eq!(body("<![CDATA[<p>a</p>]]> "), "<p>a</p>");
    assert_eq!(
        body("<xhtml:p xmlns:xhtml='http://www.w3.org/1999/xhtml'>a</xhtml:p>")
            .replace(" xmlns:xhtml='http://www.w3.org/1999/xhtml'", ""),
        "<p>a</p>"
    );
}

#[test]
fn addresses_and_their_bases() {
    let text = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://one.example/a/'>
        <entry xml:base='b/'><title>t</title><link href='c'/><content type='html' xml:base='d/'>&lt;img src='e'&gt;</content></entry>
        <entry><title>u</title><link href='/c'/><content type='html'>&lt;img src='e'&gt;</content></entry></feed>";
    let found = entries(text);
    assert_eq!(found[0].link.as_deref(), Some("http://one.example/a/b/c"));
    assert_eq!(found[0].content.as_deref(), Some("<img src='http://one.example/a/b/d/e'>"));
    assert_eq!(found[1].link.as_deref(), Some("http://one.example/c"));
    let plain = entries("<rss><channel><item><link>post/1</link></item></channel></rss>");
    assert_eq!(plain[0].link.as_deref(), Some("https://origin.example/feeds/post/1"));
}

#[test]
fn the_best_link_is_chosen() {
    let link = |inner: &str| entries(&format!("<feed><entry>{inner}</entry></feed>"))[0].link.clone();
    let best = "<link rel='self' href='http://x.example/s'/><link rel='alternate' type='application/json' href='http://x.example/j'/>
        <link rel='alternate' type='text/html' href='http://x.example/h'/><link rel='enclosure' href='http://x.example/e'/>";
    assert_eq!(link(best).as_deref(), Some("http://x.example/h"));
    assert_eq!(link("<id>http://x.example/id</id>").as_deref(), Some("http://x.example/id"));
    assert_eq!(link("<guid isPermaLink='false'>abc</guid>"), None);
    assert_eq!(link("<link rel='enclosure' href='http://x.example/e'/>"), None);
}

#[test]
fn wrong_default_namespaces_are_ignored() {
    for wrong in [
        "http://search.yahoo.com/mrss/",
        "http://purl.org/dc/elements/1.1/",
        "https://x.example/",
        "http://www.w3.org/2005/Atom",
    ] {
        let text = format!(
            "<rss version='2.0' xmlns='{wrong}'><channel><item><title>a</title><link>http://x.example/1</link></item></channel></rss>"
        );
        let found = entries(&text);
        assert_eq!((found[0].title.as_str(), found[0].link.as_deref()), ("a", Some("http://x.example/1")), "{wrong}");
    }
}
