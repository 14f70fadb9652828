//! A reader with a database of its own, a clock that is moved by hand, and an origin server that does as it is told.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use chrono::{DateTime, Utc};
use read::{Reader, Settings};
use store::{Clock, Db, FeedId, UserId, feeds, feeds::NewFeed, subscriptions};
use testkit::{
    TestDb,
    origin::{self, Origin, Seen},
};

use crate::leftovers;

type Reply = Arc<dyn Fn(&Seen) -> Vec<u8> + Send + Sync>;

/// What a test works with.
pub struct Newsroom {
    pub db: Db,
    pub clock: Clock,
    pub reader: Reader,
    pub origin: Origin,
    replies: Arc<Mutex<HashMap<String, Reply>>>,
    _test_db: Option<TestDb>,
}

/// When tests begin: a Monday morning.
pub fn start() -> DateTime<Utc> {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

/// A door that lets loopback through and does not keep anybody waiting.
pub fn net() -> net::Client {
    let allow_nets = vec!["127.0.0.0/8".parse().unwrap()];
    let host_gap = Duration::ZERO;
    net::Client::new(net::Settings {
        allow_nets,
        host_gap,
        timeout: Duration::from_secs(5),
        ..net::Settings::default()
    })
    .unwrap()
}

impl Newsroom {
    pub async fn new(db: TestDb) -> Newsroom {
        Newsroom::with(db, Settings { host_concurrency: 100, ..Settings::default() }).await
    }

    pub async fn with(db: TestDb, settings: Settings) -> Newsroom {
        let replies: Arc<Mutex<HashMap<String, Reply>>> = Arc::default();
        let table = Arc::clone(&replies);
        let origin = Origin::serve(move |seen| {
            let path = seen.target.split('?').next().unwrap_or_default();
            let reply = table.lock().unwrap().get(path).cloned();
            reply.map_or_else(|| origin::answer("HTTP/1.1 404 Not Found\r\n", "nothing here"), |reply| reply(seen))
        })
        .await;
        let clock = Clock::manual(start());
        let reader = Reader::new(db.db(), net(), clock.clone(), settings);
        Newsroom { db: db.db(), clock, reader, origin, replies, _test_db: Some(db) }
    }

    /// From now on the path is answered like this.
    pub fn on(&self, path: &str, reply: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) {
        self.replies.lock().unwrap().insert(path.to_owned(), Arc::new(reply));
    }

    /// The same bytes every time.
    pub fn always(&self, path: &str, bytes: Vec<u8>) {
        self.on(path, move |_| bytes.clone());
    }

    /// How often a path was asked for.
    pub fn asked(&self, path: &str) -> usize {
        self.origin.seen().iter().filter(|seen| seen.target == path).count()
    }

    pub async fn user(&self, name: &str) -> UserId {
        store::users::create_unclaimed(&self.db, &format!("{name}@example.org"), name, self.clock.now()).await.unwrap()
    }

    /// A feed at a path of the origin that is due now, without asking for it.
    pub async fn feed(&self, path: &str) -> FeedId {
        self.feed_at(&self.origin.url(path)).await
    }

    pub async fn feed_at(&self, url: &str) -> FeedId {
        let host = net::Url::parse(url).unwrap().host_str().unwrap().to_owned();
        let now = self.clock.now();
        let new = NewFeed {
            feed_url: url.to_owned(),
            host,
            site_url: None,
            title: "?".to_owned(),
            kind: "feed",
            next_fetch_at: now,
        };
        let mut tx = self.db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
        tx.commit().await.unwrap();
        feed
    }

    pub async fn subscribe(&self, user: UserId, feed: FeedId) {
        let mut tx = self.db.begin().await.unwrap();
        let added = subscriptions::create(&mut tx, user, feed, 100, self.clock.now()).await.unwrap();
        assert!(matches!(added, subscriptions::SubscriptionCreated::New(_)), "{added:?}");
        tx.commit().await.unwrap();
    }

    /// A feed with one subscriber.
    pub async fn read_by(&self, user: UserId, path: &str) -> FeedId {
        let feed = self.feed(path).await;
        self.subscribe(user, feed).await;
        feed
    }

    pub async fn get(&self, feed: FeedId) -> feeds::Feed {
        feeds::get(&self.db, feed).await.unwrap().unwrap()
    }

    pub fn advance(&self, minutes: u64) {
        self.clock.advance(Duration::from_secs(60 * minutes));
    }

    /// Moves the clock to when the feed is due and fetches what is due then.
    pub async fn fetch_again(&self, feed: FeedId) -> feeds::Feed {
        let wait = self.get(feed).await.next_fetch_at - self.clock.now();
        self.clock.advance(wait.to_std().unwrap_or_default());
        self.reader.fetch_due().await.unwrap();
        self.get(feed).await
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        self.db.read(sql).scalar().await.unwrap()
    }

    /// Counters are what counting gives, and nothing is left over.
    pub async fn assert_counters(&self) {
        let wrong: Vec<(UserId, i64, i64)> = self
            .db
            .read(
                "select user_id, unread_count, counted from (select s.user_id, s.unread_count,
                    (select count(*) from item_states t where t.user_id = s.user_id and t.feed_id = s.feed_id
                        and t.is_read = false) as counted
                 from subscriptions s) as both_counts where unread_count <> counted",
            )
            .all()
            .await
            .unwrap();
        assert_eq!(wrong, [], "counters and a recount differ");
        leftovers::assert_none(&self.db).await;
    }
}

/// An RSS document with these items: guid, title, minutes before [`start`].
pub fn rss(items: &[(&str, &str, i64)]) -> String {
    let item = |(guid, title, minutes): &(&str, &str, i64)| {
        let date = (start() - chrono::TimeDelta::minutes(*minutes)).to_rfc2822();
        format!(
            "<item><guid isPermaLink=\"false\">{guid}</guid><title>{title}</title><link>https://site.test/{guid}</link>\
             <pubDate>{date}</pubDate><description>&lt;p&gt;About {title}&lt;script&gt;alert(1)&lt;/script&gt;</description></item>"
        )
    };
    let items: String = items.iter().map(item).collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title><link>https://site.test/</link>{items}</channel></rss>"
    )
}

/// An answer with a status line, headers and a body.
pub fn answer(status: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    origin::answer(&format!("HTTP/1.1 {status}\r\n{headers}"), body)
}

/// `200 OK` with a feed of these items.
pub fn feed_of(items: &[(&str, &str, i64)]) -> Vec<u8> {
    answer("200 OK", &[("Content-Type", "application/rss+xml")], &rss(items))
}
