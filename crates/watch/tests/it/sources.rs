//! Feed, page and sitemap, and the change from one to another.

use store::{item_lists::Filter, watch::Source};
use testkit::{TestDb, on_both_databases};

use crate::test_site::{FIRST, TestSite, html, not_found, slug, xml};

fn rss(posts: &[(&str, u32)], origin: &str) -> Vec<u8> {
    let item = |(title, day): &(&str, u32)| {
        let slug = slug(title);
        format!(
            "<item><guid isPermaLink='false'>id-{slug}</guid><title>{title}</title><link>{origin}/news/{slug}</link>
             <pubDate>{day:02} Mar 2026 00:00:00 GMT</pubDate><description>From the feed.</description></item>"
        )
    };
    let items: String = posts.iter().map(item).collect();
    xml(&format!("<rss version='2.0'><channel><title>Harbour feed</title>{items}</channel></rss>"))
}

on_both_databases!(a_feed_that_appears_is_read_with_the_same_items);
async fn a_feed_that_appears_is_read_with_the_same_items(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    let id = feed.to_string();
    let origin = site.origin.url("");
    let posts: Vec<_> = [("Fog over the old harbour", 21)].into_iter().chain(FIRST.iter().copied()).collect();
    site.on("/news/feed.xml", rss(&posts, origin.trim_end_matches('/')));
    site.on(
        "/news/",
        html("<html><head><link rel='alternate' type='application/rss+xml' href='/news/feed.xml'></head><body>Moved</body></html>"),
    );
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &id).await.unwrap();
    assert_eq!(blog.source, Some(Source::Feed));
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    assert_eq!(site.titles(Filter::All).await.len(), 4, "the same items");

    // A feed that fails for a while stays the source.
    site.on("/news/feed.xml", testkit::origin::answer("HTTP/1.1 503 Service Unavailable\r\n", "later"));
    site.next_day().await;
    assert_eq!(site.watcher.get(site.user, false, &id).await.unwrap().source, Some(Source::Feed));

    // The feed vanishes, and the page has its list again.
    site.pages().answers.clear();
    site.set_posts(&posts);
    site.add_post("The feed is gone for good", 23);
    site.next_day().await;
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &id).await.unwrap();
    assert_eq!(blog.source, Some(Source::Page));
    assert_eq!(site.titles(Filter::All).await.len(), 5);
    assert_eq!(site.unread().await.len(), 2);
}

on_both_databases!(a_sitemap_is_used_where_the_page_has_no_list);
async fn a_sitemap_is_used_where_the_page_has_no_list(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let text = "<p>We are a small company by the sea and repair boats of every size.</p>".repeat(20);
    site.on("/news/", html(&format!("<html><body><h1>Welcome</h1>{text}</body></html>")));
    let sitemap = |posts: &[&str]| {
        let url =
            |title: &&str| format!("<url><loc>{}</loc></url>", site.origin.url(&format!("/news/{}", slug(title))));
        let urls: String = posts.iter().map(url).collect();
        xml(&format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"))
    };
    let index = site.origin.url("/post-sitemap.xml");
    site.on("/sitemap.xml", xml(&format!("<sitemapindex><sitemap><loc>{index}</loc></sitemap></sitemapindex>")));
    let first: Vec<&str> = FIRST.iter().map(|(title, _)| *title).collect();
    site.on("/post-sitemap.xml", sitemap(&first));
    let feed = site.subscribe().await;
    assert_eq!(site.watcher.get(site.user, false, &feed.to_string()).await.unwrap().source, Some(Source::Sitemap));
    assert_eq!(site.titles(Filter::All).await.len(), 3);
    assert!(site.titles(Filter::All).await.contains(&"A new ferry for the island".to_owned()), "titles of the pages");

    site.add_post("Fog over the old harbour", 21);
    let grown: Vec<&str> = ["Fog over the old harbour"].into_iter().chain(first).collect();
    site.on("/post-sitemap.xml", sitemap(&grown));
    site.next_day().await;
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
}

on_both_databases!(a_page_with_nothing_to_watch_says_why);
async fn a_page_with_nothing_to_watch_says_why(db: TestDb) {
    let site = TestSite::new(&db).await;
    let try_page = async |body: &str| {
        site.on("/news/", html(body));
        match site.watcher.preview(&site.origin.url("/news/")).await {
            Err(read::Error::Origin { problem, .. }) => problem.code(),
            other => panic!("{other:?}"),
        }
    };
    let shell = "<html><body><div id='root'></div><script src='/app.js'></script></body></html>";
    assert_eq!(try_page(shell).await, "needs_script");
    let text = "<p>We repair boats of every size, and have done so for a hundred years.</p>".repeat(20);
    assert_eq!(try_page(&format!("<html><body>{text}</body></html>")).await, "no_posts");
    site.on("/news/", not_found());
    let gone = site.watcher.preview(&site.origin.url("/news/")).await;
    assert!(matches!(gone, Err(read::Error::Origin { problem: read::Problem::NotFound, .. })));
}
