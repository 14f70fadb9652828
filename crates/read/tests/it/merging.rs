//! Feeds that move: the second permanent redirect changes the address, and two feeds at one address are merged.

use testkit::{TestDb, on_both_databases, origin};

use crate::{responses::feed_of, test_reader::TestReader};

on_both_databases!(the_second_permanent_redirect_moves_the_feed);
async fn the_second_permanent_redirect_moves_the_feed(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/old").await;
    let new = test.origin.url("/new");
    let target = new.clone();
    test.on("/old", move |_| origin::redirect(301, &target));
    test.always("/new", feed_of(&[("a", "First", 10)]));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(test.get_feed(feed).await.feed_url, test.origin.url("/old"));
    test.fetch_when_due(feed).await;
    assert_eq!(test.get_feed(feed).await.feed_url, new);
    test.fetch_when_due(feed).await;
    assert_eq!(test.request_count("/old"), 2, "the old address is no longer requested");
    assert_eq!(test.count("select count(*) from items").await, 1);
}

on_both_databases!(temporary_or_varying_redirects_keep_the_address);
async fn temporary_or_varying_redirects_keep_the_address(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/old").await;
    test.always("/new", feed_of(&[("a", "First", 10)]));
    test.always("/other", feed_of(&[("a", "First", 10)]));
    let (new, other) = (test.origin.url("/new"), test.origin.url("/other"));
    for (status, to) in [(302, &new), (302, &new), (301, &new), (301, &other), (302, &other), (301, &other)] {
        let to = to.clone();
        test.on("/old", move |_| origin::redirect(status, &to));
        test.fetch_when_due(feed).await;
        assert_eq!(test.get_feed(feed).await.feed_url, test.origin.url("/old"));
    }
}

on_both_databases!(merged_feeds_keep_subscribers_and_states);
async fn merged_feeds_keep_subscribers_and_states(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    // The old feed has an item that the new one lacks.
    test.always("/old", feed_of(&[("a", "First", 10), ("b", "Second", 20), ("kept", "Starred", 30)]));
    test.always("/new", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    let (old, new) = (test.create_subscribed_feed(ann, "/old").await, test.create_subscribed_feed(bob, "/new").await);
    test.create_subscription(bob, old).await;
    test.reader.fetch_due().await.unwrap();
    let mark = "update item_states set is_read = true where user_id = $1 and item_id in (select id from items where guid_or_id = 'a' and feed_id = $2)";
    test.db.write(mark).bind(ann).bind(old).execute().await.unwrap();
    test.db
            .write("update item_states set is_starred = true where user_id = $1 and item_id in (select id from items where guid_or_id in ('kept', 'b') and feed_id = $2)")
            .bind(ann)
            .bind(old)
            .execute()
            .await
            .unwrap();
    test.db
        .write("update subscriptions set unread_count = 2, title = 'Mine' where user_id = $1")
        .bind(ann)
        .execute()
        .await
        .unwrap();
    test.assert_counters().await;
    let target = test.origin.url("/new");
    test.on("/old", move |_| origin::redirect(308, &target));
    test.fetch_when_due(old).await;
    test.fetch_when_due(old).await;
    let anns: Vec<(store::FeedId, i64, String)> = test
        .db
        .read("select feed_id, unread_count, title from subscriptions where user_id = $1")
        .bind(ann)
        .all()
        .await
        .unwrap();
    assert_eq!(anns, [(new, 2, "Mine".to_owned())], "the subscription moved, with its read states");
    let bobs: i64 =
        test.db.read("select count(*) from subscriptions where user_id = $1").bind(bob).scalar().await.unwrap();
    assert_eq!(bobs, 1, "a user with both feeds has one");
    let starred: i64 = test
        .db
        .read("select count(*) from item_states where user_id = $1 and is_starred = true and feed_id = $2")
        .bind(ann)
        .bind(new)
        .scalar()
        .await
        .unwrap();
    assert_eq!(starred, 2, "starred items are kept");
    let bob_sees: i64 =
        test.db.read("select count(*) from item_states where user_id = $1").bind(bob).scalar().await.unwrap();
    assert_eq!(bob_sees, 2, "other users do not get the copied item");
    test.assert_counters().await;
    test.advance(60 * 24);
    let asked = test.request_count("/old");
    test.reader.fetch_due().await.unwrap();
    assert_eq!(test.request_count("/old"), asked, "the old feed rests");
}
