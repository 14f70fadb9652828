//! Folders and what is set about subscriptions.

use std::time::Duration;

use chrono::TimeDelta;
use read::{Error, FolderPatch, shown_title};
use store::{
    Change, FolderId, SubscriptionId, Topic, UserId,
    feeds::FetchStatus,
    subscriptions::{Subscription, SubscriptionPatch},
};
use testkit::{TestDb, on_both_databases};

use crate::{desk::now, reading_room::ReadingRoom};

impl ReadingRoom {
    /// Names and positions of a person's folders.
    async fn folders(&self, user: UserId) -> Vec<(String, i64)> {
        let folders = self.reader.list_folders(user).await.unwrap();
        folders.into_iter().map(|folder| (folder.name, folder.position)).collect()
    }

    async fn folder(&self, name: &str) -> FolderId {
        self.reader.add_folder(self.a, name).await.unwrap().id
    }

    async fn put(&self, folder: FolderId, position: u32) {
        let patch = FolderPatch { position: Some(position), ..FolderPatch::default() };
        let moved = self.reader.change_folder(self.a, folder, &patch).await.unwrap();
        assert_eq!(moved.id, folder);
    }

    async fn set(&self, subscription: SubscriptionId, patch: SubscriptionPatch) -> Result<Subscription, Error> {
        self.reader.change_subscription(self.a, subscription, patch).await
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

on_both_databases!(folders_keep_an_order_without_gaps);
async fn folders_keep_an_order_without_gaps(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d"] {
        ids.push(room.folder(name).await);
    }
    room.reader.add_folder(room.b, "other").await.unwrap();
    assert_eq!(room.folders(room.a).await, in_order(&["a", "b", "c", "d"]));
    room.put(ids[3], 1).await;
    assert_eq!(room.folders(room.a).await, in_order(&["a", "d", "b", "c"]));
    room.put(ids[0], 99).await;
    assert_eq!(room.folders(room.a).await, in_order(&["d", "b", "c", "a"]), "beyond the last is the last");
    room.put(ids[0], 3).await;
    room.reader.remove_folder(room.a, ids[1]).await.unwrap();
    assert_eq!(room.folders(room.a).await, in_order(&["d", "c", "a"]));
    assert_eq!(room.folders(room.b).await, in_order(&["other"]));
    for refused in [
        room.reader.remove_folder(room.a, ids[1]).await,
        room.reader.remove_folder(room.b, ids[0]).await,
        room.reader.change_folder(room.b, ids[0], &FolderPatch::default()).await.map(drop),
        room.reader.change_folder(room.b, ids[0], &FolderPatch { position: Some(0), name: None }).await.map(drop),
        room.reader
            .change_folder(room.b, ids[0], &FolderPatch { position: None, name: Some("x".to_owned()) })
            .await
            .map(drop),
    ] {
        assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    }
    assert_eq!(room.folders(room.a).await, in_order(&["d", "c", "a"]));
}

on_both_databases!(names_are_trimmed_short_and_ones_own);
async fn names_are_trimmed_short_and_ones_own(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let news = room.reader.add_folder(room.a, "  ニュース ").await.unwrap();
    assert_eq!((news.name.as_str(), news.position, news.unread_count), ("ニュース", 0, 0));
    let taken = room.reader.add_folder(room.a, "ニュース").await;
    assert!(matches!(taken, Err(Error::NameTaken)), "{taken:?}");
    room.reader.add_folder(room.b, "ニュース").await.unwrap();
    room.reader.add_folder(room.a, &"字".repeat(100)).await.unwrap();
    for bad in ["", " \u{3000}\t", &"字".repeat(101)] {
        let refused = room.reader.add_folder(room.a, bad).await;
        assert!(matches!(refused, Err(Error::NameMissing | Error::NameTooLong { max: 100 })), "{refused:?}");
    }
    let other = room.folder("other").await;
    let renamed = |name: &str| FolderPatch { name: Some(name.to_owned()), ..FolderPatch::default() };
    let taken = room.reader.change_folder(room.a, other, &renamed("ニュース")).await;
    assert!(matches!(taken, Err(Error::NameTaken)), "{taken:?}");
    let bad = room.reader.change_folder(room.a, other, &renamed(" ")).await;
    assert!(matches!(bad, Err(Error::NameMissing)), "{bad:?}");
    assert_eq!(room.reader.change_folder(room.a, other, &renamed(" mine ")).await.unwrap().name, "mine");
    assert_eq!(room.reader.change_folder(room.a, other, &renamed("mine")).await.unwrap().name, "mine", "its own");
}

on_both_databases!(a_person_has_at_most_two_hundred_folders);
async fn a_person_has_at_most_two_hundred_folders(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    for n in 0..read::MOST_FOLDERS {
        room.folder(&n.to_string()).await;
    }
    let full = room.reader.add_folder(room.a, "one more").await;
    assert!(matches!(full, Err(Error::FolderLimit { max: 200 })), "{full:?}");
    room.reader.add_folder(room.b, "the first").await.unwrap();
}

on_both_databases!(a_folder_counts_its_feeds_and_leaves_them_when_it_goes);
async fn a_folder_counts_its_feeds_and_leaves_them_when_it_goes(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let folder = room.folder("Folder").await;
    let (one, two) = (room.feed("one").await, room.feed("two").await);
    let (first, second) = (room.subscribe(room.a, one).await, room.subscribe(room.a, two).await);
    let theirs = room.subscribe(room.b, one).await;
    for subscription in [first, second] {
        assert_eq!(room.set(subscription, filed(Some(folder))).await.unwrap().folder_id, Some(folder));
    }
    room.arrive(one, &[1, 2]).await;
    room.arrive(two, &[1]).await;
    assert_eq!(room.reader.list_folders(room.a).await.unwrap()[0].unread_count, 3);
    room.set(second, filed(None)).await.unwrap();
    assert_eq!(room.reader.list_folders(room.a).await.unwrap()[0].unread_count, 2);
    let foreign = room.reader.change_subscription(room.b, theirs, filed(Some(folder))).await;
    assert!(matches!(foreign, Err(Error::UnknownFolder)), "{foreign:?}");
    room.reader.remove_folder(room.a, folder).await.unwrap();
    let left = room.reader.list_subscriptions(room.a).await.unwrap();
    assert_eq!(left.iter().map(|left| (left.folder_id, left.unread_count)).collect::<Vec<_>>(), [(None, 2), (None, 1)]);
    let gone = room.set(first, filed(Some(folder))).await;
    assert!(matches!(gone, Err(Error::UnknownFolder)), "{gone:?}");
}

on_both_databases!(subscriptions_are_listed_by_the_title_one_sees);
async fn subscriptions_are_listed_by_the_title_one_sees(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let mut ids = Vec::new();
    for name in ["banana", "Cherry", "apple", "江戸"] {
        let feed = room.feed(name).await;
        ids.push(room.subscribe(room.a, feed).await);
    }
    room.set(ids[2], title(Some("  Durian "))).await.unwrap();
    let list = room.reader.list_subscriptions(room.a).await.unwrap();
    assert_eq!(list.iter().map(shown_title).collect::<Vec<_>>(), ["banana", "Cherry", "Durian", "江戸"]);
    assert_eq!(list[2].feed_title, "apple");
    assert_eq!(room.reader.list_subscriptions(room.b).await.unwrap(), []);
    for none in [None, Some(" ")] {
        let plain = room.set(ids[2], title(none)).await.unwrap();
        assert_eq!((plain.own_title.as_deref(), shown_title(&plain)), (None, "apple"));
        room.set(ids[2], title(Some("Durian"))).await.unwrap();
    }
    let kept = room.set(ids[2], interval(90)).await.unwrap();
    assert_eq!(kept.own_title.as_deref(), Some("Durian"), "what is not named stays");
    let long = room.set(ids[2], title(Some(&"字".repeat(501)))).await;
    assert!(matches!(long, Err(Error::TitleTooLong { max: 500 })), "{long:?}");
    room.set(ids[2], title(Some(&"字".repeat(500)))).await.unwrap();
}

on_both_databases!(intervals_are_half_hours_up_to_twelve);
async fn intervals_are_half_hours_up_to_twelve(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    for good in [30, 60, 690, 720] {
        assert_eq!(room.set(subscription, interval(good)).await.unwrap().fetch_interval_minutes, good);
    }
    for bad in [0, -30, 29, 31, 45, 721, 750, i64::MAX] {
        let refused = room.set(subscription, interval(bad)).await;
        assert!(matches!(refused, Err(Error::InvalidInterval { min: 30, max: 720, step: 30 })), "{bad}: {refused:?}");
    }
    assert_eq!(room.reader.subscription(room.a, subscription).await.unwrap().fetch_interval_minutes, 720);
    let foreign = room.reader.change_subscription(room.b, subscription, interval(30)).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
}

on_both_databases!(a_shorter_interval_brings_the_next_fetch_nearer);
async fn a_shorter_interval_brings_the_next_fetch_nearer(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    let schedule = |fetched: i64, next: i64, hints: Option<&str>| {
        db.write("update feeds set last_fetched_at = $2, next_fetch_at = $3, hints = $4 where id = $1")
            .bind(feed)
            .bind(now() + TimeDelta::minutes(fetched))
            .bind(now() + TimeDelta::minutes(next))
            .bind(hints.map(str::to_owned))
            .execute()
    };
    let next_after = async |minutes| {
        room.set(subscription, interval(720)).await.unwrap();
        let set = room.set(subscription, interval(minutes)).await.unwrap();
        (set.next_fetch_at - now()).num_minutes()
    };
    let mut woken = db.signals().subscribe(Topic::Feeds);
    schedule(-10, 710, None).await.unwrap();
    let near = next_after(60).await;
    assert!((50..=56).contains(&near), "an hour after the last fetch, with a spread: {near}");
    assert!(woken.has_changed().unwrap(), "the scheduler hears of it");
    woken.mark_unchanged();
    assert_eq!(next_after(90).await, near, "never later");
    assert!(!woken.has_changed().unwrap());
    schedule(-60, 660, None).await.unwrap();
    assert_eq!(next_after(30).await, 0, "due now, not in the past");
    schedule(0, 720, Some(r#"{"minutes":240}"#)).await.unwrap();
    assert!((240..=246).contains(&next_after(30).await), "never sooner than the publisher asks");
    schedule(0, 1_000, None).await.unwrap();
    assert_eq!(next_after(30).await, 1_000, "the site asked for more than anybody's interval");
    db.write("update feeds set fetch_status = 'error', next_fetch_at = last_fetched_at").execute().await.unwrap();
    schedule(0, 700, None).await.unwrap();
    assert_eq!(next_after(30).await, 700, "a back-off stays");
}

on_both_databases!(another_subscriber_with_a_shorter_interval_keeps_the_schedule);
async fn another_subscriber_with_a_shorter_interval_keeps_the_schedule(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    let theirs = room.subscribe(room.b, feed).await;
    room.set(subscription, interval(720)).await.unwrap();
    room.reader.change_subscription(room.b, theirs, interval(30)).await.unwrap();
    db.write("update feeds set last_fetched_at = $1, next_fetch_at = $2")
        .bind(now())
        .bind(now() + TimeDelta::minutes(33))
        .execute()
        .await
        .unwrap();
    let set = room.set(subscription, interval(60)).await.unwrap();
    assert_eq!(set.next_fetch_at, now() + TimeDelta::minutes(33));
}

on_both_databases!(settings_and_fetches_do_not_wait_for_each_other);
async fn settings_and_fetches_do_not_wait_for_each_other(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    for round in 0..10 {
        db.write("update feeds set last_fetched_at = $1, next_fetch_at = $1").bind(now()).execute().await.unwrap();
        room.set(subscription, interval(720)).await.unwrap();
        let folder = room.folder(&round.to_string()).await;
        let (set, filed, removed, _) = tokio::join!(
            room.set(subscription, interval(30)),
            room.set(subscription, filed(Some(folder))),
            room.reader.remove_folder(room.a, folder),
            room.arrive(feed, &[1, 2, 3]),
        );
        set.unwrap();
        removed.unwrap();
        assert!(filed.is_ok() || matches!(filed, Err(Error::UnknownFolder)), "{filed:?}");
        assert_eq!(room.reader.subscription(room.a, subscription).await.unwrap().folder_id, None);
    }
    room.assert_counters().await;
}

on_both_databases!(only_a_stopped_feed_is_resumed);
async fn only_a_stopped_feed_is_resumed(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    let refused = room.reader.resume(room.a, subscription).await;
    assert!(matches!(refused, Err(Error::NotStopped)), "{refused:?}");
    db.write("update feeds set fetch_status = 'stopped', error_code = 'gone', consecutive_errors = 3")
        .execute()
        .await
        .unwrap();
    let foreign = room.reader.resume(room.b, subscription).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
    let (woken, mut changes) = (db.signals().subscribe(Topic::Feeds), db.signals().changes());
    room.clock.advance(Duration::from_secs(60));
    let resumed = room.reader.resume(room.a, subscription).await.unwrap();
    assert_eq!((resumed.fetch_status, resumed.error_code), (FetchStatus::Active, None));
    assert_eq!(resumed.next_fetch_at, room.clock.now());
    assert!(woken.has_changed().unwrap());
    assert_eq!(changes.try_recv().ok(), Some(Change::Feed(feed)));
}

on_both_databases!(a_subscription_ends_with_its_states);
async fn a_subscription_ends_with_its_states(db: TestDb) {
    let room = ReadingRoom::new(&db).await;
    let feed = room.feed("one").await;
    let subscription = room.subscribe(room.a, feed).await;
    room.subscribe(room.b, feed).await;
    let items = room.arrive(feed, &[1, 2]).await;
    let foreign = room.reader.remove_subscription(room.b, subscription).await;
    assert!(matches!(foreign, Err(Error::NotFound)), "{foreign:?}");
    room.reader.remove_subscription(room.a, subscription).await.unwrap();
    let again = room.reader.remove_subscription(room.a, subscription).await;
    assert!(matches!(again, Err(Error::NotFound)), "{again:?}");
    assert_eq!(room.unread(room.a).await, []);
    assert_eq!(room.unread(room.b).await, items);
    room.assert_counters().await;
}
