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

use crate::newsroom::{Newsroom, answer, feed_of};

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

async fn room(db: TestDb, settings: Settings) -> (Newsroom, Capability) {
    let mut room = Newsroom::with(db, settings).await;
    let capability =
        Capability { clock: room.clock.clone(), told: Arc::default(), failures: Arc::new(AtomicUsize::new(0)) };
    room.reader.on_events(capability.clone());
    (room, capability)
}

fn usual() -> Settings {
    Settings { host_concurrency: 100, ..Settings::default() }
}

/// The items of a feed in the order of arrival.
async fn items(room: &Newsroom, feed: FeedId) -> Vec<FeedItem> {
    let ids: Vec<(ItemId,)> =
        room.db.read("select id from items where feed_id = $1 order by id").bind(feed).all().await.unwrap();
    ids.into_iter().map(|(item,)| FeedItem { feed, item }).collect()
}

async fn jobs(room: &Newsroom) -> i64 {
    room.count("select count(*) from jobs where kind = 'look_at_item'").await
}

on_both_databases!(a_fetch_tells_what_arrived_and_what_changed);
async fn a_fetch_tells_what_arrived_and_what_changed(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/feed").await;
    room.always("/feed", feed_of(&[("b", "Second", 10), ("a", "First", 20)]));
    room.reader.fetch_due().await.unwrap();
    let first = items(&room, feed).await;
    assert_eq!(first.len(), 2);
    assert_eq!(capability.told(), [Events { items_arrived: first.clone(), ..Events::default() }]);
    room.fetch_again(feed).await;
    assert_eq!(capability.told(), [], "nothing has changed");
    room.always("/feed", feed_of(&[("c", "Third", 5), ("b", "Second", 10), ("a", "First, corrected", 20)]));
    room.fetch_again(feed).await;
    let all = items(&room, feed).await;
    let expected = Events { items_arrived: all[2..].to_vec(), items_changed: first[..1].to_vec(), ..Events::default() };
    assert_eq!(capability.told(), [expected]);
    assert_eq!(jobs(&room).await, 3);
    assert_eq!(room.count("select count(*) from search_pending").await, 3, "the search index heard of them too");
}

on_both_databases!(documents_that_are_stored_together_are_told_together);
async fn documents_that_are_stored_together_are_told_together(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let ann = room.user("ann").await;
    let mut expected = 0;
    for number in 0..20 {
        let path = format!("/{number}");
        room.always(&path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        room.read_by(ann, &path).await;
        expected += 2;
    }
    room.reader.fetch_due().await.unwrap();
    let told = capability.told();
    assert!(told.len() < 20, "{} calls for 20 documents", told.len());
    let mut arrived: Vec<ItemId> = told.iter().flat_map(|events| &events.items_arrived).map(|item| item.item).collect();
    arrived.sort_unstable();
    arrived.dedup();
    assert_eq!((arrived.len(), jobs(&room).await), (expected, 40));
}

on_both_databases!(subscribing_tells_the_first_items_once);
async fn subscribing_tells_the_first_items_once(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    room.always("/feed", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    let url = room.origin.url("/feed");
    let feed =
        room.reader.subscribe(ann, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap().feed.id;
    let first = items(&room, feed).await;
    assert_eq!(capability.told(), [Events { items_arrived: first, ..Events::default() }]);
    room.reader.subscribe(bob, &url, Urgency::Interactive, &SubscribeOptions::default()).await.unwrap();
    assert_eq!((capability.told(), jobs(&room).await), (vec![], 2), "the items arrived before");
}

on_both_databases!(a_transaction_that_is_rolled_back_tells_nothing);
async fn a_transaction_that_is_rolled_back_tells_nothing(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let ann = room.user("ann").await;
    room.always("/feed", feed_of(&[("a", "First", 10)]));
    capability.failures.store(usize::MAX, Ordering::SeqCst);
    let refused =
        room.reader.subscribe(ann, &room.origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default()).await;
    assert!(matches!(refused, Err(read::Error::Store(_))), "{refused:?}");
    assert_eq!(room.count("select count(*) from feeds").await, 0);
    assert_eq!(room.count("select count(*) from search_pending").await, 0);
    assert_eq!(jobs(&room).await, 0);
}

on_both_databases!(a_transaction_that_is_tried_again_tells_each_event_once);
async fn a_transaction_that_is_tried_again_tells_each_event_once(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let ann = room.user("ann").await;
    for path in ["/one", "/two"] {
        room.always(path, feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
        room.read_by(ann, path).await;
    }
    capability.failures.store(1, Ordering::SeqCst);
    room.reader.fetch_due().await.unwrap();
    assert!(capability.told().len() > 1, "a transaction failed and was tried again");
    assert_eq!(room.count("select count(*) from items").await, 4);
    assert_eq!(jobs(&room).await, 4);
    room.assert_counters().await;
}

on_both_databases!(a_feed_that_stops_and_resumes_tells_so);
async fn a_feed_that_stops_and_resumes_tells_so(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    let feed = room.read_by(ann, "/feed").await;
    room.always("/feed", answer("500 Oh", &[], ""));
    room.reader.fetch_due().await.unwrap();
    assert_eq!(capability.told(), [], "it is tried again");
    room.always("/feed", answer("410 Gone", &[], ""));
    room.fetch_again(feed).await;
    let stopped = Events { feeds_stopped: vec![feed], ..Events::default() };
    assert_eq!(capability.told(), std::slice::from_ref(&stopped));
    let subscription = room.reader.subscription_to(ann, feed).await.unwrap().unwrap();
    room.reader.resume(ann, subscription).await.unwrap();
    let resumed = Events { feeds_resumed: vec![feed], ..Events::default() };
    assert_eq!(capability.told(), [resumed]);
    room.reader.resume(ann, subscription).await.unwrap_err();
    assert_eq!(capability.told(), [], "it was not stopped");
    room.reader.fetch_due().await.unwrap();
    assert_eq!(capability.told(), [stopped]);
    // It answers again while somebody subscribes.
    room.always("/feed", feed_of(&[("a", "First", 10)]));
    room.reader
        .subscribe(bob, &room.origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default())
        .await
        .unwrap();
    let items_arrived = items(&room, feed).await;
    assert_eq!(capability.told(), [Events { items_arrived, feeds_resumed: vec![feed], ..Events::default() }]);
}

on_both_databases!(feeds_that_merge_tell_no_arrivals);
async fn feeds_that_merge_tell_no_arrivals(db: TestDb) {
    let (room, capability) = room(db, usual()).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    let (old, _new) = (room.read_by(ann, "/old").await, room.read_by(bob, "/new").await);
    room.always("/old", feed_of(&[("a", "First", 10), ("kept", "Starred", 30)]));
    room.always("/new", feed_of(&[("a", "First", 10)]));
    room.reader.fetch_due().await.unwrap();
    room.db.write("update item_states set is_starred = true").execute().await.unwrap();
    capability.told();
    let target = room.origin.url("/new");
    room.on("/old", move |_| origin::redirect(301, &target));
    room.fetch_again(old).await;
    room.fetch_again(old).await;
    assert_eq!(room.count("select count(*) from items").await, 4, "the starred one was copied");
    let arrived: usize = capability.told().iter().map(|events| events.items_arrived.len()).sum();
    assert_eq!(arrived, 0);
}
