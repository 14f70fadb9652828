//! Subscribing, against well-behaved and broken origins.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use net::Urgency;
use read::{Error, Problem, Reader, ReaderSettings, SubscribeFolder, SubscribeOptions};
use store::{
    FolderId, feeds,
    feeds::FetchStatus,
    subscriptions,
    users::{self, Role},
};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, hostile, redirect},
};

use crate::{
    responses::{feed_response, html, numbered_rss, page, status},
    test_reader::{TestReader, client},
};

on_both_databases!(a_feed_is_fetched_once_and_stored_with_its_items);
async fn a_feed_is_fetched_once_and_stored_with_its_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("The blog", 3)),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/feed#top")).await.unwrap();
    assert_eq!(subscribed.feed.title, "The blog");
    assert_eq!(subscribed.feed.feed_url, origin.url("/feed"));
    assert_eq!(subscribed.feed.fetch_status, FetchStatus::Active);
    assert_eq!(subscribed.feed.last_fetched_at, Some(test.clock.now()));
    assert!(subscribed.feed.next_fetch_at > test.clock.now() + chrono::TimeDelta::minutes(50), "it was just fetched");
    assert_eq!(origin.seen().iter().filter(|seen| seen.target == "/feed").count(), 1);
    assert_eq!(test.count("select count(*) from items").await, 3);
    assert_eq!(test.count("select unread_count from subscriptions").await, 3);
    assert_eq!(test.count("select count(*) from item_states where is_read = false").await, 3);
    assert_eq!(test.count("select items_added from feeds").await, 3);
    assert_eq!(test.count("select count(*) from feeds where etag = '\"v1\"' and content_hash is not null and lease_token is null and rested_at is null").await, 1);
    assert_eq!(test.count("select count(*) from search_pending").await, 3);
    let again = test.subscribe(&origin.url("/feed")).await;
    assert!(
        matches!(again, Err(Error::AlreadySubscribed { subscription, .. }) if subscription == subscribed.subscription)
    );
}

on_both_databases!(a_page_leads_to_its_first_working_feed);
async fn a_page_leads_to_its_first_working_feed(db: TestDb) {
    // The origin ignores TLS. A third of this time passes before plain HTTP is tried.
    let test = TestReader::with(
        &db,
        ReaderSettings { subscribe_timeout: Duration::from_secs(6), ..ReaderSettings::default() },
    )
    .await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/" => page(
            "<link rel=alternate type=application/atom+xml href=/gone.atom title=Gone>\
                 <link rel=alternate type=application/atom+xml href=/login.atom>\
                 <link rel=alternate type=application/atom+xml href=/empty.atom>\
                 <link rel=alternate type=application/rss+xml href=/feed.rss title=Posts>\
                 <link rel=alternate type=application/rss+xml href=/other.rss>",
        ),
        "/login.atom" => html("<html><form>Sign in</form></html>"),
        "/empty.atom" => answer("HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml\r\n", ""),
        "/feed.rss" => feed_response(numbered_rss("Posts", 1)),
        "/other.rss" => feed_response(numbered_rss("Other", 1)),
        _ => status(404),
    })
    .await;
    // Without a scheme and with spaces, as users paste it.
    let pasted = format!("  see {} !", origin.addr());
    let subscribed = test.subscribe(&pasted).await.unwrap();
    assert_eq!(subscribed.feed.feed_url, origin.url("/feed.rss"));
    let asked: Vec<String> = origin.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(asked[..5], ["/", "/gone.atom", "/login.atom", "/empty.atom", "/feed.rss"]);
    assert!(!asked.contains(&"/other.rss".to_owned()));
}

on_both_databases!(wrong_content_types_are_tolerated);
async fn wrong_content_types_are_tolerated(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/posts" => html(numbered_rss("Labelled as HTML", 1)),
        "/page.xml" => feed_response(
            "<!doctype html><html><head><link rel=alternate type='application/rss+xml' href='/posts'></head></html>",
        ),
        _ => status(404),
    })
    .await;
    let subscribed = test.subscribe(&origin.url("/page.xml")).await.unwrap();
    assert_eq!(subscribed.feed.title, "Labelled as HTML");
    assert_eq!(subscribed.feed.feed_url, origin.url("/posts"));
}

on_both_databases!(unreadable_candidates_are_reported);
async fn unreadable_candidates_are_reported(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
            "/bare" => page(""),
            "/named" => page("<link rel=alternate type=application/rss+xml href=/a.rss title='First'><link rel=alternate type=application/rss+xml href=/b.rss title='Second'>"),
            _ => status(404),
        }).await;
    let bare = test.subscribe(&origin.url("/bare")).await;
    assert!(matches!(bare, Err(Error::FeedNotFound)), "{bare:?}");
    let asked: Vec<String> = origin.seen().into_iter().map(|seen| seen.target).collect();
    let likeliest = ["/bare/feed", "/feed", "/bare/rss.xml", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml"];
    assert_eq!((asked[0].as_str(), &asked[1..]), ("/bare", &likeliest.map(str::to_owned)[..]));
    let Err(Error::FeedsUnreadable { candidates }) = test.subscribe(&origin.url("/named")).await else {
        panic!("the candidates are not reported")
    };
    let titles: Vec<_> = candidates.iter().map(|offer| offer.title.as_deref().unwrap_or_default()).collect();
    assert_eq!(titles, ["First", "Second"]);
    assert_eq!(test.count("select count(*) from feeds").await, 0);
}

on_both_databases!(a_search_sends_at_most_eight_requests);
async fn a_search_sends_at_most_eight_requests(db: TestDb) {
    let test = TestReader::new(&db).await;
    let links: String =
        (0..20).map(|n| format!("<link rel=alternate type=application/rss+xml href=/{n}.rss>")).collect();
    let named = page(&links);
    let pages = [page(""), page("<meta name=generator content='Hugo 0.1'>"), named];
    for (at, body) in pages.into_iter().enumerate() {
        // All other paths return the page, as on sites without a 404.
        let origin = Origin::serve(move |seen| match seen.target.as_str() {
            "/" => body.clone(),
            _ => redirect(302, "/"),
        })
        .await;
        let found = test.subscribe(&origin.url("/")).await;
        assert!(matches!(found, Err(Error::FeedNotFound | Error::FeedsUnreadable { .. })), "{found:?}");
        assert!(origin.seen().len() <= 8, "page {at}: {}", origin.seen().len());
        let first = &origin.seen()[1].target;
        assert_eq!(first, ["/feed", "/index.xml", "/0.rss"][at]);
    }
    assert_eq!(test.count("select count(*) from feeds").await, 0);
}

on_both_databases!(every_way_to_search_sends_at_most_eight_requests);
async fn every_way_to_search_sends_at_most_eight_requests(db: TestDb) {
    // The origin ignores TLS. A third of this time passes before plain HTTP is tried.
    let settings = ReaderSettings { subscribe_timeout: Duration::from_secs(6), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    for (is_discovered, has_scheme) in [(true, true), (true, false), (false, false)] {
        let origin = Origin::serve(|seen| match seen.target.as_str() {
            "/" => page(""),
            _ => redirect(302, "/"),
        })
        .await;
        let address = if has_scheme { origin.url("/") } else { origin.addr().to_string() };
        let error = match is_discovered {
            true => test.reader.discover(&address, Urgency::Interactive).await.unwrap_err(),
            false => test.subscribe(&address).await.unwrap_err(),
        };
        assert!(matches!(error, Error::FeedNotFound), "{error:?}");
        // The attempt over TLS is one of the eight.
        let expected = if has_scheme { 8 } else { 7 };
        assert_eq!(origin.seen().len(), expected, "discovered: {is_discovered}, with a scheme: {has_scheme}");
    }
}

on_both_databases!(permanent_redirects_decide_the_stored_address);
async fn permanent_redirects_decide_the_stored_address(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/301" => redirect(301, "/308"),
        "/308" => redirect(308, "/moved"),
        "/302" => redirect(302, "/elsewhere"),
        "/307" => redirect(307, "/elsewhere2"),
        "/301-302" => redirect(301, "/half"),
        "/half" => redirect(302, "/third"),
        "/moved" => feed_response(numbered_rss("Moved", 1)),
        "/elsewhere" | "/elsewhere2" | "/third" => feed_response(numbered_rss("Elsewhere", 1)),
        _ => status(404),
    })
    .await;
    for (asked, kept) in [("/301", "/moved"), ("/302", "/302"), ("/307", "/307"), ("/301-302", "/half")] {
        let subscribed = test.subscribe(&origin.url(asked)).await.unwrap();
        assert_eq!(subscribed.feed.feed_url, origin.url(kept), "{asked}");
    }
    let by_old_address = test.subscribe(&origin.url("/308")).await;
    assert!(matches!(by_old_address, Err(Error::AlreadySubscribed { .. })), "{by_old_address:?}");
}

on_both_databases!(a_known_feed_is_not_fetched_again);
async fn a_known_feed_is_not_fetched_again(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("Known", 2)),
        "/old" => redirect(302, "/feed"),
        "/" => page("<link rel=alternate type=application/rss+xml href=/feed>"),
        _ => status(404),
    })
    .await;
    let first = test.subscribe(&origin.url("/feed")).await.unwrap();
    let options = SubscribeOptions::default();
    for (n, address) in ["/feed", "/old", "/"].into_iter().enumerate() {
        let other = test.create_user(&format!("other{n}")).await;
        let subscribed =
            test.reader.subscribe(other, &origin.url(address), Urgency::Interactive, &options).await.unwrap();
        assert_eq!(subscribed.feed.id, first.feed.id, "{address}");
    }
    // Once directly, and once through the redirect, because its target is unknown before.
    assert_eq!(origin.seen().iter().filter(|seen| seen.target == "/feed").count(), 2);
    assert_eq!(test.count("select count(*) from feeds").await, 1);
    assert_eq!(test.count("select cast(sum(unread_count) as bigint) from subscriptions").await, 8);
}

on_both_databases!(subscribing_to_a_stopped_feed_restarts_it);
async fn subscribing_to_a_stopped_feed_restarts_it(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("Back", 3)),
        _ => status(404),
    })
    .await;
    let first = test.subscribe(&origin.url("/feed")).await.unwrap();
    db.write("update feeds set fetch_status = 'stopped', error_code = 'gone', consecutive_errors = 4")
        .execute()
        .await
        .unwrap();
    db.write("delete from items where guid_or_id = 'post-3'").execute().await.unwrap();
    let other = test.create_user("other").await;
    let subscribed = test
        .reader
        .subscribe(other, &origin.url("/feed"), Urgency::Interactive, &SubscribeOptions::default())
        .await
        .unwrap();
    assert_eq!(subscribed.feed.id, first.feed.id);
    assert_eq!((subscribed.feed.fetch_status, subscribed.feed.error_code), (FetchStatus::Active, None));
    assert_eq!(test.count("select count(*) from items").await, 3, "the missing item was added, without duplicates");
    let recount = "select count(*) from subscriptions s where unread_count <> (select count(*) from item_states i where i.user_id = s.user_id and i.feed_id = s.feed_id and i.is_read = false)";
    db.write("update subscriptions set unread_count = (select count(*) from item_states i where i.user_id = subscriptions.user_id and i.feed_id = subscriptions.feed_id and i.is_read = false) where user_id = $1").bind(test.user).execute().await.unwrap();
    assert_eq!(test.count(recount).await, 0);
}

on_both_databases!(concurrent_subscribers_share_one_feed);
async fn concurrent_subscribers_share_one_feed(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => feed_response(numbered_rss("Shared", 5)),
        _ => status(404),
    })
    .await;
    let mut users = Vec::new();
    for n in 0..6 {
        users.push(test.create_user(&format!("p{n}")).await);
    }
    let tasks: Vec<_> = users
        .into_iter()
        .map(|user| {
            let (reader, url) = (test.reader.clone(), origin.url("/feed"));
            tokio::spawn(async move {
                reader.subscribe(user, &url, Urgency::Interactive, &SubscribeOptions::default()).await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(test.count("select count(*) from feeds").await, 1);
    assert_eq!(test.count("select count(*) from items").await, 5);
    assert_eq!(test.count("select count(*) from subscriptions where unread_count = 5").await, 6);
    assert_eq!(test.count("select count(*) from item_states").await, 30);
}

on_both_databases!(problems_of_the_origin_are_reported);
async fn problems_of_the_origin_are_reported(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| status(seen.target[1..].parse().unwrap_or(404))).await;
    let cases = [
        (401, Problem::LoginRequired),
        (403, Problem::Forbidden),
        (404, Problem::NotFound),
        (410, Problem::Gone),
        (429, Problem::RateLimited),
        (500, Problem::ServerError),
        (503, Problem::ServerError),
    ];
    for (code, expected) in cases {
        let refused = test.subscribe(&origin.url(&format!("/{code}"))).await;
        assert!(matches!(refused, Err(Error::Origin { problem, .. }) if problem == expected), "{code}: {refused:?}");
    }
    let cut = hostile::cut_at_accept().await;
    let unreachable = test.subscribe(&cut.url("/")).await;
    assert!(matches!(unreachable, Err(Error::Origin { problem: Problem::Unreachable, .. })), "{unreachable:?}");
    let head = "HTTP/1.1 200 OK\r\n\r\n";
    let huge = hostile::repeating(head, vec![b'x'; 1 << 20], 8).await;
    let large = test.subscribe(&huge.url("/")).await;
    assert!(matches!(large, Err(Error::Origin { problem: Problem::TooLarge, .. })), "{large:?}");
    let round = Origin::serve(|_| redirect(301, "/again")).await;
    let endless = test.subscribe(&round.url("/")).await;
    assert!(matches!(endless, Err(Error::Origin { problem: Problem::RedirectLoop, .. })), "{endless:?}");
    // A failing feed that the page names is reported as failing, not as missing.
    let broken = Origin::serve(|seen| match seen.target.as_str() {
        "/" => page("<link rel=alternate type=application/rss+xml href=/feed>"),
        "/feed" => status(502),
        _ => status(404),
    })
    .await;
    let failing = test.subscribe(&broken.url("/")).await;
    assert!(matches!(failing, Err(Error::Origin { problem: Problem::ServerError, .. })), "{failing:?}");
    assert_eq!(test.count("select count(*) from feeds").await, 0);
}

on_both_databases!(invalid_and_refused_addresses_are_rejected);
async fn invalid_and_refused_addresses_are_rejected(db: TestDb) {
    let test = TestReader::new(&db).await;
    for text in ["", "   ", "hello world", "mailto:a@example.com", "someone@example.com"] {
        let refused = test.subscribe(text).await;
        assert!(
            matches!(refused, Err(Error::AddressMissing | Error::AddressInvalid | Error::AddressScheme)),
            "{text}: {refused:?}"
        );
    }
    let long = format!("https://example.com/{}", "x".repeat(3_000));
    assert!(matches!(test.subscribe(&long).await, Err(Error::AddressTooLong)));
    let origin = Origin::serve(|_| redirect(302, "http://10.0.0.1/feed")).await;
    for address in ["http://10.0.0.1/feed", "http://user:pw@127.0.0.1/", "http://[::1]/", &origin.url("/")] {
        let refused = test.subscribe(address).await;
        assert!(matches!(refused, Err(Error::AddressRefused(_))), "{address}: {refused:?}");
    }
    // A page whose feed has a private address is a page without a feed.
    let luring = Origin::serve(|seen| match seen.target.as_str() {
        "/" => page("<link rel=alternate type=application/rss+xml href=http://169.254.169.254/feed>"),
        _ => status(404),
    })
    .await;
    assert!(matches!(test.subscribe(&luring.url("/")).await, Err(Error::FeedNotFound | Error::FeedsUnreadable { .. })));
}

on_both_databases!(names_with_private_addresses_are_refused);
async fn names_with_private_addresses_are_refused(db: TestDb) {
    struct Inside;
    impl net::Resolver for Inside {
        fn lookup(&self, _: &str) -> net::Lookup {
            Box::pin(async { Ok(vec![Ipv4Addr::new(10, 0, 0, 1).into()]) })
        }
    }
    let test = TestReader::new(&db).await;
    let settings =
        net::ClientSettings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::ClientSettings::default() };
    let client = net::Client::builder(settings).resolver(Inside).build().unwrap();
    let reader = read::Reader::new(db.db(), client, test.clock.clone(), ReaderSettings::default());
    let origin = Origin::serve(|_| redirect(301, "http://intranet.example/feed")).await;
    for address in ["intranet.example/feed", &origin.url("/feed")] {
        let refused = reader.subscribe(test.user, address, Urgency::Interactive, &SubscribeOptions::default()).await;
        assert!(matches!(refused, Err(Error::AddressRefused(_))), "{address}: {refused:?}");
    }
}

on_both_databases!(local_host_names_are_refused);
async fn local_host_names_are_refused(db: TestDb) {
    struct Unknown;
    impl net::Resolver for Unknown {
        fn lookup(&self, _: &str) -> net::Lookup {
            Box::pin(async { Err(std::io::ErrorKind::NotFound.into()) })
        }
    }
    let test = TestReader::new(&db).await;
    let client = net::Client::builder(net::ClientSettings::default()).resolver(Unknown).build().unwrap();
    let reader = read::Reader::new(db.db(), client, test.clock.clone(), ReaderSettings::default());
    for address in [
        "localhost:8080",
        "http://localhost./feed",
        "http://blog.LOCALHOST/",
        "http://ip6-localhost/feed",
        "http://localhost.localdomain/",
    ] {
        let refused = reader.subscribe(test.user, address, Urgency::Interactive, &SubscribeOptions::default()).await;
        assert!(matches!(refused, Err(Error::AddressRefused(_))), "{address}: {refused:?}");
    }
}

on_both_databases!(the_limit_is_checked_before_any_request);
async fn the_limit_is_checked_before_any_request(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings { subscription_limit: Some(2), ..ReaderSettings::default() }).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    test.subscribe(&origin.url("/1.rss")).await.unwrap();
    test.subscribe(&origin.url("/2.rss")).await.unwrap();
    let before = origin.seen().len();
    assert!(matches!(test.subscribe(&origin.url("/3.rss")).await, Err(Error::SubscriptionLimit { max: 2 })));
    assert_eq!(origin.seen().len(), before);
    assert_eq!(test.count("select count(*) from feeds").await, 2);
    // A feed that the user already has is still reported.
    assert!(matches!(test.subscribe(&origin.url("/1.rss")).await, Err(Error::AlreadySubscribed { .. })));
}

on_both_databases!(the_limit_applies_to_members_only);
async fn the_limit_applies_to_members_only(db: TestDb) {
    let test = TestReader::with(&db, ReaderSettings { subscription_limit: Some(1), ..ReaderSettings::default() }).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    test.subscribe(&origin.url("/1.rss")).await.unwrap();
    assert!(matches!(test.subscribe(&origin.url("/2.rss")).await, Err(Error::SubscriptionLimit { max: 1 })));
    let mut tx = db.begin().await.unwrap();
    assert!(users::set_role(&mut tx, test.user, Role::Owner, test.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    test.subscribe(&origin.url("/2.rss")).await.unwrap();
    test.subscribe(&origin.url("/3.rss")).await.unwrap();

    let settings = ReaderSettings { subscription_limit: None, ..ReaderSettings::default() };
    let unlimited = Reader::new(db.clone(), client(), test.clock.clone(), settings);
    let member = test.create_user("member").await;
    for path in ["/1.rss", "/2.rss"] {
        unlimited
            .subscribe(member, &origin.url(path), Urgency::Interactive, &SubscribeOptions::default())
            .await
            .unwrap();
    }
    assert_eq!(test.count("select count(*) from subscriptions").await, 5);
}

on_both_databases!(subscribing_respects_its_deadline);
async fn subscribing_respects_its_deadline(db: TestDb) {
    let settings = ReaderSettings { subscribe_timeout: Duration::from_millis(1_500), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    let silent = hostile::silent().await;
    let links: String = (0..20)
        .map(|n| format!("<link rel=alternate type=application/rss+xml href={}>", silent.url(&format!("/{n}.rss"))))
        .collect();
    let body = page(&links);
    let origin = Origin::serve(move |_| body.clone()).await;
    let begun = Instant::now();
    let late = test.subscribe(&origin.url("/")).await;
    assert!(matches!(late, Err(Error::Origin { problem: Problem::Timeout, .. })), "{late:?}");
    assert!(begun.elapsed() < Duration::from_millis(1_500), "{:?}", begun.elapsed());
    let never = test.subscribe(&silent.url("/")).await;
    assert!(matches!(never, Err(Error::Origin { problem: Problem::Timeout, .. })), "{never:?}");
    assert!(begun.elapsed() < Duration::from_millis(3_000), "{:?}", begun.elapsed());
}

on_both_databases!(a_slow_candidate_leaves_time_for_the_next);
async fn a_slow_candidate_leaves_time_for_the_next(db: TestDb) {
    let settings = ReaderSettings { subscribe_timeout: Duration::from_secs(4), ..ReaderSettings::default() };
    let test = TestReader::with(&db, settings).await;
    let silent = hostile::silent().await;
    let slow = silent.url_as("127.0.0.1", "/slow.atom");
    let origin = Origin::serve_on(Ipv4Addr::LOCALHOST.into(), move |seen| match seen.target.as_str() {
            "/" => page(&format!("<link rel=alternate type=application/atom+xml href={slow}><link rel=alternate type=application/rss+xml href=/feed>")),
            "/feed" => feed_response(numbered_rss("Quick", 1)),
            _ => status(404),
        }).await;
    assert_eq!(test.subscribe(&origin.url("/")).await.unwrap().feed.title, "Quick");
}

on_both_databases!(folder_and_title_options_are_stored);
async fn folder_and_title_options_are_stored(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| feed_response(numbered_rss(&seen.target, 1))).await;
    let options = SubscribeOptions {
        folder: Some(SubscribeFolder::Named("News".to_owned())),
        title: Some("Mine".to_owned()),
        ..SubscribeOptions::default()
    };
    test.reader.subscribe(test.user, &origin.url("/1.rss"), Urgency::Interactive, &options).await.unwrap();
    let same = SubscribeOptions { title: Some("/2.rss".to_owned()), ..options.clone() };
    test.reader.subscribe(test.user, &origin.url("/2.rss"), Urgency::Interactive, &same).await.unwrap();
    let filed = store::subscriptions::list_for_opml(&db, test.user).await.unwrap();
    let titles: Vec<_> = filed.iter().map(|one| (one.title.as_str(), one.folder.as_deref())).collect();
    assert_eq!(titles, [("/2.rss", Some("News")), ("Mine", Some("News"))]);
    assert_eq!(test.count("select count(*) from subscriptions where title is null").await, 1);
    assert_eq!(test.count("select count(*) from folders").await, 1);
    let foreign =
        SubscribeOptions { folder: Some(SubscribeFolder::Id(FolderId::new())), ..SubscribeOptions::default() };
    let refused = test.reader.subscribe(test.user, &origin.url("/3.rss"), Urgency::Interactive, &foreign).await;
    assert!(matches!(refused, Err(Error::UnknownFolder)));
    assert_eq!(test.count("select count(*) from feeds").await, 2, "nothing was stored");
}

on_both_databases!(a_subscription_moves_to_another_address);
async fn a_subscription_moves_to_another_address(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/a" => feed_response(numbered_rss("A", 2)),
        "/b" => feed_response(numbered_rss("B", 3)),
        _ => status(404),
    })
    .await;
    let a = test.subscribe(&origin.url("/a")).await.unwrap();
    let moved =
        test.reader.move_subscription(test.user, a.feed.id, &origin.url("/b"), Urgency::Interactive).await.unwrap();
    assert_eq!((moved.subscription, moved.feed.title.as_str()), (a.subscription, "B"));
    assert_eq!(subscriptions::count(&db, test.user).await.unwrap(), 1);
    assert_eq!(test.count("select unread_count from subscriptions").await, 3);
    let gone = test.reader.move_subscription(test.user, a.feed.id, &origin.url("/b"), Urgency::Interactive).await;
    assert!(matches!(gone, Err(Error::NotFound)));
    test.subscribe(&origin.url("/a")).await.unwrap();
    let taken = test.reader.move_subscription(test.user, a.feed.id, &origin.url("/b"), Urgency::Interactive).await;
    assert!(matches!(taken, Err(Error::AlreadySubscribed { .. })), "{taken:?}");
    let same = test.reader.move_subscription(test.user, a.feed.id, &origin.url("/a"), Urgency::Interactive).await;
    assert!(matches!(same, Err(Error::AlreadySubscribed { .. })), "{same:?}");
}

on_both_databases!(discovery_lists_feeds_without_subscribing);
async fn discovery_lists_feeds_without_subscribing(db: TestDb) {
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|seen| match seen.target.as_str() {
            "/two" => page("<link rel=alternate type=application/rss+xml href=/a.rss title='First'><link rel=alternate type=application/atom+xml href=/b.atom>"),
            "/none" => page(""),
            "/none/feed" => feed_response(numbered_rss("Guessed", 1)),
            "/feed" => feed_response(numbered_rss("Itself", 1)),
            _ => status(404),
        }).await;
    let offers = async |path: &str| test.reader.discover(&origin.url(path), Urgency::Interactive).await.unwrap();
    let urls = |offers: Vec<read::FeedCandidate>| offers.into_iter().map(|offer| offer.url).collect::<Vec<_>>();
    assert_eq!(urls(offers("/two").await), [origin.url("/b.atom"), origin.url("/a.rss")]);
    assert_eq!(urls(offers("/none").await), [origin.url("/none/feed")]);
    let itself = offers("/feed").await;
    assert_eq!((itself.len(), itself[0].title.as_deref()), (1, Some("Itself")));
    assert_eq!(test.count("select count(*) from feeds").await, 0);
}

on_both_databases!(a_refresh_is_accepted_once_a_minute);
async fn a_refresh_is_accepted_once_a_minute(db: TestDb) {
    use read::Refresh;
    let test = TestReader::new(&db).await;
    let origin = Origin::serve(|_| feed_response(numbered_rss("A", 1))).await;
    let id = test.subscribe(&origin.url("/feed")).await.unwrap().feed.id;
    let ask = async || test.reader.refresh(test.user, id).await.unwrap();
    assert_eq!(ask().await, Refresh::Asked);
    let due = feeds::get(&db, id).await.unwrap().unwrap().next_fetch_at;
    assert_eq!(due, test.clock.now());
    test.clock.advance(Duration::from_secs(20));
    assert_eq!(ask().await, Refresh::TooSoon(Duration::from_secs(40)));
    test.clock.advance(Duration::from_secs(40));
    assert_eq!(ask().await, Refresh::Asked);
    let other_user = test.create_user("other_user").await;
    assert_eq!(test.reader.refresh(other_user, id).await.unwrap(), Refresh::NotSubscribed);
    db.write("update feeds set fetch_status = 'stopped'").execute().await.unwrap();
    assert_eq!(ask().await, Refresh::Stopped);
    assert!(!test.reader.unsubscribe(other_user, id).await.unwrap());
    assert!(test.reader.unsubscribe(test.user, id).await.unwrap());
    assert_eq!(ask().await, Refresh::NotSubscribed);
}
