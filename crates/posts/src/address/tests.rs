use super::*;

fn address(text: &str) -> Address {
    Address::of(&Url::parse("https://example.com/blog/").unwrap().join(text).unwrap())
}

#[track_caller]
fn check(text: &str, expected: Role) {
    assert_eq!(address(text).role(&address("/blog/")), expected, "{text}");
}

#[test]
fn roles_of_addresses() {
    check("/blog/", Role::Itself);
    check("/blog/index.html", Role::Itself);
    check("/", Role::Above);
    check("/en/", Role::Above);
    check("/ja/blog/", Role::Above);
    check("/tags/rust", Role::Listing);
    check("/page/2", Role::Listing);
    check("/blog/page2/", Role::Listing);
    check("/?cat=3", Role::Listing);
    check("/news/2021/07", Role::Period);
    check("/2021/", Role::Period);
    check("/about", Role::Fixed);
    check("/about.html", Role::Fixed);
    check("/a.pdf", Role::File);
    check("/feed.xml", Role::File);
    check("/archives/289", Role::Page);
    check("/?p=123", Role::Page);
    check("/2021/07/a-post", Role::Page);
    check("/tags/a/2026/03/a-post", Role::Page);
    check("/release-1.2.3", Role::Page);
    check("/@mara", Role::Listing);
    check("/@mara/a-post", Role::Page);
    check("/p/a-post/comments", Role::Listing);
    check("/comments", Role::Page);
    check("/world/2026/mar", Role::Period);
    check("/world/2026/mar/04/a-post", Role::Page);
}

#[test]
fn dates_in_addresses() {
    let day = NaiveDate::from_ymd_opt(2026, 3, 4);
    for text in [
        "/2026/03/04/a",
        "/2026/3/4/",
        "/a/2026-03-04-b.html",
        "/2026-03-04",
        "/entry/20260304",
        "/entry/20260304-x",
        "/2026_03_04_x",
        "/world/2026/mar/04/x",
        "/2026/march/4/x",
    ] {
        assert_eq!(address(text).date(), day, "{text}");
    }
    for text in ["/2026/03/a", "/entry/2026030412345", "/20269999", "/1234567", "/2026/99/99/", "/2026/marble/04/x"] {
        assert_eq!(address(text).date(), None, "{text}");
    }
}

#[test]
fn shapes_of_addresses() {
    assert_eq!(address("/2026/03/a").shape(), address("/2025/12/b").shape());
    assert_eq!(address("/posts/a/").shape(), address("/posts/b").shape());
    assert_ne!(address("/posts/a").shape(), address("/photos/a").shape());
    assert_eq!(address("/posts/a").folder(), "posts");
    assert_eq!(address("/a").folder(), "");
}
