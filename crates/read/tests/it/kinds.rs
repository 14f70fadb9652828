//! Feed kinds, each with its fetcher; and feeds that a configuration file names.

use std::time::Duration;

use feed::ParseOptions;
use net::{Request, Urgency};
use read::{Answer, FetchError, Fetcher, NamedFeed, Problem};
use store::{
    FeedId, delete_user,
    feeds::{self, Claimed, FetchStatus, NewFeed},
    subscriptions,
};
use testkit::{TestDb, on_both_databases, origin};
use tokio_util::sync::CancellationToken;

use crate::newsroom::{Newsroom, answer, feed_of, net as client, rss};

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
        Ok(Answer { response, feed: Some(parsed.feed) })
    }
}

async fn feed_of_kind(room: &Newsroom, path: &str, kind: &'static str) -> FeedId {
    let now = room.clock.now();
    let new = NewFeed {
        feed_url: room.origin.url(path),
        host: "127.0.0.1".to_owned(),
        site_url: None,
        title: "?".to_owned(),
        kind,
        next_fetch_at: now,
    };
    let mut tx = room.db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    tx.commit().await.unwrap();
    feed
}

on_both_databases!(each_kind_has_its_fetcher);
async fn each_kind_has_its_fetcher(db: TestDb) {
    let mut room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let site = feed_of_kind(&room, "/page", "site").await;
    room.subscribe(ann, site).await;
    let feed = room.read_by(ann, "/feed").await;
    room.always("/feed", feed_of(&[("a", "First", 10)]));
    room.always("/page", answer("200 OK", &[], "One post\nAnother post"));
    assert_eq!(room.reader.fetch_due().await.unwrap(), 1, "a kind without a fetcher is not due");
    assert_eq!((room.asked("/page"), room.asked("/feed")), (0, 1));
    room.reader.register_fetcher("site", LinesOfPage(client()));
    assert_eq!(room.reader.fetch_due().await.unwrap(), 1);
    let titles: Vec<(String,)> =
        room.db.read("select title from items where feed_id = $1 order by title").bind(site).all().await.unwrap();
    assert_eq!(titles, [("Another post".to_owned(),), ("One post".to_owned(),)]);
    assert_eq!(room.get(site).await.kind, "site");
    room.fetch_again(site).await;
    assert_eq!(room.count("select count(*) from items").await, 3, "the same page changes nothing");
    room.always("/page", answer("200 OK", &[], ""));
    let failed = room.fetch_again(site).await;
    assert_eq!((failed.fetch_status, failed.error_code.as_deref()), (FetchStatus::Error, Some("not_a_feed")));
    assert_eq!(room.get(feed).await.fetch_status, FetchStatus::Active);
    room.assert_counters().await;
}

on_both_databases!(a_feed_of_another_kind_is_subscribed_without_a_fetch);
async fn a_feed_of_another_kind_is_subscribed_without_a_fetch(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let digest = feed_of_kind(&room, "/digest", "digest").await;
    let url = room.origin.url("/digest");
    let subscribed =
        room.reader.subscribe(ann, &url, Urgency::Interactive, &read::SubscribeOptions::default()).await.unwrap();
    assert_eq!((subscribed.feed.id, room.asked("/digest")), (digest, 0));
    let next = feeds::next_due_at(&room.db, vec!["feed".to_owned()]).await.unwrap();
    assert_eq!(next, None, "nobody waits for it");
}

fn named(room: &Newsroom, path: &str) -> NamedFeed {
    NamedFeed { url: room.origin.url(path).parse().unwrap(), kind: "feed" }
}

async fn is_resting(room: &Newsroom, feed: FeedId) -> bool {
    feeds::is_resting(&room.db, feed).await.unwrap()
}

on_both_databases!(a_named_feed_is_in_use_without_a_subscriber);
async fn a_named_feed_is_in_use_without_a_subscriber(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.always("/feed", feed_of(&[("a", "First", 10)]));
    let file = [named(&room, "/feed"), named(&room, "/other")];
    let ids = room.reader.sync_named_feeds("watch", &file).await.unwrap();
    assert_eq!(room.reader.sync_named_feeds("watch", &file).await.unwrap(), ids, "the same file again");
    assert_eq!(room.reader.fetch_due().await.unwrap(), 2);
    assert_eq!(room.count("select count(*) from items").await, 1);
    room.clock.advance(400 * DAY);
    room.reader.clean(&CancellationToken::new()).await.unwrap();
    room.clock.advance(400 * DAY);
    assert_eq!(room.reader.clean(&CancellationToken::new()).await.unwrap().feeds, 0);
    assert!(!is_resting(&room, ids[0]).await);
    // Another file names one of them too.
    room.reader.sync_named_feeds("post", &file[..1]).await.unwrap();
    room.reader.sync_named_feeds("watch", &[]).await.unwrap();
    assert!(!is_resting(&room, ids[0]).await && is_resting(&room, ids[1]).await);
    room.reader.sync_named_feeds("post", &[]).await.unwrap();
    assert!(is_resting(&room, ids[0]).await);
    room.clock.advance(91 * DAY);
    assert_eq!(room.reader.clean(&CancellationToken::new()).await.unwrap().feeds, 2);
    // It comes back with the file.
    let again = room.reader.sync_named_feeds("watch", &file[..1]).await.unwrap();
    assert_ne!(again[0], ids[0]);
    assert_eq!(room.reader.fetch_due().await.unwrap(), 1);
}

on_both_databases!(a_named_feed_outlives_its_subscribers);
async fn a_named_feed_outlives_its_subscribers(db: TestDb) {
    let room = Newsroom::new(db).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    let feed = room.read_by(ann, "/feed").await;
    room.subscribe(bob, feed).await;
    let ids = room.reader.sync_named_feeds("post", &[named(&room, "/feed")]).await.unwrap();
    assert_eq!(ids, [feed]);
    assert!(room.reader.unsubscribe(bob, feed).await.unwrap());
    delete_user::delete(&room.db, ann, room.clock.now()).await.unwrap();
    assert!(!is_resting(&room, feed).await);
    let carol = room.user("carol").await;
    room.subscribe(carol, feed).await;
    room.reader.sync_named_feeds("post", &[]).await.unwrap();
    assert!(!is_resting(&room, feed).await, "it has a subscriber");
    assert!(subscriptions::find(&room.db, carol, feed).await.unwrap().is_some());
}

on_both_databases!(a_named_feed_keeps_its_address);
async fn a_named_feed_keeps_its_address(db: TestDb) {
    let room = Newsroom::new(db).await;
    let new = room.origin.url("/new");
    room.on("/old", move |_| origin::redirect(301, &new));
    room.always("/new", feed_of(&[("a", "First", 10)]));
    let feed = room.reader.sync_named_feeds("watch", &[named(&room, "/old")]).await.unwrap()[0];
    for _ in 0..3 {
        room.fetch_again(feed).await;
        assert_eq!(room.get(feed).await.feed_url, room.origin.url("/old"));
    }
    assert_eq!(room.count("select count(*) from items").await, 1);
}
