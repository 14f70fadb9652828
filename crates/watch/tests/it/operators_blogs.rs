//! Blogs of the configuration file.

use config_file::ConfigFile;
use read::{Refresh, SubscribeOptions};
use testkit::{TestDb, on_both_databases};
use watch::WatchState;

use crate::test_site::{FIRST, TestSite};

fn file(url: &str, more: &str) -> ConfigFile {
    ConfigFile::parse(&format!("[[blogs]]\nid = \"harbour\"\nurl = \"{url}\"\nname = \"The harbour\"\n{more}")).unwrap()
}

on_both_databases!(a_blog_of_the_file_is_checked_without_a_subscriber);
async fn a_blog_of_the_file_is_checked_without_a_subscriber(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.watcher.sync_blogs(&file(&site.origin.url("/news/"), "interval = \"6h\"")).await.unwrap();
    let blog = site.watcher.get(site.user, false, "harbour").await.unwrap();
    assert_eq!((blog.name.as_str(), blog.state, blog.is_operators), ("The harbour", WatchState::New, true));
    site.reader.fetch_due().await.unwrap();
    let blog = site.watcher.get(site.user, false, "harbour").await.unwrap();
    assert_eq!((blog.state, blog.posts.len()), (WatchState::Ok, 3));
    let wait = blog.feed.next_fetch_at - site.clock.now();
    assert!((6 * 60..=6 * 60 + 6).contains(&wait.num_minutes()), "{wait}");
    assert_eq!(site.checks("harbour").await.len(), 1);

    // A user subscribes: what is there is read, what comes is not.
    let options = SubscribeOptions { start_read: true, ..SubscribeOptions::default() };
    assert!(!blog.can_check);
    site.watcher.subscribe_to_blog(site.user, &blog, options).await.unwrap();
    assert!(site.unread().await.is_empty());
    site.add_post("Fog over the old harbour", 21);
    site.next_day().await;
    assert_eq!(site.unread().await, ["Fog over the old harbour"]);
    let blog = site.watcher.get(site.user, false, "harbour").await.unwrap();
    assert_eq!(site.watcher.check(site.user, &blog).await.unwrap(), Refresh::Asked);
    assert_eq!(blog.days.len(), 30);
    assert_eq!(blog.days.iter().map(|day| day.changed).sum::<i64>(), 1);
}

on_both_databases!(a_blog_that_is_taken_out_rests);
async fn a_blog_that_is_taken_out_rests(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.watcher.sync_blogs(&file(&site.origin.url("/news/"), "")).await.unwrap();
    site.reader.fetch_due().await.unwrap();
    site.watcher.sync_blogs(&ConfigFile::default()).await.unwrap();
    site.next_day().await;
    assert_eq!(site.checks("harbour").await.len(), 1, "its history stays, nothing is added");
    assert!(site.watcher.list(site.user, true).await.unwrap().is_empty());
}

on_both_databases!(patterns_choose_addresses);
async fn patterns_choose_addresses(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    let more = "exclude = [\"*/news/a-*\"]";
    site.watcher.sync_blogs(&file(&site.origin.url("/news/"), more)).await.unwrap();
    site.reader.fetch_due().await.unwrap();
    let blog = site.watcher.get(site.user, true, "harbour").await.unwrap();
    let options = SubscribeOptions::default();
    site.watcher.subscribe_to_blog(site.user, &blog, options).await.unwrap();
    assert_eq!(site.unread().await, ["The tide came early this year", "The bridge is closed again"]);
}

on_both_databases!(another_address_for_the_same_identifier_begins_anew);
async fn another_address_for_the_same_identifier_begins_anew(db: TestDb) {
    let site = TestSite::new(&db).await;
    site.set_posts(FIRST);
    site.watcher.sync_blogs(&file(&site.origin.url("/news/"), "")).await.unwrap();
    site.reader.fetch_due().await.unwrap();
    let other = TestSite::new(&db).await;
    other.set_posts(FIRST);
    site.watcher.sync_blogs(&file(&other.origin.url("/news/"), "")).await.unwrap();
    site.reader.fetch_due().await.unwrap();
    let blog = site.watcher.get(site.user, false, "harbour").await.unwrap();
    assert_eq!((blog.state, blog.feed.feed_url), (WatchState::Ok, other.origin.url("/news/")));
    assert_eq!(site.checks("harbour").await.len(), 2);
}
