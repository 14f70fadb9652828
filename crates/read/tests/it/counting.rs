//! Bookmark counts: what Hatena is asked, how often, and what its answers do.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use net::Url;
use read::{CountBookmarks, HatebuSettings, Reader, Round, RoundEnded, Settings};
use store::{
    FeedId, ItemId,
    bookmarks::{self, CallLimits, CallPermit},
    items::{self, NewItem},
};
use testkit::{TestDb, on_both_databases, origin::Seen};
use tokio_util::sync::CancellationToken;

use crate::{
    job::run_job,
    newsroom::{Newsroom, answer, net, start},
};

const ENTRIES: &str = "/count/entries";

fn manners(room: &Newsroom) -> HatebuSettings {
    HatebuSettings {
        api_url: Url::parse(&room.origin.url("")).unwrap(),
        ttl: Duration::from_secs(24 * 60 * 60),
        batch_interval: Duration::from_secs(600),
        api_interval: Duration::from_secs(5),
        max_calls_per_cycle: 100,
        max_calls_per_day: 14_400,
    }
}

/// The addresses in a call, in their order.
fn asked(seen: &Seen) -> Vec<String> {
    let url = Url::parse(&format!("http://hatena.test{}", seen.target)).unwrap();
    assert_eq!(url.path(), ENTRIES);
    url.query_pairs()
        .map(|(name, value)| {
            assert_eq!(name, "url");
            value.into_owned()
        })
        .collect()
}

fn calls(room: &Newsroom) -> Vec<Vec<String>> {
    room.origin.seen().iter().map(asked).collect()
}

/// As Hatena answers: each address has as many bookmarks as its last number says.
fn counts(seen: &Seen) -> Vec<u8> {
    let count = |url: &String| format!("{url:?}:{}", url.rsplit('/').next().unwrap().parse::<u32>().unwrap_or(0));
    let body = format!("{{{}}}", asked(seen).iter().map(count).collect::<Vec<_>>().join(","));
    answer("200 OK", &[("Content-Type", "application/json; charset=utf-8")], &body)
}

/// A feed that somebody reads.
async fn feed(room: &Newsroom, name: &str) -> FeedId {
    let user = room.user(name).await;
    room.read_by(user, &format!("/{name}")).await
}

async fn add(room: &Newsroom, feed: FeedId, links: &[Option<&str>]) -> Vec<ItemId> {
    let new =
        |link: &Option<&str>| NewItem { link: link.map(str::to_owned), title: "Item".to_owned(), ..NewItem::default() };
    let new: Vec<NewItem> = links.iter().map(new).collect();
    let mut tx = room.db.begin().await.unwrap();
    let ids = items::insert(&mut tx, feed, &new, room.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    ids
}

async fn add_many(room: &Newsroom, feed: FeedId, numbers: std::ops::RangeInclusive<u32>) -> Vec<ItemId> {
    let links: Vec<String> = numbers.map(|n| format!("https://site.test/{n}")).collect();
    add(room, feed, &links.iter().map(|link| Some(link.as_str())).collect::<Vec<_>>()).await
}

/// What is known about an item: its count and when it was asked for.
async fn known(room: &Newsroom, item: ItemId) -> (i64, Option<DateTime<Utc>>) {
    room.db.read("select hatebu_count, hatebu_fetched_at from items where id = $1").bind(item).one().await.unwrap()
}

async fn set_known(room: &Newsroom, item: ItemId, count: i64, at: DateTime<Utc>) {
    let set = room.db.write("update items set hatebu_count = $2, hatebu_fetched_at = $3 where id = $1");
    set.bind(item).bind(count).bind(at).execute().await.unwrap();
}

/// One round; waits move the clock. Tells the waits too.
async fn round_with(room: &Newsroom, reader: &Reader, hatebu: &HatebuSettings) -> (Round, Vec<Duration>) {
    let waits: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let wait = |by: Duration| {
        waits.lock().unwrap().push(by);
        room.clock.advance(by);
        std::future::ready(())
    };
    let round = reader.count_round(hatebu, wait, &CancellationToken::new()).await.unwrap();
    let waits = waits.lock().unwrap().clone();
    (round, waits)
}

async fn round(room: &Newsroom, hatebu: &HatebuSettings) -> Round {
    round_with(room, &room.reader, hatebu).await.0
}

on_both_databases!(the_newest_never_asked_come_first_then_the_stalest);
async fn the_newest_never_asked_come_first_then_the_stalest(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    let old = add_many(&room, feed, 1..=3).await;
    set_known(&room, old[0], 1, start() - TimeDelta::hours(25)).await;
    set_known(&room, old[1], 1, start() - TimeDelta::hours(48)).await;
    set_known(&room, old[2], 1, start() - TimeDelta::hours(23)).await;
    let new = add_many(&room, feed, 101..=220).await;

    let (round, waits) = round_with(&room, &room.reader, &manners(&room)).await;
    assert_eq!(round, Round { calls: 4, failures: 0, counted: 122, ended: RoundEnded::AllFresh });
    let calls = calls(&room);
    assert_eq!(calls.iter().map(Vec::len).collect::<Vec<_>>(), [50, 50, 20, 2]);
    assert_eq!((calls[0][0].as_str(), calls[2][19].as_str()), ("https://site.test/220", "https://site.test/101"));
    assert_eq!(calls[3], ["https://site.test/2", "https://site.test/1"], "the stalest first, the fresh one not at all");
    assert_eq!(waits, [Duration::from_secs(5); 3], "calls are five seconds apart");
    assert_eq!(known(&room, new[119]).await, (220, Some(start())));
    assert_eq!(known(&room, new[0]).await, (101, Some(start() + TimeDelta::seconds(10))), "by the third call");
    assert_eq!(known(&room, old[1]).await, (2, Some(start() + TimeDelta::seconds(15))));
    assert_eq!(known(&room, old[2]).await.0, 1, "still fresh");
    assert_eq!(self::round(&room, &manners(&room)).await.calls, 0, "all are fresh now");
}

on_both_databases!(calls_keep_their_distance_over_rounds_and_restarts);
async fn calls_keep_their_distance_over_rounds_and_restarts(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    add_many(&room, feed, 1..=1).await;
    round(&room, &manners(&room)).await;
    add_many(&room, feed, 2..=2).await;
    room.clock.advance(Duration::from_secs(2));
    let restarted = Reader::new(room.db.clone(), net(), room.clock.clone(), Settings::default());
    let (round, waits) = round_with(&room, &restarted, &manners(&room)).await;
    assert_eq!((round.calls, waits), (1, vec![Duration::from_secs(3)]));
}

on_both_databases!(rounds_and_days_have_their_ceilings);
async fn rounds_and_days_have_their_ceilings(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    add_many(&room, feed, 1..=500).await;
    let hatebu = HatebuSettings { max_calls_per_cycle: 2, max_calls_per_day: 5, ..manners(&room) };
    let ended = |calls, ended| Round { calls, failures: 0, counted: calls as usize * 50, ended };
    assert_eq!(round(&room, &hatebu).await, ended(2, RoundEnded::RoundIsFull));
    assert_eq!(round(&room, &hatebu).await, ended(2, RoundEnded::RoundIsFull));
    assert_eq!(round(&room, &hatebu).await, ended(1, RoundEnded::DayIsFull));
    let restarted = Reader::new(room.db.clone(), net(), room.clock.clone(), Settings::default());
    assert_eq!(round_with(&room, &restarted, &hatebu).await.0, ended(0, RoundEnded::DayIsFull));
    // The day ends at midnight UTC; it is just past ten now.
    room.clock.advance(Duration::from_secs(13 * 60 * 60));
    assert_eq!(round(&room, &hatebu).await, ended(0, RoundEnded::DayIsFull));
    room.clock.advance(Duration::from_secs(60 * 60));
    assert_eq!(round(&room, &hatebu).await, ended(2, RoundEnded::RoundIsFull));
}

on_both_databases!(failures_in_a_row_pause_all_calls_and_keep_what_is_known);
async fn failures_in_a_row_pause_all_calls_and_keep_what_is_known(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.always(ENTRIES, answer("503 Service Unavailable", &[], "down"));
    let feed = feed(&room, "ann").await;
    let items = add_many(&room, feed, 1..=500).await;
    let stale = start() - TimeDelta::days(9);
    set_known(&room, items[0], 77, stale).await;
    let hatebu = manners(&room);

    let first = round(&room, &hatebu).await;
    assert_eq!((first.calls, first.failures, first.counted), (3, 3, 0), "three in a row end the round");
    let mut pauses = Vec::new();
    let mut last = first;
    for _ in 4..=11 {
        let RoundEnded::Paused(until) = last.ended else { panic!("{last:?}") };
        pauses.push((until - room.clock.now()).num_minutes());
        // Shortly before its end nobody is asked, whoever wants to.
        room.clock.advance((until - room.clock.now() - TimeDelta::seconds(1)).to_std().unwrap());
        let early = round(&room, &hatebu).await;
        assert_eq!((early.calls, early.ended), (0, RoundEnded::Paused(until)));
        room.clock.advance(Duration::from_secs(1));
        last = round(&room, &hatebu).await;
        assert_eq!((last.calls, last.failures), (1, 1), "one more failure is enough");
    }
    assert_eq!(pauses, [30, 30, 60, 60, 60, 60, 60, 360]);
    assert_eq!(known(&room, items[0]).await, (77, Some(stale)), "what was known stays");
    assert_eq!(known(&room, items[1]).await, (0, None));

    let RoundEnded::Paused(until) = last.ended else { panic!("{last:?}") };
    room.clock.advance((until - room.clock.now()).to_std().unwrap());
    room.on(ENTRIES, counts);
    assert_eq!(
        round(&room, &hatebu).await,
        Round { calls: 11, failures: 0, counted: 500, ended: RoundEnded::AllFresh }
    );
    room.always(ENTRIES, answer("500 Internal Server Error", &[], ""));
    room.clock.advance(Duration::from_secs(25 * 60 * 60));
    assert_eq!(round(&room, &hatebu).await.calls, 3, "success begins the count anew");
}

on_both_databases!(an_answer_that_is_none_changes_nothing);
async fn an_answer_that_is_none_changes_nothing(db: TestDb) {
    let room = Newsroom::new(db).await;
    let feed = feed(&room, "ann").await;
    let item = add_many(&room, feed, 1..=1).await[0];
    let stale = start() - TimeDelta::days(9);
    for reply in [
        answer("200 OK", &[("Content-Type", "text/html")], "<!doctype html><title>Maintenance</title>"),
        answer("200 OK", &[("Content-Type", "application/json")], "{\"https://site.test/1\":5"),
        answer("200 OK", &[("Content-Type", "application/json")], "{\"error\":\"no\"}"),
        answer("400 Bad Request", &[], "{}"),
        answer("429 Too Many Requests", &[], "{}"),
        answer("502 Bad Gateway", &[], "{}"),
    ] {
        set_known(&room, item, 8, stale).await;
        room.always(ENTRIES, reply);
        let round = round(&room, &manners(&room)).await;
        assert_eq!((round.failures, round.counted), (1, 0));
        assert_eq!(known(&room, item).await, (8, Some(stale)));
        room.clock.advance(Duration::from_secs(7 * 60 * 60));
    }
}

on_both_databases!(a_wish_to_be_left_alone_is_heard);
async fn a_wish_to_be_left_alone_is_heard(db: TestDb) {
    let room = Newsroom::new(db).await;
    let feed = feed(&room, "ann").await;
    add_many(&room, feed, 1..=100).await;
    room.always(ENTRIES, answer("429 Too Many Requests", &[("Retry-After", "7200")], ""));
    let round = round(&room, &manners(&room)).await;
    assert_eq!((round.calls, round.ended), (1, RoundEnded::Paused(start() + TimeDelta::hours(2))));
}

on_both_databases!(what_fails_does_not_hold_up_the_rest);
async fn what_fails_does_not_hold_up_the_rest(db: TestDb) {
    let room = Newsroom::new(db).await;
    let feed = feed(&room, "ann").await;
    let items = add_many(&room, feed, 1..=150).await;
    room.on(ENTRIES, |seen| match asked(seen).contains(&"https://site.test/150".to_owned()) {
        true => answer("400 Bad Request", &[], "I do not like this one"),
        false => counts(seen),
    });
    let first = round(&room, &manners(&room)).await;
    assert_eq!(first, Round { calls: 3, failures: 1, counted: 100, ended: RoundEnded::AllFresh });
    assert_eq!((known(&room, items[149]).await.1, known(&room, items[0]).await.0), (None, 1));
    assert_eq!(round(&room, &manners(&room)).await.failures, 1, "tried again, and the count of failures begins anew");
    assert_eq!(room.count("select failures from hatebu_state").await, 1);
}

on_both_databases!(one_address_in_several_feeds_is_asked_for_once);
async fn one_address_in_several_feeds_is_asked_for_once(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, |seen| {
        assert_eq!(asked(seen).len(), 2);
        // As Hatena does: the scheme flipped, the query dropped.
        answer("200 OK", &[], "{\"http://site.test/7\":7,\"https://site.test/8\":8}")
    });
    let (one, two) = (feed(&room, "ann").await, feed(&room, "bob").await);
    let here = add(&room, one, &[Some("https://site.test/7"), Some("https://site.test/8?from=feed")]).await;
    let there = add(&room, two, &[Some("https://site.test/7")]).await;
    assert_eq!(
        round(&room, &manners(&room)).await,
        Round { calls: 1, failures: 0, counted: 3, ended: RoundEnded::AllFresh }
    );
    for (item, count) in [(here[0], 7), (here[1], 8), (there[0], 7)] {
        assert_eq!(known(&room, item).await, (count, Some(start())));
    }
}

on_both_databases!(what_nobody_can_be_asked_about_leaves_the_list);
async fn what_nobody_can_be_asked_about_leaves_the_list(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    let long = format!("https://site.test/{}", "x".repeat(5_000));
    let odd = add(&room, feed, &[None, Some("mailto:ann@site.test"), Some("javascript:alert(1)"), Some(&long)]).await;
    assert_eq!(
        round(&room, &manners(&room)).await,
        Round { calls: 0, failures: 0, counted: 0, ended: RoundEnded::AllFresh }
    );
    for item in odd {
        assert_eq!(known(&room, item).await, (0, Some(start())));
    }
    assert!(calls(&room).is_empty());
}

on_both_databases!(only_what_somebody_reads_is_asked_for);
async fn only_what_somebody_reads_is_asked_for(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let orphan = room.feed("/orphan").await;
    let unread = add_many(&room, orphan, 1..=2).await;
    set_known(&room, unread[0], 4, start() - TimeDelta::days(9)).await;
    let feed = feed(&room, "ann").await;
    add_many(&room, feed, 3..=3).await;
    assert_eq!(round(&room, &manners(&room)).await.counted, 1);
    assert_eq!(calls(&room), [["https://site.test/3"]]);
}

on_both_databases!(requests_stay_short);
async fn requests_stay_short(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    let links: Vec<String> = (1..=40).map(|n| format!("https://site.test/{}/{n}", "瓦".repeat(40))).collect();
    add(&room, feed, &links.iter().map(|link| Some(link.as_str())).collect::<Vec<_>>()).await;
    let round = round(&room, &manners(&room)).await;
    assert_eq!(round.counted, 40);
    assert!(round.calls > 1);
    let longest = room.origin.seen().iter().map(|seen| room.origin.url(&seen.target).len()).max().unwrap();
    assert!((3_000..=4_096).contains(&longest), "{longest}");
}

on_both_databases!(leave_for_a_call_is_given_once);
async fn leave_for_a_call_is_given_once(db: TestDb) {
    let manners = CallLimits { interval: TimeDelta::zero(), calls_per_day: 5 };
    let granted = Arc::new(AtomicUsize::new(0));
    let asking = (0..20).map(|_| {
        let (db, granted) = (db.db(), Arc::clone(&granted));
        tokio::spawn(async move {
            if bookmarks::claim_call(&db, &manners, start()).await.unwrap() == CallPermit::Granted {
                granted.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    for asked in asking.collect::<Vec<_>>() {
        asked.await.unwrap();
    }
    assert_eq!(granted.load(Ordering::Relaxed), 5);
    let apart = CallLimits { interval: TimeDelta::seconds(5), calls_per_day: 100 };
    let permit = |seconds| bookmarks::claim_call(&db, &apart, start() + TimeDelta::seconds(seconds));
    assert_eq!(permit(4).await.unwrap(), CallPermit::NotBefore(start() + TimeDelta::seconds(5)));
    assert_eq!(permit(5).await.unwrap(), CallPermit::Granted);
}

on_both_databases!(the_job_counts_and_may_run_twice);
async fn the_job_counts_and_may_run_twice(db: TestDb) {
    let room = Newsroom::new(db).await;
    room.on(ENTRIES, counts);
    let feed = feed(&room, "ann").await;
    let item = add_many(&room, feed, 6..=6).await[0];
    let hatebu = Some(HatebuSettings { api_interval: Duration::ZERO, ..manners(&room) });
    let reader = Reader::new(room.db.clone(), net(), room.clock.clone(), Settings { hatebu, ..Settings::default() });
    for _ in 0..2 {
        run_job(&room, CountBookmarks {}, reader.clone()).await;
    }
    assert_eq!(known(&room, item).await, (6, Some(start())));
    assert_eq!(calls(&room).len(), 1);
}
