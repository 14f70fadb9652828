//! Whatever people, feeds and the clean-up do, in whatever order: counters are what counting gives, and nobody's things
//! are touched by anybody else.

use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, TestRunner},
};
use read::{MarkRead, StatePatch};
use store::{
    Db, FeedId, ItemId, UndoId, UserId,
    item_lists::ItemScope,
    retention,
    subscriptions::{self, SubscriptionPatch},
};
use testkit::{TestDb, on_both_databases};

use crate::reading_room::ReadingRoom;

const FEEDS: usize = 3;
const CASES: u32 = 24;

/// Something that happens. People are 0 and 1.
#[derive(Debug, Clone)]
enum Happening {
    Subscribe(usize, usize),
    Unsubscribe(usize, usize),
    Move(usize, usize, usize),
    Arrive(usize, Vec<i64>),
    CleanUp(usize, Vec<Index>),
    Change(usize, Vec<Index>, Option<bool>, Option<bool>),
    MarkAll(usize, Where, Limits),
    Undo(usize, Index),
    File(usize, usize, bool),
    RemoveFolder(usize),
}

#[derive(Debug, Clone, Copy)]
enum Where {
    Everywhere,
    Feed(usize),
    Folder,
}

#[derive(Debug, Clone)]
struct Limits {
    is_starred: bool,
    as_of: Option<Index>,
    up_to: Option<Index>,
    older_than: Option<i64>,
}

fn happening() -> impl Strategy<Value = Happening> {
    let (person, feed) = (0..2_usize, 0..FEEDS);
    let some = || prop::collection::vec(any::<Index>(), 1..6);
    let places = prop_oneof![Just(Where::Everywhere), feed.clone().prop_map(Where::Feed), Just(Where::Folder)];
    let limits = (any::<bool>(), any::<Option<Index>>(), any::<Option<Index>>(), prop::option::of(0..60_i64))
        .prop_map(|(is_starred, as_of, up_to, older_than)| Limits { is_starred, as_of, up_to, older_than });
    prop_oneof![
        3 => (person.clone(), feed.clone()).prop_map(|(person, feed)| Happening::Subscribe(person, feed)),
        1 => (person.clone(), feed.clone()).prop_map(|(person, feed)| Happening::Unsubscribe(person, feed)),
        1 => (person.clone(), feed.clone(), feed.clone()).prop_map(|(person, from, to)| Happening::Move(person, from, to)),
        4 => (feed.clone(), prop::collection::vec(0..60_i64, 0..5)).prop_map(|(feed, ages)| Happening::Arrive(feed, ages)),
        1 => (feed.clone(), some()).prop_map(|(feed, items)| Happening::CleanUp(feed, items)),
        4 => (person.clone(), some(), any::<Option<bool>>(), any::<Option<bool>>())
            .prop_map(|(person, items, read, starred)| Happening::Change(person, items, read, starred)),
        3 => (person.clone(), places, limits).prop_map(|(person, place, limits)| Happening::MarkAll(person, place, limits)),
        3 => (person.clone(), any::<Index>()).prop_map(|(person, which)| Happening::Undo(person, which)),
        1 => (person.clone(), feed, any::<bool>()).prop_map(|(person, feed, into)| Happening::File(person, feed, into)),
        1 => person.prop_map(Happening::RemoveFolder),
    ]
}

/// The people and feeds of one sequence, and what they remember.
struct World {
    room: ReadingRoom,
    feeds: Vec<FeedId>,
    items: Vec<ItemId>,
    undos: Vec<UndoId>,
}

/// All that belongs to one person.
type Things = (Vec<(ItemId, bool, bool)>, Vec<(FeedId, i64, bool)>);

impl World {
    async fn new(db: &Db) -> World {
        let room = ReadingRoom::new(db).await;
        let mut feeds = Vec::new();
        for _ in 0..FEEDS {
            feeds.push(room.feed(&FeedId::new().to_string()).await);
        }
        World { room, feeds, items: Vec::new(), undos: Vec::new() }
    }

    fn person(&self, n: usize) -> UserId {
        [self.room.a, self.room.b][n]
    }

    /// Items that may or may not be there any more, or be the person's.
    fn items(&self, which: &[Index]) -> Vec<ItemId> {
        which.iter().filter_map(|index| self.item(index)).collect()
    }

    fn item(&self, index: &Index) -> Option<ItemId> {
        (!self.items.is_empty()).then(|| *index.get(&self.items))
    }

    async fn folder(&self, person: usize) -> store::FolderId {
        let folders = self.room.reader.list_folders(self.person(person)).await.unwrap();
        match folders.first() {
            Some(folder) => folder.id,
            None => self.room.reader.add_folder(self.person(person), "Folder").await.unwrap().id,
        }
    }

    /// Whose doing it is; none for what concerns everybody.
    fn doer(happening: &Happening) -> Option<usize> {
        match happening {
            Happening::Arrive(..) | Happening::CleanUp(..) => None,
            Happening::Subscribe(person, _)
            | Happening::Unsubscribe(person, _)
            | Happening::Move(person, ..)
            | Happening::Change(person, ..)
            | Happening::MarkAll(person, ..)
            | Happening::Undo(person, _)
            | Happening::File(person, ..)
            | Happening::RemoveFolder(person) => Some(*person),
        }
    }

    async fn happen(&mut self, happening: &Happening) {
        let now = self.room.clock.now();
        match happening {
            Happening::Subscribe(person, feed) => {
                self.room.subscribe(self.person(*person), self.feeds[*feed]).await;
            }
            Happening::Unsubscribe(person, feed) => {
                let mut tx = self.room.db.begin().await.unwrap();
                subscriptions::delete(&mut tx, self.person(*person), self.feeds[*feed], now).await.unwrap();
                tx.commit().await.unwrap();
            }
            Happening::Move(person, from, to) => self.transfer(self.person(*person), *from, *to).await,
            Happening::Arrive(feed, ages) => {
                let arrived = self.room.arrive(self.feeds[*feed], ages).await;
                self.items.extend(arrived);
            }
            Happening::CleanUp(feed, items) => {
                let items = self.items(items);
                retention::delete_items(&self.room.db, self.feeds[*feed], &items).await.unwrap();
            }
            Happening::Change(person, items, is_read, is_starred) => {
                let patch = StatePatch { is_read: *is_read, is_starred: *is_starred };
                let items = self.items(items);
                self.room.reader.change_states(self.person(*person), &items, patch).await.unwrap();
            }
            Happening::MarkAll(person, place, limits) => self.mark_all(*person, *place, limits).await,
            Happening::Undo(person, which) => {
                if !self.undos.is_empty() {
                    // Perhaps the other's, perhaps done already: then it is refused.
                    let _ = self.room.reader.undo(self.person(*person), *which.get(&self.undos)).await;
                }
            }
            Happening::File(person, feed, into) => self.file(*person, self.feeds[*feed], *into).await,
            Happening::RemoveFolder(person) => {
                let folder = self.folder(*person).await;
                self.room.reader.remove_folder(self.person(*person), folder).await.unwrap();
            }
        }
    }

    async fn transfer(&self, user: UserId, from: usize, to: usize) {
        let mut tx = self.room.db.begin().await.unwrap();
        subscriptions::move_to(&mut tx, user, self.feeds[from], self.feeds[to], self.room.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn file(&self, person: usize, feed: FeedId, into: bool) {
        let user = self.person(person);
        let folder = if into { Some(self.folder(person).await) } else { None };
        if let Some(subscription) = subscriptions::find(&self.room.db, user, feed).await.unwrap() {
            let patch = SubscriptionPatch { folder_id: Some(folder), ..SubscriptionPatch::default() };
            self.room.reader.change_subscription(user, subscription, patch).await.unwrap();
        }
    }

    async fn mark_all(&mut self, person: usize, place: Where, limits: &Limits) {
        let scope = match place {
            Where::Everywhere => ItemScope::All,
            Where::Feed(feed) => ItemScope::Feed(self.feeds[feed]),
            Where::Folder => ItemScope::Folder(self.folder(person).await),
        };
        let request = MarkRead {
            scope,
            is_starred: limits.is_starred,
            as_of: limits.as_of.as_ref().and_then(|index| self.item(index)),
            up_to: limits.up_to.as_ref().and_then(|index| self.item(index)),
            older_than: limits.older_than.map(|minutes| self.room.minutes_ago(minutes)),
        };
        // Refused if the feed or the item is not the person's.
        if let Ok(marked) = self.room.reader.mark_as_read(self.person(person), &request).await {
            self.undos.push(marked.undo);
        }
    }

    async fn things(&self, person: usize) -> Things {
        let user = self.person(person);
        let states = "select item_id, is_read, is_starred from item_states where user_id = $1 order by item_id";
        let subscriptions = "select feed_id, unread_count, folder_id is not null from subscriptions where user_id = $1 order by feed_id";
        let db = &self.room.db;
        (db.read(states).bind(user).all().await.unwrap(), db.read(subscriptions).bind(user).all().await.unwrap())
    }

    async fn live(&mut self, happenings: &[Happening]) {
        for happening in happenings {
            let other = World::doer(happening).map(|doer| 1 - doer);
            let before = match other {
                Some(other) => Some(self.things(other).await),
                None => None,
            };
            self.happen(happening).await;
            if let (Some(other), Some(before)) = (other, before) {
                assert_eq!(self.things(other).await, before, "{happening:?} is none of the other's business");
            }
            self.room.assert_counters().await;
        }
    }
}

on_both_databases!(counters_equal_a_recount_after_any_sequence);
async fn counters_equal_a_recount_after_any_sequence(db: TestDb) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let sequences = prop::collection::vec(happening(), 1..40);
        let outcome = TestRunner::new(config).run(&sequences, |happenings| {
            runtime.block_on(async { World::new(&db).await.live(&happenings).await });
            Ok(())
        });
        outcome.unwrap();
    });
}
