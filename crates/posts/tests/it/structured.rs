//! Lists in the data of a page: JSON-LD, and the state of scripts.

use serde_json::{Value, json};

use crate::find;

const PAGE: &str = "https://site.example/blog";

/// A page that a script writes, with its state.
fn page(id: &str, state: &Value, body: &str) -> String {
    format!(
        "<html><body>{body}<div id=app></div><script id={id} type=application/json>{state}</script>\
        <script src=/app.js></script></body></html>"
    )
}

fn next(state: Value) -> String {
    page("__NEXT_DATA__", &json!({"props": {"pageProps": state}, "page": "/blog", "query": {}}), "")
}

fn json_ld(data: &Value, body: &str) -> String {
    format!("<html><head><script type=application/ld+json>{data}</script></head><body>{body}</body></html>")
}

/// The day, path and title of each post.
#[track_caller]
fn check(html: &str, expected: &[&str]) {
    let found = find(html, PAGE);
    let day = |post: &posts::Post| post.published_at.map_or("-".to_owned(), |at| at.format("%Y-%m-%d").to_string());
    let posts: Vec<String> =
        found.posts.iter().map(|post| format!("{} {} {}", day(post), post.url.path(), post.title)).collect();
    assert_eq!(posts, expected, "{html}");
    assert_eq!(found.list.as_deref(), (!expected.is_empty()).then_some("data"));
}

#[test]
fn state_with_addresses_and_dates() {
    let posts = json!([
        {"id": 3, "title": "Salt &amp; stone", "url": "/salt#top", "publishedAt": "2026-03-04T10:00:00Z",
        "author": {"name": "A"}},
        {"id": 2, "title": "The pier", "url": "https://site.example/pier", "publishedAt": "2026-02-01T00:00:00Z"},
        {"id": 1, "title": "Gulls", "url": "/gulls", "publishedAt": 1_767_225_600_000_u64},
    ]);
    let expected = ["2026-03-04 /salt Salt & stone", "2026-02-01 /pier The pier", "2026-01-01 /gulls Gulls"];
    check(&next(json!({"posts": posts, "menu": [{"title": "About", "url": "/a"}]})), &expected);
    check(&next(json!({"initialState": {"blog": {"list": {"items": posts}}}})), &expected);
    // The other posts of other lists, but not those beside the page.
    let more = json!([
        {"title": "Old one", "url": "/old-1", "date": "2020-01-01"}, {"title": "Old two", "url": "/old-2",
        "date": "2020-01-01"},
        {"title": "Old three", "url": "/old-3", "date": "2020-01-01"},
    ]);
    check(&next(json!({"posts": posts, "popularPosts": more})), &expected);
    assert_eq!(find(&next(json!({"posts": posts, "archive": more})), PAGE).posts.len(), 6);
}

#[test]
fn state_of_usual_content_systems() {
    let expected = ["2026-03-04 /posts/one One", "2026-02-01 /posts/two Two", "2026-01-01 /posts/three Three"];
    let rows = [("one", "One", "2026-03-04"), ("two", "Two", "2026-02-01"), ("three", "Three", "2026-01-01")];
    let list = |entry: fn(&str, &str, &str) -> Value| {
        next(json!({"list": rows.iter().map(|(slug, title, day)| entry(slug, title, day)).collect::<Vec<_>>()}))
    };
    check(
        &list(
            |slug, title, day| json!({"node": {"path": format!("/posts/{slug}"), "frontmatter": {"title": title, "date": day}}}),
        ),
        &expected,
    );
    check(
        &list(
            |slug, title, day| json!({"attributes": {"title": title, "published_at": day, "permalink": format!("/posts/{slug}/")}}),
        ),
        &["2026-03-04 /posts/one/ One", "2026-02-01 /posts/two/ Two", "2026-01-01 /posts/three/ Three"],
    );
    check(
        &list(|slug, title, day| {
            json!({"title": {"rendered": title},
            "date": day, "link": format!("https://site.example/posts/{slug}")})
        }),
        &expected,
    );
    check(
        &list(|slug, title, day| json!({"name": title, "publishAt": day, "href": format!("/posts/{slug}")})),
        &expected,
    );
}

#[test]
fn state_of_nuxt_is_a_table() {
    let table = json!([
        ["ShallowReactive", 1], {"data": 2, "ranking": 20}, ["Reactive", 3], {"posts": 4}, [5, 10, 15],
        {"title": 6, "path": 7, "date": 8}, "One", "/a", ["Date", "2026-03-04T00:00:00.000Z"], null,
        {"title": 11, "path": 12, "date": 13}, "Two", "/b", "2026-02-01", null,
        {"title": 16, "path": 17, "date": 13}, "Three", "/c", null, null,
        [21, 22, 23], {"title": 6, "path": 24, "date": 13}, {"title": 6, "path": 25, "date": 13},
        {"title": 6, "path": 26, "date": 13},
        "/x", "/y", "/z",
    ]);
    check(&page("__NUXT_DATA__", &table, ""), &["2026-03-04 /a One", "2026-02-01 /b Two", "2026-02-01 /c Three"]);
}

#[test]
fn slugs_need_links_that_show_their_folder() {
    let state = json!({"posts": [
        {"title": "One", "slug": "one", "date": "2026-03-04"}, {"title": "Two", "slug": "二", "date": "2026-02-01"},
        {"title": "Three", "slug": {"current": "three"}, "date": "2026-01-01"},
    ]});
    let with = |body: &str| page("__NEXT_DATA__", &state, body);
    check(&with(""), &[]);
    check(&with("<a href=/notes/one>1</a>"), &[]);
    check(&with("<a href=/notes/one>1</a><a href=/essays/二>2</a>"), &[]);
    let expected = ["2026-03-04 /notes/one One", "2026-02-01 /notes/%E4%BA%8C Two", "2026-01-01 /notes/three Three"];
    check(&with("<a href=/notes/one>1</a> <a href=/notes/二>2</a>"), &expected);
}

#[test]
fn other_things_in_the_state_are_no_posts() {
    let menu = json!([{"title": "News", "url": "/news"}, {"title": "Press kit", "url": "/press/kit"},
    {"title": "Media", "url": "/press/media"}]);
    check(&next(json!({"links": menu})), &[]);
    let products = json!([
        {"title": "Cup", "url": "/p/blue-cup-with-handle", "price": 12, "publishedAt": "2026-03-04"},
        {"title": "Plate", "url": "/p/large-grey-plate", "price": 12, "publishedAt": "2026-03-04"},
        {"title": "Pot", "url": "/p/pot-of-dark-stone", "price": 12, "publishedAt": "2026-03-04"},
    ]);
    check(&next(json!({"list": products})), &[]);
    let elsewhere = json!([
        {"title": "A", "url": "https://a.example/", "date": "2026-03-04"}, {"title": "B", "url": "//b.example/x",
        "date": "2026-03-04"},
        {"title": "C", "url": "javascript:alert(1)", "date": "2026-03-04"}, {"title": "D", "url": "content/posts/d.md",
        "date": "2026-03-04"},
    ]);
    check(&next(json!({"list": elsewhere})), &[]);
    let tags = json!([{"name": "Tea", "url": "/blog/tea"}, {"name": "Bread", "url": "/blog/bread"}, {"name": "Jam",
    "url": "/blog/jam"}]);
    check(&next(json!({"list": tags})), &[]);
    let two =
        json!([{"title": "A", "url": "/a", "date": "2026-03-04"}, {"title": "B", "url": "/b", "date": "2026-03-04"}]);
    check(&next(json!({"list": two})), &[]);
}

#[test]
fn state_is_not_read_where_the_page_shows_a_list() {
    let rows: String =
        (0..4).map(|at| format!("<li>2026-03-0{} <a href=/news/{at}>Some news of the town</a>", at + 1)).collect();
    let state = json!([{"title": "A", "url": "/a", "date": "2026-03-04"}, {"title": "B", "url": "/b",
    "date": "2026-03-04"},
        {"title": "C", "url": "/c", "date": "2026-03-04"}]);
    let found = find(&page("__NEXT_DATA__", &state, &rows), PAGE);
    assert_eq!(found.posts.len(), 4);
    assert!(found.posts.iter().all(|post| post.url.path().starts_with("/news/")));
}

#[test]
fn item_lists_with_addresses() {
    let plain = json!({"@context": "https://schema.org", "@graph": [{"@type": "WebSite",
    "url": "https://site.example/"}, {"@type": "ItemList",
    "itemListElement": [
        {"@type": "ListItem", "position": 1, "url": "https://site.example/blog/2026/03/04/one", "name": "One"},
        {"@type": "ListItem", "position": 2, "item": {"@id": "/blog/2026/02/01/two", "name": "Two"}},
        "https://site.example/blog/a-post-without-title",
        {"@type": "ListItem", "position": 4, "item": "/blog/2026/01/01/four"},
    ]}]});
    let found = find(&json_ld(&plain, "<div id=app></div>"), PAGE);
    let paths: Vec<(&str, &str)> = found.posts.iter().map(|post| (post.url.path(), post.title.as_str())).collect();
    assert_eq!(
        paths,
        [
            ("/blog/2026/03/04/one", "One"),
            ("/blog/2026/02/01/two", "Two"),
            ("/blog/a-post-without-title", ""),
            ("/blog/2026/01/01/four", "")
        ]
    );
    // The page has the titles.
    let cards = "<p><a href=/blog/2026/03/04/one>X</a><p><a href=/blog/2026/02/01/two>X</a>\
        <p><a href=/blog/2026/01/01/four>Four</a>";
    assert_eq!(find(&json_ld(&plain, cards), PAGE).posts.len(), 4);
}

#[test]
fn item_lists_of_other_things() {
    let list = |kind: &str, entries: Value| json_ld(&json!({"@type": kind, "itemListElement": entries}), "");
    let items = |kind: &str, paths: [&str; 3]| {
        json!(paths.map(|path| json!({"@type": "ListItem", "item": {"@type": kind, "url": path, "name": "A name"}})))
    };
    let posts = ["/blog/one-long-name", "/blog/two-long-name", "/blog/three-long-name"];
    assert_eq!(find(&list("ItemList", items("WebPage", posts)), PAGE).posts.len(), 3);
    check(&list("ItemList", items("Product", posts)), &[]);
    check(&list("BreadcrumbList", items("WebPage", posts)), &[]);
    check(
        &list(
            "ItemList",
            items("WebPage", ["/services/one-long-name", "/services/two-long-name", "/services/c-long-name"]),
        ),
        &[],
    );
    check(&list("ItemList", items("WebPage", ["/blog/one-long-name", "/blog/two-long-name", "/about"])), &[]);
}
