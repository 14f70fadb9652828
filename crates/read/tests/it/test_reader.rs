//! A reader with a database, a manual clock, an origin server and two users.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use net::Urgency;
use read::{Error, ListQuery, MarkRead, Reader, ReaderSettings, SubscribeOptions, Subscribed};
use store::{
    Clock, Db, FeedId, ItemId, SubscriptionId, UserId, feeds,
    feeds::NewFeed,
    item_lists::{Filter, ItemScope, Order},
    items::{self, NewItem},
    subscriptions,
};
use testkit::origin::{self, Origin, Seen};

type Reply = Arc<dyn Fn(&Seen) -> Vec<u8> + Send + Sync>;

pub struct TestReader {
    pub db: Db,
    pub clock: Clock,
    pub reader: Reader,
    /// Replies as set by [`TestReader::on`]; other paths get a 404.
    pub origin: Origin,
    pub user: UserId,
    pub other_user: UserId,
    replies: Arc<Mutex<HashMap<String, Reply>>>,
}

pub const FIRST_PAGE: ListQuery = ListQuery {
    scope: ItemScope::All,
    filter: Filter::All,
    order: Order::Newest,
    after: None,
    limit: 50,
    with_content: false,
};
pub const EVERYTHING: MarkRead =
    MarkRead { scope: ItemScope::All, is_starred: false, as_of: None, up_to: None, older_than: None };

/// When tests begin: a Monday morning.
pub fn start() -> DateTime<Utc> {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

/// A client that may connect to loopback and does not wait between requests to one host.
pub fn client() -> net::Client {
    let allow_nets = vec!["127.0.0.0/8".parse().unwrap()];
    let host_gap = Duration::ZERO;
    net::Client::new(net::ClientSettings {
        allow_nets,
        host_gap,
        timeout: Duration::from_secs(5),
        ..net::ClientSettings::default()
    })
    .unwrap()
}

impl TestReader {
    pub async fn new(db: &Db) -> TestReader {
        TestReader::with(db, ReaderSettings { host_concurrency: 100, ..ReaderSettings::default() }).await
    }

    pub async fn with(db: &Db, settings: ReaderSettings) -> TestReader {
        let replies: Arc<Mutex<HashMap<String, Reply>>> = Arc::default();
        let table = Arc::clone(&replies);
        let origin = Origin::serve(move |seen| {
            let path = seen.target.split('?').next().unwrap_or_default();
            let reply = table.lock().unwrap().get(path).cloned();
            reply.map_or_else(|| origin::answer("HTTP/1.1 404 Not Found\r\n", "not found"), |reply| reply(seen))
        })
        .await;
        let clock = Clock::manual(start());
        let reader = Reader::new(db.clone(), client(), clock.clone(), settings);
        // Unique addresses: some tests make several readers on one database.
        let email = || format!("{}@example.org", UserId::new());
        let user = store::users::create_unclaimed(db, &email(), "User", start()).await.unwrap();
        let other_user = store::users::create_unclaimed(db, &email(), "Other user", start()).await.unwrap();
        TestReader { db: db.clone(), clock, reader, origin, user, other_user, replies }
    }

    /// Sets the reply of the origin to requests for a path.
    pub fn on(&self, path: &str, reply: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) {
        self.replies.lock().unwrap().insert(path.to_owned(), Arc::new(reply));
    }

    /// Sets the same bytes as the reply to every request for a path.
    pub fn always(&self, path: &str, bytes: Vec<u8>) {
        self.on(path, move |_| bytes.clone());
    }

    pub fn request_count(&self, path: &str) -> usize {
        self.origin.seen().iter().filter(|seen| seen.target == path).count()
    }

    pub async fn create_user(&self, name: &str) -> UserId {
        store::users::create_unclaimed(&self.db, &format!("{name}@example.org"), name, self.clock.now()).await.unwrap()
    }

    /// A feed at a path of the origin that is due now and was never fetched.
    pub async fn create_feed(&self, path: &str) -> FeedId {
        self.create_feed_at(&self.origin.url(path)).await
    }

    pub async fn create_feed_at(&self, url: &str) -> FeedId {
        let host = net::Url::parse(url).unwrap().host_str().unwrap().to_owned();
        let feed_url = url.to_owned();
        let next_fetch_at = self.clock.now();
        self.insert_feed(&NewFeed {
            feed_url,
            host,
            site_url: None,
            title: "?".to_owned(),
            kind: "feed",
            next_fetch_at,
        })
        .await
    }

    /// A feed with a title whose address is never fetched.
    pub async fn create_titled_feed(&self, title: &str) -> FeedId {
        let feed_url = format!("https://example.org/{title}");
        let (host, title) = ("example.org".to_owned(), title.to_owned());
        let next_fetch_at = start() + TimeDelta::minutes(60);
        self.insert_feed(&NewFeed { feed_url, host, site_url: None, title, kind: "feed", next_fetch_at }).await
    }

    async fn insert_feed(&self, new: &NewFeed) -> FeedId {
        let mut tx = self.db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, new, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        feed
    }

    /// A feed at a path of the origin with one subscriber.
    pub async fn create_subscribed_feed(&self, user: UserId, path: &str) -> FeedId {
        let feed = self.create_feed(path).await;
        self.create_subscription(user, feed).await;
        feed
    }

    pub async fn create_subscription(&self, user: UserId, feed: FeedId) -> SubscriptionId {
        let mut tx = self.db.begin().await.unwrap();
        let added = subscriptions::create(&mut tx, user, feed, 100, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        match added {
            subscriptions::SubscriptionCreated::New(id) | subscriptions::SubscriptionCreated::Present(id) => id,
            subscriptions::SubscriptionCreated::Full => panic!("the user has 100 subscriptions"),
        }
    }

    /// Subscribes [`TestReader::user`] as the API does: by an address that is fetched.
    pub async fn subscribe(&self, address: &str) -> Result<Subscribed, Error> {
        self.reader.subscribe(self.user, address, Urgency::Interactive, &SubscribeOptions::default()).await
    }

    pub async fn get_feed(&self, feed: FeedId) -> feeds::Feed {
        feeds::get(&self.db, feed).await.unwrap().unwrap()
    }

    pub fn advance(&self, minutes: u64) {
        self.clock.advance(Duration::from_secs(60 * minutes));
    }

    /// Moves the clock to when the feed is due, and fetches all due feeds.
    pub async fn fetch_when_due(&self, feed: FeedId) -> feeds::Feed {
        let wait = self.get_feed(feed).await.next_fetch_at - self.clock.now();
        self.clock.advance(wait.to_std().unwrap_or_default());
        self.reader.fetch_due().await.unwrap();
        self.get_feed(feed).await
    }

    /// Stores items with these ages in minutes and their states, as one fetch does.
    pub async fn add_items(&self, feed: FeedId, ages: &[i64]) -> Vec<ItemId> {
        let item = |age: &i64| NewItem {
            title: format!("{age} minutes old"),
            summary: Some(format!("<p>Text of <b>{age}</b></p>")),
            published_at: start() - TimeDelta::minutes(*age),
            content_hash: "-".to_owned(),
            digest: "-".to_owned(),
            categories: "[]".to_owned(),
            enclosures: "[]".to_owned(),
            ..NewItem::default()
        };
        let new: Vec<NewItem> = ages.iter().map(item).collect();
        let mut tx = self.db.begin().await.unwrap();
        assert!(feeds::lock(&mut tx, feed).await.unwrap());
        let ids = items::insert(&mut tx, feed, &new, self.clock.now()).await.unwrap();
        items::fan_out(&mut tx, feed, &ids, subscriptions::UNREAD_AT_FIRST, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        ids
    }

    pub async fn list_unread(&self, user: UserId) -> Vec<ItemId> {
        let mut query = ListQuery { filter: Filter::Unread, order: Order::Oldest, ..FIRST_PAGE };
        let mut all = Vec::new();
        loop {
            let page = self.reader.list_items(user, &query).await.unwrap();
            all.extend(page.items.iter().map(|item| item.row.id));
            match page.next {
                Some(next) => query.after = Some(next),
                None => break,
            }
        }
        all.sort_unstable();
        all
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        self.db.read(sql).scalar().await.unwrap()
    }

    /// Every unread counter equals a recount, and no row refers to a deleted one where no foreign key ensures it.
    pub async fn assert_counters(&self) {
        type Counted = (UserId, FeedId, i64, i64);
        let counted: Vec<Counted> = self
            .db
            .read(
                "select s.user_id, s.feed_id, s.unread_count,
                    (select count(*) from item_states t where t.user_id = s.user_id and t.feed_id = s.feed_id
                        and t.is_read = false) as counted
                 from subscriptions s",
            )
            .all()
            .await
            .unwrap();
        let wrong: Vec<Counted> = counted.into_iter().filter(|(_, _, stored, counted)| stored != counted).collect();
        assert_eq!(wrong, [], "user, feed, counter, recount");
        for orphans in [
            "select count(*) from item_states t where not exists (select 1 from items i where i.id = t.item_id)",
            "select count(*) from item_states t where not exists
                (select 1 from subscriptions s where s.user_id = t.user_id and s.feed_id = t.feed_id)",
            "select count(*) from search_pending p where not exists (select 1 from items i where i.id = p.item_id)",
        ] {
            assert_eq!(self.count(orphans).await, 0, "orphaned rows: {orphans}");
        }
    }
}
