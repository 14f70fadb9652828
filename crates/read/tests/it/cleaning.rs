//! Clean-up: what goes, what stays, and that counters are right whoever does what meanwhile.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use read::{CleanItems, Cleaned, Reader, Settings};
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
    job::run_job,
    newsroom::{Newsroom, answer, feed_of, net, rss, start},
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn clean(room: &Newsroom) -> Cleaned {
    room.reader.clean(&CancellationToken::new()).await.unwrap()
}

/// Items that arrive now with all that a fetch does for them, but a document.
async fn arrive(room: &Newsroom, feed: FeedId, count: usize) -> Vec<ItemId> {
    let new: Vec<NewItem> = (0..count)
        .map(|n| NewItem { title: format!("Item {n}"), published_at: room.clock.now(), ..NewItem::default() })
        .collect();
    let mut tx = room.db.begin().await.unwrap();
    feeds::lock(&mut tx, feed).await.unwrap();
    let ids = items::insert(&mut tx, feed, &new, room.clock.now()).await.unwrap();
    items::fan_out(&mut tx, feed, &ids, 1_000_000, room.clock.now()).await.unwrap();
    search::mark_pending(&mut tx, ids.iter().copied()).await.unwrap();
    tx.commit().await.unwrap();
    ids
}

async fn mark_read(room: &Newsroom, user: UserId, items: &[ItemId], is_read: bool) {
    let mut tx = room.db.begin().await.unwrap();
    states::mark_read(&mut tx, user, items, is_read, room.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn star(room: &Newsroom, user: UserId, item: ItemId) {
    let mut tx = room.db.begin().await.unwrap();
    states::mark_starred(&mut tx, user, &[item], true, room.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn titles(room: &Newsroom) -> Vec<String> {
    let titles: Vec<(String,)> = room.db.read("select title from items order by title").all().await.unwrap();
    titles.into_iter().map(|(title,)| title).collect()
}

async fn item(room: &Newsroom, title: &str) -> ItemId {
    room.db.read("select id from items where title = $1").bind(title.to_owned()).scalar().await.unwrap()
}

async fn unread(room: &Newsroom, user: UserId) -> i64 {
    let unread = room.db.read("select cast(sum(unread_count) as bigint) from subscriptions where user_id = $1");
    unread.bind(user).scalar().await.unwrap()
}

async fn unsubscribe(room: &Newsroom, user: UserId, feed: FeedId) {
    let mut tx = room.db.begin().await.unwrap();
    assert!(subscriptions::delete(&mut tx, user, feed, room.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
}

fn imported(title: &str) -> NewImportFeed {
    NewImportFeed { feed_url: format!("https://site.test/{title}"), title: title.to_owned(), folder: None }
}

fn keeping_orphans(room: &Newsroom, days: u32) -> Reader {
    let settings = Settings { orphan_feed_days: days, ..Settings::default() };
    Reader::new(room.db.clone(), net(), room.clock.clone(), settings)
}

on_both_databases!(old_items_go_but_not_the_starred_nor_those_in_the_document);
async fn old_items_go_but_not_the_starred_nor_those_in_the_document(db: TestDb) {
    let room = Newsroom::new(db).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    let feed = room.read_by(ann, "/feed").await;
    room.subscribe(bob, feed).await;
    let all = [("a", "Gone and read", 50), ("b", "Gone and starred", 40), ("c", "Still there", 30), ("d", "Gone", 20)];
    room.always("/feed", feed_of(&all));
    room.reader.fetch_due().await.unwrap();
    mark_read(&room, ann, &[item(&room, "Gone and read").await], true).await;
    star(&room, bob, item(&room, "Gone and starred").await).await;

    room.advance(180 * 24 * 60 - 60);
    room.always("/feed", feed_of(&[("c", "Still there", 30), ("e", "New", 10)]));
    room.fetch_again(feed).await;
    room.advance(60);
    assert_eq!(room.clock.now(), start() + TimeDelta::days(180));
    assert_eq!(clean(&room).await.items, 0, "not yet");
    room.clock.advance(Duration::from_secs(1));
    assert_eq!(clean(&room).await, Cleaned { items: 2, feeds: 0 });
    assert_eq!(titles(&room).await, ["Gone and starred", "New", "Still there"]);
    room.assert_counters().await;
    assert_eq!((unread(&room, ann).await, unread(&room, bob).await), (3, 3));
    assert_eq!(room.count("select count(*) from item_states").await, 6, "two people, three items");
    assert_eq!(clean(&room).await, Cleaned::default(), "nothing is left to do");
}

on_both_databases!(what_the_document_has_does_not_come_back_as_new);
async fn what_the_document_has_does_not_come_back_as_new(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/feed").await;
    let old = [("a", "Evergreen", 50), ("b", "Other", 40)];
    room.on("/feed", move |seen| match seen.header("if-none-match") {
        Some("\"v1\"") => answer("304 Not Modified", &[], ""),
        _ => answer("200 OK", &[("ETag", "\"v1\"")], &rss(&old)),
    });
    room.reader.fetch_due().await.unwrap();
    let first = item(&room, "Evergreen").await;
    mark_read(&room, ann, &[first], true).await;
    // A year of silence: the document is the same, so its items are still in it.
    for _ in 0..12 {
        room.advance(30 * 24 * 60);
        room.reader.fetch_due().await.unwrap();
        assert_eq!(clean(&room).await.items, 0);
    }
    room.always("/feed", feed_of(&[("a", "Evergreen", 50), ("c", "New", 10)]));
    room.fetch_again(feed).await;
    assert_eq!(item(&room, "Evergreen").await, first, "the same item");
    assert_eq!(unread(&room, ann).await, 2, "and still read");
    assert_eq!(clean(&room).await.items, 1, "the other one has left the document");
    room.fetch_again(feed).await;
    assert_eq!(titles(&room).await, ["Evergreen", "New"]);
    assert_eq!(unread(&room, ann).await, 1);
    room.assert_counters().await;
}

on_both_databases!(the_words_of_an_item_go_with_it);
async fn the_words_of_an_item_go_with_it(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/feed").await;
    arrive(&room, feed, 3).await;
    let chunk = search::claim(&room.db, 2).await.unwrap();
    let words = chunk.items().iter().map(|_| "kawara ban".to_owned()).collect();
    chunk.finish(&room.db, words).await.unwrap();
    assert_eq!(room.count("select count(*) from item_search").await, 2);
    assert_eq!(room.count("select count(*) from search_pending").await, 1);
    room.clock.advance(200 * DAY);
    assert_eq!(clean(&room).await.items, 3);
    assert_eq!(room.count("select count(*) from item_search").await, 0);
    assert_eq!(room.count("select count(*) from search_pending").await, 0);
    if !room.db.is_postgres() {
        assert_eq!(room.count("select count(*) from item_words where item_words match 'kawara'").await, 0);
    }
}

on_both_databases!(many_items_of_many_feeds_go_in_chunks);
async fn many_items_of_many_feeds_go_in_chunks(db: TestDb) {
    let room = Newsroom::new(db).await;
    let people = [room.user("ann").await, room.user("bob").await, room.user("cho").await];
    let mut old = Vec::new();
    for (n, path) in ["/one", "/two", "/three"].into_iter().enumerate() {
        let feed = room.feed(path).await;
        for person in &people[..=n] {
            room.subscribe(*person, feed).await;
        }
        old.push((feed, arrive(&room, feed, 700).await));
    }
    mark_read(&room, people[0], &old[2].1[100..400], true).await;
    mark_read(&room, people[1], &old[1].1, true).await;
    star(&room, people[2], old[2].1[5]).await;
    room.clock.advance(181 * DAY);
    for (feed, _) in &old {
        arrive(&room, *feed, 10).await;
    }
    assert_eq!(clean(&room).await.items, 3 * 700 - 1);
    assert_eq!(room.count("select count(*) from items").await, 31);
    room.assert_counters().await;
    assert_eq!(unread(&room, people[0]).await, 31);
    assert_eq!(unread(&room, people[2]).await, 11);
}

on_both_databases!(two_workers_at_once_remove_each_item_once);
async fn two_workers_at_once_remove_each_item_once(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    for path in ["/one", "/two", "/three", "/four"] {
        let feed = room.read_by(ann, path).await;
        arrive(&room, feed, 600).await;
    }
    room.clock.advance(181 * DAY);
    let other = Reader::new(room.db.clone(), net(), room.clock.clone(), Settings::default());
    let stopping = CancellationToken::new();
    let (one, two) = tokio::join!(room.reader.clean(&stopping), other.clean(&stopping));
    assert_eq!(one.unwrap().items + two.unwrap().items, 2_400);
    assert_eq!((room.count("select count(*) from items").await, unread(&room, ann).await), (0, 0));
}

on_both_databases!(people_may_read_and_star_meanwhile);
async fn people_may_read_and_star_meanwhile(db: TestDb) {
    let room = Newsroom::new(db).await;
    let people = [room.user("ann").await, room.user("bob").await];
    let feed = room.read_by(people[0], "/feed").await;
    room.subscribe(people[1], feed).await;
    let items = arrive(&room, feed, 900).await;
    room.clock.advance(181 * DAY);
    let reading = async {
        for (n, chunk) in items.chunks(30).rev().enumerate() {
            mark_read(&room, people[n % 2], chunk, n % 3 != 0).await;
            star(&room, people[n % 2], chunk[0]).await;
        }
    };
    let (cleaned, ()) = tokio::join!(clean(&room), reading);
    room.assert_counters().await;
    // What somebody was just marking was passed over: it goes the next night.
    let cleaned = cleaned.items + clean(&room).await.items;
    room.assert_counters().await;
    let starred = room.count("select count(distinct item_id) from item_states where is_starred = true").await;
    assert_eq!(room.count("select count(*) from items").await, starred, "the starred are what is left");
    assert_eq!(i64::try_from(cleaned).unwrap() + starred, 900);
}

on_both_databases!(feeds_nobody_reads_are_collected);
async fn feeds_nobody_reads_are_collected(db: TestDb) {
    let room = Newsroom::new(db).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    let left = room.read_by(ann, "/left").await;
    let taken_up = room.read_by(ann, "/taken-up").await;
    let kept = room.read_by(ann, "/kept").await;
    let closed = room.read_by(bob, "/closed").await;
    for feed in [left, taken_up, kept, closed] {
        arrive(&room, feed, 2).await;
    }
    arrive(&room, left, 1_100).await;
    unsubscribe(&room, ann, left).await;
    unsubscribe(&room, ann, taken_up).await;
    // A subscription that went without telling its feed, as no code of ours leaves it behind.
    for sql in ["delete from item_states where user_id = $1", "delete from users where id = $1"] {
        room.db.write(sql).bind(bob).execute().await.unwrap();
    }

    room.clock.advance(10 * DAY);
    assert_eq!(clean(&room).await.feeds, 0);
    assert!(feeds::is_resting(&room.db, closed).await.unwrap(), "noticed now");
    room.subscribe(ann, taken_up).await;
    room.clock.advance(80 * DAY);
    assert_eq!(clean(&room).await.feeds, 0, "ninety days are not over");
    room.clock.advance(Duration::from_secs(1));
    assert_eq!(keeping_orphans(&room, 0).clean(&CancellationToken::new()).await.unwrap().feeds, 0, "0 is never");
    assert_eq!(clean(&room).await.feeds, 1);
    assert!(feeds::get(&room.db, left).await.unwrap().is_none());
    room.clock.advance(10 * DAY);
    assert_eq!(clean(&room).await.feeds, 1);
    assert!(feeds::get(&room.db, closed).await.unwrap().is_none());
    for feed in [kept, taken_up] {
        assert!(feeds::get(&room.db, feed).await.unwrap().is_some());
    }
    assert_eq!(room.count("select count(*) from items").await, 4, "items went with their feeds");
    room.assert_counters().await;
}

on_both_databases!(notes_of_long_ago_go);
async fn notes_of_long_ago_go(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let undo = NewUndoChunk {
        undo: UndoId::new(),
        chunk: 0,
        items: &[ItemId(1)],
        expires_at: start() + TimeDelta::minutes(10),
    };
    let mut tx = room.db.begin().await.unwrap();
    undos::create(&mut tx, ann, &undo).await.unwrap();
    for title in ["done", "waiting"] {
        imports::create(&mut tx, ann, &[imported(title)], start()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let done = room.db.write("update opml_import_feeds set outcome = 'added' where title = 'done'");
    done.execute().await.unwrap();
    for days in [0, 2] {
        let hour: DateTime<Utc> = start() + TimeDelta::days(days);
        room.db.write("insert into fetch_hours (hour) values ($1)").bind(hour).execute().await.unwrap();
    }
    let left = async || {
        let tables = [
            "select count(*) from undo_chunks",
            "select count(*) from opml_imports",
            "select count(*) from fetch_hours",
        ];
        let mut counts = Vec::new();
        for table in tables {
            counts.push(room.count(table).await);
        }
        counts
    };
    clean(&room).await;
    assert_eq!(left().await, [1, 2, 2]);
    room.clock.advance(DAY);
    clean(&room).await;
    assert_eq!(left().await, [0, 2, 2]);
    room.clock.advance(31 * DAY);
    clean(&room).await;
    assert_eq!(left().await, [0, 1, 1], "an import with something left to do stays");
}

on_both_databases!(the_job_cleans_and_may_run_twice);
async fn the_job_cleans_and_may_run_twice(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/feed").await;
    arrive(&room, feed, 3).await;
    room.clock.advance(181 * DAY);
    for _ in 0..2 {
        run_job(&room, CleanItems {}, room.reader.clone()).await;
    }
    assert_eq!(room.count("select count(*) from items").await, 0);
    room.assert_counters().await;
}
