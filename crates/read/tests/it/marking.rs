//! Read, unread and starred; everything up to a point; and taking it back.

use std::time::Duration;

use chrono::TimeDelta;
use read::{Error, ListQuery, MarkRead, StatePatch};
use store::{
    Change, ItemId, UndoId,
    item_lists::{Filter, ItemScope},
};
use testkit::{TestDb, on_both_databases};

use crate::reading_room::{EVERYTHING, FIRST_PAGE, ReadingRoom};

const READ: StatePatch = StatePatch { is_read: Some(true), is_starred: None };
const UNREAD: StatePatch = StatePatch { is_read: Some(false), is_starred: None };
const STARRED: StatePatch = StatePatch { is_read: None, is_starred: Some(true) };

on_both_databases!(a_state_is_set_once_however_often_it_is_asked_for);
async fn a_state_is_set_once_however_often_it_is_asked_for(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    room.subscribe(room.b, feed).await;
    let items = room.arrive(feed, &[1, 2, 3]).await;
    let mut changes = db.signals().changes();
    room.clock.advance(Duration::from_secs(60));
    let first = room.reader.change_state(room.a, items[0], READ).await.unwrap();
    assert!(first.is_read && !first.is_starred);
    assert_eq!(first.updated_at, room.clock.now());
    assert_eq!(changes.try_recv().ok(), Some(Change::User(room.a)));
    room.clock.advance(Duration::from_secs(60));
    assert_eq!(room.reader.change_state(room.a, items[0], READ).await.unwrap(), first, "nothing new");
    assert!(changes.try_recv().is_err(), "nobody is told about nothing");
    let starred = room.reader.change_state(room.a, items[0], STARRED).await.unwrap();
    assert!(starred.is_read && starred.is_starred, "what is not named stays");
    assert_eq!(room.reader.change_state(room.a, items[0], StatePatch::default()).await.unwrap(), starred);
    assert_eq!(room.unread(room.a).await, items[1..]);
    assert_eq!(room.unread(room.b).await, items, "the other person's are their own");
    room.reader.change_state(room.a, items[0], UNREAD).await.unwrap();
    assert_eq!(room.unread(room.a).await, items);
    room.assert_counters().await;
}

on_both_databases!(only_ones_own_items_have_a_state);
async fn only_ones_own_items_have_a_state(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let (mine, theirs) = (room.feed("mine").await, room.feed("theirs").await);
    room.subscribe(room.a, mine).await;
    room.subscribe(room.b, theirs).await;
    let (my, their) = (room.arrive(mine, &[1]).await[0], room.arrive(theirs, &[1]).await[0]);
    for item in [their, ItemId(99_999), ItemId(-1)] {
        let refused = room.reader.change_state(room.a, item, READ).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
        assert!(matches!(room.reader.item(room.a, item).await, Err(Error::NotFound)));
    }
    let many = room.reader.change_states(room.a, &[their, my, ItemId(5), my], READ).await.unwrap();
    assert_eq!(
        many.iter().map(|state| state.item_id).collect::<Vec<_>>(),
        [my],
        "twice is once, strangers are left out"
    );
    assert_eq!(room.unread(room.b).await, [their]);
    room.assert_counters().await;
}

on_both_databases!(marking_all_leaves_what_arrived_after_the_list);
async fn marking_all_leaves_what_arrived_after_the_list(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let (one, two) = (room.feed("one").await, room.feed("two").await);
    room.subscribe(room.a, one).await;
    room.subscribe(room.a, two).await;
    let mut seen = room.arrive(one, &[10, 50]).await;
    // Later than the newest on screen, and older: it is on screen too.
    seen.extend(room.arrive(two, &[20]).await);
    let page = room.reader.list_items(room.a, &FIRST_PAGE).await.unwrap();
    assert_eq!(page.items.len(), 3);
    let newer = room.arrive(one, &[1]).await;
    let older = room.arrive(two, &[30, 500]).await;
    let request = MarkRead { as_of: Some(page.as_of), ..EVERYTHING };
    let marked = room.reader.mark_as_read(room.a, &request).await.unwrap();
    assert_eq!(marked.items, 3);
    assert_eq!(room.unread(room.a).await, [newer, older].concat(), "also those with an old date");
    room.assert_counters().await;
    let rest = room.reader.mark_as_read(room.a, &EVERYTHING).await.unwrap();
    assert_eq!(rest.items, 3);
    assert_eq!(room.unread(room.a).await, []);
    room.assert_counters().await;
}

on_both_databases!(marking_goes_up_to_an_item_or_a_date);
async fn marking_goes_up_to_an_item_or_a_date(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    // The second and third are of one moment; the greater id stands before the other.
    let items = room.arrive(feed, &[10, 20, 20, 30, 40]).await;
    let request = MarkRead { up_to: Some(items[1]), ..EVERYTHING };
    let marked = room.reader.mark_as_read(room.a, &request).await.unwrap();
    assert_eq!(marked.items, 3, "the item itself and what stands behind it");
    assert_eq!(room.unread(room.a).await, [items[0], items[2]]);
    assert_eq!(room.reader.undo(room.a, marked.undo).await.unwrap(), 3);
    let request = MarkRead { older_than: Some(room.minutes_ago(30)), ..EVERYTHING };
    assert_eq!(room.reader.mark_as_read(room.a, &request).await.unwrap().items, 1, "older, not as old");
    assert_eq!(room.unread(room.a).await, items[..4]);
    let both = MarkRead { up_to: Some(items[0]), older_than: Some(room.minutes_ago(15)), ..EVERYTHING };
    assert_eq!(room.reader.mark_as_read(room.a, &both).await.unwrap().items, 3, "all conditions hold");
    let far = MarkRead { older_than: Some(chrono::DateTime::<chrono::Utc>::MIN_UTC), ..EVERYTHING };
    assert_eq!(room.reader.mark_as_read(room.a, &far).await.unwrap().items, 0);
    let refused = room.reader.mark_as_read(room.b, &wish_for(items[0])).await;
    assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    room.assert_counters().await;
}

on_both_databases!(marking_keeps_to_its_feed_folder_and_stars);
async fn marking_keeps_to_its_feed_folder_and_stars(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let (one, two, three) = (room.feed("one").await, room.feed("two").await, room.feed("three").await);
    let folder = room.reader.add_folder(room.a, "Folder").await.unwrap().id;
    for feed in [one, two, three] {
        let subscription = room.subscribe(room.a, feed).await;
        let patch = store::subscriptions::SubscriptionPatch {
            folder_id: Some((feed != three).then_some(folder)),
            ..Default::default()
        };
        room.reader.change_subscription(room.a, subscription, patch).await.unwrap();
        room.arrive(feed, &[1, 2]).await;
    }
    room.reader.change_state(room.a, ItemId(6), STARRED).await.unwrap();
    let in_folder = MarkRead { scope: ItemScope::Folder(folder), ..EVERYTHING };
    let in_feed = MarkRead { scope: ItemScope::Feed(two), ..EVERYTHING };
    let starred = MarkRead { is_starred: true, ..EVERYTHING };
    assert_eq!(room.reader.mark_as_read(room.a, &starred).await.unwrap().items, 1);
    assert_eq!(room.unread(room.a).await, [1, 2, 3, 4, 5].map(ItemId));
    assert_eq!(room.reader.mark_as_read(room.a, &in_feed).await.unwrap().items, 2);
    assert_eq!(room.unread(room.a).await, [1, 2, 5].map(ItemId));
    assert_eq!(room.reader.mark_as_read(room.a, &in_folder).await.unwrap().items, 2);
    assert_eq!(room.unread(room.a).await, [ItemId(5)]);
    room.assert_counters().await;
    for scope in [ItemScope::Feed(two), ItemScope::Folder(folder)] {
        let refused = room.reader.mark_as_read(room.b, &MarkRead { scope, ..EVERYTHING }).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
        let refused = room.reader.list_items(room.b, &ListQuery { scope, ..FIRST_PAGE }).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    }
}

on_both_databases!(what_is_marked_can_be_taken_back_once);
async fn what_is_marked_can_be_taken_back_once(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    room.subscribe(room.b, feed).await;
    let items = room.arrive(feed, &[1, 2, 3, 4]).await;
    room.reader.change_state(room.a, items[0], READ).await.unwrap();
    let marked = room.reader.mark_as_read(room.a, &EVERYTHING).await.unwrap();
    assert_eq!(marked.items, 3);
    room.reader.change_state(room.a, items[1], UNREAD).await.unwrap();
    let foreign = room.reader.undo(room.b, marked.undo).await;
    assert!(matches!(foreign, Err(Error::UndoExpired { .. })), "{foreign:?}");
    assert_eq!(room.reader.undo(room.a, marked.undo).await.unwrap(), 2, "one is unread already");
    assert_eq!(room.unread(room.a).await, items[1..], "what was read before stays read");
    let again = room.reader.undo(room.a, marked.undo).await;
    assert!(matches!(again, Err(Error::UndoExpired { .. })), "{again:?}");
    assert!(matches!(room.reader.undo(room.a, UndoId::new()).await, Err(Error::UndoExpired { .. })));
    assert_eq!(room.unread(room.b).await, items);
    room.assert_counters().await;
}

on_both_databases!(taking_back_is_possible_for_ten_minutes);
async fn taking_back_is_possible_for_ten_minutes(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    room.arrive(feed, &[1, 2]).await;
    let marked = room.reader.mark_as_read(room.a, &EVERYTHING).await.unwrap();
    let nothing = room.reader.mark_as_read(room.a, &EVERYTHING).await.unwrap();
    assert_eq!(nothing.items, 0);
    room.clock.advance(Duration::from_secs(10 * 60 - 1));
    assert_eq!(store::undos::prune(&db, room.clock.now()).await.unwrap(), 0);
    assert_eq!(room.reader.undo(room.a, nothing.undo).await.unwrap(), 0, "nothing was marked, nothing is taken back");
    room.clock.advance(Duration::from_secs(1));
    let late = room.reader.undo(room.a, marked.undo).await;
    assert!(matches!(late, Err(Error::UndoExpired { .. })), "{late:?}");
    assert_eq!(store::undos::prune(&db, room.clock.now()).await.unwrap(), 1);
    assert_eq!(room.unread(room.a).await, []);
}

on_both_databases!(thousands_are_marked_in_chunks_and_taken_back);
async fn thousands_are_marked_in_chunks_and_taken_back(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let (one, two) = (room.feed("one").await, room.feed("two").await);
    for feed in [one, two] {
        room.subscribe(room.a, feed).await;
        for hundred in 0..3 {
            room.arrive(feed, &(0..900).map(|n| hundred + n % 7).collect::<Vec<_>>()).await;
        }
    }
    let before = room.unread(room.a).await;
    assert_eq!(before.len(), 5_400);
    let marked = room.reader.mark_as_read(room.a, &EVERYTHING).await.unwrap();
    assert_eq!(marked.items, 5_400);
    assert_eq!(room.unread(room.a).await, []);
    room.assert_counters().await;
    let chunks: i64 = db.read("select count(*) from undo_chunks").scalar().await.unwrap();
    assert_eq!(chunks, 2, "no transaction is larger than 5,000 rows");
    assert_eq!(room.reader.undo(room.a, marked.undo).await.unwrap(), 5_400);
    assert_eq!(room.unread(room.a).await, before);
    room.assert_counters().await;
}

on_both_databases!(two_who_mark_at_once_count_right);
async fn two_who_mark_at_once_count_right(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    let items = room.arrive(feed, &(0..500).collect::<Vec<_>>()).await;
    let mut backwards = items.clone();
    backwards.reverse();
    for _ in 0..5 {
        let (all, some, arrived) = tokio::join!(
            room.reader.mark_as_read(room.a, &EVERYTHING),
            room.reader.change_states(room.a, &backwards, READ),
            room.arrive(feed, &[1, 2, 3]),
        );
        let undone = room.reader.undo(room.a, all.unwrap().undo);
        let (undone, unread) = tokio::join!(undone, room.reader.change_states(room.a, &items, UNREAD));
        assert_eq!((some.unwrap().len(), unread.unwrap().len(), arrived.len()), (500, 500, 3));
        undone.unwrap();
        room.assert_counters().await;
    }
}

on_both_databases!(a_list_shows_how_texts_begin);
async fn a_list_shows_how_texts_begin(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    room.subscribe(room.a, feed).await;
    room.arrive(feed, &(0..51).collect::<Vec<_>>()).await;
    let page = room.reader.list_items(room.a, &FIRST_PAGE).await.unwrap();
    assert_eq!(page.items.len(), 50);
    assert_eq!(page.items[7].excerpt, "Text of 7");
    let next = ListQuery { after: page.next, ..FIRST_PAGE };
    let last = room.reader.list_items(room.a, &next).await.unwrap();
    assert_eq!(last.items[0].excerpt, "Text of 50");
    assert_eq!((last.items.len(), last.next), (1, None));
    let starred = ListQuery { filter: Filter::Starred, scope: ItemScope::Feed(feed), ..FIRST_PAGE };
    assert!(room.reader.list_items(room.a, &starred).await.unwrap().items.is_empty(), "empty is no fault");
    let item = room.reader.item(room.a, last.items[0].row.id).await.unwrap();
    assert_eq!(item.summary.as_deref(), Some("<p>Text of <b>50</b></p>"));
    assert_eq!(item.row.published_at, room.clock.now() - TimeDelta::minutes(50));
}

fn wish_for(item: ItemId) -> MarkRead {
    MarkRead { up_to: Some(item), ..EVERYTHING }
}
