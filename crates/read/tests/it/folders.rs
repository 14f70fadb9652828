//! Folders, and the settings of subscriptions.

use std::time::Duration;

use chrono::TimeDelta;
use read::{Error, FolderPatch, shown_title};
use store::{
    Change, FolderId, SubscriptionId, Topic, UserId,
    feeds::FetchStatus,
    subscriptions::{Subscription, SubscriptionPatch},
};
use testkit::{TestDb, on_both_databases};

use crate::test_reader::{TestReader, start};

impl TestReader {
    /// Names and positions of a user's folders.
    async fn folders(&self, user: UserId) -> Vec<(String, i64)> {
        let folders = self.reader.list_folders(user).await.unwrap();
        folders.into_iter().map(|folder| (folder.name, folder.position)).collect()
    }

    async fn folder(&self, name: &str) -> FolderId {
        self.reader.create_folder(self.user, name).await.unwrap().id
    }

    async fn put(&self, folder: FolderId, position: u32) {
        let patch = FolderPatch { position: Some(position), ..FolderPatch::default() };
        let moved = self.reader.update_folder(self.user, folder, &patch).await.unwrap();
        assert_eq!(moved.id, folder);
    }

    async fn set(&self, subscription: SubscriptionId, patch: SubscriptionPatch) -> Result<Subscription, Error> {
        self.reader.update_subscription(self.user, subscription, patch).await
    }
}

fn interval(minutes: i64) -> SubscriptionPatch {
    SubscriptionPatch { fetch_interval_minutes: Some(minutes), ..SubscriptionPatch::default() }
}

fn title(title: Option<&str>) -> SubscriptionPatch {
    SubscriptionPatch { title: Some(title.map(str::to_owned)), ..SubscriptionPatch::default() }
}

fn filed(folder: Option<FolderId>) -> SubscriptionPatch {
    SubscriptionPatch { folder_id: Some(folder), ..SubscriptionPatch::default() }
}

fn in_order(names: &[&str]) -> Vec<(String, i64)> {
    names.iter().map(|name| (*name).to_owned()).zip(0..).collect()
}

on_both_databases!(folder_positions_have_no_gaps);
async fn folder_positions_have_no_gaps(db: TestDb) {
    let test = TestReader::new(&db).await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d"] {
        ids.push(test.folder(name).await);
    }
    test.reader.create_folder(test.other_user, "other").await.unwrap();
    assert_eq!(test.folders(test.user).await, in_order(&["a", "b", "c", "d"]));
    test.put(ids[3], 1).await;
    assert_eq!(test.folders(test.user).await, in_order(&["a", "d", "b", "c"]));
    test.put(ids[0], 99).await;
    assert_eq!(
        test.folders(test.user).await,
        in_order(&["d", "b", "c", "a"]),
        "an index beyond the last means the last"
    );
    test.put(ids[0], 3).await;
    test.reader.delete_folder(test.user, ids[1]).await.unwrap();
    assert_eq!(test.folders(test.user).await, in_order(&["d", "c", "a"]));
    assert_eq!(test.folders(test.other_user).await, in_order(&["other"]));
    for refused in [
        test.reader.delete_folder(test.user, ids[1]).await.map(drop),
        test.reader.delete_folder(test.other_user, ids[0]).await.map(drop),
        test.reader.update_folder(test.other_user, ids[0], &FolderPatch::default()).await.map(drop),
        test.reader
            .update_folder(test.other_user, ids[0], &FolderPatch { position: Some(0), name: None })
            .await
            .map(drop),
        test.reader
            .update_folder(test.other_user, ids[0], &FolderPatch { position: None, name: Some("x".to_owned()) })
            .await
            .map(drop),
    ] {
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    }
    assert_eq!(test.folders(test.user).await, in_order(&["d", "c", "a"]));
}

on_both_databases!(folder_names_are_trimmed_limited_and_unique);
async fn folder_names_are_trimmed_limited_and_unique(db: TestDb) {
    let test = TestReader::new(&db).await;
    let news = test.reader.create_folder(test.user, "  ニュース ").await.unwrap();
    assert_eq!((news.name.as_str(), news.position, news.unread_count), ("ニュース", 0, 0));
    let taken = test.reader.create_folder(test.user, "ニュース").await;
    assert!(matches!(taken, Err(Error::NameTaken)), "{taken:?}");
    test.reader.create_folder(test.other_user, "ニュース").await.unwrap();
    test.reader.create_folder(test.user, &"字".repeat(100)).await.unwrap();
    for bad in ["", " \u{3000}\t", &"字".repeat(101)] {
        let refused = test.reader.create_folder(test.user, bad).await;
        assert!(matches!(refused, Err(Error::NameMissing | Error::NameTooLong { max: 100 })), "{refused:?}");
    }
    let other = test.folder("other").await;
    let renamed = |name: &str| FolderPatch { name: Some(name.to_owned()), ..FolderPatch::default() };
    let taken = test.reader.update_folder(test.user, other, &renamed("ニュース")).await;
    assert!(matches!(taken, Err(Error::NameTaken)), "{taken:?}");
    let bad = test.reader.update_folder(test.user, other, &renamed(" ")).await;
    assert!(matches!(bad, Err(Error::NameMissing)), "{bad:?}");
    assert_eq!(test.reader.update_folder(test.user, other, &renamed(" mine ")).await.unwrap().name, "mine");
    assert_eq!(
        test.reader.update_folder(test.user, other, &renamed("mine")).await.unwrap().name,
        "mine",
        "its own name is not taken"
    );
}

on_both_databases!(a_user_has_at_most_two_hundred_folders);
async fn a_user_has_at_most_two_hundred_folders(db: TestDb) {
    let test = TestReader::new(&db).await;
    for n in 0..read::MAX_FOLDERS {
        test.folder(&n.to_string()).await;
    }
    let full = test.reader.create_folder(test.user, "one more").await;
    assert!(matches!(full, Err(Error::FolderLimit { max: 200 })), "{full:?}");
    test.reader.create_folder(test.other_user, "the first").await.unwrap();
}

on_both_databases!(deleting_a_folder_keeps_its_subscriptions);
async fn deleting_a_folder_keeps_its_subscriptions(db: TestDb) {
    let test = TestReader::new(&db).await;
    let folder = test.folder("Folder").await;
    let (one, two) = (test.create_titled_feed("one").await, test.create_titled_feed("two").await);
    let (first, second) =
        (test.create_subscription(test.user, one).await, test.create_subscription(test.user, two).await);
    let theirs = test.create_subscription(test.other_user, one).await;
    for subscription in [first, second] {
        assert_eq!(test.set(subscription, filed(Some(folder))).await.unwrap().folder_id, Some(folder));
    }
    test.add_items(one, &[1, 2]).await;
    test.add_items(two, &[1]).await;
    assert_eq!(test.reader.list_folders(test.user).await.unwrap()[0].unread_count, 3);
    test.set(second, filed(None)).await.unwrap();
    assert_eq!(test.reader.list_folders(test.user).await.unwrap()[0].unread_count, 2);
    let foreign = test.reader.update_subscription(test.other_user, theirs, filed(Some(folder))).await;
    assert!(matches!(foreign, Err(Error::UnknownFolder)), "{foreign:?}");
    test.reader.delete_folder(test.user, folder).await.unwrap();
    let left = test.reader.list_subscriptions(test.user).await.unwrap().value;
    assert_eq!(left.iter().map(|left| (left.folder_id, left.unread_count)).collect::<Vec<_>>(), [(None, 2), (None, 1)]);
    let gone = test.set(first, filed(Some(folder))).await;
    assert!(matches!(gone, Err(Error::UnknownFolder)), "{gone:?}");
}

on_both_databases!(subscriptions_are_listed_by_shown_title);
async fn subscriptions_are_listed_by_shown_title(db: TestDb) {
    let test = TestReader::new(&db).await;
    let mut ids = Vec::new();
    for name in ["banana", "Cherry", "apple", "江戸"] {
        let feed = test.create_titled_feed(name).await;
        ids.push(test.create_subscription(test.user, feed).await);
    }
    test.set(ids[2], title(Some("  Durian "))).await.unwrap();
    let list = test.reader.list_subscriptions(test.user).await.unwrap().value;
    assert_eq!(list.iter().map(shown_title).collect::<Vec<_>>(), ["banana", "Cherry", "Durian", "江戸"]);
    assert_eq!(list[2].feed_title, "apple");
    assert_eq!(test.reader.list_subscriptions(test.other_user).await.unwrap().value, []);
    for none in [None, Some(" ")] {
        let plain = test.set(ids[2], title(none)).await.unwrap();
        assert_eq!((plain.own_title.as_deref(), shown_title(&plain)), (None, "apple"));
        test.set(ids[2], title(Some("Durian"))).await.unwrap();
    }
    let kept = test.set(ids[2], interval(90)).await.unwrap();
    assert_eq!(kept.own_title.as_deref(), Some("Durian"), "fields that are not in the patch stay");
    let long = test.set(ids[2], title(Some(&"字".repeat(501)))).await;
    assert!(matches!(long, Err(Error::TitleTooLong { max: 500 })), "{long:?}");
    test.set(ids[2], title(Some(&"字".repeat(500)))).await.unwrap();
}

on_both_databases!(intervals_are_half_hours_up_to_twelve);
async fn intervals_are_half_hours_up_to_twelve(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    for good in [30, 60, 690, 720] {
        assert_eq!(test.set(subscription, interval(good)).await.unwrap().fetch_interval_minutes, good);
    }
    for bad in [0, -30, 29, 31, 45, 721, 750, i64::MAX] {
        let refused = test.set(subscription, interval(bad)).await;
        assert!(matches!(refused, Err(Error::InvalidInterval { min: 30, max: 720, step: 30 })), "{bad}: {refused:?}");
    }
    assert_eq!(test.reader.get_subscription(test.user, subscription).await.unwrap().fetch_interval_minutes, 720);
    let foreign = test.reader.update_subscription(test.other_user, subscription, interval(30)).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
}

on_both_databases!(a_shorter_interval_brings_the_next_fetch_forward);
async fn a_shorter_interval_brings_the_next_fetch_forward(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    let schedule = |fetched: i64, next: i64, hints: Option<&str>| {
        db.write("update feeds set last_fetched_at = $2, next_fetch_at = $3, hints = $4 where id = $1")
            .bind(feed)
            .bind(start() + TimeDelta::minutes(fetched))
            .bind(start() + TimeDelta::minutes(next))
            .bind(hints.map(str::to_owned))
            .execute()
    };
    let next_after = async |minutes| {
        test.set(subscription, interval(720)).await.unwrap();
        let set = test.set(subscription, interval(minutes)).await.unwrap();
        (set.next_fetch_at - start()).num_minutes()
    };
    let mut woken = db.signals().subscribe(Topic::Feeds);
    schedule(-10, 710, None).await.unwrap();
    let near = next_after(60).await;
    assert!((50..=56).contains(&near), "an hour after the last fetch, with a spread: {near}");
    assert!(woken.has_changed().unwrap(), "the scheduler is woken");
    woken.mark_unchanged();
    assert_eq!(next_after(90).await, near, "never later");
    assert!(!woken.has_changed().unwrap());
    schedule(-60, 660, None).await.unwrap();
    assert_eq!(next_after(30).await, 0, "due now, not in the past");
    schedule(0, 720, Some(r#"{"minutes":240}"#)).await.unwrap();
    assert!((240..=246).contains(&next_after(30).await), "never sooner than the publisher asks");
    schedule(0, 1_000, None).await.unwrap();
    assert_eq!(next_after(30).await, 1_000, "the site asked for a longer interval");
    db.write("update feeds set fetch_status = 'error', next_fetch_at = last_fetched_at").execute().await.unwrap();
    schedule(0, 700, None).await.unwrap();
    assert_eq!(next_after(30).await, 700, "a back-off stays");
}

on_both_databases!(the_shortest_interval_of_all_subscribers_counts);
async fn the_shortest_interval_of_all_subscribers_counts(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    let theirs = test.create_subscription(test.other_user, feed).await;
    test.set(subscription, interval(720)).await.unwrap();
    test.reader.update_subscription(test.other_user, theirs, interval(30)).await.unwrap();
    db.write("update feeds set last_fetched_at = $1, next_fetch_at = $2")
        .bind(start())
        .bind(start() + TimeDelta::minutes(33))
        .execute()
        .await
        .unwrap();
    let set = test.set(subscription, interval(60)).await.unwrap();
    assert_eq!(set.next_fetch_at, start() + TimeDelta::minutes(33));
}

on_both_databases!(settings_and_fetches_do_not_deadlock);
async fn settings_and_fetches_do_not_deadlock(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    for round in 0..10 {
        db.write("update feeds set last_fetched_at = $1, next_fetch_at = $1").bind(start()).execute().await.unwrap();
        test.set(subscription, interval(720)).await.unwrap();
        let folder = test.folder(&round.to_string()).await;
        let (set, filed, removed, _) = tokio::join!(
            test.set(subscription, interval(30)),
            test.set(subscription, filed(Some(folder))),
            test.reader.delete_folder(test.user, folder),
            test.add_items(feed, &[1, 2, 3]),
        );
        set.unwrap();
        removed.unwrap();
        assert!(filed.is_ok() || matches!(filed, Err(Error::UnknownFolder)), "{filed:?}");
        assert_eq!(test.reader.get_subscription(test.user, subscription).await.unwrap().folder_id, None);
    }
    test.assert_counters().await;
}

on_both_databases!(only_a_stopped_feed_can_be_resumed);
async fn only_a_stopped_feed_can_be_resumed(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    let refused = test.reader.resume_subscription(test.user, subscription).await;
    assert!(matches!(refused, Err(Error::NotStopped)), "{refused:?}");
    db.write("update feeds set fetch_status = 'stopped', error_code = 'gone', consecutive_errors = 3")
        .execute()
        .await
        .unwrap();
    let foreign = test.reader.resume_subscription(test.other_user, subscription).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
    let (woken, mut changes) = (db.signals().subscribe(Topic::Feeds), db.signals().changes());
    test.clock.advance(Duration::from_secs(60));
    let resumed = test.reader.resume_subscription(test.user, subscription).await.unwrap();
    assert_eq!((resumed.fetch_status, resumed.error_code), (FetchStatus::Active, None));
    assert_eq!(resumed.next_fetch_at, test.clock.now());
    assert!(woken.has_changed().unwrap());
    assert_eq!(changes.try_recv().ok(), Some(Change::Feed(feed)));
}

on_both_databases!(deleting_a_subscription_deletes_its_states);
async fn deleting_a_subscription_deletes_its_states(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    let subscription = test.create_subscription(test.user, feed).await;
    test.create_subscription(test.other_user, feed).await;
    let items = test.add_items(feed, &[1, 2]).await;
    let foreign = test.reader.delete_subscription(test.other_user, subscription).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
    test.reader.delete_subscription(test.user, subscription).await.unwrap();
    let again = test.reader.delete_subscription(test.user, subscription).await;
    assert!(matches!(again, Err(Error::NotFound)), "{again:?}");
    assert_eq!(test.list_unread(test.user).await, []);
    assert_eq!(test.list_unread(test.other_user).await, items);
    test.assert_counters().await;
}
