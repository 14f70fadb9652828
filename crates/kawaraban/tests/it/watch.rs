//! `watch find`: the output of the command.

use serde_json::json;
use testkit::origin::{Origin, ok};

use crate::{feed::lines, process::Program};

const PAGE: &str =
    "<html lang=en><head><title>Log</title><link rel=alternate type=application/rss+xml href=/feed></head><body>
    <nav><a href=/about>About</a></nav><ul><li>2026-03-04 <a href=/posts/a-river>A river reaches the sea</a></li>
    <li>2026-03-01 <a href=/posts/a-bridge>A bridge is built again</a></li>
    <li>2026-02-11 <a href=/posts/fish>Waiting for the fish</a></li></ul></body></html>";

const FEED: &str = "<rss version='2.0'><channel><title>Log</title><item><title>Only in the feed</title>
    <link>https://example.com/posts/only</link><pubDate>Wed, 04 Mar 2026 00:00:00 GMT</pubDate></item></channel></rss>";

#[tokio::test]
async fn posts_as_json() {
    let program = Program::new();
    let file = program.file("page.html", PAGE);
    let arguments = ["watch", "find", "--json", "--base-url", "https://example.com/", &file];
    let line = lines(&program.run(&arguments).await.expect_code(0)).remove(0);
    assert_eq!((&line["file"], &line["ok"], &line["source"]), (&json!(file), &json!(true), &json!("page")));
    let first = json!({"url": "https://example.com/posts/a-river", "title": "A river reaches the sea", "published_at": "2026-03-04T00:00:00Z"});
    assert_eq!(line["posts"][0], first);
    assert_eq!(line["posts"].as_array().unwrap().len(), 3);
    assert_eq!(line["rejected"][0]["url"], "https://example.com/about");
}

#[tokio::test]
async fn page_without_posts_does_not_stop_the_others() {
    let program = Program::new();
    let empty = program.file("empty.html", "<script>app()</script>");
    let page = program.file("page.html", PAGE);
    let arguments = ["watch", "find", "--json", "--base-url", "https://example.com/", &empty, "/nonexistent", &page];
    let finished = program.run(&arguments).await.expect_code(1);
    let lines = lines(&finished);
    assert_eq!(lines[0]["error"], "the page needs JavaScript to show its content");
    assert_eq!((&lines[0]["ok"], &lines[0]["posts"]), (&json!(false), &json!([])));
    assert!(lines[1]["error"].as_str().unwrap().contains("cannot be opened"), "{lines:?}");
    assert_eq!(lines[2]["ok"], true);
    assert!(finished.stderr.contains("2 of 3 files"), "{finished:?}");
}

#[tokio::test]
async fn posts_for_people() {
    let program = Program::new();
    let arguments = ["watch", "find", "-", "--base-url", "https://example.com/"];
    let finished = program.run_with_input(&arguments, PAGE.as_bytes()).await.expect_code(0);
    assert!(finished.stdout.contains("source: page\n"), "{finished:?}");
    assert!(finished.stdout.contains("+ 2026-03-04 https://example.com/posts/a-river A river"), "{finished:?}");
    assert!(finished.stdout.contains("- https://example.com/about ("), "{finished:?}");
}

#[tokio::test]
async fn feed_of_a_page_is_used_for_addresses() {
    let origin = Origin::serve(|seen| ok(if seen.target == "/feed" { FEED } else { PAGE })).await;
    let open = Program::new().with("FETCH_ALLOW_NETS", "127.0.0.0/8");
    let line = lines(&open.run(&["watch", "find", "--json", &origin.url("/")]).await.expect_code(0)).remove(0);
    assert_eq!(line["source"], "feed");
    assert_eq!(line["posts"][0]["title"], "Only in the feed");
}

#[tokio::test]
async fn page_is_used_if_its_feed_is_broken() {
    let origin = Origin::serve(|seen| ok(if seen.target == "/feed" { "broken" } else { PAGE })).await;
    let open = Program::new().with("FETCH_ALLOW_NETS", "127.0.0.0/8");
    let line = lines(&open.run(&["watch", "find", "--json", &origin.url("/")]).await.expect_code(0)).remove(0);
    assert_eq!((&line["source"], line["posts"].as_array().unwrap().len()), (&json!("page"), 3));
}

const SITEMAP: &str = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    <url><loc>https://example.com/posts/a-river</loc><lastmod>2026-03-04</lastmod></url>
    <url><loc>https://example.com/posts/a-bridge</loc></url></urlset>";

#[tokio::test]
async fn posts_of_a_sitemap() {
    let program = Program::new();
    let file = program.file("sitemap.xml", SITEMAP);
    let line = lines(&program.run(&["watch", "find", "--json", &file]).await.expect_code(0)).remove(0);
    assert_eq!((&line["ok"], &line["source"]), (&json!(true), &json!("sitemap")));
    let urls: Vec<&str> = line["posts"].as_array().unwrap().iter().map(|post| post["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["https://example.com/posts/a-river", "https://example.com/posts/a-bridge"]);

    let index = "<sitemapindex><sitemap><loc>https://example.com/posts.xml</loc></sitemap></sitemapindex>";
    let file = program.file("index.xml", index);
    let finished = program.run(&["watch", "find", &file]).await.expect_code(1);
    assert!(finished.stdout.contains("no posts: the sitemap only names other sitemaps"), "{finished:?}");
}
