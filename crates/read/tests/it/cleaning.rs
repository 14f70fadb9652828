//! Clean-up: which data is deleted, and that counters stay right under concurrent changes.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use read::{CleanItems, Cleaned, Reader, ReaderSettings};
use store::{
    FeedId, ItemId, UndoId, UserId, feeds,
    imports::{self, NewImportFeed},
    items::{self, NewItem},
    search, states, subscriptions,
    undos::{self, NewUndoChunk},
};
use testkit::{TestDb, on_both_databases};
use tokio_util::sync::CancellationToken;

use crate::{
    jobs::run_job,
    responses::{answer, feed_of, rss},
    test_reader::{TestReader, client, start},
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn clean(test: &TestReader) -> Cleaned {
    test.reader.clean(&CancellationToken::new()).await.unwrap()
}

/// Stores items with their states, as a fetch does.
async fn insert_items(test: &TestReader, feed: FeedId, count: usize) -> Vec<ItemId> {
    let new: Vec<NewItem> = (0..count)
        .map(|n| NewItem { title: format!("Item {n}"), published_at: test.clock.now(), ..NewItem::default() })
        .collect();
    let mut tx = test.db.begin().await.unwrap();
    feeds::lock(&mut tx, feed).await.unwrap();
    let ids = items::insert(&mut tx, feed, &new, test.clock.now()).await.unwrap();
    items::fan_out(&mut tx, feed, &ids, 1_000_000, test.clock.now()).await.unwrap();
    search::mark_pending(&mut tx, ids.iter().copied()).await.unwrap();
    tx.commit().await.unwrap();
    ids
}

async fn mark_read(test: &TestReader, user: UserId, items: &[ItemId], is_read: bool) {
    let mut tx = test.db.begin().await.unwrap();
    states::mark_read(&mut tx, user, items, is_read, test.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn star(test: &TestReader, user: UserId, item: ItemId) {
    let mut tx = test.db.begin().await.unwrap();
    states::mark_starred(&mut tx, user, &[item], true, test.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn titles(test: &TestReader) -> Vec<String> {
    let titles: Vec<(String,)> = test.db.read("select title from items order by title").all().await.unwrap();
    titles.into_iter().map(|(title,)| title).collect()
}

async fn item(test: &TestReader, title: &str) -> ItemId {
    test.db.read("select id from items where title = $1").bind(title.to_owned()).scalar().await.unwrap()
}

async fn unread(test: &TestReader, user: UserId) -> i64 {
    let unread = test.db.read("select cast(sum(unread_count) as bigint) from subscriptions where user_id = $1");
    unread.bind(user).scalar().await.unwrap()
}

async fn unsubscribe(test: &TestReader, user: UserId, feed: FeedId) {
    let mut tx = test.db.begin().await.unwrap();
    assert!(subscriptions::delete(&mut tx, user, feed, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
}

fn imported(title: &str) -> NewImportFeed {
    NewImportFeed { feed_url: format!("https://site.test/{title}"), title: title.to_owned(), folder: None }
}

fn keeping_orphans(test: &TestReader, days: u32) -> Reader {
    let settings = ReaderSettings { orphan_feed_days: days, ..ReaderSettings::default() };
    Reader::new(test.db.clone(), client(), test.clock.clone(), settings)
}

on_both_databases!(starred_and_current_items_are_not_deleted);
async fn starred_and_current_items_are_not_deleted(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.create_subscription(bob, feed).await;
    let all = [("a", "Gone and read", 50), ("b", "Gone and starred", 40), ("c", "Still there", 30), ("d", "Gone", 20)];
    test.always("/feed", feed_of(&all));
    test.reader.fetch_due().await.unwrap();
    mark_read(&test, ann, &[item(&test, "Gone and read").await], true).await;
    star(&test, bob, item(&test, "Gone and starred").await).await;

    test.advance(180 * 24 * 60 - 60);
    test.always("/feed", feed_of(&[("c", "Still there", 30), ("e", "New", 10)]));
    test.fetch_when_due(feed).await;
    test.advance(60);
    assert_eq!(test.clock.now(), start() + TimeDelta::days(180));
    assert_eq!(clean(&test).await.items, 0, "180 days are not over");
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(clean(&test).await, Cleaned { items: 2, feeds: 0 });
    assert_eq!(titles(&test).await, ["Gone and starred", "New", "Still there"]);
    test.assert_counters().await;
    assert_eq!((unread(&test, ann).await, unread(&test, bob).await), (3, 3));
    assert_eq!(test.count("select count(*) from item_states").await, 6, "two users, three items");
    assert_eq!(clean(&test).await, Cleaned::default(), "there is nothing left to delete");
}

on_both_databases!(items_in_the_document_are_not_deleted);
async fn items_in_the_document_are_not_deleted(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let old = [("a", "Evergreen", 50), ("b", "Other", 40)];
    test.on("/feed", move |seen| match seen.header("if-none-match") {
        Some("\"v1\"") => answer("304 Not Modified", &[], ""),
        _ => answer("200 OK", &[("ETag", "\"v1\"")], &rss(&old)),
    });
    test.reader.fetch_due().await.unwrap();
    let first = item(&test, "Evergreen").await;
    mark_read(&test, ann, &[first], true).await;
    // A year of 304 responses: the items are still in the document.
    for _ in 0..12 {
        test.advance(30 * 24 * 60);
        test.reader.fetch_due().await.unwrap();
        assert_eq!(clean(&test).await.items, 0);
    }
    test.always("/feed", feed_of(&[("a", "Evergreen", 50), ("c", "New", 10)]));
    test.fetch_when_due(feed).await;
    assert_eq!(item(&test, "Evergreen").await, first, "the same item");
    assert_eq!(unread(&test, ann).await, 2, "it is still read");
    assert_eq!(clean(&test).await.items, 1, "the other one has left the document");
    test.fetch_when_due(feed).await;
    assert_eq!(titles(&test).await, ["Evergreen", "New"]);
    assert_eq!(unread(&test, ann).await, 1);
    test.assert_counters().await;
}

on_both_databases!(deleting_an_item_deletes_its_words);
async fn deleting_an_item_deletes_its_words(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    insert_items(&test, feed, 3).await;
    let chunk = search::claim(&test.db, 2).await.unwrap();
    let words = chunk.items().iter().map(|_| "kawara ban".to_owned()).collect();
    chunk.finish(&test.db, words).await.unwrap();
    assert_eq!(test.count("select count(*) from item_search").await, 2);
    assert_eq!(test.count("select count(*) from search_pending").await, 1);
    test.clock.advance(200 * DAY);
    assert_eq!(clean(&test).await.items, 3);
    assert_eq!(test.count("select count(*) from item_search").await, 0);
    assert_eq!(test.count("select count(*) from search_pending").await, 0);
    if !test.db.is_postgres() {
        assert_eq!(test.count("select count(*) from item_words where item_words match 'kawara'").await, 0);
    }
}

on_both_databases!(many_items_are_deleted_in_chunks);
async fn many_items_are_deleted_in_chunks(db: TestDb) {
    let test = TestReader::new(&db).await;
    let users = [test.create_user("ann").await, test.create_user("bob").await, test.create_user("cho").await];
    let mut old = Vec::new();
    for (n, path) in ["/one", "/two", "/three"].into_iter().enumerate() {
        let feed = test.create_feed(path).await;
        for user in &users[..=n] {
            test.create_subscription(*user, feed).await;
        }
        old.push((feed, insert_items(&test, feed, 700).await));
    }
    mark_read(&test, users[0], &old[2].1[100..400], true).await;
    mark_read(&test, users[1], &old[1].1, true).await;
    star(&test, users[2], old[2].1[5]).await;
    test.clock.advance(181 * DAY);
    for (feed, _) in &old {
        insert_items(&test, *feed, 10).await;
    }
    assert_eq!(clean(&test).await.items, 3 * 700 - 1);
    assert_eq!(test.count("select count(*) from items").await, 31);
    test.assert_counters().await;
    assert_eq!(unread(&test, users[0]).await, 31);
    assert_eq!(unread(&test, users[2]).await, 11);
}

on_both_databases!(concurrent_cleaning_deletes_each_item_once);
async fn concurrent_cleaning_deletes_each_item_once(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    for path in ["/one", "/two", "/three", "/four"] {
        let feed = test.create_subscribed_feed(ann, path).await;
        insert_items(&test, feed, 600).await;
    }
    test.clock.advance(181 * DAY);
    let other = Reader::new(test.db.clone(), client(), test.clock.clone(), ReaderSettings::default());
    let stopping = CancellationToken::new();
    let (one, two) = tokio::join!(test.reader.clean(&stopping), other.clean(&stopping));
    assert_eq!(one.unwrap().items + two.unwrap().items, 2_400);
    assert_eq!((test.count("select count(*) from items").await, unread(&test, ann).await), (0, 0));
}

on_both_databases!(users_can_mark_items_during_cleaning);
async fn users_can_mark_items_during_cleaning(db: TestDb) {
    let test = TestReader::new(&db).await;
    let users = [test.create_user("ann").await, test.create_user("bob").await];
    let feed = test.create_subscribed_feed(users[0], "/feed").await;
    test.create_subscription(users[1], feed).await;
    let items = insert_items(&test, feed, 900).await;
    test.clock.advance(181 * DAY);
    let reading = async {
        for (n, chunk) in items.chunks(30).rev().enumerate() {
            mark_read(&test, users[n % 2], chunk, n % 3 != 0).await;
            star(&test, users[n % 2], chunk[0]).await;
        }
    };
    let (cleaned, ()) = tokio::join!(clean(&test), reading);
    test.assert_counters().await;
    // Rows locked by a user were skipped; the next run deletes them.
    let cleaned = cleaned.items + clean(&test).await.items;
    test.assert_counters().await;
    let starred = test.count("select count(distinct item_id) from item_states where is_starred = true").await;
    assert_eq!(test.count("select count(*) from items").await, starred, "only starred items are left");
    assert_eq!(i64::try_from(cleaned).unwrap() + starred, 900);
}

on_both_databases!(feeds_without_subscribers_are_collected);
async fn feeds_without_subscribers_are_collected(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let left = test.create_subscribed_feed(ann, "/left").await;
    let taken_up = test.create_subscribed_feed(ann, "/taken-up").await;
    let kept = test.create_subscribed_feed(ann, "/kept").await;
    let closed = test.create_subscribed_feed(bob, "/closed").await;
    for feed in [left, taken_up, kept, closed] {
        insert_items(&test, feed, 2).await;
    }
    insert_items(&test, left, 1_100).await;
    unsubscribe(&test, ann, left).await;
    unsubscribe(&test, ann, taken_up).await;
    // A subscription deleted without marking its feed as resting. No code path does this.
    for sql in ["delete from item_states where user_id = $1", "delete from users where id = $1"] {
        test.db.write(sql).bind(bob).execute().await.unwrap();
    }

    test.clock.advance(10 * DAY);
    assert_eq!(clean(&test).await.feeds, 0);
    assert!(feeds::is_resting(&test.db, closed).await.unwrap(), "the clean-up marks it as resting");
    test.create_subscription(ann, taken_up).await;
    test.clock.advance(80 * DAY);
    assert_eq!(clean(&test).await.feeds, 0, "90 days are not over");
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(keeping_orphans(&test, 0).clean(&CancellationToken::new()).await.unwrap().feeds, 0, "0 means never");
    assert_eq!(clean(&test).await.feeds, 1);
    assert!(feeds::get(&test.db, left).await.unwrap().is_none());
    test.clock.advance(10 * DAY);
    assert_eq!(clean(&test).await.feeds, 1);
    assert!(feeds::get(&test.db, closed).await.unwrap().is_none());
    for feed in [kept, taken_up] {
        assert!(feeds::get(&test.db, feed).await.unwrap().is_some());
    }
    assert_eq!(test.count("select count(*) from items").await, 4, "items are deleted with their feeds");
    test.assert_counters().await;
}

on_both_databases!(old_undos_imports_and_stats_are_deleted);
async fn old_undos_imports_and_stats_are_deleted(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let undo = NewUndoChunk {
        undo: UndoId::new(),
        chunk: 0,
        items: &[ItemId(1)],
        expires_at: start() + TimeDelta::minutes(10),
    };
    let mut tx = test.db.begin().await.unwrap();
    undos::create(&mut tx, ann, &undo).await.unwrap();
    for title in ["done", "waiting"] {
        imports::create(&mut tx, ann, &[imported(title)], start()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let done = test.db.write("update opml_import_feeds set outcome = 'added' where title = 'done'");
    done.execute().await.unwrap();
    for days in [0, 2] {
        let hour: DateTime<Utc> = start() + TimeDelta::days(days);
        test.db.write("insert into fetch_hours (hour) values ($1)").bind(hour).execute().await.unwrap();
    }
    let left = async || {
        let tables = [
            "select count(*) from undo_chunks",
            "select count(*) from opml_imports",
            "select count(*) from fetch_hours",
        ];
        let mut counts = Vec::new();
        for table in tables {
            counts.push(test.count(table).await);
        }
        counts
    };
    clean(&test).await;
    assert_eq!(left().await, [1, 2, 2]);
    test.clock.advance(DAY);
    clean(&test).await;
    assert_eq!(left().await, [0, 2, 2]);
    test.clock.advance(31 * DAY);
    clean(&test).await;
    assert_eq!(left().await, [0, 1, 1], "an unfinished import stays");
}

on_both_databases!(the_cleaning_job_is_idempotent);
async fn the_cleaning_job_is_idempotent(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    insert_items(&test, feed, 3).await;
    test.clock.advance(181 * DAY);
    for _ in 0..2 {
        run_job(&test, CleanItems {}, test.reader.clone()).await;
    }
    assert_eq!(test.count("select count(*) from items").await, 0);
    test.assert_counters().await;
}
