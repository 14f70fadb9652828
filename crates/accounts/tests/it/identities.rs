//! Sign-in with a provider: finding, creating and linking accounts.

use std::sync::Arc;

use accounts::{
    AccountSettings, Error, RemoteClient, Role, SignInMethod,
    openid::{Claims, ProviderId},
};
use store::{user_settings::DisplayLanguage, users};
use testkit::{TestDb, on_both_databases};
use tokio::sync::Barrier;

use crate::test_accounts::{
    PASSWORD, TestAccounts, account, browser, claims, now, refusal, settings, with_registration,
};

impl TestAccounts {
    async fn sign_in_with_provider(&self, claims: &Claims) -> accounts::Result<accounts::SignedIn> {
        self.accounts.sign_in_with_provider(claims, &browser(1)).await
    }
}

on_both_databases!(new_identity_creates_an_account);
async fn new_identity_creates_an_account(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.sign_in_with_provider(&claims("1", "Ann@Example.org")).await.unwrap();
    assert_eq!((ann.user.email.as_str(), ann.user.name.as_str()), ("ann@example.org", "Ann Smith"));
    assert_eq!((ann.user.role, ann.user.is_email_verified), (Role::Member, true), "the first user is not an owner");
    test.advance(10);
    // The subject identifies the user, even if the address changes or is no longer verified.
    let moved = Claims { email_verified: false, ..claims("1", "ann@elsewhere.example") };
    let again = test.sign_in_with_provider(&moved).await.unwrap();
    assert_eq!((again.user.id, again.user.email.as_str()), (ann.user.id, "ann@example.org"));
    assert_ne!(again.secret, ann.secret, "a new secret at every sign-in");
    let gone = Claims { email: None, ..claims("1", "") };
    assert_eq!(test.sign_in_with_provider(&gone).await.unwrap().user.id, ann.user.id);
    let known = test.accounts.list_identities(ann.user.id).await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!((known[0].provider.as_str(), known[0].email.as_deref()), ("oidc", Some("ann@elsewhere.example")));
    assert_eq!(known[0].last_used_at, Some(test.clock.now()));
    assert_eq!(test.accounts.list_sessions(ann.user.id).await.unwrap()[0].method, Some(SignInMethod::Oidc));
}

on_both_databases!(new_account_has_the_language_of_the_browser);
async fn new_account_has_the_language_of_the_browser(db: TestDb) {
    let test = TestAccounts::new(db);
    let from = |language| RemoteClient { language, ..browser(1) };
    let ann = claims("1", "ann@example.org");
    let user = test.accounts.sign_in_with_provider(&ann, &from(Some(DisplayLanguage::Ja))).await.unwrap().user.id;
    assert_eq!(test.accounts.get_settings(user).await.unwrap().language, Some(DisplayLanguage::Ja));
    // Only the first sign-in sets it.
    test.accounts.sign_in_with_provider(&ann, &from(Some(DisplayLanguage::En))).await.unwrap();
    assert_eq!(test.accounts.get_settings(user).await.unwrap().language, Some(DisplayLanguage::Ja));
    let bob = test.accounts.sign_in_with_provider(&claims("2", "bob@example.org"), &from(None)).await.unwrap().user.id;
    assert_eq!(test.accounts.get_settings(bob).await.unwrap().language, None);
}

on_both_databases!(same_subject_at_another_issuer_is_another_user);
async fn same_subject_at_another_issuer_is_another_user(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.sign_in_with_provider(&claims("1", "ann@example.org")).await.unwrap();
    let elsewhere = Claims { issuer: "https://evil.example".to_owned(), ..claims("1", "eve@example.org") };
    let google = Claims { provider: ProviderId::Google, ..claims("1", "gil@example.org") };
    for other in [elsewhere, google] {
        assert_ne!(test.sign_in_with_provider(&other).await.unwrap().user.id, ann.user.id);
    }
}

on_both_databases!(verified_address_links_to_a_verified_account);
async fn verified_address_links_to_a_verified_account(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let signed_in = test.sign_in_with_provider(&claims("1", "ANN@example.org")).await.unwrap();
    assert_eq!(signed_in.user.id, ann.id);
    test.sign_in("ann@example.org", PASSWORD).await.expect("the password still works");
    let second = test.sign_in_with_provider(&claims("2", "ann@example.org")).await.unwrap();
    assert_eq!(second.user.id, ann.id);
    assert_eq!(test.accounts.list_identities(ann.id).await.unwrap().len(), 2);
    assert_eq!(test.count("select count(*) from users").await, 1);
}

on_both_databases!(unverified_address_is_rejected);
async fn unverified_address_is_rejected(db: TestDb) {
    let test = TestAccounts::new(db);
    test.create_user("ann@example.org").await;
    let wrong = [
        Claims { email_verified: false, ..claims("1", "ann@example.org") },
        Claims { email_verified: false, ..claims("1", "new@example.org") },
        Claims { email: None, ..claims("1", "") },
        claims("1", "no address"),
        // Becomes an ASCII letter in lower case.
        claims("1", "\u{212a}ann@example.org"),
    ];
    for claims in wrong {
        assert_eq!(refusal(test.sign_in_with_provider(&claims).await), "EmailNotVerified", "{claims:?}");
    }
    assert_eq!(test.count("select count(*) from users").await, 1);
    assert_eq!(test.count("select count(*) from identities").await, 0);
}

on_both_databases!(unverified_account_is_not_linked);
async fn unverified_account_is_not_linked(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    // Eve registers with Ann's address and waits until Ann signs in with a provider.
    let eve = test.accounts.register(&account("ann@example.org"), &browser(6)).await.unwrap();
    assert_eq!(refusal(test.sign_in_with_provider(&claims("1", "ann@example.org")).await), "EmailNotVerified");
    assert!(test.accounts.list_identities(eve.user.id).await.unwrap().is_empty());
    // A user who knows the password links the identity in the settings, which verifies the address.
    test.accounts.link_identity(eve.user.id, &claims("1", "ann@example.org")).await.unwrap();
    assert_eq!(test.sign_in_with_provider(&claims("1", "ann@example.org")).await.unwrap().user.id, eve.user.id);
    assert!(test.accounts.get_user(eve.user.id).await.unwrap().unwrap().is_email_verified);
}

on_both_databases!(linking_another_address_verifies_nothing);
async fn linking_another_address_verifies_nothing(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    let eve = test.accounts.register(&account("ann@example.org"), &browser(6)).await.unwrap();
    test.accounts.link_identity(eve.user.id, &claims("666", "eve@example.org")).await.unwrap();
    test.accounts
        .link_identity(eve.user.id, &Claims { email_verified: false, ..claims("667", "ann@example.org") })
        .await
        .unwrap();
    test.sign_in_with_provider(&claims("666", "eve@example.org")).await.unwrap();
    assert!(!test.accounts.get_user(eve.user.id).await.unwrap().unwrap().is_email_verified);
    assert_eq!(refusal(test.sign_in_with_provider(&claims("1", "ann@example.org")).await), "EmailNotVerified");
}

on_both_databases!(sign_up_rules_apply_to_providers);
async fn sign_up_rules_apply_to_providers(db: TestDb) {
    let settings = AccountSettings {
        signup_allowed: "example.org".parse().unwrap(),
        owner_email: Some("Boss@Elsewhere.example".to_owned()),
        ..settings()
    };
    let test = TestAccounts::with(db, settings);
    test.sign_in_with_provider(&claims("1", "ann@example.org")).await.unwrap();
    assert_eq!(refusal(test.sign_in_with_provider(&claims("2", "eve@example.com")).await), "SignUpNotAllowed");
    let known = test.create_user("bob@example.com").await;
    assert_eq!(
        test.sign_in_with_provider(&claims("3", "bob@example.com")).await.unwrap().user.id,
        known.id,
        "existing accounts keep working"
    );
    let boss = test.sign_in_with_provider(&claims("4", "boss@elsewhere.example")).await.unwrap();
    assert_eq!(boss.user.role, Role::Owner, "sign-up rules do not apply to the owner");
}

on_both_databases!(owner_email_needs_a_verified_provider);
async fn owner_email_needs_a_verified_provider(db: TestDb) {
    let test =
        TestAccounts::with(db, AccountSettings { owner_email: Some("boss@example.org".to_owned()), ..settings() });
    let member = test.create_user("boss@example.org").await;
    assert_eq!(test.sign_in("boss@example.org", PASSWORD).await.unwrap().user.role, Role::Member);
    test.accounts
        .link_identity(member.id, &Claims { email_verified: false, ..claims("1", "boss@example.org") })
        .await
        .unwrap();
    let unverified = Claims { email_verified: false, ..claims("1", "boss@example.org") };
    assert_eq!(test.sign_in_with_provider(&unverified).await.unwrap().user.role, Role::Member);
    assert_eq!(test.sign_in_with_provider(&claims("1", "Boss@example.org")).await.unwrap().user.role, Role::Owner);
    assert_eq!(test.sign_in_with_provider(&claims("2", "ann@example.org")).await.unwrap().user.role, Role::Member);
}

on_both_databases!(owner_by_address_takes_over_the_local_user);
async fn owner_by_address_takes_over_the_local_user(db: TestDb) {
    let test =
        TestAccounts::with(db, AccountSettings { owner_email: Some("boss@example.org".to_owned()), ..settings() });
    let local = users::create_unclaimed(&test.db, "owner@localhost", "", now()).await.unwrap();
    assert_ne!(test.sign_in_with_provider(&claims("1", "ann@example.org")).await.unwrap().user.id, local);
    let boss = test.sign_in_with_provider(&claims("2", "boss@example.org")).await.unwrap();
    assert_eq!((boss.user.id, boss.user.email.as_str()), (local, "boss@example.org"));
}

on_both_databases!(identity_links_to_one_account);
async fn identity_links_to_one_account(db: TestDb) {
    let test = TestAccounts::new(db);
    let (ann, bob) = (test.create_user("ann@example.org").await, test.create_user("bob@example.org").await);
    let identity = Claims { email: None, email_verified: false, ..claims("1", "") };
    test.accounts.link_identity(ann.id, &identity).await.unwrap();
    test.accounts.link_identity(ann.id, &identity).await.expect("a second link succeeds");
    assert_eq!(test.accounts.list_identities(ann.id).await.unwrap().len(), 1);
    assert_eq!(refusal(test.accounts.link_identity(bob.id, &identity).await), "IdentityTaken");
    assert_eq!(test.sign_in_with_provider(&identity).await.unwrap().user.id, ann.id);
    let unknown = store::UserId::new();
    assert_eq!(refusal(test.accounts.link_identity(unknown, &claims("2", "x@example.org")).await), "NotFound");
}

on_both_databases!(last_way_to_sign_in_cannot_be_unlinked);
async fn last_way_to_sign_in_cannot_be_unlinked(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.sign_in_with_provider(&claims("1", "ann@example.org")).await.unwrap().user.id;
    let bob = test.create_user("bob@example.org").await.id;
    test.accounts.link_identity(bob, &claims("3", "bob@example.org")).await.unwrap();
    let first = test.accounts.list_identities(ann).await.unwrap()[0].id;
    assert_eq!(refusal(test.accounts.delete_identity(ann, first).await), "LastWayIn");
    assert_eq!(test.accounts.list_identities(ann).await.unwrap().len(), 1);
    test.accounts.link_identity(ann, &claims("2", "ann@example.org")).await.unwrap();
    assert_eq!(refusal(test.accounts.delete_identity(bob, first).await), "NotFound", "another user's identity");
    test.accounts.delete_identity(ann, first).await.unwrap();
    assert_eq!(refusal(test.accounts.delete_identity(ann, first).await), "NotFound");
    let bobs = test.accounts.list_identities(bob).await.unwrap()[0].id;
    let off = test.with_settings(AccountSettings { local_accounts: false, ..settings() });
    assert_eq!(
        refusal(off.delete_identity(bob, bobs).await),
        "LastWayIn",
        "a password is no way in where passwords are off"
    );
    test.accounts.delete_identity(bob, bobs).await.expect("the password is left");
}

on_both_databases!(concurrent_unlinks_keep_one_identity);
async fn concurrent_unlinks_keep_one_identity(db: TestDb) {
    let test = TestAccounts::new(db);
    for round in 0..8 {
        let email = format!("ann{round}@example.org");
        let ann = test.sign_in_with_provider(&claims(&format!("{round} first"), &email)).await.unwrap().user.id;
        for number in 0..3 {
            test.accounts.link_identity(ann, &claims(&format!("{round} {number}"), &email)).await.unwrap();
        }
        let all = test.accounts.list_identities(ann).await.unwrap();
        let together = Arc::new(Barrier::new(all.len()));
        let unlinking: Vec<_> = all
            .into_iter()
            .map(|identity| {
                let (accounts, together) = (test.accounts.clone(), together.clone());
                tokio::spawn(async move {
                    together.wait().await;
                    refusal(accounts.delete_identity(ann, identity.id).await)
                })
            })
            .collect();
        let mut ends = Vec::new();
        for end in unlinking {
            ends.push(end.await.unwrap());
        }
        ends.sort();
        assert_eq!(ends, ["LastWayIn", "none", "none", "none"]);
        assert_eq!(test.accounts.list_identities(ann).await.unwrap().len(), 1);
    }
}

on_both_databases!(concurrent_sign_ins_create_one_account);
async fn concurrent_sign_ins_create_one_account(db: TestDb) {
    let test = TestAccounts::new(db);
    let attempts: Vec<_> = (0..8)
        .map(|_| {
            let accounts = test.accounts.clone();
            tokio::spawn(
                async move { accounts.sign_in_with_provider(&claims("1", "ann@example.org"), &browser(1)).await },
            )
        })
        .collect();
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(_) => {}
            Err(Error::Store(store::Error::Conflict(_))) => panic!("the conflict is not retried"),
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(test.count("select count(*) from users").await, 1);
    assert_eq!(test.count("select count(*) from identities").await, 1);
    assert_eq!(test.count("select count(*) from sessions").await, 8);
}

on_both_databases!(provider_names_are_normalised);
async fn provider_names_are_normalised(db: TestDb) {
    let test = TestAccounts::new(db);
    let named = |subject: &str, name: Option<&str>| Claims {
        name: name.map(str::to_owned),
        ..claims(subject, &format!("{subject}@example.org"))
    };
    let long = "n".repeat(1_000);
    for (subject, name, expected) in
        [("a", None, "a"), ("b", Some(long.as_str()), "b"), ("c", Some(" C\0\r\nD "), "C D")]
    {
        assert_eq!(test.sign_in_with_provider(&named(subject, name)).await.unwrap().user.name, expected);
    }
}
