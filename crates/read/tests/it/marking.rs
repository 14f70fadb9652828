//! Read, unread and starred; marking all items up to a point; undo.

use std::time::Duration;

use chrono::TimeDelta;
use read::{Error, ListQuery, MarkRead, StatePatch};
use store::{
    Change, ItemId, UndoId,
    item_lists::{Filter, ItemScope},
};
use testkit::{TestDb, on_both_databases};

use crate::test_reader::{EVERYTHING, FIRST_PAGE, TestReader, start};

const READ: StatePatch = StatePatch { is_read: Some(true), is_starred: None };
const UNREAD: StatePatch = StatePatch { is_read: Some(false), is_starred: None };
const STARRED: StatePatch = StatePatch { is_read: None, is_starred: Some(true) };

on_both_databases!(updating_a_state_is_idempotent);
async fn updating_a_state_is_idempotent(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.create_subscription(test.other_user, feed).await;
    let items = test.add_items(feed, &[1, 2, 3]).await;
    let mut changes = db.signals().changes();
    test.clock.advance(Duration::from_secs(60));
    let first = test.reader.update_state(test.user, items[0], READ).await.unwrap().value;
    assert!(first.is_read && !first.is_starred);
    assert_eq!(first.updated_at, test.clock.now());
    assert_eq!(changes.try_recv().ok(), Some(Change::User(test.user)));
    test.clock.advance(Duration::from_secs(60));
    assert_eq!(
        test.reader.update_state(test.user, items[0], READ).await.unwrap().value,
        first,
        "the state is unchanged"
    );
    assert!(changes.try_recv().is_err(), "no change, no signal");
    let starred = test.reader.update_state(test.user, items[0], STARRED).await.unwrap().value;
    assert!(starred.is_read && starred.is_starred, "fields that are not in the patch stay");
    assert_eq!(test.reader.update_state(test.user, items[0], StatePatch::default()).await.unwrap().value, starred);
    assert_eq!(test.list_unread(test.user).await, items[1..]);
    assert_eq!(test.list_unread(test.other_user).await, items, "the other user's states are unchanged");
    test.reader.update_state(test.user, items[0], UNREAD).await.unwrap();
    assert_eq!(test.list_unread(test.user).await, items);
    test.assert_counters().await;
}

on_both_databases!(each_write_has_its_revision);
async fn each_write_has_its_revision(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.create_subscription(test.other_user, feed).await;
    let items = test.add_items(feed, &[1, 2, 3]).await;
    let (reader, user) = (&test.reader, test.user);
    let before = reader.list_subscriptions(user).await.unwrap().revision;
    let read = reader.update_state(user, items[0], READ).await.unwrap().revision;
    let again = reader.update_state(user, items[0], READ).await.unwrap().revision;
    let starred = reader.update_states(user, &items, STARRED).await.unwrap().revision;
    let marked = reader.mark_as_read(user, &EVERYTHING).await.unwrap();
    let undone = reader.undo(user, marked.value.undo).await.unwrap().revision;
    let revisions = [read, again, starred, marked.revision, undone];
    assert_eq!(revisions.map(|revision| revision - before), [1, 1, 2, 3, 4], "a write without effect does not count");
    let listed = reader.list_subscriptions(user).await.unwrap();
    assert_eq!((listed.revision, listed.value[0].unread_count), (undone, 2));
    assert_eq!(reader.list_unread_counts(user).await.unwrap().revision, undone);
    assert_eq!(reader.list_subscriptions(test.other_user).await.unwrap().revision, 0, "each user has their own");
    let folder = test.reader.create_folder(user, "a").await.unwrap().id;
    assert_eq!(reader.delete_folder(user, folder).await.unwrap(), undone + 1);
    assert_eq!(reader.delete_subscription(user, listed.value[0].id).await.unwrap(), undone + 2);
    let empty = reader.list_subscriptions(user).await.unwrap();
    assert_eq!((empty.revision, empty.value.len()), (undone + 2, 0));
}

on_both_databases!(items_of_other_users_have_no_state);
async fn items_of_other_users_have_no_state(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (mine, theirs) = (test.create_titled_feed("mine").await, test.create_titled_feed("theirs").await);
    test.create_subscription(test.user, mine).await;
    test.create_subscription(test.other_user, theirs).await;
    let (my, their) = (test.add_items(mine, &[1]).await[0], test.add_items(theirs, &[1]).await[0]);
    for item in [their, ItemId(99_999), ItemId(-1)] {
        let refused = test.reader.update_state(test.user, item, READ).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
        assert!(matches!(test.reader.get_item(test.user, item).await, Err(Error::NotFound)));
    }
    let many = test.reader.update_states(test.user, &[their, my, ItemId(5), my], READ).await.unwrap().value;
    assert_eq!(
        many.iter().map(|state| state.item_id).collect::<Vec<_>>(),
        [my],
        "duplicates count once, other users' items are left out"
    );
    assert_eq!(test.list_unread(test.other_user).await, [their]);
    test.assert_counters().await;
}

on_both_databases!(marking_all_skips_items_that_arrived_later);
async fn marking_all_skips_items_that_arrived_later(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (one, two) = (test.create_titled_feed("one").await, test.create_titled_feed("two").await);
    test.create_subscription(test.user, one).await;
    test.create_subscription(test.user, two).await;
    let mut seen = test.add_items(one, &[10, 50]).await;
    // It arrives later but has an older date, and is in the list too.
    seen.extend(test.add_items(two, &[20]).await);
    let page = test.reader.list_items(test.user, &FIRST_PAGE).await.unwrap();
    assert_eq!(page.items.len(), 3);
    let newer = test.add_items(one, &[1]).await;
    let older = test.add_items(two, &[30, 500]).await;
    let request = MarkRead { as_of: Some(page.as_of), ..EVERYTHING };
    let marked = test.reader.mark_as_read(test.user, &request).await.unwrap().value;
    assert_eq!(marked.items, 3);
    assert_eq!(test.list_unread(test.user).await, [newer, older].concat(), "also those with an older date");
    test.assert_counters().await;
    let rest = test.reader.mark_as_read(test.user, &EVERYTHING).await.unwrap().value;
    assert_eq!(rest.items, 3);
    assert_eq!(test.list_unread(test.user).await, []);
    test.assert_counters().await;
}

on_both_databases!(marking_stops_at_an_item_or_a_date);
async fn marking_stops_at_an_item_or_a_date(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    // The second and third have the same date; the one with the greater id comes first.
    let items = test.add_items(feed, &[10, 20, 20, 30, 40]).await;
    let request = MarkRead { up_to: Some(items[1]), ..EVERYTHING };
    let marked = test.reader.mark_as_read(test.user, &request).await.unwrap().value;
    assert_eq!(marked.items, 3, "the item and those after it");
    assert_eq!(test.list_unread(test.user).await, [items[0], items[2]]);
    assert_eq!(test.reader.undo(test.user, marked.undo).await.unwrap().value, 3);
    let request = MarkRead { older_than: Some(start() - TimeDelta::minutes(30)), ..EVERYTHING };
    assert_eq!(
        test.reader.mark_as_read(test.user, &request).await.unwrap().value.items,
        1,
        "an item with exactly this date is not older"
    );
    assert_eq!(test.list_unread(test.user).await, items[..4]);
    let both = MarkRead { up_to: Some(items[0]), older_than: Some(start() - TimeDelta::minutes(15)), ..EVERYTHING };
    assert_eq!(test.reader.mark_as_read(test.user, &both).await.unwrap().value.items, 3, "all conditions hold");
    let far = MarkRead { older_than: Some(chrono::DateTime::<chrono::Utc>::MIN_UTC), ..EVERYTHING };
    assert_eq!(test.reader.mark_as_read(test.user, &far).await.unwrap().value.items, 0);
    let refused = test.reader.mark_as_read(test.other_user, &MarkRead { up_to: Some(items[0]), ..EVERYTHING }).await;
    assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    test.assert_counters().await;
}

on_both_databases!(marking_is_limited_to_feed_folder_or_stars);
async fn marking_is_limited_to_feed_folder_or_stars(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (one, two, three) = (
        test.create_titled_feed("one").await,
        test.create_titled_feed("two").await,
        test.create_titled_feed("three").await,
    );
    let folder = test.reader.create_folder(test.user, "Folder").await.unwrap().id;
    for feed in [one, two, three] {
        let subscription = test.create_subscription(test.user, feed).await;
        let patch = store::subscriptions::SubscriptionPatch {
            folder_id: Some((feed != three).then_some(folder)),
            ..Default::default()
        };
        test.reader.update_subscription(test.user, subscription, patch).await.unwrap();
        test.add_items(feed, &[1, 2]).await;
    }
    test.reader.update_state(test.user, ItemId(6), STARRED).await.unwrap();
    let in_folder = MarkRead { scope: ItemScope::Folder(folder), ..EVERYTHING };
    let in_feed = MarkRead { scope: ItemScope::Feed(two), ..EVERYTHING };
    let starred = MarkRead { is_starred: true, ..EVERYTHING };
    assert_eq!(test.reader.mark_as_read(test.user, &starred).await.unwrap().value.items, 1);
    assert_eq!(test.list_unread(test.user).await, [1, 2, 3, 4, 5].map(ItemId));
    assert_eq!(test.reader.mark_as_read(test.user, &in_feed).await.unwrap().value.items, 2);
    assert_eq!(test.list_unread(test.user).await, [1, 2, 5].map(ItemId));
    assert_eq!(test.reader.mark_as_read(test.user, &in_folder).await.unwrap().value.items, 2);
    assert_eq!(test.list_unread(test.user).await, [ItemId(5)]);
    test.assert_counters().await;
    for scope in [ItemScope::Feed(two), ItemScope::Folder(folder)] {
        let refused = test.reader.mark_as_read(test.other_user, &MarkRead { scope, ..EVERYTHING }).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
        let refused = test.reader.list_items(test.other_user, &ListQuery { scope, ..FIRST_PAGE }).await;
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    }
}

on_both_databases!(marking_can_be_undone_once);
async fn marking_can_be_undone_once(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.create_subscription(test.other_user, feed).await;
    let items = test.add_items(feed, &[1, 2, 3, 4]).await;
    test.reader.update_state(test.user, items[0], READ).await.unwrap();
    let marked = test.reader.mark_as_read(test.user, &EVERYTHING).await.unwrap().value;
    assert_eq!(marked.items, 3);
    test.reader.update_state(test.user, items[1], UNREAD).await.unwrap();
    let foreign = test.reader.undo(test.other_user, marked.undo).await;
    assert!(matches!(foreign, Err(Error::UndoExpired { .. })), "{foreign:?}");
    assert_eq!(test.reader.undo(test.user, marked.undo).await.unwrap().value, 2, "one is unread already");
    assert_eq!(test.list_unread(test.user).await, items[1..], "items that were read before stay read");
    let again = test.reader.undo(test.user, marked.undo).await;
    assert!(matches!(again, Err(Error::UndoExpired { .. })), "{again:?}");
    assert!(matches!(test.reader.undo(test.user, UndoId::new()).await, Err(Error::UndoExpired { .. })));
    assert_eq!(test.list_unread(test.other_user).await, items);
    test.assert_counters().await;
}

on_both_databases!(undo_expires_after_ten_minutes);
async fn undo_expires_after_ten_minutes(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.add_items(feed, &[1, 2]).await;
    let marked = test.reader.mark_as_read(test.user, &EVERYTHING).await.unwrap().value;
    let nothing = test.reader.mark_as_read(test.user, &EVERYTHING).await.unwrap().value;
    assert_eq!(nothing.items, 0);
    test.clock.advance(Duration::from_secs(10 * 60 - 1));
    assert_eq!(store::undos::prune(&db, test.clock.now()).await.unwrap(), 0);
    assert_eq!(
        test.reader.undo(test.user, nothing.undo).await.unwrap().value,
        0,
        "undoing an empty mark is not an error"
    );
    test.clock.advance(Duration::from_secs(1));
    let late = test.reader.undo(test.user, marked.undo).await;
    assert!(matches!(late, Err(Error::UndoExpired { .. })), "{late:?}");
    assert_eq!(store::undos::prune(&db, test.clock.now()).await.unwrap(), 1);
    assert_eq!(test.list_unread(test.user).await, []);
}

on_both_databases!(thousands_are_marked_in_chunks_and_undone);
async fn thousands_are_marked_in_chunks_and_undone(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (one, two) = (test.create_titled_feed("one").await, test.create_titled_feed("two").await);
    for feed in [one, two] {
        test.create_subscription(test.user, feed).await;
        for hundred in 0..12 {
            test.add_items(feed, &(0..900).map(|n| hundred + n % 7).collect::<Vec<_>>()).await;
        }
    }
    let before = test.list_unread(test.user).await;
    assert_eq!(before.len(), 21_600);
    let marked = test.reader.mark_as_read(test.user, &EVERYTHING).await.unwrap().value;
    assert_eq!(marked.items, 21_600);
    assert_eq!(test.list_unread(test.user).await, []);
    test.assert_counters().await;
    let chunks: i64 = db.read("select count(*) from undo_chunks").scalar().await.unwrap();
    assert_eq!(chunks, 2, "no transaction is larger than 20,000 rows");
    assert_eq!(test.reader.undo(test.user, marked.undo).await.unwrap().value, 21_600);
    assert_eq!(test.list_unread(test.user).await, before);
    test.assert_counters().await;
}

on_both_databases!(concurrent_marking_keeps_counters_right);
async fn concurrent_marking_keeps_counters_right(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    let items = test.add_items(feed, &(0..500).collect::<Vec<_>>()).await;
    let mut backwards = items.clone();
    backwards.reverse();
    for _ in 0..5 {
        let (all, some, arrived) = tokio::join!(
            test.reader.mark_as_read(test.user, &EVERYTHING),
            test.reader.update_states(test.user, &backwards, READ),
            test.add_items(feed, &[1, 2, 3]),
        );
        let undone = test.reader.undo(test.user, all.unwrap().value.undo);
        let (undone, unread) = tokio::join!(undone, test.reader.update_states(test.user, &items, UNREAD));
        assert_eq!((some.unwrap().value.len(), unread.unwrap().value.len(), arrived.len()), (500, 500, 3));
        undone.unwrap();
        test.assert_counters().await;
    }
}

on_both_databases!(lists_show_excerpts);
async fn lists_show_excerpts(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.add_items(feed, &(0..51).collect::<Vec<_>>()).await;
    let page = test.reader.list_items(test.user, &FIRST_PAGE).await.unwrap();
    assert_eq!(page.items.len(), 50);
    assert_eq!(page.items[7].excerpt, "Text of 7");
    let next = ListQuery { after: page.next, ..FIRST_PAGE };
    let last = test.reader.list_items(test.user, &next).await.unwrap();
    assert_eq!(last.items[0].excerpt, "Text of 50");
    assert_eq!((last.items.len(), last.next), (1, None));
    let starred = ListQuery { filter: Filter::Starred, scope: ItemScope::Feed(feed), ..FIRST_PAGE };
    assert!(
        test.reader.list_items(test.user, &starred).await.unwrap().items.is_empty(),
        "an empty list is not an error"
    );
    let item = test.reader.get_item(test.user, last.items[0].row.id).await.unwrap();
    assert_eq!(item.summary.as_deref(), Some("<p>Text of <b>50</b></p>"));
    assert_eq!(item.row.published_at, test.clock.now() - TimeDelta::minutes(50));
}
