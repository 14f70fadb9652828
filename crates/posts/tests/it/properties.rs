//! What holds for any page.

use posts::{Found, parse_sitemap, posts_in_sitemap, sitemaps_in_robots};
use proptest::prelude::*;
use url::Url;

use crate::{find, find_list};

const PAGE: &str = "https://site.example/blog/";

/// Checks what must hold for every page.
fn check(html: &str) {
    let found = find(html, PAGE);
    for post in &found.posts {
        assert!(matches!(post.url.scheme(), "http" | "https") && post.url.host_str().is_some(), "{}", post.url);
        let last =
            post.url.path_segments().and_then(|mut parts| parts.rfind(|part| !part.is_empty())).unwrap_or_default();
        assert!(html.contains(last), "{} is not in {html}", post.url);
    }
    assert_eq!(found.posts.is_empty(), found.absence.is_some());
    assert!(found.posts.iter().all(|post| found.rejected.iter().all(|rejected| rejected.url != post.url)));
    check_lists(html, &found);
}

/// Each list that is offered is taken if it is asked for.
fn check_lists(html: &str, found: &Found) {
    assert_eq!(found.list.is_some(), !found.posts.is_empty());
    assert!(found.others.len() <= 5);
    for list in &found.others {
        let chosen = find_list(html, PAGE, Some(&list.id));
        assert_eq!((&chosen.posts, chosen.list.as_ref()), (&list.posts, Some(&list.id)));
        assert!(chosen.posts.len() >= 3 && chosen.others.iter().all(|other| other.id != list.id));
    }
}

/// Checks what must hold for every sitemap.
fn check_sitemap(body: &[u8], place: &str) {
    let page = Url::parse(PAGE).unwrap();
    let Some(sitemap) = parse_sitemap(body, &page.join(place).unwrap()) else { return };
    for entry in sitemap.urls.iter().chain(&sitemap.sitemaps) {
        assert!(matches!(entry.url.scheme(), "http" | "https") && entry.url.host_str().is_some(), "{}", entry.url);
        assert!(entry.title.as_ref().is_none_or(|title| !title.is_empty()));
    }
    let posts = posts_in_sitemap(&sitemap, &page);
    assert!(posts.len() <= sitemap.urls.len());
    assert!(posts.iter().all(|post| post.url.host_str().is_some_and(|host| host.ends_with("site.example"))));
}

proptest! {
    #[test]
    fn any_bytes_are_a_sitemap(body in proptest::collection::vec(any::<u8>(), 0..300), is_packed: bool) {
        let start: &[u8] = if is_packed { &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0] } else { b"<urlset>" };
        check_sitemap(&[start, &body].concat(), "/sitemap.xml");
        check_sitemap(&body, "/sitemap.txt");
    }

    #[test]
    fn any_tags_are_a_sitemap(tags in proptest::collection::vec(
        prop::sample::select(vec![
            "<urlset>", "</urlset>", "<sitemapindex>", "<url>", "</url>", "<sitemap>", "</sitemap>", "<loc>", "</loc>",
            "<lastmod>", "</lastmod>",
            "<n:news>", "</n:news>", "<n:title>", "</n:title>", "<n:publication_date>", "https://site.example/p/one",
            "/p/two", "javascript:x()",
            "2026-03-04", "&amp;", "<![CDATA[", "]]>", "<!--", "-->", "https://sub.site.example/2026/03/04/x",
            "https://other.example/", " ", "\n", "三",
        ]),
        0..60,
    )) {
        let body = "<urlset>".to_owned() + &tags.concat();
        check_sitemap(body.as_bytes(), "/sitemap.xml");
        check_sitemap(tags.concat().as_bytes(), "/sitemap.txt");
    }

    #[test]
    fn any_text_is_a_robots_txt(lines in proptest::collection::vec("(Sitemap: ?|sitemap:|Allow: )?\\PC{0,20}", 0..40)) {
        let robots = Url::parse("https://site.example/robots.txt").unwrap();
        let found = sitemaps_in_robots(&lines.join("\n"), &robots);
        assert!(found.len() <= 20 && found.iter().all(|url| matches!(url.scheme(), "http" | "https")));
    }

    #[test]
    fn any_text_is_a_page(html in "\\PC{0,300}") {
        check(&html);
    }

    #[test]
    fn any_tags_are_a_page(tags in proptest::collection::vec(
        prop::sample::select(vec![
            "<li>", "</li>", "<ul>", "</ul>", "<article>", "</article>", "<h2>", "</h2>", "<nav>", "</nav>",
            "<div class=post>", "</div>",
            "<a href=/p/one>One long title of a post</a>", "<a href='/p/two?utm_source=x#c'>Read more</a>",
            "<a href=/2026/03/04/three>三つ目の記事の題名</a>",
            "<a href='//other.example/x'>Elsewhere</a>", "<a href='javascript:x()'>x</a>", "<a href=four>", "</a>",
            "<time datetime=2026-03-04>",
            "</time>", "2026-03-04", "3月4日", "Mar 4", "2026", "<p>some words of a text</p>", "<br>", "<td>", "<table>",
            "<base href='https://base.example/'>",
            "¥100", "<script type=application/ld+json>[{\"@type\":\"BlogPosting\",\"url\":\"/p/one\"}]</script>",
            "<main>", "<aside>", "</aside>",
        ]),
        0..80,
    )) {
        check(&tags.concat());
    }
}
