//! Bookmark counts: the calls to Hatena, their limits, and the effects of responses.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use net::Url;
use read::{CountBookmarks, HatebuSettings, Reader, ReaderSettings, Round, RoundEnd};
use store::{
    FeedId, ItemId,
    bookmarks::{self, CallLimits, CallPermit},
    items::{self, NewItem},
    user_settings::{self, DisplayLanguage, UserSettings},
};
use testkit::{TestDb, on_both_databases, origin::Seen};
use tokio_util::sync::CancellationToken;

use crate::{
    jobs::run_job,
    responses::answer,
    test_reader::{TestReader, client, start},
};

const ENTRIES: &str = "/count/entries";

fn hatebu_settings(test: &TestReader) -> HatebuSettings {
    HatebuSettings {
        for_all: true,
        api_url: Url::parse(&test.origin.url("")).unwrap(),
        ttl: Duration::from_secs(24 * 60 * 60),
        batch_interval: Duration::from_secs(600),
        api_interval: Duration::from_secs(5),
        max_calls_per_cycle: 100,
        max_calls_per_day: 14_400,
    }
}

/// The addresses in a call, in order.
fn requested(seen: &Seen) -> Vec<String> {
    let url = Url::parse(&format!("http://hatena.test{}", seen.target)).unwrap();
    assert_eq!(url.path(), ENTRIES);
    url.query_pairs()
        .map(|(name, value)| {
            assert_eq!(name, "url");
            value.into_owned()
        })
        .collect()
}

fn calls(test: &TestReader) -> Vec<Vec<String>> {
    test.origin.seen().iter().map(requested).collect()
}

/// A response of Hatena: each address has as many bookmarks as the number at its end.
fn counts(seen: &Seen) -> Vec<u8> {
    let count = |url: &String| format!("{url:?}:{}", url.rsplit('/').next().unwrap().parse::<u32>().unwrap_or(0));
    let body = format!("{{{}}}", requested(seen).iter().map(count).collect::<Vec<_>>().join(","));
    answer("200 OK", &[("Content-Type", "application/json; charset=utf-8")], &body)
}

/// A feed with a subscriber of this name.
async fn feed(test: &TestReader, name: &str) -> FeedId {
    let user = test.create_user(name).await;
    test.create_subscribed_feed(user, &format!("/{name}")).await
}

async fn insert_items(test: &TestReader, feed: FeedId, links: &[Option<&str>]) -> Vec<ItemId> {
    let new =
        |link: &Option<&str>| NewItem { link: link.map(str::to_owned), title: "Item".to_owned(), ..NewItem::default() };
    let new: Vec<NewItem> = links.iter().map(new).collect();
    let mut tx = test.db.begin().await.unwrap();
    let ids = items::insert(&mut tx, feed, &new, test.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    ids
}

async fn insert_numbered(test: &TestReader, feed: FeedId, numbers: std::ops::RangeInclusive<u32>) -> Vec<ItemId> {
    let links: Vec<String> = numbers.map(|n| format!("https://site.test/{n}")).collect();
    insert_items(test, feed, &links.iter().map(|link| Some(link.as_str())).collect::<Vec<_>>()).await
}

/// The stored count of an item, and when it was fetched.
async fn stored_count(test: &TestReader, item: ItemId) -> (i64, Option<DateTime<Utc>>) {
    test.db.read("select hatebu_count, hatebu_fetched_at from items where id = $1").bind(item).one().await.unwrap()
}

async fn set_count(test: &TestReader, item: ItemId, count: i64, at: DateTime<Utc>) {
    let set = test.db.write("update items set hatebu_count = $2, hatebu_fetched_at = $3 where id = $1");
    set.bind(item).bind(count).bind(at).execute().await.unwrap();
}

/// Runs one round; waits move the clock. Returns the waits too.
async fn round_with(test: &TestReader, reader: &Reader, hatebu: &HatebuSettings) -> (Round, Vec<Duration>) {
    let waits: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let wait = |by: Duration| {
        waits.lock().unwrap().push(by);
        test.clock.advance(by);
        std::future::ready(())
    };
    let round = reader.count_round(hatebu, wait, &CancellationToken::new()).await.unwrap();
    let waits = waits.lock().unwrap().clone();
    (round, waits)
}

async fn round(test: &TestReader, hatebu: &HatebuSettings) -> Round {
    round_with(test, &test.reader, hatebu).await.0
}

on_both_databases!(only_wanted_items_are_counted);
async fn only_wanted_items_are_counted(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    insert_numbered(&test, feed, 1..=1).await;
    let user = test.db.read("select user_id from subscriptions").scalar().await.unwrap();
    let (ja, en) = (Some(DisplayLanguage::Ja), Some(DisplayLanguage::En));
    for (language, bookmark_counts, for_all, is_counted) in [
        (None, None, false, false),
        (en, None, false, false),
        (ja, None, false, true),
        (None, None, true, true),
        (ja, Some(false), true, false),
        (en, Some(true), false, true),
    ] {
        let settings = UserSettings { language, bookmark_counts, ..UserSettings::default() };
        let mut tx = test.db.begin().await.unwrap();
        user_settings::upsert(&mut tx, user, &settings, start()).await.unwrap();
        tx.commit().await.unwrap();
        test.db.write("update items set hatebu_fetched_at = null").execute().await.unwrap();
        let hatebu = HatebuSettings { for_all, ..hatebu_settings(&test) };
        assert_eq!(round(&test, &hatebu).await.calls > 0, is_counted, "{language:?} {bookmark_counts:?} {for_all}");
    }
}

on_both_databases!(new_items_are_counted_first_then_the_stalest);
async fn new_items_are_counted_first_then_the_stalest(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    let old = insert_numbered(&test, feed, 1..=3).await;
    set_count(&test, old[0], 1, start() - TimeDelta::hours(25)).await;
    set_count(&test, old[1], 1, start() - TimeDelta::hours(48)).await;
    set_count(&test, old[2], 1, start() - TimeDelta::hours(23)).await;
    let new = insert_numbered(&test, feed, 101..=220).await;

    let (round, waits) = round_with(&test, &test.reader, &hatebu_settings(&test)).await;
    assert_eq!(round, Round { calls: 4, failures: 0, counted: 122, ended: RoundEnd::AllFresh });
    let calls = calls(&test);
    assert_eq!(calls.iter().map(Vec::len).collect::<Vec<_>>(), [50, 50, 20, 2]);
    assert_eq!((calls[0][0].as_str(), calls[2][19].as_str()), ("https://site.test/220", "https://site.test/101"));
    assert_eq!(calls[3], ["https://site.test/2", "https://site.test/1"], "the stalest first; the fresh one is skipped");
    assert_eq!(waits, [Duration::from_secs(5); 3], "calls are five seconds apart");
    assert_eq!(stored_count(&test, new[119]).await, (220, Some(start())));
    assert_eq!(stored_count(&test, new[0]).await, (101, Some(start() + TimeDelta::seconds(10))), "by the third call");
    assert_eq!(stored_count(&test, old[1]).await, (2, Some(start() + TimeDelta::seconds(15))));
    assert_eq!(stored_count(&test, old[2]).await.0, 1, "still fresh");
    assert_eq!(self::round(&test, &hatebu_settings(&test)).await.calls, 0, "all are fresh now");
}

on_both_databases!(calls_are_spaced_across_rounds_and_restarts);
async fn calls_are_spaced_across_rounds_and_restarts(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    insert_numbered(&test, feed, 1..=1).await;
    round(&test, &hatebu_settings(&test)).await;
    insert_numbered(&test, feed, 2..=2).await;
    test.clock.advance(Duration::from_secs(2));
    let restarted = Reader::new(test.db.clone(), client(), test.clock.clone(), ReaderSettings::default());
    let (round, waits) = round_with(&test, &restarted, &hatebu_settings(&test)).await;
    assert_eq!((round.calls, waits), (1, vec![Duration::from_secs(3)]));
}

on_both_databases!(counts_dated_far_ahead_are_made_again);
async fn counts_dated_far_ahead_are_made_again(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    let item = insert_numbered(&test, feed, 7..=7).await[0];
    test.clock.set(start() + TimeDelta::days(30));
    assert_eq!(round(&test, &hatebu_settings(&test)).await.counted, 1);
    test.clock.set(start());
    assert_eq!(round(&test, &hatebu_settings(&test)).await.counted, 1);
    assert_eq!(stored_count(&test, item).await, (7, Some(start())));
    assert_eq!(round(&test, &hatebu_settings(&test)).await.calls, 0, "it is fresh now");
}

on_both_databases!(calls_are_limited_per_round_and_day);
async fn calls_are_limited_per_round_and_day(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    insert_numbered(&test, feed, 1..=500).await;
    let hatebu = HatebuSettings { max_calls_per_cycle: 2, max_calls_per_day: 5, ..hatebu_settings(&test) };
    let ended = |calls, ended| Round { calls, failures: 0, counted: calls as usize * 50, ended };
    assert_eq!(round(&test, &hatebu).await, ended(2, RoundEnd::RoundIsFull));
    assert_eq!(round(&test, &hatebu).await, ended(2, RoundEnd::RoundIsFull));
    assert_eq!(round(&test, &hatebu).await, ended(1, RoundEnd::DayIsFull));
    let restarted = Reader::new(test.db.clone(), client(), test.clock.clone(), ReaderSettings::default());
    assert_eq!(round_with(&test, &restarted, &hatebu).await.0, ended(0, RoundEnd::DayIsFull));
    // It is just past ten; the day ends at midnight UTC.
    test.clock.advance(Duration::from_secs(13 * 60 * 60));
    assert_eq!(round(&test, &hatebu).await, ended(0, RoundEnd::DayIsFull));
    test.clock.advance(Duration::from_secs(60 * 60));
    assert_eq!(round(&test, &hatebu).await, ended(2, RoundEnd::RoundIsFull));
}

on_both_databases!(consecutive_failures_pause_all_calls);
async fn consecutive_failures_pause_all_calls(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.always(ENTRIES, answer("503 Service Unavailable", &[], "down"));
    let feed = feed(&test, "ann").await;
    let items = insert_numbered(&test, feed, 1..=500).await;
    let stale = start() - TimeDelta::days(9);
    set_count(&test, items[0], 77, stale).await;
    let hatebu = hatebu_settings(&test);

    let first = round(&test, &hatebu).await;
    assert_eq!((first.calls, first.failures, first.counted), (3, 3, 0), "three consecutive failures end the round");
    let mut pauses = Vec::new();
    let mut last = first;
    for _ in 4..=11 {
        let RoundEnd::Paused(until) = last.ended else { panic!("{last:?}") };
        pauses.push((until - test.clock.now()).num_minutes());
        // No call is made before the end of the pause.
        test.clock.advance((until - test.clock.now() - TimeDelta::seconds(1)).to_std().unwrap());
        let early = round(&test, &hatebu).await;
        assert_eq!((early.calls, early.ended), (0, RoundEnd::Paused(until)));
        test.clock.advance(Duration::from_secs(1));
        last = round(&test, &hatebu).await;
        assert_eq!((last.calls, last.failures), (1, 1), "one more failure is enough");
    }
    assert_eq!(pauses, [30, 30, 60, 60, 60, 60, 60, 360]);
    assert_eq!(stored_count(&test, items[0]).await, (77, Some(stale)), "the old count stays");
    assert_eq!(stored_count(&test, items[1]).await, (0, None));

    let RoundEnd::Paused(until) = last.ended else { panic!("{last:?}") };
    test.clock.advance((until - test.clock.now()).to_std().unwrap());
    test.on(ENTRIES, counts);
    assert_eq!(round(&test, &hatebu).await, Round { calls: 11, failures: 0, counted: 500, ended: RoundEnd::AllFresh });
    test.always(ENTRIES, answer("500 Internal Server Error", &[], ""));
    test.clock.advance(Duration::from_secs(25 * 60 * 60));
    assert_eq!(round(&test, &hatebu).await.calls, 3, "a success resets the count of failures");
}

on_both_databases!(invalid_responses_change_nothing);
async fn invalid_responses_change_nothing(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = feed(&test, "ann").await;
    let item = insert_numbered(&test, feed, 1..=1).await[0];
    let stale = start() - TimeDelta::days(9);
    for reply in [
        answer("200 OK", &[("Content-Type", "text/html")], "<!doctype html><title>Maintenance</title>"),
        answer("200 OK", &[("Content-Type", "application/json")], "{\"https://site.test/1\":5"),
        answer("200 OK", &[("Content-Type", "application/json")], "{\"error\":\"no\"}"),
        answer("400 Bad Request", &[], "{}"),
        answer("429 Too Many Requests", &[], "{}"),
        answer("502 Bad Gateway", &[], "{}"),
    ] {
        set_count(&test, item, 8, stale).await;
        test.always(ENTRIES, reply);
        let round = round(&test, &hatebu_settings(&test)).await;
        assert_eq!((round.failures, round.counted), (1, 0));
        assert_eq!(stored_count(&test, item).await, (8, Some(stale)));
        test.clock.advance(Duration::from_secs(7 * 60 * 60));
    }
}

on_both_databases!(retry_after_is_respected);
async fn retry_after_is_respected(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = feed(&test, "ann").await;
    insert_numbered(&test, feed, 1..=100).await;
    test.always(ENTRIES, answer("429 Too Many Requests", &[("Retry-After", "7200")], ""));
    let round = round(&test, &hatebu_settings(&test)).await;
    assert_eq!((round.calls, round.ended), (1, RoundEnd::Paused(start() + TimeDelta::hours(2))));
}

on_both_databases!(a_failed_call_does_not_block_others);
async fn a_failed_call_does_not_block_others(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = feed(&test, "ann").await;
    let items = insert_numbered(&test, feed, 1..=150).await;
    test.on(ENTRIES, |seen| match requested(seen).contains(&"https://site.test/150".to_owned()) {
        true => answer("400 Bad Request", &[], "I do not like this one"),
        false => counts(seen),
    });
    let first = round(&test, &hatebu_settings(&test)).await;
    assert_eq!(first, Round { calls: 3, failures: 1, counted: 100, ended: RoundEnd::AllFresh });
    assert_eq!((stored_count(&test, items[149]).await.1, stored_count(&test, items[0]).await.0), (None, 1));
    assert_eq!(
        round(&test, &hatebu_settings(&test)).await.failures,
        1,
        "it is retried, and the count of failures was reset"
    );
    assert_eq!(test.count("select failures from hatebu_state").await, 1);
}

on_both_databases!(an_address_in_several_feeds_is_requested_once);
async fn an_address_in_several_feeds_is_requested_once(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, |seen| {
        assert_eq!(requested(seen).len(), 2);
        // Hatena may change the scheme and drop the query.
        answer("200 OK", &[], "{\"http://site.test/7\":7,\"https://site.test/8\":8}")
    });
    let (one, two) = (feed(&test, "ann").await, feed(&test, "bob").await);
    let here = insert_items(&test, one, &[Some("https://site.test/7"), Some("https://site.test/8?from=feed")]).await;
    let there = insert_items(&test, two, &[Some("https://site.test/7")]).await;
    assert_eq!(
        round(&test, &hatebu_settings(&test)).await,
        Round { calls: 1, failures: 0, counted: 3, ended: RoundEnd::AllFresh }
    );
    for (item, count) in [(here[0], 7), (here[1], 8), (there[0], 7)] {
        assert_eq!(stored_count(&test, item).await, (count, Some(start())));
    }
}

on_both_databases!(items_without_a_usable_address_are_skipped);
async fn items_without_a_usable_address_are_skipped(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    let long = format!("https://site.test/{}", "x".repeat(5_000));
    let odd =
        insert_items(&test, feed, &[None, Some("mailto:ann@site.test"), Some("javascript:alert(1)"), Some(&long)])
            .await;
    assert_eq!(
        round(&test, &hatebu_settings(&test)).await,
        Round { calls: 0, failures: 0, counted: 0, ended: RoundEnd::AllFresh }
    );
    for item in odd {
        assert_eq!(stored_count(&test, item).await, (0, Some(start())));
    }
    assert!(calls(&test).is_empty());
}

on_both_databases!(only_items_with_subscribers_are_counted);
async fn only_items_with_subscribers_are_counted(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let orphan = test.create_feed("/orphan").await;
    let unread = insert_numbered(&test, orphan, 1..=2).await;
    set_count(&test, unread[0], 4, start() - TimeDelta::days(9)).await;
    let feed = feed(&test, "ann").await;
    insert_numbered(&test, feed, 3..=3).await;
    assert_eq!(round(&test, &hatebu_settings(&test)).await.counted, 1);
    assert_eq!(calls(&test), [["https://site.test/3"]]);
}

on_both_databases!(request_urls_stay_short);
async fn request_urls_stay_short(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    let links: Vec<String> = (1..=40).map(|n| format!("https://site.test/{}/{n}", "瓦".repeat(40))).collect();
    insert_items(&test, feed, &links.iter().map(|link| Some(link.as_str())).collect::<Vec<_>>()).await;
    let round = round(&test, &hatebu_settings(&test)).await;
    assert_eq!(round.counted, 40);
    assert!(round.calls > 1);
    let longest = test.origin.seen().iter().map(|seen| test.origin.url(&seen.target).len()).max().unwrap();
    assert!((3_000..=4_096).contains(&longest), "{longest}");
}

on_both_databases!(concurrent_workers_share_the_limit_of_calls);
async fn concurrent_workers_share_the_limit_of_calls(db: TestDb) {
    let limits = CallLimits { interval: TimeDelta::zero(), calls_per_day: 5 };
    let granted = Arc::new(AtomicUsize::new(0));
    let requests = (0..20).map(|_| {
        let (db, granted) = (db.db(), Arc::clone(&granted));
        tokio::spawn(async move {
            if bookmarks::claim_call(&db, &limits, start()).await.unwrap() == CallPermit::Granted {
                granted.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    for request in requests.collect::<Vec<_>>() {
        request.await.unwrap();
    }
    assert_eq!(granted.load(Ordering::Relaxed), 5);
    let apart = CallLimits { interval: TimeDelta::seconds(5), calls_per_day: 100 };
    let permit = |seconds| bookmarks::claim_call(&db, &apart, start() + TimeDelta::seconds(seconds));
    assert_eq!(permit(4).await.unwrap(), CallPermit::NotBefore(start() + TimeDelta::seconds(5)));
    assert_eq!(permit(5).await.unwrap(), CallPermit::Granted);
}

on_both_databases!(the_counting_job_is_idempotent);
async fn the_counting_job_is_idempotent(db: TestDb) {
    let test = TestReader::new(&db).await;
    test.on(ENTRIES, counts);
    let feed = feed(&test, "ann").await;
    let item = insert_numbered(&test, feed, 6..=6).await[0];
    let hatebu = Some(HatebuSettings { api_interval: Duration::ZERO, ..hatebu_settings(&test) });
    let reader = Reader::new(
        test.db.clone(),
        client(),
        test.clock.clone(),
        ReaderSettings { hatebu, ..ReaderSettings::default() },
    );
    for _ in 0..2 {
        run_job(&test, CountBookmarks {}, reader.clone()).await;
    }
    assert_eq!(stored_count(&test, item).await, (6, Some(start())));
    assert_eq!(calls(&test).len(), 1);
}
