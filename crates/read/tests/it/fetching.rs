//! Fetching: what each answer of an origin does to the feed, its items and its schedule.

use std::{net::Ipv4Addr, time::Duration};

use chrono::TimeDelta;
use net::Urgency;
use read::{Error, Reader, ReaderSettings, SubscribeOptions};
use store::feeds::{self, FetchRecord, FetchStatus};
use testkit::{TestDb, on_both_databases, origin};
use tokio_util::sync::CancellationToken;

use crate::{
    responses::{answer, feed_of, rss},
    test_reader::{TestReader, start},
};

/// The minutes from now to the next fetch, without the spread: it adds up to a tenth.
fn minutes_to(test: &TestReader, feed: &feeds::Feed) -> i64 {
    (feed.next_fetch_at - test.clock.now()).num_minutes()
}

fn is_about(minutes: i64, wanted: i64) -> bool {
    (wanted..=wanted + (wanted / 10).min(5)).contains(&minutes)
}

/// Leads every name to loopback, or fails as the operating system does when there is no file left.
struct Names {
    are_exhausted: bool,
}

impl net::Resolver for Names {
    fn lookup(&self, _: &str) -> net::Lookup {
        const EMFILE: i32 = 24;
        let answer = match self.are_exhausted {
            true => Err(std::io::Error::from_raw_os_error(EMFILE)),
            false => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
        };
        Box::pin(async { answer })
    }
}

/// A reader in this test that looks names up there.
fn reader(test: &TestReader, names: Names) -> Reader {
    let settings =
        net::ClientSettings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::ClientSettings::default() };
    let client = net::Client::builder(settings).resolver(names).build().unwrap();
    Reader::new(test.db.clone(), client, test.clock.clone(), ReaderSettings::default())
}

on_both_databases!(a_first_fetch_gives_every_subscriber_the_items);
async fn a_first_fetch_gives_every_subscriber_the_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.create_subscription(bob, feed).await;
    test.always("/feed", feed_of(&[("a", "First", 10), ("b", "Second", 20)]));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    let fetched = test.get_feed(feed).await;
    assert_eq!((fetched.title.as_str(), fetched.site_url.as_deref()), ("News", Some("https://site.test/")));
    assert_eq!(fetched.fetch_status, FetchStatus::Active);
    assert_eq!(fetched.last_fetched_at, Some(start()));
    assert!(is_about(minutes_to(&test, &fetched), 60), "{}", fetched.next_fetch_at);
    assert_eq!(test.count("select count(*) from items").await, 2);
    assert_eq!(test.count("select count(*) from item_states where is_read = false").await, 4);
    assert_eq!(test.count("select cast(sum(unread_count) as bigint) from subscriptions").await, 4);
    assert_eq!(test.count("select count(*) from search_pending").await, 2);
    let html: String = test.db.read("select summary from items where guid_or_id = 'a'").scalar().await.unwrap();
    assert_eq!(html, "<p>About First</p>", "sanitised");
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0, "nothing is due any more");
    assert_eq!(test.request_count("/feed"), 1);
}

on_both_databases!(what_has_not_changed_costs_one_row);
async fn what_has_not_changed_costs_one_row(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.on("/feed", |seen| match seen.header("if-none-match") {
        Some("\"v1\"") => answer("304 Not Modified", &[], ""),
        _ => answer("200 OK", &[("ETag", "\"v1\"")], &rss(&[("a", "First", 10)])),
    });
    test.reader.fetch_due().await.unwrap();
    let written = test.count("select count(*) from items").await;
    let again = test.fetch_when_due(feed).await;
    assert_eq!(test.request_count("/feed"), 2);
    assert_eq!(again.last_fetched_at, Some(test.clock.now()));
    assert!(is_about(minutes_to(&test, &again), 60));
    // The same body without a word about it.
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    test.fetch_when_due(feed).await;
    let changed_at = "select count(*) from items where updated_at > fetched_at or updated_at > created_at";
    test.fetch_when_due(feed).await;
    assert_eq!(test.count(changed_at).await, 0);
    assert_eq!(test.count("select count(*) from items").await, written);
    let last = test.origin.seen().pop().unwrap();
    assert_eq!(last.header("if-none-match"), None, "validators that the origin no longer gives are not sent");
}

on_both_databases!(an_item_that_changes_keeps_its_id_and_state);
async fn an_item_that_changes_keeps_its_id_and_state(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", feed_of(&[("a", "Frist", 10), ("b", "Second", 20)]));
    test.reader.fetch_due().await.unwrap();
    let id = test.count("select id from items where guid_or_id = 'a'").await;
    test.db.write("update item_states set is_read = true").execute().await.unwrap();
    test.db.write("update subscriptions set unread_count = 0").execute().await.unwrap();
    test.db.write("delete from search_pending").execute().await.unwrap();
    test.always("/feed", feed_of(&[("a", "First", 15), ("b", "Second", 20), ("c", "Third", 5)]));
    test.fetch_when_due(feed).await;
    let (title, moved): (String, bool) = test
            .db
            .read("select i.title, i.published_at = t.published_at from items i join item_states t on t.item_id = i.id where i.id = $1")
            .bind(id)
            .one()
            .await
            .unwrap();
    assert_eq!((title.as_str(), moved), ("First", true));
    assert_eq!(test.count("select count(*) from items").await, 3);
    assert_eq!(test.count("select count(*) from item_states where is_read = false").await, 1, "only the new one");
    assert_eq!(test.count("select count(*) from search_pending").await, 2, "the new one and the changed one");
    test.assert_counters().await;
}

on_both_databases!(answers_that_end_it_stop_the_feed_with_a_reason);
async fn answers_that_end_it_stop_the_feed_with_a_reason(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let cases = [
        ("/404", "404 Not Found", "not_found"),
        ("/410", "410 Gone", "gone"),
        ("/401", "401 Unauthorized", "login_required"),
        ("/403", "403 Forbidden", "forbidden"),
    ];
    for (path, status, code) in cases {
        let feed = test.create_subscribed_feed(ann, path).await;
        test.always(path, answer(status, &[], "no"));
        test.reader.fetch_due().await.unwrap();
        let stopped = test.get_feed(feed).await;
        assert_eq!(stopped.fetch_status, FetchStatus::Stopped, "{path}");
        assert_eq!(stopped.error_code.as_deref(), Some(code), "{path}");
        assert!(stopped.error_message.unwrap().contains(&status[..3]), "{path}");
    }
    let wall = test.create_subscribed_feed(ann, "/wall").await;
    test.always("/wall", answer("403 Forbidden", &[("cf-mitigated", "challenge")], "prove that you are human"));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(test.get_feed(wall).await.error_code.as_deref(), Some("bot_wall"));
    test.advance(60 * 24 * 30);
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0, "stopped is stopped");
    let mut tx = test.db.begin().await.unwrap();
    assert!(feeds::resume(&mut tx, wall, test.clock.now()).await.unwrap());
    assert!(!feeds::resume(&mut tx, wall, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    test.always("/wall", feed_of(&[("a", "First", 10)]));
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    assert_eq!(test.get_feed(wall).await.fetch_status, FetchStatus::Active);
}

on_both_databases!(faults_that_may_pass_are_retried_later_and_later);
async fn faults_that_may_pass_are_retried_later_and_later(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.always("/feed", answer("503 Service Unavailable", &[], ""));
    test.reader.fetch_due().await.unwrap();
    for pause in [30, 60, 120, 240, 480, 720, 720] {
        let failing = test.get_feed(feed).await;
        assert_eq!(failing.fetch_status, FetchStatus::Error);
        assert_eq!(failing.error_code.as_deref(), Some("server_error"));
        assert!(is_about(minutes_to(&test, &failing), pause), "{} after {pause}", minutes_to(&test, &failing));
        test.fetch_when_due(feed).await;
    }
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    let well = test.fetch_when_due(feed).await;
    assert_eq!((well.fetch_status, well.consecutive_errors, well.error_code), (FetchStatus::Active, 0, None));
    assert!(is_about(minutes_to(&test, &test.get_feed(feed).await), 60), "success resets");
}

on_both_databases!(retry_after_is_respected_in_both_forms);
async fn retry_after_is_respected_in_both_forms(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let in_five_hours = (start() + TimeDelta::hours(5)).format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let cases = [("429 Too Many Requests", "120".to_owned(), 2), ("503 Service Unavailable", in_five_hours, 300)];
    for (number, (status, value, minutes)) in cases.into_iter().enumerate() {
        let path = format!("/{number}");
        let feed = test.create_subscribed_feed(ann, &path).await;
        test.always(&path, answer(status, &[("Retry-After", &value)], ""));
        test.reader.fetch_due().await.unwrap();
        let failing = test.get_feed(feed).await;
        assert!(is_about(minutes_to(&test, &failing), minutes), "{status}: {}", minutes_to(&test, &failing));
    }
}

on_both_databases!(faults_of_the_network_have_codes_and_back_off);
async fn faults_of_the_network_have_codes_and_back_off(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let garbage = origin::Origin::raw(|mut stream| async move {
        use tokio::io::AsyncWriteExt;
        // Read first: a socket closed with something unread in it takes its answer back.
        origin::read_request(&mut stream).await;
        let _ = stream.write_all(b"this is not HTTP at all\r\n\r\n").await;
    })
    .await;
    let gone = origin::Origin::raw(|_| async {}).await;
    let unused = gone.url("/feed");
    drop(gone);
    let looping = test.create_subscribed_feed(ann, "/loop").await;
    test.on("/loop", |_| origin::redirect(302, "/loop"));
    let large = test.create_subscribed_feed(ann, "/large").await;
    test.on("/large", |_| answer("200 OK", &[], &"x".repeat(6 * 1024 * 1024)));
    let inside = test.create_subscribed_feed(ann, "/inside").await;
    test.on("/inside", |_| origin::redirect(302, "http://10.0.0.1/"));
    let mut cases = vec![(looping, "redirect_loop"), (large, "too_large"), (inside, "address_refused")];
    for (url, code) in [(garbage.url("/feed"), "broken_answer"), (unused, "unreachable")] {
        let feed = test.create_feed_at(&url).await;
        test.create_subscription(ann, feed).await;
        cases.push((feed, code));
    }
    assert_eq!(test.reader.fetch_due().await.unwrap(), cases.len());
    for (feed, code) in cases {
        let failing = test.get_feed(feed).await;
        assert_eq!(failing.error_code.as_deref(), Some(code));
        assert_eq!(failing.fetch_status, FetchStatus::Error, "{code}");
        assert!(is_about(minutes_to(&test, &failing), 30), "{code}");
    }
}

on_both_databases!(ten_documents_in_a_row_that_are_no_feed_stop_it);
async fn ten_documents_in_a_row_that_are_no_feed_stop_it(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let page = |seen: u8| answer("200 OK", &[("Content-Type", "text/html")], &format!("<html><p>{seen}</p></html>"));
    test.always("/feed", page(0));
    test.reader.fetch_due().await.unwrap();
    for failures in 1..10_u8 {
        let failing = test.get_feed(feed).await;
        assert_eq!((failing.fetch_status, failing.consecutive_errors), (FetchStatus::Error, i64::from(failures)));
        assert_eq!(failing.error_code.as_deref(), Some("not_a_feed"));
        // What comes in between and is no document neither counts nor resets.
        if failures == 5 {
            test.always("/feed", answer("500 Internal Server Error", &[], ""));
            test.fetch_when_due(feed).await;
            let mut tx = test.db.begin().await.unwrap();
            tx.query("update feeds set consecutive_errors = 5").execute().await.unwrap();
            tx.commit().await.unwrap();
        }
        test.always("/feed", page(failures));
        test.fetch_when_due(feed).await;
    }
    let stopped = test.get_feed(feed).await;
    assert_eq!((stopped.fetch_status, stopped.consecutive_errors), (FetchStatus::Stopped, 10));
}

on_both_databases!(a_document_after_nine_failures_resets_the_count);
async fn a_document_after_nine_failures_resets_the_count(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    for round in 0..2 {
        test.always("/feed", answer("200 OK", &[], &format!("nonsense {round}")));
        for _ in 0..9 {
            test.fetch_when_due(feed).await;
        }
        assert_eq!(test.get_feed(feed).await.fetch_status, FetchStatus::Error);
        test.always("/feed", feed_of(&[("a", &format!("Round {round}"), 10)]));
        assert_eq!(test.fetch_when_due(feed).await.fetch_status, FetchStatus::Active);
    }
}

on_both_databases!(the_shortest_interval_counts_above_the_publishers);
async fn the_shortest_interval_counts_above_the_publishers(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.create_subscription(bob, feed).await;
    let set = "update subscriptions set fetch_interval_minutes = $2 where user_id = $1";
    test.db.write(set).bind(ann).bind(720_i64).execute().await.unwrap();
    test.db.write(set).bind(bob).bind(90_i64).execute().await.unwrap();
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    test.reader.fetch_due().await.unwrap();
    assert!(is_about(minutes_to(&test, &test.get_feed(feed).await), 90));
    test.always("/feed", answer("200 OK", &[("Cache-Control", "max-age=10800")], &rss(&[("a", "First", 10)])));
    let later = test.fetch_when_due(feed).await;
    assert!(is_about(minutes_to(&test, &later), 180), "{}", minutes_to(&test, &later));
    let with_ttl = rss(&[("a", "First", 10)]).replace("<item>", "<ttl>240</ttl><item>");
    test.on("/feed", move |seen| match seen.header("if-none-match") {
        Some(_) => answer("304 Not Modified", &[], ""),
        None => answer("200 OK", &[("ETag", "\"t\"")], &with_ttl),
    });
    assert!(is_about(minutes_to(&test, &test.fetch_when_due(feed).await), 240));
    assert!(is_about(minutes_to(&test, &test.fetch_when_due(feed).await), 240), "a 304 does not repeat the ttl");
}

on_both_databases!(dates_are_estimated_clamped_and_then_kept);
async fn dates_are_estimated_clamped_and_then_kept(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let undated = rss(&[("a", "First", 0), ("b", "Second", 0), ("future", "Third", -600)])
        .replace(&format!("<pubDate>{}</pubDate>", start().to_rfc2822()), "");
    test.always("/feed", answer("200 OK", &[], &undated));
    test.reader.fetch_due().await.unwrap();
    let dates = "select guid_or_id, published_at, is_date_estimated from items order by published_at desc, id desc";
    let first: Vec<(String, chrono::DateTime<chrono::Utc>, bool)> = test.db.read(dates).all().await.unwrap();
    assert!(first.iter().all(|(_, at, estimated)| *at <= start() && *estimated), "{first:?}");
    let order: Vec<&str> = first.iter().map(|(guid, ..)| guid.as_str()).filter(|guid| *guid != "future").collect();
    assert_eq!(order, ["a", "b"], "the order of the document");
    // Something else changes; the guesses stay.
    test.always("/feed", answer("200 OK", &[], &undated.replace("First", "Changed")));
    test.fetch_when_due(feed).await;
    let second: Vec<(String, chrono::DateTime<chrono::Utc>, bool)> = test.db.read(dates).all().await.unwrap();
    assert_eq!(first, second);
    // Then the publisher says when.
    test.always("/feed", feed_of(&[("a", "First", 100), ("b", "Second", 200)]));
    test.fetch_when_due(feed).await;
    assert_eq!(
        test.count("select count(*) from items where is_date_estimated = true").await,
        1,
        "only the one in the future"
    );
    test.assert_counters().await;
}

on_both_databases!(a_refresh_asked_for_during_a_fetch_is_not_lost);
async fn a_refresh_asked_for_during_a_fetch_is_not_lost(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let clock = test.clock.clone();
    // The clock goes on while the origin thinks.
    test.on("/feed", move |_| {
        clock.advance(Duration::from_secs(3));
        feed_of(&[("a", "First", 10)])
    });
    let other = test.db.clone();
    let claim = feeds::Claim {
        now: test.clock.now(),
        lease_until: test.clock.now() + TimeDelta::minutes(2),
        token: store::LeaseToken::new(),
        most: 1,
        per_host: 1,
        kinds: vec!["feed".to_owned()],
    };
    let claimed = feeds::claim(&other, &claim).await.unwrap();
    assert_eq!(claimed.len(), 1);
    test.clock.advance(Duration::from_secs(1));
    let mut tx = other.begin().await.unwrap();
    assert!(feeds::ask_refresh(&mut tx, feed, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0, "it is being fetched");
    let now = test.clock.now();
    let next_fetch_at = now + TimeDelta::hours(1);
    let record = [FetchRecord::of(&claimed[0], claim.token, claim.now, now, next_fetch_at)];
    let mark = async || {
        let mut tx = other.begin().await.unwrap();
        let marked = feeds::mark_fetched(&mut tx, &record).await.unwrap();
        tx.commit().await.unwrap();
        marked.held
    };
    assert_eq!(mark().await, [feed].into());
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1, "the refresh follows");
    assert!(mark().await.is_empty(), "the old lease changes nothing");
}

on_both_databases!(a_refresh_ignores_the_back_off_but_not_a_stop);
async fn a_refresh_ignores_the_back_off_but_not_a_stop(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let (failing, stopped) =
        (test.create_subscribed_feed(ann, "/500").await, test.create_subscribed_feed(ann, "/404").await);
    test.always("/500", answer("500 Oh", &[], ""));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(feeds::ask_refresh_all(&test.db, test.clock.now()).await.unwrap(), (1, Vec::new()));
    let mut tx = test.db.begin().await.unwrap();
    assert!(!feeds::ask_refresh(&mut tx, stopped, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    assert_eq!(test.get_feed(failing).await.consecutive_errors, 2);
}

on_both_databases!(no_host_gets_more_fetches_at_once_than_it_may_have);
async fn no_host_gets_more_fetches_at_once_than_it_may_have(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings { host_concurrency: 2, ..ReaderSettings::default() }).await;
    let ann = test.create_user("ann").await;
    for number in 0..5 {
        test.create_subscribed_feed(ann, &format!("/{number}")).await;
    }
    let other = test.create_feed_at("http://127.0.0.9:1/feed").await;
    test.create_subscription(ann, other).await;
    let now = test.clock.now();
    let claim = || feeds::Claim {
        now,
        lease_until: now + TimeDelta::minutes(2),
        token: store::LeaseToken::new(),
        most: 10,
        per_host: 2,
        kinds: vec!["feed".to_owned()],
    };
    let first = feeds::claim(&test.db, &claim()).await.unwrap();
    assert_eq!(first.len(), 3, "two of the one and one of the other");
    assert!(feeds::claim(&test.db, &claim()).await.unwrap().is_empty(), "all places are taken");
    // A worker died: its leases end, and only then others may have them.
    let later = now + TimeDelta::minutes(3);
    let rescued =
        feeds::claim(&test.db, &feeds::Claim { now: later, lease_until: later + TimeDelta::minutes(2), ..claim() })
            .await
            .unwrap();
    assert_eq!(rescued.len(), 3);
}

on_both_databases!(a_feed_without_subscribers_rests);
async fn a_feed_without_subscribers_rests(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    let feed = test.create_feed("/feed").await;
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0);
    test.create_subscription(ann, feed).await;
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    let mut tx = test.db.begin().await.unwrap();
    assert!(store::subscriptions::delete(&mut tx, ann, feed, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    test.advance(600);
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0);
    assert_eq!(test.count("select count(*) from item_states").await, 0);
    assert_eq!(test.count("select count(*) from items").await, 1, "the shared items stay");
}

on_both_databases!(what_a_feed_holds_starts_unread_up_to_a_thousand);
async fn what_a_feed_holds_starts_unread_up_to_a_thousand(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (ann, bob) = (test.create_user("ann").await, test.create_user("bob").await);
    let titles: Vec<(String, i64)> = (0..1_200).map(|number| (format!("n{number}"), number)).collect();
    let items: Vec<(&str, &str, i64)> =
        titles.iter().map(|(guid, minutes)| (guid.as_str(), "Title", *minutes)).collect();
    test.always("/feed", feed_of(&items));
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    test.reader.fetch_due().await.unwrap();
    test.create_subscription(bob, feed).await;
    for user in [ann, bob] {
        let unread: i64 = test
            .db
            .read("select unread_count from subscriptions where user_id = $1")
            .bind(user)
            .scalar()
            .await
            .unwrap();
        assert_eq!(unread, 1_000);
    }
    let read = "select count(*) from item_states t join items i on i.id = t.item_id
                    where t.is_read = true and i.guid_or_id in ('n1199', 'n1000')";
    assert_eq!(test.count(read).await, 4, "the oldest are the ones that start read");
    test.assert_counters().await;
}

on_both_databases!(hostile_documents_are_stored_or_rejected);
async fn hostile_documents_are_stored_or_rejected(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let long = "\u{3042}".repeat(20_000);
    let documents = [
            rss(&[("x", &long, 1), (&"g".repeat(5_000), "long guid", 2)]).replace("<title>News</title>", &format!("<title>{long}</title>")),
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"nul\\u0000\",\"items\":[{\"id\":\"a\\u0000b\",\"title\":\"t\\u0000\",\"content_html\":\"<p>\\u0000x</p>\",\"authors\":[{\"name\":\"\\u0000\"}]}]}".to_owned(),
            rss(&[("same", "One", 1), ("same", "Two", 2), ("same", "Three", 3)]),
            rss(&[("", "", 1), ("", "", 2)]),
            rss(&[("old", "Old", 60 * 24 * 365 * 1_000)]),
        ];
    for (number, document) in documents.iter().enumerate() {
        let path = format!("/{number}");
        let feed = test.create_subscribed_feed(ann, &path).await;
        test.always(&path, answer("200 OK", &[], document));
        test.reader.fetch_due().await.unwrap();
        let fetched = test.get_feed(feed).await;
        assert_eq!(fetched.fetch_status, FetchStatus::Active, "{number}: {:?}", fetched.error_message);
        // Twice the same with something new: nothing doubles.
        let before = test.count("select count(*) from items").await;
        test.always(&path, answer("200 OK", &[], &format!("{document}\n")));
        test.fetch_when_due(feed).await;
        assert_eq!(test.count("select count(*) from items").await, before, "{number}");
    }
    test.assert_counters().await;
}

on_both_databases!(running_out_of_files_is_no_failure_of_the_feed);
async fn running_out_of_files_is_no_failure_of_the_feed(db: TestDb) {
    let mut test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    test.reader = reader(&test, Names { are_exhausted: false });
    let (first, second) = (test.origin.url_as("first.test", "/feed"), test.origin.url_as("second.test", "/feed"));
    let feed = test.create_feed_at(&first).await;
    test.create_subscription(ann, feed).await;
    test.always("/feed", answer("503 Service Unavailable", &[], ""));
    test.reader.fetch_due().await.unwrap();
    let failing = test.get_feed(feed).await;
    assert_eq!((failing.fetch_status, failing.consecutive_errors), (FetchStatus::Error, 1));

    test.reader = reader(&test, Names { are_exhausted: true });
    let untouched = test.fetch_when_due(feed).await;
    let wait = untouched.next_fetch_at - test.clock.now();
    assert!((30..=33).contains(&wait.num_seconds()), "tried again soon, but not at once: {wait}");
    assert_eq!(feeds::Feed { next_fetch_at: failing.next_fetch_at, ..untouched }, failing);
    let refused = test.reader.subscribe(ann, &second, Urgency::Interactive, &SubscribeOptions::default()).await;
    assert!(matches!(refused, Err(Error::OutOfResources(_))), "{refused:?}");

    test.reader = reader(&test, Names { are_exhausted: false });
    test.always("/feed", feed_of(&[("a", "First", 10)]));
    let well = test.fetch_when_due(feed).await;
    assert_eq!((well.fetch_status, well.consecutive_errors), (FetchStatus::Active, 0));
}

on_both_databases!(a_full_disk_is_not_counted_against_a_feed);
async fn a_full_disk_is_not_counted_against_a_feed(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let guids: Vec<String> = (0..1_000).map(|number| format!("n{number}")).collect();
    let items: Vec<(&str, &str, i64)> = guids.iter().map(|guid| (guid.as_str(), "Title", 10)).collect();
    test.always("/feed", feed_of(&items));
    db.fill_disk().await;
    assert_eq!(test.reader.fetch_due().await.unwrap(), 1);
    let untouched = test.get_feed(feed).await;
    assert_eq!((untouched.fetch_status, untouched.last_fetched_at), (FetchStatus::Active, None));
    assert_eq!((untouched.consecutive_errors, untouched.error_code), (0, None));
    assert_eq!(test.count("select count(*) from items").await, 0);

    db.free_disk().await;
    let well = test.fetch_when_due(feed).await;
    assert_eq!((well.fetch_status, well.consecutive_errors), (FetchStatus::Active, 0));
    assert_eq!(test.count("select count(*) from items").await, 1_000);
    test.assert_counters().await;
}

on_both_databases!(a_long_lease_keeps_the_feed);
async fn a_long_lease_keeps_the_feed(db: TestDb) {
    // Three times this is longer than a clock may have planned ahead.
    let settings = ReaderSettings { lease: Duration::from_secs(24 * 60 * 60), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    let ann = test.create_user("ann").await;
    let open = CancellationToken::new();
    let gate = open.clone();
    let origin = origin::Origin::raw(move |mut stream| {
        let gate = gate.clone();
        async move {
            use tokio::io::AsyncWriteExt;
            origin::read_request(&mut stream).await;
            gate.cancelled().await;
            let _ = stream.write_all(&feed_of(&[("a", "First", 10)])).await;
        }
    })
    .await;
    let feed = test.create_feed_at(&origin.url("/feed")).await;
    test.create_subscription(ann, feed).await;
    let reader = test.reader.clone();
    let first = tokio::spawn(async move { reader.fetch_due().await.unwrap() });
    origin.until(|now| now.open > 0).await;
    assert_eq!(test.reader.fetch_due().await.unwrap(), 0, "the first fetch has the feed");
    open.cancel();
    assert_eq!(first.await.unwrap(), 1);
    assert_eq!(test.count("select count(*) from items").await, 1);
}
