//! What a check tells, and what it does not tell.

use store::item_lists::Filter;
use testkit::{TestDb, on_both_databases, origin};

use crate::test_site::{FIRST, TestSite, html, not_found};

on_both_databases!(a_new_post_is_told_once_with_its_text);
async fn a_new_post_is_told_once_with_its_text(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    assert_eq!((site.titles(Filter::All).await.len(), site.unread().await.len()), (3, 0));
    site.next_day().await;
    site.add_post("Fog over the old harbour", 21);
    site.next_day().await;
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    let checks = site.checks(&feed.to_string()).await;
    let ok = Some(200);
    assert_eq!(
        checks,
        [(ok, false, false, false), (ok, true, false, false), (ok, false, true, false), (ok, true, false, false)]
    );
    let newest = site.reader.list_items(site.user, &crate::checking::all()).await.unwrap().items.remove(0);
    let detail = site.reader.get_item(site.user, newest.row.id).await.unwrap();
    assert!(detail.content.unwrap().contains("counted every boat twice"));
    assert_eq!(detail.row.author.as_deref(), Some("Hana"));
    assert_eq!(detail.row.published_at.to_rfc3339(), "2026-03-21T00:00:00+00:00");
}

fn all() -> read::ListQuery {
    read::ListQuery {
        scope: store::item_lists::ItemScope::All,
        filter: Filter::All,
        order: store::item_lists::Order::Newest,
        after: None,
        limit: 10,
        with_content: false,
    }
}

on_both_databases!(a_post_without_a_page_waits_for_the_second_check);
async fn a_post_without_a_page_waits_for_the_second_check(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.subscribe().await;
    site.add_post("Fog over the old harbour", 21);
    site.pages().missing.push("/news/fog-over-the-old-harbour".to_owned());
    site.next_day().await;
    assert!(site.unread().await.is_empty());
    // The page is the same, and yet it is the second sight.
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    site.next_day().await;
    assert_eq!(site.unread().await.len(), 1);
}

on_both_databases!(a_post_that_redirects_to_its_canonical_address_is_told_once);
async fn a_post_that_redirects_to_its_canonical_address_is_told_once(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.subscribe().await;
    site.add_post("Fog over the old harbour", 21);
    let text = "The ferry filled before noon, and the harbour master counted every boat twice. ".repeat(12);
    let canonical = site.origin.url("/2026/fog");
    site.on("/news/fog-over-the-old-harbour", origin::redirect(301, "/2026/fog"));
    site.on(
        "/2026/fog",
        html(&format!("<link rel='canonical' href='{canonical}'><article><h1>Fog</h1><p>{text}</p></article>")),
    );
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    // The list links to the canonical address later.
    let page = "<ul class='news'><li><h2><a href='/2026/fog'>Fog, seen from above</a></h2><time datetime='2026-03-21'>21 March 2026</time></li>
         <li><h2><a href='/news/a-new-ferry-for-the-island'>A new ferry for the island</a></h2><time datetime='2026-03-09'>9 March 2026</time></li>
         <li><h2><a href='/news/the-bridge-is-closed-again'>The bridge is closed again</a></h2><time datetime='2026-03-08'>8 March 2026</time></li></ul>";
    site.on("/news/", html(page));
    site.next_day().await;
    assert_eq!(site.unread().await.len(), 1);
}

on_both_databases!(a_link_that_disappears_again_is_not_told);
async fn a_link_that_disappears_again_is_not_told(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.subscribe().await;
    site.add_post("A draft that nobody should see", 21);
    site.pages().missing.push("/news/a-draft-that-nobody-should-see".to_owned());
    site.next_day().await;
    site.set_posts(FIRST);
    site.next_day().await;
    site.add_post("A draft that nobody should see", 21);
    site.next_day().await;
    assert!(site.unread().await.is_empty(), "seen once again");
}

on_both_databases!(parameters_that_change_are_learned);
async fn parameters_that_change_are_learned(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.pages().suffix = "?t=1".to_owned();
    site.subscribe().await;
    for visit in 2..5 {
        site.pages().suffix = format!("?t={visit}");
        site.next_day().await;
    }
    assert!(site.unread().await.is_empty());
    site.add_post("Fog over the old harbour", 24);
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    assert_eq!(site.titles(Filter::All).await.len(), 4);
}

on_both_databases!(a_list_that_was_rebuilt_tells_nothing);
async fn a_list_that_was_rebuilt_tells_nothing(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    let old: Vec<(String, u32)> = (1..8).map(|n| (format!("An old story with number {n}"), n)).collect();
    site.pages().posts.extend(old);
    site.next_day().await;
    assert!(site.unread().await.is_empty());
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!(blog.state, watch::WatchState::Rebuilt);
    site.next_day().await;
    assert!(site.unread().await.is_empty());
}

on_both_databases!(a_list_that_breaks_says_so_and_comes_back);
async fn a_list_that_breaks_says_so_and_comes_back(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    let page = "<html><body><h1>Welcome to the harbour</h1><p>We are rebuilding our pages, please come back soon.</p></body></html>";
    site.on("/news/", html(&page.replace("</p>", &" Thank you for waiting.".repeat(40))));
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!((blog.state, blog.feed.error_code.as_deref()), (watch::WatchState::Failing, Some("list_broke")));
    site.pages().answers.clear();
    site.add_post("Fog over the old harbour", 21);
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!(blog.state, watch::WatchState::Ok);
}

on_both_databases!(a_server_that_fails_loses_nothing);
async fn a_server_that_fails_loses_nothing(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    site.add_post("Fog over the old harbour", 21);
    site.on("/news/", origin::answer("HTTP/1.1 503 Service Unavailable\r\n", "later"));
    site.next_day().await;
    assert_eq!(site.checks(&feed.to_string()).await.last().unwrap(), &(Some(503), false, false, true));
    site.pages().answers.clear();
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
}

on_both_databases!(robots_txt_is_respected);
async fn robots_txt_is_respected(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    site.on("/robots.txt", origin::answer("HTTP/1.1 200 OK\r\n", "User-agent: *\nDisallow: /news/\n"));
    site.add_post("Fog over the old harbour", 21);
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!(blog.feed.error_code.as_deref(), Some("robots_refused"));
    assert!(site.unread().await.is_empty());
}

on_both_databases!(a_page_that_is_gone_stops_the_site);
async fn a_page_that_is_gone_stops_the_site(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    site.on("/news/", not_found());
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!(blog.state, watch::WatchState::Stopped);
}

on_both_databases!(a_site_becomes_quiet_once);
async fn a_site_becomes_quiet_once(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    site.clock.advance(std::time::Duration::from_secs(200 * 24 * 60 * 60));
    site.next_day().await;
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!(blog.state, watch::WatchState::Quiet);
    site.add_post("We are back in the harbour", 31);
    site.next_day().await;
    assert_eq!(site.unread().await, ["We are back in the harbour"]);
}

on_both_databases!(words_choose_what_becomes_an_item);
async fn words_choose_what_becomes_an_item(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    site.watcher.set_words(&blog, &["harbour".to_owned()], &["Sponsored".to_owned()]).await.unwrap();
    site.add_post("Sponsored: buy the harbour", 21);
    site.add_post("Fog over the old Harbour", 21);
    site.add_post("A recipe for fish soup", 21);
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old Harbour"]);
    // A check does not forget the words.
    let blog = site.watcher.get(site.user, false, &feed.to_string()).await.unwrap();
    assert_eq!((blog.include_words.len(), blog.exclude_words.len()), (1, 1));
}

on_both_databases!(several_workers_tell_a_post_once);
async fn several_workers_tell_a_post_once(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    for day in 21..24 {
        site.add_post(&format!("Fog over the old harbour on day {day}"), day);
        site.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
        let (first, second) = (site.reader.clone(), site.reader.clone());
        let (one, other) = tokio::join!(first.fetch_due(), second.fetch_due());
        assert_eq!(one.unwrap() + other.unwrap(), 1);
    }
    assert_eq!(site.unread().await.len(), 3);
    assert_eq!(site.checks(&feed.to_string()).await.len(), 4);
}

on_both_databases!(a_check_that_is_cut_off_is_done_again);
async fn a_check_that_is_cut_off_is_done_again(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let feed = site.subscribe().await;
    site.add_post("Fog over the old harbour", 21);
    site.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
    // Ended at different moments: before the request, between the requests, before storing.
    for millis in [0, 1, 2, 4, 8, 16] {
        let reader = site.reader.clone();
        let check = tokio::spawn(async move { reader.fetch_due().await });
        tokio::time::sleep(std::time::Duration::from_millis(millis)).await;
        check.abort();
        site.clock.advance(std::time::Duration::from_secs(60 * 60));
    }
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    let changed = site.checks(&feed.to_string()).await.iter().filter(|(_, _, changed, _)| *changed).count();
    assert_eq!(changed, 1);
}
