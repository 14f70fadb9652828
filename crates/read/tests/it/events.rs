//! Domain events: when each fires, with which ids, and that it takes effect exactly once.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use net::Urgency;
use queue::{Attempt, EnqueueError, Job, JobKind, Outcome, Timing};
use read::{EventHandler, Events, FeedItem, StatePatch, SubscribeOptions};
use serde::{Deserialize, Serialize};
use store::{Clock, FeedId, ItemId, Tx};
use testkit::{TestDb, on_both_databases, origin};

use crate::{
    responses::{answer, feed_of, feed_response, rss},
    test_reader::TestReader,
};

/// A job of the test capability, enqueued for each new item.
#[derive(Serialize, Deserialize)]
struct TestJob {
    item: i64,
}

impl Job for TestJob {
    const KIND: JobKind = JobKind::new("test_job");
    type Context = ();

    async fn run(self, (): &(), _: Attempt) -> Outcome {
        Outcome::Done
    }
}

/// A capability that records its events, and fails as often as the test sets.
#[derive(Clone)]
struct Capability {
    clock: Clock,
    events: Arc<Mutex<Vec<Events>>>,
    failures: Arc<AtomicUsize>,
}

impl EventHandler for Capability {
    async fn handle(&self, tx: &mut Tx, events: &Events) -> Result<(), EnqueueError> {
        self.events.lock().unwrap().push(events.clone());
        let jobs: Vec<TestJob> = events.items_arrived.iter().map(|item| TestJob { item: item.item.0 }).collect();
        queue::enqueue_many(tx, &self.clock, &jobs, Timing::default()).await?;
        // Fails after enqueueing, so that the test notices a missing rollback.
        match self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(store::Error::Locked(None).into()),
            Err(_) => Ok(()),
        }
    }
}

impl Capability {
    fn events(&self) -> Vec<Events> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
}

async fn test_reader(db: &TestDb) -> (TestReader, Capability) {
    let mut test = TestReader::new(db).await;
    let capability =
        Capability { clock: test.clock.clone(), events: Arc::default(), failures: Arc::new(AtomicUsize::new(0)) };
    test.reader.on_events(capability.clone());
    (test, capability)
}

/// The items of a feed in the order of arrival.
async fn items(test: &TestReader, feed: FeedId) -> Vec<FeedItem> {
    let ids: Vec<(ItemId,)> =
        test.db.read("select id from items where feed_id = $1 order by id").bind(feed).all().await.unwrap();
    ids.into_iter().map(|(item,)| FeedItem { feed, item }).collect()
}

async fn jobs(test: &TestReader) -> i64 {
    test.count("select count(*) from jobs where kind = 'test_job'").await
}

on_both_databases!(a_fetch_publishes_new_and_changed_items);
async fn a_fetch_publishes_new_and_changed_items(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", feed_of(&[("b", "Second", 10), ("a", "First", 20)]));
    test.reader.fetch_due().await.unwrap();
    let first = items(&test, feed).await;
    assert_eq!(first.len(), 2);
    assert_eq!(capability.events(), [Events { items_arrived: first.clone(), ..Events::default() }]);
    test.fetch_when_due(feed).await;
    assert_eq!(capability.events(), [], "nothing has changed");
    test.always("/feed", feed_of(&[("c", "Third", 5), ("b", "Second", 10), ("a", "First, corrected", 20)]));
    test.fetch_when_due(feed).await;
    let all = items(&test, feed).await;
    let expected = Events { items_arrived: all[2..].to_vec(), items_changed: first[..1].to_vec(), ..Events::default() };
    assert_eq!(capability.events(), [expected]);
    assert_eq!(jobs(&test).await, 3);
    assert_eq!(test.count("select count(*) from search_pending").await, 3, "the search index got the events too");
}

/// The statement with which the migration makes each feed be read once in full.
fn read_in_full() -> &'static str {
    let migration = include_str!("../../../store/migrations/sqlite/0013_sanitizer_version.sql");
    &migration[migration.find("update feeds").unwrap()..]
}

on_both_databases!(an_item_of_an_older_sanitiser_is_stored_anew_in_silence);
async fn an_item_of_an_older_sanitiser_is_stored_anew_in_silence(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let feed = test.create_subscribed_feed(test.user, "/feed").await;
    test.on("/feed", |seen| match seen.header("if-none-match") {
        Some(_) => answer("304 Not Modified", &[], ""),
        None => feed_response(rss(&[("a", "Water", 10)]).replace("About", "H&lt;sub&gt;2&lt;/sub&gt;O:")),
    });
    test.reader.fetch_due().await.unwrap();
    let [arrived] = items(&test, feed).await[..] else { panic!("one item") };
    test.reader
        .update_states(test.user, &[arrived.item], StatePatch { is_read: Some(true), is_starred: None })
        .await
        .unwrap();
    // As the version before stored it.
    db.write("update items set summary = '<p>old</p>', sanitizer_version = 1").execute().await.unwrap();
    capability.events();
    test.fetch_when_due(feed).await;
    let summary = "select summary from items";
    assert_eq!(db.read(summary).scalar::<String>().await.unwrap(), "<p>old</p>", "the server said: not modified");
    db.write(read_in_full()).execute().await.unwrap();
    test.fetch_when_due(feed).await;
    assert!(db.read(summary).scalar::<String>().await.unwrap().contains("<sub>2</sub>"));
    assert_eq!(test.count("select sanitizer_version from items").await, feed::SANITIZER_VERSION);
    assert_eq!(test.list_unread(test.user).await, []);
    assert_eq!(capability.events(), [], "its publisher changed nothing");
    let etag: String = db.read("select etag from feeds").scalar().await.unwrap();
    assert_eq!(etag, "\"v1\"", "the next fetch asks with validators again");
}

on_both_databases!(batched_documents_share_one_event);
async fn batched_documents_share_one_event(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let ann = test.create_user("ann").await;
    let mut expected = 0;
    for number in 0..20 {
        let path = format!("/{number}");
        test.always(&path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        test.create_subscribed_feed(ann, &path).await;
        expected += 2;
    }
    test.reader.fetch_due().await.unwrap();
    let events = capability.events();
    assert!(events.len() < 20, "{} calls for 20 documents", events.len());
    let mut arrived: Vec<ItemId> =
        events.iter().flat_map(|events| &events.items_arrived).map(|item| item.item).collect();
    arrived.sort_unstable();
    arrived.dedup();
    assert_eq!((arrived.len(), jobs(&test).await), (expected, 40));
}

on_both_databases!(subscribing_publishes_the_first_items_once);
async fn subscribing_publishes_the_first_items_once(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    test.always("/feed", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    let url = test.origin.url("/feed");
    let feed =
        test.reader.subscribe(ann, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap().feed.id;
    let first = items(&test, feed).await;
    assert_eq!(capability.events(), [Events { items_arrived: first, ..Events::default() }]);
    test.reader.subscribe(bob, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap();
    assert_eq!((capability.events(), jobs(&test).await), (vec![], 2), "the items arrived earlier");
}

on_both_databases!(a_rolled_back_transaction_publishes_nothing);
async fn a_rolled_back_transaction_publishes_nothing(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let ann = test.create_user("ann").await;
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    capability.failures.store(usize::MAX, Ordering::SeqCst);
    let refused =
        test.reader.subscribe(ann, &test.origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default()).await;
    assert!(matches!(refused, Err(read::Error::Store(_))), "{refused:?}");
    assert_eq!(test.count("select count(*) from feeds").await, 0);
    assert_eq!(test.count("select count(*) from search_pending").await, 0);
    assert_eq!(jobs(&test).await, 0);
}

on_both_databases!(a_retried_transaction_publishes_each_event_once);
async fn a_retried_transaction_publishes_each_event_once(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let ann = test.create_user("ann").await;
    for path in ["/one", "/two"] {
        test.always(path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        test.create_subscribed_feed(ann, path).await;
    }
    capability.failures.store(1, Ordering::SeqCst);
    test.reader.fetch_due().await.unwrap();
    assert!(capability.events().len() > 1, "a transaction failed and was retried");
    assert_eq!(test.count("select count(*) from items").await, 4);
    assert_eq!(jobs(&test).await, 4);
    test.assert_counters().await;
}

on_both_databases!(stopping_and_resuming_are_published);
async fn stopping_and_resuming_are_published(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", answer("500 Oh", &[], ""));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(capability.events(), [], "it is retried");
    test.always("/feed", answer("410 Gone", &[], ""));
    test.fetch_when_due(feed).await;
    let stopped = Events { feeds_stopped: vec![feed], ..Events::default() };
    assert_eq!(capability.events(), std::slice::from_ref(&stopped));
    let subscription = test.reader.subscription_to(ann, feed).await.unwrap().unwrap();
    test.reader.resume_subscription(ann, subscription).await.unwrap();
    let resumed = Events { feeds_resumed: vec![feed], ..Events::default() };
    assert_eq!(capability.events(), [resumed]);
    test.reader.resume_subscription(ann, subscription).await.unwrap_err();
    assert_eq!(capability.events(), [], "it was not stopped");
    test.reader.fetch_due().await.unwrap();
    assert_eq!(capability.events(), [stopped]);
    // The feed works again when another user subscribes.
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    test.reader
        .subscribe(bob, &test.origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default())
        .await
        .unwrap();
    let items_arrived = items(&test, feed).await;
    assert_eq!(capability.events(), [Events { items_arrived, feeds_resumed: vec![feed], ..Events::default() }]);
}

on_both_databases!(merging_feeds_publishes_no_arrivals);
async fn merging_feeds_publishes_no_arrivals(db: TestDb) {
    let (test, capability) = test_reader(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let (old, _new) = (test.create_subscribed_feed(ann, "/old").await, test.create_subscribed_feed(bob, "/new").await);
    test.always("/old", feed_of(&[("a", "First", 10), ("kept", "Starred", 30)]));
    test.always("/new", feed_of(&[("a", "First", 10)]));
    test.reader.fetch_due().await.unwrap();
    test.db.write("update item_states set is_starred = true").execute().await.unwrap();
    capability.events();
    let target = test.origin.url("/new");
    test.on("/old", move |_| origin::redirect(301, &target));
    test.fetch_when_due(old).await;
    test.fetch_when_due(old).await;
    assert_eq!(test.count("select count(*) from items").await, 4, "the starred one was copied");
    let arrived: usize = capability.events().iter().map(|events| events.items_arrived.len()).sum();
    assert_eq!(arrived, 0);
}
