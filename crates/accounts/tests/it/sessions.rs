//! Sessions: how long they last, who ends them, and what is kept of them.

use std::time::Duration;

use accounts::{Client, Method, SessionId, SessionSecret, Settings};
use chrono::TimeDelta;
use testkit::{TestDb, on_both_databases};

use crate::house::{House, PASSWORD, browser, refusal, settings};

const HOUR: u64 = 60 * 60;

on_both_databases!(a_session_lasts_as_long_as_the_person_comes_back);
async fn a_session_lasts_as_long_as_the_person_comes_back(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    assert_eq!(own.expires_at, house.clock.now() + TimeDelta::days(1));
    let look = async || house.accounts.session(&own.secret).await.unwrap();
    let first = look().await.unwrap();
    assert_eq!((first.public_id, first.expires_at, first.renewed), (own.session, own.expires_at, false));
    house.pass(HOUR);
    assert!(!look().await.unwrap().renewed, "not at every request");
    house.pass(HOUR);
    let renewed = look().await.unwrap();
    assert_eq!((renewed.renewed, renewed.expires_at), (true, house.clock.now() + TimeDelta::days(1)));
    assert!(!look().await.unwrap().renewed);
    for _ in 0..5 {
        house.pass(23 * HOUR);
        assert!(look().await.unwrap().renewed);
    }
    house.pass(24 * HOUR);
    assert!(look().await.is_none(), "a day away");
    house.clock.advance(Duration::from_secs(1));
    assert_eq!(house.accounts.prune().await.unwrap().sessions, 1);
    assert_eq!(house.count("select count(*) from sessions").await, 0);
}

on_both_databases!(when_somebody_was_here_is_known_to_some_minutes);
async fn when_somebody_was_here_is_known_to_some_minutes(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let seen = async || {
        house.accounts.session(&own.secret).await.unwrap().unwrap();
        let person = &house.accounts.users(None, 1).await.unwrap()[0];
        let session = &house.accounts.sessions(ann.id).await.unwrap()[0];
        assert_eq!(person.last_seen_at, Some(session.seen_at));
        house.clock.now() - session.seen_at
    };
    house.pass(299);
    assert_eq!(seen().await.num_seconds(), 299);
    house.pass(1);
    assert_eq!(seen().await.num_seconds(), 0);
}

on_both_databases!(shorter_sessions_hold_for_those_that_are_going_on);
async fn shorter_sessions_hold_for_those_that_are_going_on(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let shorter = house.under(Settings { session_max_age: Duration::from_secs(HOUR), ..settings() });
    let session = shorter.session(&own.secret).await.unwrap().unwrap();
    assert_eq!((session.renewed, session.expires_at), (true, house.clock.now() + TimeDelta::hours(1)));
}

on_both_databases!(sign_out_ends_the_session_here_and_now);
async fn sign_out_ends_the_session_here_and_now(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let (own, other) = (
        house.sign_in("ann@example.org", PASSWORD).await.unwrap(),
        house.sign_in("ann@example.org", PASSWORD).await.unwrap(),
    );
    assert_ne!(own.secret, other.secret, "a new secret at every sign-in");
    let mut changes = house.db.signals().changes();
    house.accounts.sign_out(&own.secret).await.unwrap();
    assert_eq!(changes.try_recv().unwrap(), store::Change::User(own.user.id), "open pages are told");
    assert!(house.accounts.session(&own.secret).await.unwrap().is_none());
    assert!(house.accounts.session(&other.secret).await.unwrap().is_some());
    house.accounts.sign_out(&own.secret).await.expect("twice is once");
    let made_up = SessionSecret::parse(&"A".repeat(43)).unwrap();
    assert!(house.accounts.session(&made_up).await.unwrap().is_none());
}

on_both_databases!(ones_sessions_are_listed_and_ended);
async fn ones_sessions_are_listed_and_ended(db: TestDb) {
    let house = House::new(db);
    let (ann, bob) = (house.add("ann@example.org").await, house.add("bob@example.org").await);
    let password = accounts::Password::new(PASSWORD);
    let client =
        Client { address: "2001:db8::1".parse().unwrap(), user_agent: format!("Evil\u{1b}[31m{}", "x".repeat(9_000)) };
    let first = house.accounts.sign_in("ann@example.org", &password, None, &client).await.unwrap();
    house.pass(1);
    let second = house.accounts.sign_in("ann@example.org", &password, None, &browser(2)).await.unwrap();
    house.pass(1);
    let third = house.accounts.sign_in("ann@example.org", &password, None, &browser(3)).await.unwrap();
    let listed = house.accounts.sessions(ann.id).await.unwrap();
    assert_eq!(
        listed.iter().map(|session| session.id).collect::<Vec<_>>(),
        [third.session, second.session, first.session]
    );
    assert_eq!((listed[0].user_agent.as_str(), listed[0].method), ("Browser/3", Some(Method::Password)));
    assert_eq!(listed[2].address, Some(client.address));
    assert!(listed[2].user_agent.starts_with("Evil [31mxxx") && listed[2].user_agent.len() == 300);

    assert_eq!(refusal(house.accounts.end_session(bob.id, first.session).await), "NotFound", "not theirs");
    assert_eq!(refusal(house.accounts.end_session(ann.id, SessionId::new()).await), "NotFound");
    house.accounts.end_session(ann.id, first.session).await.unwrap();
    assert!(house.accounts.session(&first.secret).await.unwrap().is_none());
    let bobs = house.sign_in("bob@example.org", PASSWORD).await.unwrap();
    assert_eq!(house.accounts.end_other_sessions(ann.id, &third.session).await.unwrap(), 1);
    assert!(house.accounts.session(&second.secret).await.unwrap().is_none());
    assert!(house.accounts.session(&third.secret).await.unwrap().is_some());
    assert!(house.accounts.session(&bobs.secret).await.unwrap().is_some(), "nobody else's");
}

on_both_databases!(nobody_has_more_than_a_hundred_sessions);
async fn nobody_has_more_than_a_hundred_sessions(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let first = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    house.pass(1);
    for _ in 0..100 {
        house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    }
    assert_eq!(house.accounts.sessions(ann.id).await.unwrap().len(), 100);
    assert!(house.accounts.session(&first.secret).await.unwrap().is_none(), "the one seen longest ago");
}

on_both_databases!(a_session_that_ended_meanwhile_does_not_come_back);
async fn a_session_that_ended_meanwhile_does_not_come_back(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    house.pass(2 * HOUR);
    // Requests that renew the session race with its end.
    let requests: Vec<_> = (0..8)
        .map(|_| {
            let (accounts, secret) = (house.accounts.clone(), own.secret.clone());
            tokio::spawn(async move { accounts.session(&secret).await.unwrap().is_some() })
        })
        .collect();
    house.accounts.sign_out(&own.secret).await.unwrap();
    for request in requests {
        request.await.unwrap();
    }
    assert!(house.accounts.session(&own.secret).await.unwrap().is_none());
    assert_eq!(house.count("select count(*) from sessions").await, 0);
}
