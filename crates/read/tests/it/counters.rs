//! A property: after any sequence of operations, counters equal a recount and no user's operation changes another user's
//! data.

use chrono::TimeDelta;
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

use crate::test_reader::{TestReader, start};

const FEEDS: usize = 3;
const CASES: u32 = 24;

/// An operation. Users are 0 and 1.
#[derive(Debug, Clone)]
enum Operation {
    Subscribe(usize, usize),
    Unsubscribe(usize, usize),
    Move(usize, usize, usize),
    Arrive(usize, Vec<i64>),
    CleanUp(usize, Vec<Index>),
    Change(usize, Vec<Index>, Option<bool>, Option<bool>),
    MarkAll(usize, MarkScope, Limits),
    Undo(usize, Index),
    File(usize, usize, bool),
    RemoveFolder(usize),
}

#[derive(Debug, Clone, Copy)]
enum MarkScope {
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

fn operation() -> impl Strategy<Value = Operation> {
    let (user, feed) = (0..2_usize, 0..FEEDS);
    let some = || prop::collection::vec(any::<Index>(), 1..6);
    let scopes =
        prop_oneof![Just(MarkScope::Everywhere), feed.clone().prop_map(MarkScope::Feed), Just(MarkScope::Folder)];
    let limits = (any::<bool>(), any::<Option<Index>>(), any::<Option<Index>>(), prop::option::of(0..60_i64))
        .prop_map(|(is_starred, as_of, up_to, older_than)| Limits { is_starred, as_of, up_to, older_than });
    prop_oneof![
        3 => (user.clone(), feed.clone()).prop_map(|(user, feed)| Operation::Subscribe(user, feed)),
        1 => (user.clone(), feed.clone()).prop_map(|(user, feed)| Operation::Unsubscribe(user, feed)),
        1 => (user.clone(), feed.clone(), feed.clone()).prop_map(|(user, from, to)| Operation::Move(user, from, to)),
        4 => (feed.clone(), prop::collection::vec(0..60_i64, 0..5)).prop_map(|(feed, ages)| Operation::Arrive(feed, ages)),
        1 => (feed.clone(), some()).prop_map(|(feed, items)| Operation::CleanUp(feed, items)),
        4 => (user.clone(), some(), any::<Option<bool>>(), any::<Option<bool>>())
            .prop_map(|(user, items, read, starred)| Operation::Change(user, items, read, starred)),
        3 => (user.clone(), scopes, limits).prop_map(|(user, scope, limits)| Operation::MarkAll(user, scope, limits)),
        3 => (user.clone(), any::<Index>()).prop_map(|(user, which)| Operation::Undo(user, which)),
        1 => (user.clone(), feed, any::<bool>()).prop_map(|(user, feed, into)| Operation::File(user, feed, into)),
        1 => user.prop_map(Operation::RemoveFolder),
    ]
}

/// The users and feeds of one sequence, with the ids that later operations refer to.
struct World {
    test: TestReader,
    feeds: Vec<FeedId>,
    items: Vec<ItemId>,
    undos: Vec<UndoId>,
}

/// A user's states and subscriptions.
type UserData = (Vec<(ItemId, bool, bool)>, Vec<(FeedId, i64, bool)>);

impl World {
    async fn new(db: &Db) -> World {
        let test = TestReader::new(db).await;
        let mut feeds = Vec::new();
        for _ in 0..FEEDS {
            feeds.push(test.create_titled_feed(&FeedId::new().to_string()).await);
        }
        World { test, feeds, items: Vec::new(), undos: Vec::new() }
    }

    fn user(&self, n: usize) -> UserId {
        [self.test.user, self.test.other_user][n]
    }

    /// Items that may be deleted or belong to the other user.
    fn items(&self, which: &[Index]) -> Vec<ItemId> {
        which.iter().filter_map(|index| self.item(index)).collect()
    }

    fn item(&self, index: &Index) -> Option<ItemId> {
        (!self.items.is_empty()).then(|| *index.get(&self.items))
    }

    async fn folder(&self, user: usize) -> store::FolderId {
        let folders = self.test.reader.list_folders(self.user(user)).await.unwrap();
        match folders.first() {
            Some(folder) => folder.id,
            None => self.test.reader.create_folder(self.user(user), "Folder").await.unwrap().id,
        }
    }

    /// The user of the operation, if it is one of a user.
    fn actor(operation: &Operation) -> Option<usize> {
        match operation {
            Operation::Arrive(..) | Operation::CleanUp(..) => None,
            Operation::Subscribe(user, _)
            | Operation::Unsubscribe(user, _)
            | Operation::Move(user, ..)
            | Operation::Change(user, ..)
            | Operation::MarkAll(user, ..)
            | Operation::Undo(user, _)
            | Operation::File(user, ..)
            | Operation::RemoveFolder(user) => Some(*user),
        }
    }

    async fn run(&mut self, operation: &Operation) {
        let now = self.test.clock.now();
        match operation {
            Operation::Subscribe(user, feed) => {
                self.test.create_subscription(self.user(*user), self.feeds[*feed]).await;
            }
            Operation::Unsubscribe(user, feed) => {
                let mut tx = self.test.db.begin().await.unwrap();
                subscriptions::delete(&mut tx, self.user(*user), self.feeds[*feed], now).await.unwrap();
                tx.commit().await.unwrap();
            }
            Operation::Move(user, from, to) => self.transfer(self.user(*user), *from, *to).await,
            Operation::Arrive(feed, ages) => {
                let arrived = self.test.add_items(self.feeds[*feed], ages).await;
                self.items.extend(arrived);
            }
            Operation::CleanUp(feed, items) => {
                let items = self.items(items);
                retention::delete_items(&self.test.db, self.feeds[*feed], &items).await.unwrap();
            }
            Operation::Change(user, items, is_read, is_starred) => {
                let patch = StatePatch { is_read: *is_read, is_starred: *is_starred };
                let items = self.items(items);
                self.test.reader.update_states(self.user(*user), &items, patch).await.unwrap();
            }
            Operation::MarkAll(user, scope, limits) => self.mark_all(*user, *scope, limits).await,
            Operation::Undo(user, which) => {
                if !self.undos.is_empty() {
                    // It fails if the undo is the other user's or was used.
                    let _ = self.test.reader.undo(self.user(*user), *which.get(&self.undos)).await;
                }
            }
            Operation::File(user, feed, into) => self.file(*user, self.feeds[*feed], *into).await,
            Operation::RemoveFolder(user) => {
                let folder = self.folder(*user).await;
                self.test.reader.delete_folder(self.user(*user), folder).await.unwrap();
            }
        }
    }

    async fn transfer(&self, user: UserId, from: usize, to: usize) {
        let mut tx = self.test.db.begin().await.unwrap();
        subscriptions::move_to(&mut tx, user, self.feeds[from], self.feeds[to], self.test.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn file(&self, number: usize, feed: FeedId, into: bool) {
        let user = self.user(number);
        let folder = if into { Some(self.folder(number).await) } else { None };
        if let Some(subscription) = subscriptions::find(&self.test.db, user, feed).await.unwrap() {
            let patch = SubscriptionPatch { folder_id: Some(folder), ..SubscriptionPatch::default() };
            self.test.reader.update_subscription(user, subscription, patch).await.unwrap();
        }
    }

    async fn mark_all(&mut self, user: usize, scope: MarkScope, limits: &Limits) {
        let scope = match scope {
            MarkScope::Everywhere => ItemScope::All,
            MarkScope::Feed(feed) => ItemScope::Feed(self.feeds[feed]),
            MarkScope::Folder => ItemScope::Folder(self.folder(user).await),
        };
        let request = MarkRead {
            scope,
            is_starred: limits.is_starred,
            as_of: limits.as_of.as_ref().and_then(|index| self.item(index)),
            up_to: limits.up_to.as_ref().and_then(|index| self.item(index)),
            older_than: limits.older_than.map(|minutes| start() - TimeDelta::minutes(minutes)),
        };
        // It fails if the feed or the item is not the user's.
        if let Ok(marked) = self.test.reader.mark_as_read(self.user(user), &request).await {
            self.undos.push(marked.value.undo);
        }
    }

    async fn user_data(&self, user: usize) -> UserData {
        let user = self.user(user);
        let states = "select item_id, is_read, is_starred from item_states where user_id = $1 order by item_id";
        let subscriptions = "select feed_id, unread_count, folder_id is not null from subscriptions where user_id = $1 order by feed_id";
        let db = &self.test.db;
        (db.read(states).bind(user).all().await.unwrap(), db.read(subscriptions).bind(user).all().await.unwrap())
    }

    async fn run_all(&mut self, operations: &[Operation]) {
        for operation in operations {
            let other = World::actor(operation).map(|actor| 1 - actor);
            let before = match other {
                Some(other) => Some(self.user_data(other).await),
                None => None,
            };
            self.run(operation).await;
            if let (Some(other), Some(before)) = (other, before) {
                assert_eq!(self.user_data(other).await, before, "{operation:?} changed the other user's data");
            }
            self.test.assert_counters().await;
        }
    }
}

on_both_databases!(counters_equal_a_recount_after_any_sequence);
async fn counters_equal_a_recount_after_any_sequence(db: TestDb) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let sequences = prop::collection::vec(operation(), 1..40);
        let outcome = TestRunner::new(config).run(&sequences, |operations| {
            runtime.block_on(async { World::new(&db).await.run_all(&operations).await });
            Ok(())
        });
        outcome.unwrap();
    });
}
