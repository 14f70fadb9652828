//! Getting in with a password, and changing it.

use accounts::{Accounts, Cost, Device, Error, Password, Role, Settings};
use testkit::{TestDb, on_both_databases};

use crate::house::{House, PASSWORD, account, browser, claims, refusal, settings};

const OTHER: &str = "another horse, another day";

on_both_databases!(the_right_password_lets_in_however_the_address_is_written);
async fn the_right_password_lets_in_however_the_address_is_written(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("Ann@Example.org").await;
    assert_eq!(ann.email, "ann@example.org");
    for email in ["ann@example.org", " ANN@example.ORG "] {
        let signed_in = house.sign_in(email, PASSWORD).await.unwrap();
        assert_eq!(signed_in.user.id, ann.id);
        assert_eq!(house.accounts.session(&signed_in.secret).await.unwrap().unwrap().user.id, ann.id);
    }
}

on_both_databases!(a_wrong_password_and_no_account_have_the_same_answer_and_cost);
async fn a_wrong_password_and_no_account_have_the_same_answer_and_cost(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    // An account that only a provider lets in has no password to compare with.
    house.accounts.sign_in_as(&claims("1", "bob@example.org"), &browser(9)).await.unwrap();
    for (number, email) in
        (10..).zip(["ann@example.org", "bob@example.org", "nobody@example.org", "no address", "a\0b@c"])
    {
        let before = house.accounts.hashes_computed();
        let refused = house.accounts.sign_in(email, &Password::new("wrong password"), None, &browser(number)).await;
        assert_eq!(refusal(refused), "WrongCredentials", "{email}");
        assert_eq!(house.accounts.hashes_computed() - before, 1, "{email}: the work is done");
    }
    for password in ["", "\0", &"x".repeat(100_000)] {
        assert_eq!(refusal(house.sign_in("ann@example.org", password).await), "WrongCredentials");
    }
}

on_both_databases!(a_hash_of_another_cost_is_replaced_at_sign_in);
async fn a_hash_of_another_cost_is_replaced_at_sign_in(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let dearer = house.under(Settings { argon2: Cost { memory_kib: 16, passes: 2 }, ..settings() });
    let password = Password::new(PASSWORD);
    let stored = async || house.db.read("select password_hash from users").scalar::<String>().await.unwrap();
    let first = stored().await;
    assert!(first.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{first}");
    dearer.sign_in("ann@example.org", &password, None, &browser(1)).await.unwrap();
    let second = stored().await;
    assert!(second.starts_with("$argon2id$v=19$m=16,t=2,p=1$"), "{second}");
    dearer.sign_in("ann@example.org", &password, None, &browser(1)).await.unwrap();
    assert_eq!(stored().await, second, "only once");
}

on_both_databases!(a_change_of_password_ends_the_other_sessions_and_keeps_tokens);
async fn a_change_of_password_ends_the_other_sessions_and_keeps_tokens(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let (own, other) = (
        house.sign_in("ann@example.org", PASSWORD).await.unwrap(),
        house.sign_in("ann@example.org", PASSWORD).await.unwrap(),
    );
    let (_, token) = house.accounts.create_token(ann.id, "script", accounts::Scope::Read).await.unwrap();
    let change = async |current: Option<&str>, new: &str| {
        let current = current.map(Password::new);
        house.accounts.change_password(ann.id, &own.session, current.as_ref(), &Password::new(new), &browser(1)).await
    };
    assert_eq!(refusal(change(Some("wrong password"), OTHER).await), "WrongCurrentPassword");
    assert_eq!(refusal(change(None, OTHER).await), "WrongCurrentPassword", "whoever has one must know it");
    assert_eq!(refusal(change(Some(PASSWORD), "short").await), "PasswordTooShort { min: 8 }");
    assert_eq!(refusal(change(Some(PASSWORD), "ANN@example.org").await), "PasswordTooCommon");
    assert!(house.accounts.session(&other.secret).await.unwrap().is_some(), "nothing has changed so far");
    change(Some(PASSWORD), OTHER).await.unwrap();
    assert!(house.accounts.session(&own.secret).await.unwrap().is_some());
    assert!(house.accounts.session(&other.secret).await.unwrap().is_none());
    assert!(house.accounts.token(token.expose()).await.unwrap().is_some());
    assert_eq!(refusal(house.sign_in("ann@example.org", PASSWORD).await), "WrongCredentials");
    house.sign_in("ann@example.org", OTHER).await.unwrap();
}

on_both_databases!(guessing_the_current_password_in_a_session_is_limited);
async fn guessing_the_current_password_in_a_session_is_limited(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let guess = async |current: &str| {
        let current = Password::new(current);
        house.accounts.change_password(ann.id, &own.session, Some(&current), &Password::new(OTHER), &browser(1)).await
    };
    for _ in 0..10 {
        assert_eq!(refusal(guess("wrong password").await), "WrongCurrentPassword");
    }
    let before = house.accounts.hashes_computed();
    assert_eq!(refusal(guess(PASSWORD).await), "TooManyAttempts { seconds: 7 }");
    assert_eq!(house.accounts.hashes_computed(), before);
    house.sign_in("ann@example.org", PASSWORD).await.expect("signing in is another bucket");
    house.pass(7);
    guess(PASSWORD).await.unwrap();
}

on_both_databases!(whoever_came_with_a_provider_may_set_a_first_password);
async fn whoever_came_with_a_provider_may_set_a_first_password(db: TestDb) {
    let house = House::new(db);
    let ann = house.accounts.sign_in_as(&claims("1", "ann@example.org"), &browser(1)).await.unwrap();
    assert!(!ann.user.has_password);
    house
        .accounts
        .change_password(ann.user.id, &ann.session, None, &Password::new(PASSWORD), &browser(1))
        .await
        .unwrap();
    assert!(house.sign_in("ann@example.org", PASSWORD).await.unwrap().user.has_password);
}

on_both_databases!(a_session_never_outlives_the_change_of_its_password);
async fn a_session_never_outlives_the_change_of_its_password(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    // Sign-ins with the old password race with the change; whichever way each of them ends, none is left afterwards.
    for round in 0..5 {
        let (old, new) = (format!("password number {round}"), format!("password number {}", round + 1));
        house.accounts.set_password("ann@example.org", &Password::new(old.clone())).await.unwrap();
        let own = house.sign_in("ann@example.org", &old).await.unwrap();
        let late: Vec<_> = (0..4)
            .map(|_| {
                let (accounts, old) = (house.accounts.clone(), Password::new(old.clone()));
                tokio::spawn(async move { accounts.sign_in("ann@example.org", &old, None, &browser(1)).await })
            })
            .collect();
        let (current, new) = (Password::new(old), Password::new(new));
        house.accounts.change_password(ann.id, &own.session, Some(&current), &new, &browser(1)).await.unwrap();
        for attempt in late {
            // What began before the change has ended with it, what came after was refused.
            let attempt = attempt.await.unwrap().map_err(Error::from);
            assert!(matches!(attempt, Ok(_) | Err(Error::WrongCredentials | Error::NotFound)), "{attempt:?}");
        }
        let left = house.accounts.sessions(ann.id).await.unwrap();
        assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [own.session]);
        house.pass(60);
    }
}

on_both_databases!(the_operator_sets_passwords_and_ends_all_sessions);
async fn the_operator_sets_passwords_and_ends_all_sessions(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    house.accounts.set_password("Ann@example.org", &Password::new(OTHER)).await.unwrap();
    assert!(house.accounts.session(&own.secret).await.unwrap().is_none());
    house.sign_in("ann@example.org", OTHER).await.unwrap();
    assert_eq!(refusal(house.accounts.set_password("bob@example.org", &Password::new(OTHER)).await), "NotFound");
    assert_eq!(
        refusal(house.accounts.set_password("ann@example.org", &Password::new("12345678")).await),
        "PasswordTooCommon"
    );
}

on_both_databases!(where_passwords_are_off_nobody_gets_in_with_one);
async fn where_passwords_are_off_nobody_gets_in_with_one(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let off: Accounts = house.under(Settings { local_accounts: false, ..settings() });
    let (password, client) = (Password::new(PASSWORD), browser(1));
    assert_eq!(refusal(off.sign_in("ann@example.org", &password, None, &client).await), "LocalAccountsOff");
    assert_eq!(refusal(off.register(&account("bob@example.org"), &client).await), "LocalAccountsOff");
    assert_eq!(refusal(off.set_up("token", &account("bob@example.org"), &client).await), "LocalAccountsOff");
    let session = accounts::SessionId::new();
    assert_eq!(refusal(off.change_password(ann.id, &session, None, &password, &client).await), "LocalAccountsOff");
    off.add(&account("bob@example.org"), Role::Member).await.expect("the operator still may");
}

on_both_databases!(a_browser_that_was_let_in_is_known_again);
async fn a_browser_that_was_let_in_is_known_again(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    house.add("bob@example.org").await;
    let ann = house.sign_in("ann@example.org", PASSWORD).await.unwrap().device;
    let password = Password::new(PASSWORD);
    let sign_in = async |email: &str, device: &Device| {
        house.accounts.sign_in(email, &password, Some(device), &browser(1)).await.unwrap().device
    };
    assert_eq!(sign_in("ann@example.org", &ann).await, ann);
    let bob = sign_in("bob@example.org", &ann).await;
    assert!(bob.user_id != ann.user_id && bob.id != ann.id, "somebody else in the same browser is somebody else");
}
