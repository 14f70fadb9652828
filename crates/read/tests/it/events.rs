//! Domain events: when each fires, with which ids, and that it takes effect exactly once.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use net::Urgency;
use queue::{Attempt, EnqueueError, Job, Kind, Outcome, Timing};
use read::{EventHandler, Events, FeedItem, Settings, SubscribeOptions};
use serde::{Deserialize, Serialize};
use store::{Clock, FeedId, ItemId, Tx};
use testkit::{TestDb, on_both_databases, origin};

use crate::{
    responses::{answer, feed_of},
    test_reader::TestReader,
};

/// What a capability enqueues: one job for each item that arrives.
#[derive(Serialize, Deserialize)]
struct LookAtItem {
    item: i64,
}

impl Job for LookAtItem {
    const KIND: Kind = Kind::new("look_at_item");
    type Context = ();

    async fn run(self, (): &(), _: Attempt) -> Outcome {
        Outcome::Done
    }
}

/// A capability that notes what it is told, and fails as often as the test wants.
#[derive(Clone)]
struct Capability {
    clock: Clock,
    told: Arc<Mutex<Vec<Events>>>,
    failures: Arc<AtomicUsize>,
}

impl EventHandler for Capability {
    async fn handle(&self, tx: &mut Tx, events: &Events) -> Result<(), EnqueueError> {
        self.told.lock().unwrap().push(events.clone());
        let jobs: Vec<LookAtItem> = events.items_arrived.iter().map(|item| LookAtItem { item: item.item.0 }).collect();
        queue::enqueue_many(tx, &self.clock, &jobs, Timing::default()).await?;
        // After its work, so that a transaction that is not rolled back would show.
        match self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(store::Error::Locked(None).into()),
            Err(_) => Ok(()),
        }
    }
}

impl Capability {
    fn told(&self) -> Vec<Events> {
        std::mem::take(&mut self.told.lock().unwrap())
    }
}

async fn test_reader(db: &TestDb, settings: Settings) -> (TestReader, Capability) {
    let mut test = TestReader::with(db, settings).await;
    let capability =
        Capability { clock: test.clock.clone(), told: Arc::default(), failures: Arc::new(AtomicUsize::new(0)) };
    test.reader.on_events(capability.clone());
    (test, capability)
}

fn usual() -> Settings {
    Settings { host_concurrency: 100, ..Settings::default() }
}

/// The items of a feed in the order of arrival.
async fn items(test: &TestReader, feed: FeedId) -> Vec<FeedItem> {
    let ids: Vec<(ItemId,)> =
        test.db.read("select id from items where feed_id = $1 order by id").bind(feed).all().await.unwrap();
    ids.into_iter().map(|(item,)| FeedItem { feed, item }).collect()
}

async fn jobs(test: &TestReader) -> i64 {
    test.count("select count(*) from jobs where kind = 'look_at_item'").await
}

on_both_databases!(a_fetch_tells_what_arrived_and_what_changed);
async fn a_fetch_tells_what_arrived_and_what_changed(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", feed_of(&[("b", "Second", 10), ("a", "First", 20)]));
    test.reader.fetch_due().await.unwrap();
    let first = items(&test, feed).await;
    assert_eq!(first.len(), 2);
    assert_eq!(capability.told(), [Events { items_arrived: first.clone(), ..Events::default() }]);
    test.fetch_when_due(feed).await;
    assert_eq!(capability.told(), [], "nothing has changed");
    test.always("/feed", feed_of(&[("c", "Third", 5), ("b", "Second", 10), ("a", "First, corrected", 20)]));
    test.fetch_when_due(feed).await;
    let all = items(&test, feed).await;
    let expected = Events { items_arrived: all[2..].to_vec(), items_changed: first[..1].to_vec(), ..Events::default() };
    assert_eq!(capability.told(), [expected]);
    assert_eq!(jobs(&test).await, 3);
    assert_eq!(test.count("select count(*) from search_pending").await, 3, "the search index heard of them too");
}

on_both_databases!(documents_that_are_stored_together_are_told_together);
async fn documents_that_are_stored_together_are_told_together(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let ann = test.create_user("ann").await;
    let mut expected = 0;
    for number in 0..20 {
        let path = format!("/{number}");
        test.always(&path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        test.create_subscribed_feed(ann, &path).await;
        expected += 2;
    }
    test.reader.fetch_due().await.unwrap();
    let told = capability.told();
    assert!(told.len() < 20, "{} calls for 20 documents", told.len());
    let mut arrived: Vec<ItemId> = told.iter().flat_map(|events| &events.items_arrived).map(|item| item.item).collect();
    arrived.sort_unstable();
    arrived.dedup();
    assert_eq!((arrived.len(), jobs(&test).await), (expected, 40));
}

on_both_databases!(subscribing_tells_the_first_items_once);
async fn subscribing_tells_the_first_items_once(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    test.always("/feed", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    let url = test.origin.url("/feed");
    let feed =
        test.reader.subscribe(ann, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap().feed.id;
    let first = items(&test, feed).await;
    assert_eq!(capability.told(), [Events { items_arrived: first, ..Events::default() }]);
    test.reader.subscribe(bob, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap();
    assert_eq!((capability.told(), jobs(&test).await), (vec![], 2), "the items arrived before");
}

on_both_databases!(a_transaction_that_is_rolled_back_tells_nothing);
async fn a_transaction_that_is_rolled_back_tells_nothing(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
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

on_both_databases!(a_transaction_that_is_tried_again_tells_each_event_once);
async fn a_transaction_that_is_tried_again_tells_each_event_once(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let ann = test.create_user("ann").await;
    for path in ["/one", "/two"] {
        test.always(path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        test.create_subscribed_feed(ann, path).await;
    }
    capability.failures.store(1, Ordering::SeqCst);
    test.reader.fetch_due().await.unwrap();
    assert!(capability.told().len() > 1, "a transaction failed and was tried again");
    assert_eq!(test.count("select count(*) from items").await, 4);
    assert_eq!(jobs(&test).await, 4);
    test.assert_counters().await;
}

on_both_databases!(a_feed_that_stops_and_resumes_tells_so);
async fn a_feed_that_stops_and_resumes_tells_so(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", answer("500 Oh", &[], ""));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(capability.told(), [], "it is tried again");
    test.always("/feed", answer("410 Gone", &[], ""));
    test.fetch_when_due(feed).await;
    let stopped = Events { feeds_stopped: vec![feed], ..Events::default() };
    assert_eq!(capability.told(), std::slice::from_ref(&stopped));
    let subscription = test.reader.subscription_to(ann, feed).await.unwrap().unwrap();
    test.reader.resume(ann, subscription).await.unwrap();
    let resumed = Events { feeds_resumed: vec![feed], ..Events::default() };
    assert_eq!(capability.told(), [resumed]);
    test.reader.resume(ann, subscription).await.unwrap_err();
    assert_eq!(capability.told(), [], "it was not stopped");
    test.reader.fetch_due().await.unwrap();
    assert_eq!(capability.told(), [stopped]);
    // It answers again while somebody subscribes.
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    test.reader
        .subscribe(bob, &test.origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default())
        .await
        .unwrap();
    let items_arrived = items(&test, feed).await;
    assert_eq!(capability.told(), [Events { items_arrived, feeds_resumed: vec![feed], ..Events::default() }]);
}

on_both_databases!(feeds_that_merge_tell_no_arrivals);
async fn feeds_that_merge_tell_no_arrivals(db: TestDb) {
    let (test, capability) = test_reader(&db, usual()).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let (old, _new) = (test.create_subscribed_feed(ann, "/old").await, test.create_subscribed_feed(bob, "/new").await);
    test.always("/old", feed_of(&[("a", "First", 10), ("kept", "Starred", 30)]));
    test.always("/new", feed_of(&[("a", "First", 10)]));
    test.reader.fetch_due().await.unwrap();
    test.db.write("update item_states set is_starred = true").execute().await.unwrap();
    capability.told();
    let target = test.origin.url("/new");
    test.on("/old", move |_| origin::redirect(301, &target));
    test.fetch_when_due(old).await;
    test.fetch_when_due(old).await;
    assert_eq!(test.count("select count(*) from items").await, 4, "the starred one was copied");
    let arrived: usize = capability.told().iter().map(|events| events.items_arrived.len()).sum();
    assert_eq!(arrived, 0);
}
