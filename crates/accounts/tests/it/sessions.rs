//! Sessions: their lifetime, their end, and the stored data.

use std::time::Duration;

use accounts::{AccountSettings, RemoteClient, SessionId, SessionSecret, SignInMethod};
use chrono::TimeDelta;
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, browser, refusal, settings};

const HOUR: u64 = 60 * 60;

on_both_databases!(use_extends_a_session);
async fn use_extends_a_session(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    assert_eq!(own.expires_at, test.clock.now() + TimeDelta::days(1));
    let look = async || test.accounts.find_session(&own.secret).await.unwrap();
    let first = look().await.unwrap();
    assert_eq!((first.public_id, first.expires_at, first.renewed), (own.session, own.expires_at, false));
    test.advance(HOUR);
    assert!(!look().await.unwrap().renewed, "not on every request");
    test.advance(HOUR);
    let renewed = look().await.unwrap();
    assert_eq!((renewed.renewed, renewed.expires_at), (true, test.clock.now() + TimeDelta::days(1)));
    assert!(!look().await.unwrap().renewed);
    for _ in 0..5 {
        test.advance(23 * HOUR);
        assert!(look().await.unwrap().renewed);
    }
    test.advance(24 * HOUR);
    assert!(look().await.is_none(), "expired after a day");
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(test.accounts.prune().await.unwrap().sessions, 1);
    assert_eq!(test.count("select count(*) from sessions").await, 0);
}

on_both_databases!(last_use_of_a_session_is_recorded_every_5_minutes);
async fn last_use_of_a_session_is_recorded_every_5_minutes(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let seen = async || {
        test.accounts.find_session(&own.secret).await.unwrap().unwrap();
        let user = &test.accounts.list_users(None, 1).await.unwrap()[0];
        let session = &test.accounts.list_sessions(ann.id).await.unwrap()[0];
        assert_eq!(user.last_seen_at, Some(session.seen_at));
        test.clock.now() - session.seen_at
    };
    test.advance(299);
    assert_eq!(seen().await.num_seconds(), 299);
    test.advance(1);
    assert_eq!(seen().await.num_seconds(), 0);
}

on_both_databases!(shorter_max_age_applies_to_open_sessions);
async fn shorter_max_age_applies_to_open_sessions(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let shorter = test.with_settings(AccountSettings { session_max_age: Duration::from_secs(HOUR), ..settings() });
    let session = shorter.find_session(&own.secret).await.unwrap().unwrap();
    assert_eq!((session.renewed, session.expires_at), (true, test.clock.now() + TimeDelta::hours(1)));
}

on_both_databases!(sign_out_ends_the_session_at_once);
async fn sign_out_ends_the_session_at_once(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let (own, other) = (
        test.sign_in("ann@example.org", PASSWORD).await.unwrap(),
        test.sign_in("ann@example.org", PASSWORD).await.unwrap(),
    );
    assert_ne!(own.secret, other.secret, "a new secret at every sign-in");
    let mut changes = test.db.signals().changes();
    test.accounts.sign_out(&own.secret).await.unwrap();
    assert_eq!(changes.try_recv().unwrap(), store::Change::User(own.user.id), "open pages get a signal");
    assert!(test.accounts.find_session(&own.secret).await.unwrap().is_none());
    assert!(test.accounts.find_session(&other.secret).await.unwrap().is_some());
    test.accounts.sign_out(&own.secret).await.expect("a second sign-out succeeds");
    let made_up = SessionSecret::parse(&"A".repeat(43)).unwrap();
    assert!(test.accounts.find_session(&made_up).await.unwrap().is_none());
}

on_both_databases!(sessions_are_listed_and_deleted);
async fn sessions_are_listed_and_deleted(db: TestDb) {
    let test = TestAccounts::new(db);
    let (ann, bob) = (test.create_user("ann@example.org").await, test.create_user("bob@example.org").await);
    let password = accounts::Password::new(PASSWORD);
    let client = RemoteClient {
        address: "2001:db8::1".parse().unwrap(),
        user_agent: format!("Evil\u{1b}[31m{}", "x".repeat(9_000)),
        language: None,
    };
    let first = test.accounts.sign_in("ann@example.org", &password, None, &client).await.unwrap();
    test.advance(1);
    let second = test.accounts.sign_in("ann@example.org", &password, None, &browser(2)).await.unwrap();
    test.advance(1);
    let third = test.accounts.sign_in("ann@example.org", &password, None, &browser(3)).await.unwrap();
    let listed = test.accounts.list_sessions(ann.id).await.unwrap();
    assert_eq!(
        listed.iter().map(|session| session.id).collect::<Vec<_>>(),
        [third.session, second.session, first.session]
    );
    assert_eq!((listed[0].user_agent.as_str(), listed[0].method), ("Browser/3", Some(SignInMethod::Password)));
    assert_eq!(listed[2].address, Some(client.address));
    assert!(listed[2].user_agent.starts_with("Evil [31mxxx") && listed[2].user_agent.len() == 300);

    assert_eq!(refusal(test.accounts.delete_session(bob.id, first.session).await), "NotFound", "another user's");
    assert_eq!(refusal(test.accounts.delete_session(ann.id, SessionId::new()).await), "NotFound");
    test.accounts.delete_session(ann.id, first.session).await.unwrap();
    assert!(test.accounts.find_session(&first.secret).await.unwrap().is_none());
    let bobs = test.sign_in("bob@example.org", PASSWORD).await.unwrap();
    assert_eq!(test.accounts.delete_other_sessions(ann.id, &third.session).await.unwrap(), 1);
    assert!(test.accounts.find_session(&second.secret).await.unwrap().is_none());
    assert!(test.accounts.find_session(&third.secret).await.unwrap().is_some());
    assert!(test.accounts.find_session(&bobs.secret).await.unwrap().is_some(), "sessions of other users stay");
}

on_both_databases!(a_user_has_at_most_100_sessions);
async fn a_user_has_at_most_100_sessions(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let first = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    test.advance(1);
    for _ in 0..100 {
        test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    }
    assert_eq!(test.accounts.list_sessions(ann.id).await.unwrap().len(), 100);
    assert!(test.accounts.find_session(&first.secret).await.unwrap().is_none(), "the one used longest ago");
}

on_both_databases!(renewal_does_not_revive_an_ended_session);
async fn renewal_does_not_revive_an_ended_session(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    test.advance(2 * HOUR);
    // Requests that renew the session race with the sign-out.
    let requests: Vec<_> = (0..8)
        .map(|_| {
            let (accounts, secret) = (test.accounts.clone(), own.secret.clone());
            tokio::spawn(async move { accounts.find_session(&secret).await.unwrap().is_some() })
        })
        .collect();
    test.accounts.sign_out(&own.secret).await.unwrap();
    for request in requests {
        request.await.unwrap();
    }
    assert!(test.accounts.find_session(&own.secret).await.unwrap().is_none());
    assert_eq!(test.count("select count(*) from sessions").await, 0);
}
