//! Wrong passwords are limited without locking the user out.

use accounts::{Device, Error, Password, RemoteClient};
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, account, browser, refusal, with_registration};

const WRONG: &str = "not the password";
const WAIT: &str = "TooManyAttempts { seconds: 7 }";

impl TestAccounts {
    /// Tries a wrong password: returns the error, and whether a hash was computed.
    async fn guess(&self, email: &str, device: Option<&Device>, client: &RemoteClient) -> (String, bool) {
        let before = self.accounts.hashes_computed();
        let refused = self.accounts.sign_in(email, &Password::new(WRONG), device, client).await;
        (refusal(refused), self.accounts.hashes_computed() > before)
    }
}

fn wrong() -> (String, bool) {
    ("WrongCredentials".to_owned(), true)
}

fn throttled() -> (String, bool) {
    (WAIT.to_owned(), false)
}

on_both_databases!(ten_wrong_passwords_a_minute_per_address);
async fn ten_wrong_passwords_a_minute_per_address(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    for number in 0..10 {
        // Another account each time, so only the address counts.
        assert_eq!(test.guess(&format!("{number}@example.org"), None, &browser(1)).await, wrong());
    }
    assert_eq!(test.guess("ann@example.org", None, &browser(1)).await, throttled());
    assert_eq!(refusal(test.sign_in("ann@example.org", PASSWORD).await), WAIT, "the right password too");
    assert_eq!(test.guess("ann@example.org", None, &browser(2)).await, wrong(), "another address");
    test.advance(7);
    test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    assert_eq!(test.guess("ann@example.org", None, &browser(1)).await, wrong(), "the right password took no token");
    assert_eq!(test.guess("ann@example.org", None, &browser(1)).await.0, "TooManyAttempts { seconds: 6 }");
}

on_both_databases!(ten_wrong_passwords_a_minute_per_account);
async fn ten_wrong_passwords_a_minute_per_account(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    for email in ["ann@example.org", "unknown@example.org", "no address at all"] {
        for number in 0..10 {
            assert_eq!(test.guess(email, None, &browser(100 + number)).await, wrong());
        }
        assert_eq!(test.guess(email, None, &browser(99)).await, throttled(), "{email}: known or not");
        test.advance(60);
    }
    for number in 0..10 {
        let email = if number % 2 == 0 { "ann@example.org" } else { " ANN@example.org" };
        assert_eq!(test.guess(email, None, &browser(100 + number)).await, wrong());
    }
    assert_eq!(test.guess("Ann@Example.Org", None, &browser(99)).await, throttled(), "all spellings are one account");
}

on_both_databases!(addresses_of_one_network_share_a_bucket);
async fn addresses_of_one_network_share_a_bucket(db: TestDb) {
    let test = TestAccounts::new(db);
    let client = |last: u16| RemoteClient {
        address: std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, 2, last, last, 0, last).into(),
        user_agent: String::new(),
        language: None,
    };
    for number in 0..10 {
        assert_eq!(test.guess(&format!("{number}@example.org"), None, &client(number)).await, wrong());
    }
    assert_eq!(test.guess("ann@example.org", None, &client(500)).await, throttled());
}

on_both_databases!(ten_of_50_concurrent_guesses_are_checked);
async fn ten_of_50_concurrent_guesses_are_checked(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let before = test.accounts.hashes_computed();
    let guesses: Vec<_> = (0..50)
        .map(|number| {
            let accounts = test.accounts.clone();
            tokio::spawn(async move {
                accounts.sign_in("ann@example.org", &Password::new(WRONG), None, &browser(number)).await
            })
        })
        .collect();
    let mut judged = 0;
    for guess in guesses {
        match guess.await.unwrap().map_err(Error::from) {
            Err(Error::WrongCredentials) => judged += 1,
            Err(Error::TooManyAttempts { seconds: 7 }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((judged, test.accounts.hashes_computed() - before), (10, 10));
}

on_both_databases!(buckets_are_shared_between_processes);
async fn buckets_are_shared_between_processes(db: TestDb) {
    let test = TestAccounts::new(db);
    let other = test.with_settings(crate::test_accounts::settings());
    for _ in 0..5 {
        assert_eq!(test.guess("ann@example.org", None, &browser(1)).await, wrong());
        assert_eq!(
            refusal(other.sign_in("ann@example.org", &Password::new(WRONG), None, &browser(1)).await),
            "WrongCredentials"
        );
    }
    assert_eq!(test.guess("ann@example.org", None, &browser(1)).await, throttled());
}

on_both_databases!(attackers_cannot_lock_out_a_known_browser);
async fn attackers_cannot_lock_out_a_known_browser(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    test.create_user("bob@example.org").await;
    let device = test.sign_in("ann@example.org", PASSWORD).await.unwrap().device;
    for _ in 0..12 {
        test.guess("ann@example.org", None, &browser(1)).await;
    }
    assert_eq!(refusal(test.sign_in("ann@example.org", PASSWORD).await), WAIT, "an unknown browser waits");
    let password = Password::new(PASSWORD);
    let known = test.accounts.sign_in("ann@example.org", &password, Some(&device), &browser(1)).await;
    known.expect("a known browser can sign in, even from the same address");
    // The device allows ten attempts a minute, and only for its own account.
    assert_eq!(test.guess("bob@example.org", Some(&device), &browser(1)).await, throttled(), "by its address");
    for _ in 0..10 {
        assert_eq!(test.guess("ann@example.org", Some(&device), &browser(1)).await, wrong());
    }
    assert_eq!(test.guess("ann@example.org", Some(&device), &browser(2)).await, throttled());
}

on_both_databases!(right_passwords_take_no_tokens);
async fn right_passwords_take_no_tokens(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    for _ in 0..25 {
        test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    }
}

on_both_databases!(ten_registrations_a_minute_per_address);
async fn ten_registrations_a_minute_per_address(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    test.accounts.register(&account("taken@example.org"), &browser(2)).await.unwrap();
    for number in 0..9 {
        test.accounts.register(&account(&format!("{number}@example.org")), &browser(1)).await.unwrap();
    }
    assert_eq!(refusal(test.accounts.register(&account("taken@example.org"), &browser(1)).await), "EmailTaken");
    let refused = test.accounts.register(&account("late@example.org"), &browser(1)).await;
    assert_eq!(refusal(refused), WAIT, "a failed registration counts too");
    test.accounts.register(&account("late@example.org"), &browser(3)).await.unwrap();
}
