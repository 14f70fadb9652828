use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::*;

fn url(text: &str) -> Url {
    Url::parse("https://site.example/sitemap.xml").unwrap().join(text).unwrap()
}

fn parse(body: &str) -> Option<Sitemap> {
    parse_sitemap(body.as_bytes(), &url(""))
}

fn packed(body: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The paths of the addresses in a sitemap.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let sitemap = parse(body).unwrap();
    let paths: Vec<&str> = sitemap.urls.iter().map(|entry| entry.url.path()).collect();
    assert_eq!(paths, expected, "{body}");
}

const NEWS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="v">
<url><loc> https://site.example/a?x=1&amp;y=2 </loc><lastmod>2026-03-04T10:00:00+09:00</lastmod>
  <image:image><image:loc>https://site.example/a.jpg</image:loc><image:title>A picture</image:title></image:image>
  <video:video><video:title>A film</video:title>
  <video:publication_date>2001-01-01</video:publication_date></video:video>
  <news:news><news:publication><news:name>The Site</news:name></news:publication>
  <news:publication_date>2026-03-03</news:publication_date><news:title>Tea &amp;
  bread</news:title></news:news></url>
<url><loc><![CDATA[/b]]></loc><lastmod>soon</lastmod></url>
<url><lastmod>2026-03-04</lastmod></url>
<url><loc>mailto:a@site.example</loc></url>
</urlset>"#;

#[test]
fn addresses_with_their_dates() {
    let urls = parse(NEWS).unwrap().urls;
    let time = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap());
    assert_eq!(
        urls,
        [
            SitemapUrl {
                url: url("/a?x=1&y=2"),
                changed_at: time("2026-03-04T01:00:00Z"),
                title: Some("Tea & bread".to_owned()),
                published_at: time("2026-03-03T00:00:00Z"),
            },
            SitemapUrl { url: url("/b"), changed_at: None, title: None, published_at: None },
        ]
    );
}

#[test]
fn sitemaps_of_an_index() {
    let index = "<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc><lastmod>2026-03-04</lastmod></sitemap>\
        <sitemap><loc>2.xml</loc></sitemap></sitemapindex>";
    let index = parse(index).unwrap();
    assert!(index.urls.is_empty());
    let names: Vec<&str> = index.sitemaps.iter().map(|entry| entry.url.path()).collect();
    assert_eq!(names, ["/1.xml.gz", "/2.xml"]);
    assert!(index.sitemaps.first().unwrap().changed_at.is_some());
}

#[test]
fn invalid_xml_is_read() {
    check("\n<S:UrlSet><S:Url><S:LOC>/a</S:LOC></S:Url><S:url><loc>/not</loc><S:loc>/b</S:loc></S:url>", &["/a", "/b"]);
    check("<urlset><url><loc>/a<url><loc>/b</url><url><loc>/c</loc></urlset>", &["/a", "/b", "/c"]);
    check("<urlset></urlset>", &[]);
}

#[test]
fn truncated_sitemaps_give_what_is_whole() {
    let whole = "<urlset><url><loc>/first</loc></url><url><loc>/second</loc></url></urlset>";
    for end in 0..=whole.len() {
        let paths: Vec<String> = parse(&whole[..end])
            .map(|sitemap| sitemap.urls.iter().map(|entry| entry.url.path().to_owned()).collect())
            .unwrap_or_default();
        assert!(["/first", "/second"].starts_with(&paths.iter().map(String::as_str).collect::<Vec<_>>()), "{paths:?}");
    }
}

#[test]
fn other_documents_are_no_sitemaps() {
    for body in [
        "",
        "Not found",
        "<!doctype html><html><body><urlset><url><loc>/a</loc></url></urlset></body></html>",
        "<rss version='2.0'><channel><item><link>https://site.example/a</link></item></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>",
        "{\"urlset\":[]}",
        "https://site.example/a\nhttps://site.example/b",
    ] {
        assert_eq!(parse(body), None, "{body}");
    }
}

#[test]
fn plain_text_has_one_address_a_line() {
    let text = |body: &str| parse_sitemap(body.as_bytes(), &url("/sitemap.txt"));
    let found = text("\u{feff}https://site.example/a\r\n\n# old ones\nhttps://site.example/b").unwrap();
    assert_eq!(found.urls.len(), 2);
    for body in ["", "User-agent: *\nDisallow:\nSitemap: https://site.example/a", "Not found", "<html>Not found"] {
        assert_eq!(text(body), None, "{body}");
    }
    assert_eq!(text("<urlset><url><loc>/a</loc></url></urlset>").unwrap().urls.len(), 1);
}

#[test]
fn packed_sitemaps_are_unpacked() {
    let body = packed(NEWS);
    let place = url("/sitemap.xml.gz");
    assert_eq!(parse_sitemap(&body, &place), parse(NEWS));
    let lines: String = (0..20_000).map(|at| format!("<url><loc>/post-{}</loc></url>\n", at * 7919 % 20_000)).collect();
    let large = packed(&format!("<urlset>{lines}"));
    let half = parse_sitemap(&large[..large.len() / 2], &place).unwrap().urls.len();
    assert!((1_000..19_000).contains(&half), "{half}");
    assert_eq!(parse_sitemap(&[0x1f, 0x8b, 8, 1, 2, 3], &place), None);
}

#[test]
fn size_and_addresses_are_limited() {
    let many = "<url><loc>/a</loc></url>".repeat(MAX_ADDRESSES + 10);
    assert_eq!(parse(&format!("<urlset>{many}")).unwrap().urls.len(), MAX_ADDRESSES);
    let bomb = packed(&format!("<urlset><url><loc>/a</loc></url>{}<url><loc>/b</loc></url>", " ".repeat(MAX_BYTES)));
    assert_eq!(parse_sitemap(&bomb, &url("")).unwrap().urls.len(), 1);
    let long = format!("<urlset><url><loc>/{}</loc></url><url><loc>/b</loc></url>", "a".repeat(10_000));
    check(&long, &["/b"]);
}

#[test]
fn sitemaps_that_robots_txt_names() {
    let robots = "\u{feff}Sitemap: https://site.example/1.xml\nUser-agent: *\nDisallow: /sitemap: no\n\
        SITEMAP:/2.xml # news\nsitemap : //other.example/3.xml\nSitemap:\n\
        Sitemap: ftp://site.example/4.xml\nsitemap: /2.xml\n#Sitemap: /5.xml";
    let found = sitemaps_in_robots(robots, &url("/robots.txt"));
    let found: Vec<&str> = found.iter().map(Url::as_str).collect();
    assert_eq!(found, ["https://site.example/1.xml", "https://site.example/2.xml", "https://other.example/3.xml"]);
    let many: String = (0..100).map(|at| format!("Sitemap: /{at}.xml\n")).collect();
    assert_eq!(sitemaps_in_robots(&many, &url("/robots.txt")).len(), MAX_IN_ROBOTS);
}

#[test]
fn posts_are_told_from_other_addresses() {
    let paths = [
        "/",
        "/blog/",
        "/about",
        "/tags/tea",
        "/blog/page/2",
        "/2026/03/",
        "/guide.pdf",
        "https://other.example/post",
        "https://shop.site.example/",
        "/blog/2026/03/04/tea",
        "/blog/bread",
        "http://site.example/blog/bread/",
    ];
    let entries: String =
        paths.iter().map(|path| format!("<url><loc>{path}</loc><lastmod>2026-03-05</lastmod></url>")).collect();
    let sitemap = parse(&format!("<urlset>{entries}")).unwrap();
    let posts = posts_in_sitemap(&sitemap, &url("/blog/"));
    let found: Vec<(&str, Option<String>)> =
        posts.iter().map(|post| (post.url.path(), post.published_at.map(|at| at.to_rfc3339()))).collect();
    assert_eq!(found, [("/blog/2026/03/04/tea", Some("2026-03-04T00:00:00+00:00".to_owned())), ("/blog/bread", None)]);
    assert!(posts.iter().all(|post| post.title.is_empty()));
}

#[test]
fn news_give_title_and_date() {
    let posts = posts_in_sitemap(&parse(NEWS).unwrap(), &url("/"));
    let first = posts.first().unwrap();
    assert_eq!(
        (first.title.as_str(), first.published_at.unwrap().to_rfc3339().as_str()),
        ("Tea & bread", "2026-03-03T00:00:00+00:00")
    );
}
