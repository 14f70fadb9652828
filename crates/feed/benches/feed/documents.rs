//! Typical feeds in several formats and two languages, about four megabytes; the same in every run.

use std::fmt::Write;

use url::Url;

use crate::bodies::body;

/// A feed.
pub struct Document {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub entries: usize,
    pub url: Url,
}

/// One feed of each kind.
pub fn all() -> Vec<Document> {
    vec![
        rss("RSS 2.0, content:encoded in CDATA", 75, |body| format!("<![CDATA[{body}]]>")),
        rss("RSS 2.0, escaped", 75, escaped),
        document("RSS 2.0, headlines", 300, headline_feed(300)),
        document("RSS 2.0, podcast", 120, podcast(120)),
        document("Atom, escaped", 100, atom(100)),
        document("RDF", 150, rdf(150)),
        document("JSON Feed", 100, json(100)),
    ]
}

/// A feed with very many entries.
pub fn many_entries(count: usize) -> Document {
    document("many entries", count, headline_feed(count))
}

fn document(name: &'static str, entries: usize, text: String) -> Document {
    Document { name, bytes: text.into_bytes(), entries, url: Url::parse("https://blog.example/feed").unwrap() }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn title(number: usize) -> String {
    if number.is_multiple_of(2) {
        format!("The headline number {number} of the day")
    } else {
        format!("本日の見出し第{number}号をお届けします")
    }
}

fn date(number: usize) -> String {
    format!("Mon, {:02} Nov 2026 {:02}:{:02}:00 +0900", 1 + number % 28, number % 24, number % 60)
}

fn rss(name: &'static str, count: usize, wrap: impl Fn(&str) -> String) -> Document {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:slash=\"http://purl.org/rss/1.0/modules/slash/\" xmlns:wfw=\"http://wellformedweb.org/CommentAPI/\">\n<channel>\n<title>Blog</title>\n<atom:link href=\"https://blog.example/feed/\" rel=\"self\" type=\"application/rss+xml\" />\n<link>https://blog.example</link>\n<description>A blog</description>\n<language>en-US</language>\n",
    );
    for number in 0..count {
        let (title, date, html) = (title(number), date(number), body(number));
        writeln!(out, "\t<item>\n\t\t<title>{title}</title>\n\t\t<link>https://blog.example/2026/{number}/</link>\n\t\t<comments>https://blog.example/2026/{number}/#respond</comments>\n\t\t<dc:creator><![CDATA[Author {}]]></dc:creator>\n\t\t<pubDate>{date}</pubDate>\n\t\t<category><![CDATA[News]]></category>\n\t\t<category><![CDATA[日記]]></category>\n\t\t<guid isPermaLink=\"false\">https://blog.example/?p={number}</guid>\n\t\t<description><![CDATA[<p>{title} &#8230;</p>]]></description>\n\t\t<content:encoded>{}</content:encoded>\n\t\t<wfw:commentRss>https://blog.example/2026/{number}/feed/</wfw:commentRss>\n\t\t<slash:comments>{}</slash:comments>\n\t</item>", number % 9, wrap(&html), number % 5).unwrap();
    }
    document(name, count, out + "</channel>\n</rss>\n")
}

fn headline_feed(count: usize) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Headlines</title><link>https://news.example/</link><description>x</description>",
    );
    for number in 0..count {
        writeln!(out, "<item><title>{}</title><link>https://news.example/{number}</link><guid>https://news.example/{number}</guid><pubDate>{}</pubDate><description>A short summary &amp; nothing more, number {number}.</description></item>", title(number), date(number)).unwrap();
    }
    out + "</channel></rss>"
}

fn podcast(count: usize) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>Podcast</title><link>https://pod.example/</link><description>x</description><itunes:author>A</itunes:author><itunes:image href=\"https://pod.example/i.jpg\"/>",
    );
    for number in 0..count {
        let notes = escaped(&body(number * 5 + 4));
        writeln!(out, "<item><title>{}</title><itunes:title>{}</itunes:title><link>https://pod.example/{number}</link><guid isPermaLink=\"false\">{number:032x}</guid><pubDate>{}</pubDate><enclosure url=\"https://cdn.example/{number}.mp3?a=1&amp;b=2\" length=\"4567{number}\" type=\"audio/mpeg\"/><itunes:duration>01:02:03</itunes:duration><itunes:explicit>false</itunes:explicit><description>{notes}</description><media:thumbnail url=\"https://pod.example/{number}.jpg\"/></item>", title(number), title(number), date(number)).unwrap();
    }
    out + "</channel></rss>"
}

fn atom(count: usize) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Atom</title><link href=\"https://a.example/\"/><link rel=\"self\" href=\"https://a.example/atom.xml\"/><id>https://a.example/</id><updated>2026-11-01T00:00:00Z</updated>",
    );
    for number in 0..count {
        writeln!(out, "<entry><title type=\"html\">{}</title><link rel=\"alternate\" type=\"text/html\" href=\"https://a.example/{number}\"/><id>tag:a.example,2026:{number}</id><published>2026-11-{:02}T12:00:00+09:00</published><updated>2026-11-{:02}T12:30:00Z</updated><author><name>Author</name></author><category term=\"news\"/><content type=\"html\">{}</content></entry>", title(number), 1 + number % 28, 1 + number % 28, escaped(&body(number))).unwrap();
    }
    out + "</feed>\n"
}

fn rdf(count: usize) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel rdf:about=\"https://b.example/rss\"><title>はてな</title><link>https://b.example/</link><description>x</description></channel>",
    );
    for number in 0..count {
        writeln!(out, "<item rdf:about=\"https://b.example/{number}\"><title>{}</title><link>https://b.example/{number}</link><description>短い要約です。</description><content:encoded><![CDATA[{}]]></content:encoded><dc:date>2026-11-{:02}T01:02:03Z</dc:date><dc:subject>社会</dc:subject><dc:creator>id</dc:creator></item>", title(number), body(number * 2 + 1), 1 + number % 28).unwrap();
    }
    out + "</rdf:RDF>"
}

fn json(count: usize) -> String {
    let items: Vec<serde_json::Value> = (0..count)
        .map(|number| serde_json::json!({"id": number.to_string(), "url": format!("https://j.example/{number}"), "title": title(number), "content_html": body(number), "date_published": "2026-11-01T00:00:00Z", "authors": [{"name": "A"}], "tags": ["x"]}))
        .collect();
    serde_json::json!({"version": "https://jsonfeed.org/version/1.1", "title": "JSON", "home_page_url": "https://j.example/", "items": items}).to_string()
}
