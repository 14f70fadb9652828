//! Documents, and the HTTP responses with which origin servers send them.

use testkit::origin;

use crate::test_reader::start;

/// An RSS document with these items: guid, title, minutes before [`start`].
pub fn rss(items: &[(&str, &str, i64)]) -> String {
    let item = |(guid, title, minutes): &(&str, &str, i64)| {
        let date = (start() - chrono::TimeDelta::minutes(*minutes)).to_rfc2822();
        format!(
            "<item><guid isPermaLink=\"false\">{guid}</guid><title>{title}</title><link>https://site.test/{guid}</link>\
             <pubDate>{date}</pubDate><description>&lt;p&gt;About {title}&lt;script&gt;alert(1)&lt;/script&gt;</description></item>"
        )
    };
    let items: String = items.iter().map(item).collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title><link>https://site.test/</link>{items}</channel></rss>"
    )
}

/// An RSS document with this title and the items `post-1` to `post-{count}`.
pub fn numbered_rss(title: &str, count: usize) -> String {
    let item = |n: usize| {
        format!(
            "<item><title>Post {n}</title><link>https://blog.example/{n}</link><guid>post-{n}</guid>\
             <pubDate>Sun, 01 Mar 2026 {:02}:00:00 GMT</pubDate></item>",
            n % 24
        )
    };
    let items: String = (1..=count).map(item).collect();
    format!("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>{title}</title>{items}</channel></rss>")
}

/// A PNG header with this width and height.
pub fn png(width: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0".to_vec();
    bytes.extend([width, 0, 0, 0, width, 8, 6, 0, 0, 0]);
    bytes
}

/// A response with a status line, headers and a body.
pub fn answer(status: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    origin::answer(&format!("HTTP/1.1 {status}\r\n{headers}"), body)
}

/// `200 OK` with a feed of these items.
pub fn feed_of(items: &[(&str, &str, i64)]) -> Vec<u8> {
    answer("200 OK", &[("Content-Type", "application/rss+xml")], &rss(items))
}

/// `200 OK` with this feed and an ETag.
pub fn feed_response(body: impl AsRef<[u8]>) -> Vec<u8> {
    origin::answer("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"v1\"\r\n", body)
}

/// `200 OK` with a page that has these elements in its head.
pub fn page(head: &str) -> Vec<u8> {
    html(format!("<!doctype html><html><head><title>A blog</title>{head}</head><body><p>Hello</p></body></html>"))
}

pub fn html(body: impl AsRef<[u8]>) -> Vec<u8> {
    origin::answer("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n", body)
}

pub fn status(code: u16) -> Vec<u8> {
    answer(&format!("{code} Status"), &[], "")
}
