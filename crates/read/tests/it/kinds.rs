//! Feed kinds, each with its fetcher; and feeds that a configuration file names.

use std::time::Duration;

use feed::ParseOptions;
use net::{Request, Urgency};
use read::{Answer, Content, FetchError, Fetcher, NamedFeed, Problem};
use store::{
    FeedId, delete_user,
    feeds::{self, Claimed, FetchStatus, NewFeed},
    subscriptions,
};
use testkit::{TestDb, on_both_databases, origin};
use tokio_util::sync::CancellationToken;

use crate::{
    responses::{answer, feed_of, rss},
    test_reader::{TestReader, client},
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Takes the lines of a page for titles of posts.
struct LinesOfPage(net::Client);

impl Fetcher for LinesOfPage {
    async fn fetch(&self, feed: &Claimed) -> Result<Answer, FetchError> {
        let request = Request::get(net::parse_url(&feed.feed_url)?).urgency(Urgency::Background);
        let response = self.0.send(request).await?;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        if text.is_empty() {
            return Err(FetchError::Unusable { problem: Problem::NotAFeed, detail: "no lines".to_owned() });
        }
        let posts: Vec<_> = text.lines().map(|line| (line, line, 10)).collect();
        let options = ParseOptions {
            url: Some(response.url.clone()),
            content_type: None,
            now: "2026-03-02T10:00:00Z".parse().unwrap(),
        };
        let parsed = feed::parse(rss(&posts).as_bytes(), &options).unwrap();
        Ok(Answer {
            response,
            content: Content::Entries { feed: Box::new(parsed.feed), start_read: false },
            notes: None,
        })
    }
}

async fn feed_of_kind(test: &TestReader, path: &str, kind: &'static str) -> FeedId {
    let now = test.clock.now();
    let new = NewFeed {
        feed_url: test.origin.url(path),
        host: "127.0.0.1".to_owned(),
        site_url: None,
        title: "?".to_owned(),
        kind,
        next_fetch_at: now,
    };
    let mut tx = test.db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    tx.commit().await.unwrap();
    feed
}

on_both_databases!(each_kind_has_its_fetcher);
async fn each_kind_has_its_fetcher(db: TestDb) {
    let mut test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let site = feed_of_kind(&test, "/page", "site").await;
    test.create_subscription(ann, site).await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    test.always("/page", answer("200 OK", &[], "One post\nAnother post"));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1, "a kind without a fetcher is not due");
    assert_eq!((test.request_count("/page"), test.request_count("/feed")), (0, 1));
    test.reader.register_fetcher("site", LinesOfPage(client()));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    let titles: Vec<(String,)> =
        test.db.read("select title from items where feed_id = $1 order by title").bind(site).all().await.unwrap();
    assert_eq!(titles, [("Another post".to_owned(),), ("One post".to_owned(),)]);
    assert_eq!(test.get_feed(site).await.kind, "site");
    test.fetch_when_due(site).await;
    assert_eq!(test.count("select count(*) from items").await, 3, "the same page changes nothing");
    test.always("/page", answer("200 OK", &[], ""));
    let failed = test.fetch_when_due(site).await;
    assert_eq!((failed.fetch_status, failed.error_code.as_deref()), (FetchStatus::Error, Some("not_a_feed")));
    assert_eq!(test.get_feed(feed).await.fetch_status, FetchStatus::Active);
    test.assert_counters().await;
}

on_both_databases!(another_kind_is_subscribed_without_a_fetch);
async fn another_kind_is_subscribed_without_a_fetch(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let digest = feed_of_kind(&test, "/digest", "digest").await;
    let url = test.origin.url("/digest");
    let subscribed =
        test.reader.subscribe(ann, &url, Urgency::Interactive, &read::SubscribeOptions::default()).await.unwrap();
    assert_eq!((subscribed.feed.id, test.request_count("/digest")), (digest, 0));
    let next = feeds::next_due_at(&test.db, vec!["feed".to_owned()]).await.unwrap();
    assert_eq!(next, None, "a kind without a fetcher is never due");
}

fn named(test: &TestReader, path: &str) -> NamedFeed {
    NamedFeed { url: test.origin.url(path).parse().unwrap(), kind: "feed", interval_minutes: None }
}

async fn is_resting(test: &TestReader, feed: FeedId) -> bool {
    feeds::is_resting(&test.db, feed).await.unwrap()
}

on_both_databases!(a_named_feed_is_in_use_without_a_subscriber);
async fn a_named_feed_is_in_use_without_a_subscriber(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    let file = [named(&test, "/feed"), named(&test, "/other")];
    let ids = test.reader.sync_named_feeds("watch", &file).await.unwrap();
    assert_eq!(test.reader.sync_named_feeds("watch", &file).await.unwrap(), ids, "the same file again");
    assert_eq!(test.reader.fetch_due().await.unwrap(), 2);
    assert_eq!(test.count("select count(*) from items").await, 1);
    test.clock.advance(400 * DAY);
    test.reader.clean(&CancellationToken::new()).await.unwrap();
    test.clock.advance(400 * DAY);
    assert_eq!(test.reader.clean(&CancellationToken::new()).await.unwrap().feeds, 0);
    assert!(!is_resting(&test, ids[0]).await);
    // Another file names one of them too.
    test.reader.sync_named_feeds("post", &file[..1]).await.unwrap();
    test.reader.sync_named_feeds("watch", &[]).await.unwrap();
    assert!(!is_resting(&test, ids[0]).await && is_resting(&test, ids[1]).await);
    test.reader.sync_named_feeds("post", &[]).await.unwrap();
    assert!(is_resting(&test, ids[0]).await);
    test.clock.advance(91 * DAY);
    assert_eq!(test.reader.clean(&CancellationToken::new()).await.unwrap().feeds, 2);
    // It comes back with the file.
    let again = test.reader.sync_named_feeds("watch", &file[..1]).await.unwrap();
    assert_ne!(again[0], ids[0]);
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
}

on_both_databases!(a_named_feed_outlives_its_subscribers);
async fn a_named_feed_outlives_its_subscribers(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.create_subscription(bob, feed).await;
    let ids = test.reader.sync_named_feeds("post", &[named(&test, "/feed")]).await.unwrap();
    assert_eq!(ids, [feed]);
    assert!(test.reader.unsubscribe(bob, feed).await.unwrap());
    delete_user::delete(&test.db, ann, test.clock.now()).await.unwrap();
    assert!(!is_resting(&test, feed).await);
    let carol = test.create_user("carol").await;
    test.create_subscription(carol, feed).await;
    test.reader.sync_named_feeds("post", &[]).await.unwrap();
    assert!(!is_resting(&test, feed).await, "it has a subscriber");
    assert!(subscriptions::find(&test.db, carol, feed).await.unwrap().is_some());
}

on_both_databases!(a_named_feed_keeps_its_address);
async fn a_named_feed_keeps_its_address(db: TestDb) {
    let test = TestReader::new(&db).await;
    let new = test.origin.url("/new");
    test.on("/old", move |_| origin::redirect(301, &new));
    test.always("/new", feed_of(&[("a", "First", 10)]));
    let feed = test.reader.sync_named_feeds("watch", &[named(&test, "/old")]).await.unwrap()[0];
    for _ in 0..3 {
        test.fetch_when_due(feed).await;
        assert_eq!(test.get_feed(feed).await.feed_url, test.origin.url("/old"));
    }
    assert_eq!(test.count("select count(*) from items").await, 1);
}
