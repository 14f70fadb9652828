//! Feeds that move: the address follows what is seen twice, and two feeds at one address become one.

use testkit::{TestDb, on_both_databases, origin};

use crate::newsroom::{Newsroom, feed_of};

on_both_databases!(a_permanent_redirect_is_believed_the_second_time);
async fn a_permanent_redirect_is_believed_the_second_time(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/old").await;
    let new = room.origin.url("/new");
    let target = new.clone();
    room.on("/old", move |_| origin::redirect(301, &target));
    room.always("/new", feed_of(&[("a", "First", 10)]));
    room.reader.fetch_due().await.unwrap();
    assert_eq!(room.get(feed).await.feed_url, room.origin.url("/old"));
    room.fetch_again(feed).await;
    assert_eq!(room.get(feed).await.feed_url, new);
    room.fetch_again(feed).await;
    assert_eq!(room.asked("/old"), 2, "the old address is not asked any more");
    assert_eq!(room.count("select count(*) from items").await, 1);
}

on_both_databases!(a_temporary_redirect_or_a_change_of_mind_keeps_the_address);
async fn a_temporary_redirect_or_a_change_of_mind_keeps_the_address(db: TestDb) {
    let room = Newsroom::new(db).await;
    let ann = room.user("ann").await;
    let feed = room.read_by(ann, "/old").await;
    room.always("/new", feed_of(&[("a", "First", 10)]));
    room.always("/other", feed_of(&[("a", "First", 10)]));
    let (new, other) = (room.origin.url("/new"), room.origin.url("/other"));
    for (status, to) in [(302, &new), (302, &new), (301, &new), (301, &other), (302, &other), (301, &other)] {
        let to = to.clone();
        room.on("/old", move |_| origin::redirect(status, &to));
        room.fetch_again(feed).await;
        assert_eq!(room.get(feed).await.feed_url, room.origin.url("/old"));
    }
}

on_both_databases!(a_feed_that_moves_onto_another_brings_its_readers_along);
async fn a_feed_that_moves_onto_another_brings_its_readers_along(db: TestDb) {
    let room = Newsroom::new(db).await;
    let (ann, bob) = (room.user("ann").await, room.user("bob").await);
    // The old one still has an article that the new one has lost.
    room.always("/old", feed_of(&[("a", "First", 10), ("b", "Second", 20), ("kept", "Starred", 30)]));
    room.always("/new", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    let (old, new) = (room.read_by(ann, "/old").await, room.read_by(bob, "/new").await);
    room.subscribe(bob, old).await;
    room.reader.fetch_due().await.unwrap();
    let mark = "update item_states set is_read = true where user_id = $1 and item_id in (select id from items where guid_or_id = 'a' and feed_id = $2)";
    room.db.write(mark).bind(ann).bind(old).execute().await.unwrap();
    room.db
            .write("update item_states set is_starred = true where user_id = $1 and item_id in (select id from items where guid_or_id in ('kept', 'b') and feed_id = $2)")
            .bind(ann)
            .bind(old)
            .execute()
            .await
            .unwrap();
    room.db
        .write("update subscriptions set unread_count = 2, title = 'Mine' where user_id = $1")
        .bind(ann)
        .execute()
        .await
        .unwrap();
    room.assert_counters().await;
    let target = room.origin.url("/new");
    room.on("/old", move |_| origin::redirect(308, &target));
    room.fetch_again(old).await;
    room.fetch_again(old).await;
    let anns: Vec<(store::FeedId, i64, String)> = room
        .db
        .read("select feed_id, unread_count, title from subscriptions where user_id = $1")
        .bind(ann)
        .all()
        .await
        .unwrap();
    assert_eq!(anns, [(new, 2, "Mine".to_owned())], "the same subscription at the other feed, what was read is read");
    let bobs: i64 =
        room.db.read("select count(*) from subscriptions where user_id = $1").bind(bob).scalar().await.unwrap();
    assert_eq!(bobs, 1, "who had both has one");
    let starred: i64 = room
        .db
        .read("select count(*) from item_states where user_id = $1 and is_starred = true and feed_id = $2")
        .bind(ann)
        .bind(new)
        .scalar()
        .await
        .unwrap();
    assert_eq!(starred, 2, "nothing that was starred is lost");
    let bob_sees: i64 =
        room.db.read("select count(*) from item_states where user_id = $1").bind(bob).scalar().await.unwrap();
    assert_eq!(bob_sees, 2, "and nobody else gets it");
    room.assert_counters().await;
    room.advance(60 * 24);
    let asked = room.asked("/old");
    room.reader.fetch_due().await.unwrap();
    assert_eq!(room.asked("/old"), asked, "the old feed rests");
}
