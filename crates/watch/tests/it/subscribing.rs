//! The preview, and a subscription to a site.

use read::{Error, SubscribeOptions};
use store::{item_lists::Filter, watch::Source};
use testkit::{TestDb, on_both_databases};

use crate::test_site::{FIRST, TestSite, html};

on_both_databases!(the_preview_shows_posts_and_stores_nothing);
async fn the_preview_shows_posts_and_stores_nothing(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let preview = site.watcher.preview(&site.origin.url("/news/")).await.unwrap();
    assert_eq!((preview.title.as_str(), preview.source), ("Harbour news", Source::Page));
    let titles: Vec<_> = preview.lists[0].posts.iter().map(|post| post.title.as_str()).collect();
    assert_eq!(titles, FIRST.iter().map(|(title, _)| *title).collect::<Vec<_>>());
    assert!(site.watcher.list(site.user, true).await.unwrap().is_empty());
}

on_both_databases!(the_first_posts_are_read_unless_wanted);
async fn the_first_posts_are_read_unless_wanted(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let options = SubscribeOptions { start_read: false, ..SubscribeOptions::default() };
    let url = site.origin.url("/news/");
    let subscribed = site.watcher.subscribe(site.user, &url, None, options.clone()).await.unwrap();
    assert_eq!((subscribed.feed.kind.as_str(), subscribed.feed.title.as_str()), ("site", "Harbour news"));
    assert_eq!(site.unread().await.len(), 3);
    let again = site.watcher.subscribe(site.user, &url, None, options).await;
    assert!(matches!(again, Err(Error::AlreadySubscribed { .. })), "{again:?}");
    let jobs = store::jobs::list_page(&db, None, Some("fetch_article"), None, 10).await.unwrap();
    assert_eq!(jobs.len(), 3, "the texts are fetched");
}

on_both_databases!(another_list_can_be_chosen_and_stays);
async fn another_list_can_be_chosen_and_stays(db: TestDb) {
    let site = TestSite::new(&db).await;
    let page = |extra: &str| {
        let news: String = (1..6)
            .map(|n| format!("<li><h2><a href='/news/story-{n}'>News of the harbour, part {n}</a></h2><time datetime='2026-03-0{n}'>{n} March 2026</time></li>"))
            .collect();
        let jobs: String = (1..5)
            .map(|n| {
                format!("<div class='job'><a href='/jobs/opening-{n}'>We are looking for captain number {n}</a></div>")
            })
            .collect();
        html(&format!(
            "<html><head><title>Harbour</title></head><body><main><ul class='news'>{news}</ul><section class='jobs'>{extra}{jobs}</section></main></body></html>"
        ))
    };
    site.on("/news/", page(""));
    let url = site.origin.url("/news/");
    let preview = site.watcher.preview(&url).await.unwrap();
    let jobs = preview.lists.iter().find(|list| list.posts[0].title.contains("captain")).expect("the other list");
    let options = SubscribeOptions { start_read: true, ..SubscribeOptions::default() };
    site.watcher.subscribe(site.user, &url, Some(&jobs.id), options).await.unwrap();
    assert_eq!(site.titles(Filter::All).await.len(), 4);
    site.on("/news/", page("<div class='job'><a href='/jobs/opening-9'>We are looking for captain number 9</a></div>"));
    site.next_day().await;
    site.next_day().await;
    assert_eq!(site.unread().await, ["We are looking for captain number 9"]);
}
