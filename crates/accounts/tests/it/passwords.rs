//! Sign-in with a password, and changing the password.

use accounts::{AccountSettings, Accounts, Device, Error, HashCost, Password, Role};
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, account, browser, claims, refusal, settings};

const OTHER: &str = "another horse, another day";

on_both_databases!(sign_in_normalises_the_address);
async fn sign_in_normalises_the_address(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("Ann@Example.org").await;
    assert_eq!(ann.email, "ann@example.org");
    for email in ["ann@example.org", " ANN@example.ORG "] {
        let signed_in = test.sign_in(email, PASSWORD).await.unwrap();
        assert_eq!(signed_in.user.id, ann.id);
        assert_eq!(test.accounts.find_session(&signed_in.secret).await.unwrap().unwrap().user.id, ann.id);
    }
}

on_both_databases!(wrong_password_and_unknown_account_look_the_same);
async fn wrong_password_and_unknown_account_look_the_same(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    // An account created by a provider has no password.
    test.accounts.sign_in_with_provider(&claims("1", "bob@example.org"), &browser(9)).await.unwrap();
    for (number, email) in
        (10..).zip(["ann@example.org", "bob@example.org", "unknown@example.org", "no address", "a\0b@c"])
    {
        let before = test.accounts.hashes_computed();
        let refused = test.accounts.sign_in(email, &Password::new("wrong password"), None, &browser(number)).await;
        assert_eq!(refusal(refused), "WrongCredentials", "{email}");
        assert_eq!(test.accounts.hashes_computed() - before, 1, "{email}: one hash");
    }
    for password in ["", "\0", &"x".repeat(100_000)] {
        assert_eq!(refusal(test.sign_in("ann@example.org", password).await), "WrongCredentials");
    }
}

on_both_databases!(sign_in_replaces_hashes_of_another_cost);
async fn sign_in_replaces_hashes_of_another_cost(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let dearer = test.with_settings(AccountSettings { argon2: HashCost { memory_kib: 16, passes: 2 }, ..settings() });
    let password = Password::new(PASSWORD);
    let stored = async || test.db.read("select password_hash from users").scalar::<String>().await.unwrap();
    let first = stored().await;
    assert!(first.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{first}");
    dearer.sign_in("ann@example.org", &password, None, &browser(1)).await.unwrap();
    let second = stored().await;
    assert!(second.starts_with("$argon2id$v=19$m=16,t=2,p=1$"), "{second}");
    dearer.sign_in("ann@example.org", &password, None, &browser(1)).await.unwrap();
    assert_eq!(stored().await, second, "only once");
}

on_both_databases!(new_password_ends_other_sessions_and_keeps_tokens);
async fn new_password_ends_other_sessions_and_keeps_tokens(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let (own, other) = (
        test.sign_in("ann@example.org", PASSWORD).await.unwrap(),
        test.sign_in("ann@example.org", PASSWORD).await.unwrap(),
    );
    let (_, token) = test.accounts.create_token(ann.id, "script", accounts::Scope::Read).await.unwrap();
    let change = async |current: Option<&str>, new: &str| {
        let current = current.map(Password::new);
        test.accounts.update_password(ann.id, &own.session, current.as_ref(), &Password::new(new), &browser(1)).await
    };
    assert_eq!(refusal(change(Some("wrong password"), OTHER).await), "WrongCurrentPassword");
    assert_eq!(refusal(change(None, OTHER).await), "WrongCurrentPassword", "the current password is required");
    assert_eq!(refusal(change(Some(PASSWORD), "short").await), "PasswordTooShort { min: 8 }");
    assert_eq!(refusal(change(Some(PASSWORD), "ANN@example.org").await), "PasswordTooCommon");
    assert!(test.accounts.find_session(&other.secret).await.unwrap().is_some(), "nothing has changed so far");
    change(Some(PASSWORD), OTHER).await.unwrap();
    assert!(test.accounts.find_session(&own.secret).await.unwrap().is_some());
    assert!(test.accounts.find_session(&other.secret).await.unwrap().is_none());
    assert!(test.accounts.find_token(token.expose()).await.unwrap().is_some());
    assert_eq!(refusal(test.sign_in("ann@example.org", PASSWORD).await), "WrongCredentials");
    test.sign_in("ann@example.org", OTHER).await.unwrap();
}

on_both_databases!(current_password_attempts_are_limited);
async fn current_password_attempts_are_limited(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let guess = async |current: &str| {
        let current = Password::new(current);
        test.accounts.update_password(ann.id, &own.session, Some(&current), &Password::new(OTHER), &browser(1)).await
    };
    for _ in 0..10 {
        assert_eq!(refusal(guess("wrong password").await), "WrongCurrentPassword");
    }
    let before = test.accounts.hashes_computed();
    assert_eq!(refusal(guess(PASSWORD).await), "TooManyAttempts { seconds: 7 }");
    assert_eq!(test.accounts.hashes_computed(), before);
    test.sign_in("ann@example.org", PASSWORD).await.expect("sign-in has its own bucket");
    test.advance(7);
    guess(PASSWORD).await.unwrap();
}

on_both_databases!(provider_user_can_set_a_first_password);
async fn provider_user_can_set_a_first_password(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.accounts.sign_in_with_provider(&claims("1", "ann@example.org"), &browser(1)).await.unwrap();
    assert!(!ann.user.has_password);
    test.accounts
        .update_password(ann.user.id, &ann.session, None, &Password::new(PASSWORD), &browser(1))
        .await
        .unwrap();
    assert!(test.sign_in("ann@example.org", PASSWORD).await.unwrap().user.has_password);
}

on_both_databases!(no_session_outlives_a_password_change);
async fn no_session_outlives_a_password_change(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    // Sign-ins with the old password race with the change. None of their sessions survives it.
    for round in 0..5 {
        let (old, new) = (format!("password number {round}"), format!("password number {}", round + 1));
        test.accounts.set_password("ann@example.org", &Password::new(old.clone())).await.unwrap();
        let own = test.sign_in("ann@example.org", &old).await.unwrap();
        let late: Vec<_> = (0..4)
            .map(|_| {
                let (accounts, old) = (test.accounts.clone(), Password::new(old.clone()));
                tokio::spawn(async move { accounts.sign_in("ann@example.org", &old, None, &browser(1)).await })
            })
            .collect();
        let (current, new) = (Password::new(old), Password::new(new));
        test.accounts.update_password(ann.id, &own.session, Some(&current), &new, &browser(1)).await.unwrap();
        for attempt in late {
            // The change ended earlier sessions; later sign-ins were rejected.
            let attempt = attempt.await.unwrap().map_err(Error::from);
            assert!(matches!(attempt, Ok(_) | Err(Error::WrongCredentials | Error::NotFound)), "{attempt:?}");
        }
        let left = test.accounts.list_sessions(ann.id).await.unwrap();
        assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [own.session]);
        test.advance(60);
    }
}

on_both_databases!(operator_sets_passwords_and_ends_all_sessions);
async fn operator_sets_passwords_and_ends_all_sessions(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    test.accounts.set_password("Ann@example.org", &Password::new(OTHER)).await.unwrap();
    assert!(test.accounts.find_session(&own.secret).await.unwrap().is_none());
    test.sign_in("ann@example.org", OTHER).await.unwrap();
    assert_eq!(refusal(test.accounts.set_password("bob@example.org", &Password::new(OTHER)).await), "NotFound");
    assert_eq!(
        refusal(test.accounts.set_password("ann@example.org", &Password::new("12345678")).await),
        "PasswordTooCommon"
    );
}

on_both_databases!(passwords_do_not_work_when_they_are_off);
async fn passwords_do_not_work_when_they_are_off(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let off: Accounts = test.with_settings(AccountSettings { local_accounts: false, ..settings() });
    let (password, client) = (Password::new(PASSWORD), browser(1));
    assert_eq!(refusal(off.sign_in("ann@example.org", &password, None, &client).await), "LocalAccountsOff");
    assert_eq!(refusal(off.register(&account("bob@example.org"), &client).await), "LocalAccountsOff");
    assert_eq!(refusal(off.set_up("token", &account("bob@example.org"), &client).await), "LocalAccountsOff");
    let session = accounts::SessionId::new();
    assert_eq!(refusal(off.update_password(ann.id, &session, None, &password, &client).await), "LocalAccountsOff");
    off.create_user(&account("bob@example.org"), Role::Member).await.expect("the operator can create users");
}

on_both_databases!(device_is_kept_for_the_same_user);
async fn device_is_kept_for_the_same_user(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    test.create_user("bob@example.org").await;
    let ann = test.sign_in("ann@example.org", PASSWORD).await.unwrap().device;
    let password = Password::new(PASSWORD);
    let sign_in = async |email: &str, device: &Device| {
        test.accounts.sign_in(email, &password, Some(device), &browser(1)).await.unwrap().device
    };
    assert_eq!(sign_in("ann@example.org", &ann).await, ann);
    let bob = sign_in("bob@example.org", &ann).await;
    assert!(bob.user_id != ann.user_id && bob.id != ann.id, "another user has another device");
}
