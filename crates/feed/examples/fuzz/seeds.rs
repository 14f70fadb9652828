//! The seeds: fixtures of the crate, some documents, and fragments of documents.

mod fragments;

use std::{fs, path::Path};

use rand::{RngExt, rngs::SmallRng};

use crate::targets::Kind;
use fragments::{FEED_FRAGMENTS, HTML_FRAGMENTS, SHORT_FRAGMENTS};

/// Documents to mutate.
pub struct Seeds {
    feeds: Vec<Vec<u8>>,
    pages: Vec<Vec<u8>>,
    short: Vec<Vec<u8>>,
}

impl Seeds {
    /// The documents below and the fixtures of the crate.
    pub fn read() -> Self {
        let own = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        let mut seeds = Self { feeds: own(FEEDS), pages: own(PAGES), short: own(SHORT_FRAGMENTS) };
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")];
        while let Some(folder) = folders.pop() {
            let mut paths: Vec<_> =
                fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths {
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(mut bytes) = fs::read(&path) {
                    bytes.truncate(16 * 1024);
                    let is_page = path.extension().is_some_and(|ending| ending == "html");
                    if is_page { seeds.pages.push(bytes) } else { seeds.feeds.push(bytes) }
                }
            }
        }
        seeds
    }

    /// A random seed of a kind.
    pub fn pick(&self, random: &mut SmallRng, kind: Kind) -> &[u8] {
        let all = match kind {
            Kind::Feed => &self.feeds,
            Kind::Html => &self.pages,
            Kind::Short => &self.short,
        };
        &all[random.random_range(0..all.len())]
    }
}

/// The fragments that documents of a kind are made of.
pub fn fragments(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Feed => FEED_FRAGMENTS,
        Kind::Html => HTML_FRAGMENTS,
        Kind::Short => SHORT_FRAGMENTS,
    }
}

const FEEDS: &[&str] = &[
    "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>T</title><link>https://e.example/</link><item><title>A &amp; B</title><link>/1</link><guid isPermaLink=\"false\">x</guid><pubDate>Mon, 02 Nov 2026 03:04:05 +0900</pubDate><description>&lt;p&gt;x&lt;/p&gt;</description><content:encoded><![CDATA[<p><a href=\"y\">y</a></p>]]></content:encoded><enclosure url=\"https://e.example/a.mp3\" length=\"12\" type=\"audio/mpeg\"/></item></channel></rss>",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://e.example/\"><title type=\"html\">T</title><link rel=\"self\" href=\"f\"/><entry><id>urn:1</id><title type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">A <b>b</b></div></title><updated>2026-11-02T03:04:05Z</updated><content type=\"html\">&lt;p&gt;x</content><author><name>N</name></author></entry></feed>",
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel rdf:about=\"x\"><title>日本</title></channel><item rdf:about=\"https://e.example/1\"><title>題</title><link>https://e.example/1</link><dc:date>2026-11-02T03:04:05+09:00</dc:date></item></rdf:RDF>",
    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[{\"id\":\"1\",\"url\":\"https://e.example/1\",\"content_html\":\"<p>x\",\"date_published\":\"2026-11-02T03:04:05Z\",\"tags\":[\"a\"],\"attachments\":[{\"url\":\"u\",\"mime_type\":\"audio/mpeg\"}]}]}",
    "<opml version=\"2.0\"><head><title>L</title></head><body><outline text=\"F\"><outline type=\"rss\" text=\"A\" xmlUrl=\"https://e.example/f\" htmlUrl=\"https://e.example/\"/></outline></body></opml>",
];

const PAGES: &[&str] = &[
    "<!DOCTYPE html><html><head><base href=\"/x/\"><title>T</title><link rel=\"alternate\" type=\"application/rss+xml\" title=\"F\" href=\"feed.xml\"><link rel=\"icon\" sizes=\"32x32\" href=\"i.png\"><script>var x = '<link>';</script></head><body><a href=\"/atom.xml\">Feed</a></body></html>",
    "<div class=\"post\"><h2>T</h2><p>a <b>b</b> <a href=\"https://e.example/?a=1&amp;b=2\">c</a><br>d</p><figure><img src=\"https://e.example/i.jpg\" srcset=\"https://e.example/s.jpg 300w, https://e.example/l.jpg 900w\" alt=\"x\"><figcaption>c</figcaption></figure><ul><li>1<li>2<ul><li>3</ul></ul><pre><code>x\n  y</code></pre><table><tr><th>a<th>b<tr><td>1<td>2</table><blockquote>q</blockquote><iframe src=\"https://www.youtube.com/embed/x\"></iframe></div>",
];
