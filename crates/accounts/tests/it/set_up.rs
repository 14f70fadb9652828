//! The set-up link, registration, and the commands of the operator.

use accounts::{AccountSettings, Error, NewAccount, Password, Role};
use store::users;
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{
    PASSWORD, TestAccounts, account, browser, claims, now, refusal, settings, with_registration,
};

on_both_databases!(set_up_link_creates_the_owner_once);
async fn set_up_link_creates_the_owner_once(db: TestDb) {
    let test = TestAccounts::new(db);
    assert!(test.accounts.needs_setup().await.unwrap());
    let (link, later) = (
        test.accounts.create_setup_link().await.unwrap().unwrap(),
        test.accounts.create_setup_link().await.unwrap().unwrap(),
    );
    let made_up = "A".repeat(43);
    for token in ["", "x", &made_up] {
        assert_eq!(
            refusal(test.accounts.set_up(token, &account("eve@example.org"), &browser(6)).await),
            "SetupLinkInvalid"
        );
    }
    assert_eq!(test.accounts.hashes_computed(), 0, "invalid tokens cost no hash");
    let ann = test.accounts.set_up(link.expose(), &account("Ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!(
        (ann.user.role, ann.user.email.as_str(), ann.user.is_email_verified),
        (Role::Owner, "ann@example.org", true)
    );
    assert!(test.accounts.find_session(&ann.secret).await.unwrap().is_some(), "the owner is signed in");
    for token in [&link, &later] {
        let again = test.accounts.set_up(token.expose(), &account("eve@example.org"), &browser(6)).await;
        assert_eq!(refusal(again), "SetupLinkInvalid", "neither this link nor the other");
    }
    assert!(!test.accounts.needs_setup().await.unwrap());
    assert!(test.accounts.create_setup_link().await.unwrap().is_none());
    assert_eq!(test.count("select count(*) from setup_links").await, 0);
}

on_both_databases!(failed_set_up_does_not_use_up_the_link);
async fn failed_set_up_does_not_use_up_the_link(db: TestDb) {
    let test = TestAccounts::new(db);
    let link = test.accounts.create_setup_link().await.unwrap().unwrap();
    let wrong = [
        (NewAccount { email: "no address".to_owned(), ..account("") }, "InvalidEmail"),
        (NewAccount { password: Password::new("short"), ..account("a@example.org") }, "PasswordTooShort { min: 8 }"),
        (NewAccount { password: Password::new("password123"), ..account("a@example.org") }, "PasswordTooCommon"),
        (NewAccount { name: "n".repeat(256), ..account("a@example.org") }, "NameTooLong { max: 255 }"),
    ];
    for (new, expected) in wrong {
        assert_eq!(refusal(test.accounts.set_up(link.expose(), &new, &browser(1)).await), expected);
    }
    let unnamed = NewAccount { name: " \0\n ".to_owned(), ..account("ann@example.org") };
    let ann = test.accounts.set_up(link.expose(), &unnamed, &browser(1)).await.unwrap();
    assert_eq!(ann.user.name, "ann");
}

on_both_databases!(set_up_link_expires_after_a_day);
async fn set_up_link_expires_after_a_day(db: TestDb) {
    let test = TestAccounts::new(db);
    let link = test.accounts.create_setup_link().await.unwrap().unwrap();
    test.advance(24 * 60 * 60);
    assert_eq!(
        refusal(test.accounts.set_up(link.expose(), &account("a@example.org"), &browser(1)).await),
        "SetupLinkInvalid"
    );
    assert_eq!(test.accounts.prune().await.unwrap().setup_links, 1);
}

on_both_databases!(concurrent_set_ups_create_one_owner);
async fn concurrent_set_ups_create_one_owner(db: TestDb) {
    let test = TestAccounts::new(db);
    let links = [
        test.accounts.create_setup_link().await.unwrap().unwrap(),
        test.accounts.create_setup_link().await.unwrap().unwrap(),
    ];
    let attempts: Vec<_> = (0..10)
        .map(|number| {
            let (accounts, link) = (test.accounts.clone(), links[number % 2].clone());
            let new = account(&format!("{number}@example.org"));
            tokio::spawn(async move { accounts.set_up(link.expose(), &new, &browser(1)).await })
        })
        .collect();
    let mut owners = 0;
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(_) => owners += 1,
            Err(error) => assert!(matches!(error, Error::SetupLinkInvalid), "{error:?}"),
        }
    }
    assert_eq!(owners, 1);
    assert_eq!(test.count("select count(*) from users").await, 1);
    assert_eq!(test.count("select count(*) from sessions").await, 1);
}

on_both_databases!(no_link_without_passwords_or_with_an_account);
async fn no_link_without_passwords_or_with_an_account(db: TestDb) {
    let test = TestAccounts::new(db);
    let off = test.with_settings(AccountSettings { local_accounts: false, ..settings() });
    assert!(!off.needs_setup().await.unwrap() && off.create_setup_link().await.unwrap().is_none());
    let early = test.accounts.create_setup_link().await.unwrap().unwrap();
    test.accounts.sign_in_with_provider(&claims("1", "ann@example.org"), &browser(1)).await.unwrap();
    assert!(test.accounts.create_setup_link().await.unwrap().is_none());
    let late = test.accounts.set_up(early.expose(), &account("eve@example.org"), &browser(6)).await;
    assert_eq!(refusal(late), "SetupLinkInvalid", "an account was created meanwhile");
}

on_both_databases!(owner_takes_over_the_local_user);
async fn owner_takes_over_the_local_user(db: TestDb) {
    let test = TestAccounts::new(db);
    let local = users::create_unclaimed(&test.db, "owner@localhost", "", now()).await.unwrap();
    assert!(test.accounts.needs_setup().await.unwrap(), "the local user cannot sign in");
    let link = test.accounts.create_setup_link().await.unwrap().unwrap();
    let ann = test.accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!((ann.user.id, ann.user.role, ann.user.email.as_str()), (local, Role::Owner, "ann@example.org"));
    test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let bob = test.accounts.create_user(&account("bob@example.org"), Role::Owner).await.unwrap();
    assert_ne!(bob.id, local, "only the first one");
}

on_both_databases!(registration_is_closed_by_default);
async fn registration_is_closed_by_default(db: TestDb) {
    let test = TestAccounts::new(db);
    assert_eq!(refusal(test.accounts.register(&account("ann@example.org"), &browser(1)).await), "RegistrationClosed");
    let open = test.with_settings(with_registration());
    let ann = open.register(&account("Ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!((ann.user.role, ann.user.is_email_verified), (Role::Member, false), "never an owner, nothing verified");
    assert!(open.find_session(&ann.secret).await.unwrap().is_some());
    assert_eq!(refusal(open.register(&account("ANN@example.org"), &browser(1)).await), "EmailTaken");
}

on_both_databases!(concurrent_registrations_create_one_account);
async fn concurrent_registrations_create_one_account(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    let attempts: Vec<_> = (1..=8)
        .map(|number| {
            let accounts = test.accounts.clone();
            let new = account(if number % 2 == 0 { "ann@example.org" } else { "ANN@Example.org" });
            tokio::spawn(async move { accounts.register(&new, &browser(number)).await })
        })
        .collect();
    let mut made = 0;
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(_) => made += 1,
            Err(error) => assert!(matches!(error, Error::EmailTaken), "{error:?}"),
        }
    }
    assert_eq!(made, 1);
}

on_both_databases!(sign_up_rules_apply_to_registration);
async fn sign_up_rules_apply_to_registration(db: TestDb) {
    let settings = AccountSettings {
        signup_allowed: "example.org, bob@example.com".parse().unwrap(),
        owner_email: Some("Owner@Example.org".to_owned()),
        ..with_registration()
    };
    let test = TestAccounts::with(db, settings);
    let register = async |email: &str| refusal(test.accounts.register(&account(email), &browser(1)).await);
    assert_eq!(register("ann@EXAMPLE.org").await, "none");
    assert_eq!(register("bob@example.com").await, "none");
    assert_eq!(register("eve@example.com").await, "SignUpNotAllowed");
    assert_eq!(register("eve@sub.example.org").await, "SignUpNotAllowed");
    assert_eq!(register("owner@example.org").await, "SignUpNotAllowed", "the owner's address cannot register");
}

on_both_databases!(operator_creates_finds_lists_and_deletes_users);
async fn operator_creates_finds_lists_and_deletes_users(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.accounts.create_user(&account("ann@example.org"), Role::Owner).await.unwrap();
    test.advance(1);
    let bob = test.accounts.create_user(&account("bob@example.org"), Role::Member).await.unwrap();
    assert!(bob.is_email_verified && bob.has_password);
    assert_eq!(refusal(test.accounts.create_user(&account("BOB@example.org"), Role::Member).await), "EmailTaken");
    assert_eq!(test.accounts.find_user_by_email(" Bob@Example.ORG").await.unwrap().map(|user| user.id), Some(bob.id));
    assert!(test.accounts.find_user_by_email("no address").await.unwrap().is_none());
    test.sign_in("bob@example.org", PASSWORD).await.unwrap();
    let first = test.accounts.list_users(None, 1).await.unwrap();
    assert_eq!(first.iter().map(|user| user.user.id).collect::<Vec<_>>(), [ann.id]);
    assert_eq!((first[0].subscriptions, first[0].last_seen_at), (0, None));
    let second = test.accounts.list_users(Some(ann.id), 10).await.unwrap();
    assert_eq!(second.iter().map(|user| user.user.id).collect::<Vec<_>>(), [bob.id]);
    assert_eq!(second[0].last_seen_at, Some(test.clock.now()));
    assert_eq!(test.accounts.rename_user(bob.id, "  Bob\tthe\u{7}Builder ").await.unwrap().name, "Bob the Builder");
    assert_eq!(test.accounts.get_user(bob.id).await.unwrap().unwrap().name, "Bob the Builder");
    test.accounts.delete_user_by_email("BOB@example.org").await.unwrap();
    assert_eq!(refusal(test.accounts.delete_user_by_email("bob@example.org").await), "NotFound");
    assert_eq!(refusal(test.accounts.rename_user(bob.id, "Bob").await), "NotFound");
    assert_eq!(test.accounts.list_users(None, 10).await.unwrap().len(), 1);
}
