//! Guessing is slow, and the owner is not locked out by it.

use accounts::{Client, Device, Error, Password};
use testkit::{TestDb, on_both_databases};

use crate::house::{House, PASSWORD, account, browser, open, refusal};

const WRONG: &str = "not the password";
const WAIT: &str = "TooManyAttempts { seconds: 7 }";

impl House {
    /// How a guess ends, and whether a hash was computed for it.
    async fn guess(&self, email: &str, device: Option<&Device>, client: &Client) -> (String, bool) {
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

on_both_databases!(ten_guesses_a_minute_from_one_address_then_no_hash_is_computed);
async fn ten_guesses_a_minute_from_one_address_then_no_hash_is_computed(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    for number in 0..10 {
        // Another account each time: it is the address that guesses.
        assert_eq!(house.guess(&format!("{number}@example.org"), None, &browser(1)).await, wrong());
    }
    assert_eq!(house.guess("ann@example.org", None, &browser(1)).await, throttled());
    assert_eq!(refusal(house.sign_in("ann@example.org", PASSWORD).await), WAIT, "the right one neither");
    assert_eq!(house.guess("ann@example.org", None, &browser(2)).await, wrong(), "another address");
    house.pass(7);
    house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    assert_eq!(house.guess("ann@example.org", None, &browser(1)).await, wrong(), "being right cost nothing");
    assert_eq!(house.guess("ann@example.org", None, &browser(1)).await.0, "TooManyAttempts { seconds: 6 }");
}

on_both_databases!(ten_guesses_a_minute_at_one_account_from_anywhere);
async fn ten_guesses_a_minute_at_one_account_from_anywhere(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    for email in ["ann@example.org", "nobody@example.org", "no address at all"] {
        for number in 0..10 {
            assert_eq!(house.guess(email, None, &browser(100 + number)).await, wrong());
        }
        assert_eq!(house.guess(email, None, &browser(99)).await, throttled(), "{email}: known or not");
        house.pass(60);
    }
    for number in 0..10 {
        let email = if number % 2 == 0 { "ann@example.org" } else { " ANN@example.org" };
        assert_eq!(house.guess(email, None, &browser(100 + number)).await, wrong());
    }
    assert_eq!(
        house.guess("Ann@Example.Org", None, &browser(99)).await,
        throttled(),
        "one account however it is written"
    );
}

on_both_databases!(addresses_of_one_network_are_one);
async fn addresses_of_one_network_are_one(db: TestDb) {
    let house = House::new(db);
    let client = |last: u16| Client {
        address: std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, 2, last, last, 0, last).into(),
        user_agent: String::new(),
    };
    for number in 0..10 {
        assert_eq!(house.guess(&format!("{number}@example.org"), None, &client(number)).await, wrong());
    }
    assert_eq!(house.guess("ann@example.org", None, &client(500)).await, throttled());
}

on_both_databases!(of_many_guesses_at_once_ten_are_judged);
async fn of_many_guesses_at_once_ten_are_judged(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let before = house.accounts.hashes_computed();
    let guesses: Vec<_> = (0..50)
        .map(|number| {
            let accounts = house.accounts.clone();
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
    assert_eq!((judged, house.accounts.hashes_computed() - before), (10, 10));
}

on_both_databases!(processes_share_the_buckets);
async fn processes_share_the_buckets(db: TestDb) {
    let house = House::new(db);
    let other = house.under(crate::house::settings());
    for _ in 0..5 {
        assert_eq!(house.guess("ann@example.org", None, &browser(1)).await, wrong());
        assert_eq!(
            refusal(other.sign_in("ann@example.org", &Password::new(WRONG), None, &browser(1)).await),
            "WrongCredentials"
        );
    }
    assert_eq!(house.guess("ann@example.org", None, &browser(1)).await, throttled());
}

on_both_databases!(strangers_do_not_lock_a_known_browser_out);
async fn strangers_do_not_lock_a_known_browser_out(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    house.add("bob@example.org").await;
    let device = house.sign_in("ann@example.org", PASSWORD).await.unwrap().device;
    for _ in 0..12 {
        house.guess("ann@example.org", None, &browser(1)).await;
    }
    assert_eq!(refusal(house.sign_in("ann@example.org", PASSWORD).await), WAIT, "an unknown browser waits");
    let password = Password::new(PASSWORD);
    let known = house.accounts.sign_in("ann@example.org", &password, Some(&device), &browser(1)).await;
    known.expect("even behind the address from which somebody hammers");
    // It is no way to guess faster: only at its own account, and ten a minute.
    assert_eq!(house.guess("bob@example.org", Some(&device), &browser(1)).await, throttled(), "by its address");
    for _ in 0..10 {
        assert_eq!(house.guess("ann@example.org", Some(&device), &browser(1)).await, wrong());
    }
    assert_eq!(house.guess("ann@example.org", Some(&device), &browser(2)).await, throttled());
}

on_both_databases!(being_right_costs_nothing);
async fn being_right_costs_nothing(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    for _ in 0..25 {
        house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    }
}

on_both_databases!(accounts_are_made_ten_a_minute_from_one_address);
async fn accounts_are_made_ten_a_minute_from_one_address(db: TestDb) {
    let house = House::with(db, open());
    house.accounts.register(&account("taken@example.org"), &browser(2)).await.unwrap();
    for number in 0..9 {
        house.accounts.register(&account(&format!("{number}@example.org")), &browser(1)).await.unwrap();
    }
    assert_eq!(refusal(house.accounts.register(&account("taken@example.org"), &browser(1)).await), "EmailTaken");
    let refused = house.accounts.register(&account("late@example.org"), &browser(1)).await;
    assert_eq!(refusal(refused), WAIT, "what failed counts too");
    house.accounts.register(&account("late@example.org"), &browser(3)).await.unwrap();
}
