//! Getting in with a provider: whose account it is.

use std::sync::Arc;

use accounts::{
    Error, Method, Role, Settings,
    openid::{Claims, ProviderId},
};
use store::users;
use testkit::{TestDb, on_both_databases};
use tokio::sync::Barrier;

use crate::house::{House, PASSWORD, account, browser, claims, now, open, refusal, settings};

impl House {
    async fn sign_in_as(&self, claims: &Claims) -> accounts::Result<accounts::SignedIn> {
        self.accounts.sign_in_as(claims, &browser(1)).await
    }
}

on_both_databases!(somebody_new_gets_an_account_and_is_known_the_next_time);
async fn somebody_new_gets_an_account_and_is_known_the_next_time(db: TestDb) {
    let house = House::new(db);
    let ann = house.sign_in_as(&claims("1", "Ann@Example.org")).await.unwrap();
    assert_eq!((ann.user.email.as_str(), ann.user.name.as_str()), ("ann@example.org", "Ann Smith"));
    assert_eq!((ann.user.role, ann.user.is_email_verified), (Role::Member, true), "the first comer owns nothing");
    house.pass(10);
    // The subject counts: the address may have changed, or not be verified any more.
    let moved = Claims { email_verified: false, ..claims("1", "ann@elsewhere.example") };
    let again = house.sign_in_as(&moved).await.unwrap();
    assert_eq!((again.user.id, again.user.email.as_str()), (ann.user.id, "ann@example.org"));
    assert_ne!(again.secret, ann.secret, "a new secret at every sign-in");
    let gone = Claims { email: None, ..claims("1", "") };
    assert_eq!(house.sign_in_as(&gone).await.unwrap().user.id, ann.user.id);
    let known = house.accounts.identities(ann.user.id).await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!((known[0].provider.as_str(), known[0].email.as_deref()), ("oidc", Some("ann@elsewhere.example")));
    assert_eq!(known[0].last_used_at, Some(house.clock.now()));
    assert_eq!(house.accounts.sessions(ann.user.id).await.unwrap()[0].method, Some(Method::Oidc));
}

on_both_databases!(the_same_subject_at_another_issuer_is_somebody_else);
async fn the_same_subject_at_another_issuer_is_somebody_else(db: TestDb) {
    let house = House::new(db);
    let ann = house.sign_in_as(&claims("1", "ann@example.org")).await.unwrap();
    let elsewhere = Claims { issuer: "https://evil.example".to_owned(), ..claims("1", "eve@example.org") };
    let google = Claims { provider: ProviderId::Google, ..claims("1", "gil@example.org") };
    for other in [elsewhere, google] {
        assert_ne!(house.sign_in_as(&other).await.unwrap().user.id, ann.user.id);
    }
}

on_both_databases!(a_verified_address_leads_to_the_account_that_is_known_to_have_it);
async fn a_verified_address_leads_to_the_account_that_is_known_to_have_it(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let signed_in = house.sign_in_as(&claims("1", "ANN@example.org")).await.unwrap();
    assert_eq!(signed_in.user.id, ann.id);
    house.sign_in("ann@example.org", PASSWORD).await.expect("the password still lets in");
    let second = house.sign_in_as(&claims("2", "ann@example.org")).await.unwrap();
    assert_eq!(second.user.id, ann.id);
    assert_eq!(house.accounts.identities(ann.id).await.unwrap().len(), 2);
    assert_eq!(house.count("select count(*) from users").await, 1);
}

on_both_databases!(an_address_that_is_not_verified_leads_nowhere);
async fn an_address_that_is_not_verified_leads_nowhere(db: TestDb) {
    let house = House::new(db);
    house.add("ann@example.org").await;
    let wrong = [
        Claims { email_verified: false, ..claims("1", "ann@example.org") },
        Claims { email_verified: false, ..claims("1", "new@example.org") },
        Claims { email: None, ..claims("1", "") },
        claims("1", "no address"),
        // Looks like ann@… after a careless change of case.
        claims("1", "\u{212a}ann@example.org"),
    ];
    for claims in wrong {
        assert_eq!(refusal(house.sign_in_as(&claims).await), "EmailNotVerified", "{claims:?}");
    }
    assert_eq!(house.count("select count(*) from users").await, 1);
    assert_eq!(house.count("select count(*) from identities").await, 0);
}

on_both_databases!(an_account_that_was_hijacked_beforehand_is_not_joined);
async fn an_account_that_was_hijacked_beforehand_is_not_joined(db: TestDb) {
    let house = House::with(db, open());
    // Eve registers with Ann's address and waits for Ann to come with her provider.
    let eve = house.accounts.register(&account("ann@example.org"), &browser(6)).await.unwrap();
    assert_eq!(refusal(house.sign_in_as(&claims("1", "ann@example.org")).await), "EmailNotVerified");
    assert!(house.accounts.identities(eve.user.id).await.unwrap().is_empty());
    // Who does know the password links it in the settings; from then on the address is known to be theirs.
    house.accounts.link(eve.user.id, &claims("1", "ann@example.org")).await.unwrap();
    assert_eq!(house.sign_in_as(&claims("1", "ann@example.org")).await.unwrap().user.id, eve.user.id);
    assert!(house.accounts.user(eve.user.id).await.unwrap().unwrap().is_email_verified);
}

on_both_databases!(linking_another_address_verifies_nothing);
async fn linking_another_address_verifies_nothing(db: TestDb) {
    let house = House::with(db, open());
    let eve = house.accounts.register(&account("ann@example.org"), &browser(6)).await.unwrap();
    house.accounts.link(eve.user.id, &claims("666", "eve@example.org")).await.unwrap();
    house
        .accounts
        .link(eve.user.id, &Claims { email_verified: false, ..claims("667", "ann@example.org") })
        .await
        .unwrap();
    house.sign_in_as(&claims("666", "eve@example.org")).await.unwrap();
    assert!(!house.accounts.user(eve.user.id).await.unwrap().unwrap().is_email_verified);
    assert_eq!(refusal(house.sign_in_as(&claims("1", "ann@example.org")).await), "EmailNotVerified");
}

on_both_databases!(who_may_have_an_account_is_the_operators_choice);
async fn who_may_have_an_account_is_the_operators_choice(db: TestDb) {
    let settings = Settings {
        signup_allowed: "example.org".parse().unwrap(),
        owner_email: Some("Boss@Elsewhere.example".to_owned()),
        ..settings()
    };
    let house = House::with(db, settings);
    house.sign_in_as(&claims("1", "ann@example.org")).await.unwrap();
    assert_eq!(refusal(house.sign_in_as(&claims("2", "eve@example.com")).await), "SignUpNotAllowed");
    let known = house.add("bob@example.com").await;
    assert_eq!(
        house.sign_in_as(&claims("3", "bob@example.com")).await.unwrap().user.id,
        known.id,
        "who has an account keeps it"
    );
    let boss = house.sign_in_as(&claims("4", "boss@elsewhere.example")).await.unwrap();
    assert_eq!(boss.user.role, Role::Owner, "the owner is always let in");
}

on_both_databases!(the_owners_address_makes_an_owner_only_when_a_provider_has_verified_it);
async fn the_owners_address_makes_an_owner_only_when_a_provider_has_verified_it(db: TestDb) {
    let house = House::with(db, Settings { owner_email: Some("boss@example.org".to_owned()), ..settings() });
    let member = house.add("boss@example.org").await;
    assert_eq!(house.sign_in("boss@example.org", PASSWORD).await.unwrap().user.role, Role::Member);
    house.accounts.link(member.id, &Claims { email_verified: false, ..claims("1", "boss@example.org") }).await.unwrap();
    let unverified = Claims { email_verified: false, ..claims("1", "boss@example.org") };
    assert_eq!(house.sign_in_as(&unverified).await.unwrap().user.role, Role::Member);
    assert_eq!(house.sign_in_as(&claims("1", "Boss@example.org")).await.unwrap().user.role, Role::Owner);
    assert_eq!(house.sign_in_as(&claims("2", "ann@example.org")).await.unwrap().user.role, Role::Member);
}

on_both_databases!(the_owner_by_address_takes_over_what_was_there_before_accounts);
async fn the_owner_by_address_takes_over_what_was_there_before_accounts(db: TestDb) {
    let house = House::with(db, Settings { owner_email: Some("boss@example.org".to_owned()), ..settings() });
    let local = users::create_unclaimed(&house.db, "owner@localhost", "", now()).await.unwrap();
    assert_ne!(house.sign_in_as(&claims("1", "ann@example.org")).await.unwrap().user.id, local);
    let boss = house.sign_in_as(&claims("2", "boss@example.org")).await.unwrap();
    assert_eq!((boss.user.id, boss.user.email.as_str()), (local, "boss@example.org"));
}

on_both_databases!(an_identity_is_linked_to_one_account);
async fn an_identity_is_linked_to_one_account(db: TestDb) {
    let house = House::new(db);
    let (ann, bob) = (house.add("ann@example.org").await, house.add("bob@example.org").await);
    let identity = Claims { email: None, email_verified: false, ..claims("1", "") };
    house.accounts.link(ann.id, &identity).await.unwrap();
    house.accounts.link(ann.id, &identity).await.expect("twice is once");
    assert_eq!(house.accounts.identities(ann.id).await.unwrap().len(), 1);
    assert_eq!(refusal(house.accounts.link(bob.id, &identity).await), "IdentityTaken");
    assert_eq!(house.sign_in_as(&identity).await.unwrap().user.id, ann.id);
    let nobody = store::UserId::new();
    assert_eq!(refusal(house.accounts.link(nobody, &claims("2", "x@example.org")).await), "NotFound");
}

on_both_databases!(the_last_way_in_stays);
async fn the_last_way_in_stays(db: TestDb) {
    let house = House::new(db);
    let ann = house.sign_in_as(&claims("1", "ann@example.org")).await.unwrap().user.id;
    let bob = house.add("bob@example.org").await.id;
    house.accounts.link(bob, &claims("3", "bob@example.org")).await.unwrap();
    let first = house.accounts.identities(ann).await.unwrap()[0].id;
    assert_eq!(refusal(house.accounts.unlink(ann, first).await), "LastWayIn");
    assert_eq!(house.accounts.identities(ann).await.unwrap().len(), 1);
    house.accounts.link(ann, &claims("2", "ann@example.org")).await.unwrap();
    assert_eq!(refusal(house.accounts.unlink(bob, first).await), "NotFound", "it is not theirs");
    house.accounts.unlink(ann, first).await.unwrap();
    assert_eq!(refusal(house.accounts.unlink(ann, first).await), "NotFound");
    let bobs = house.accounts.identities(bob).await.unwrap()[0].id;
    let off = house.under(Settings { local_accounts: false, ..settings() });
    assert_eq!(refusal(off.unlink(bob, bobs).await), "LastWayIn", "a password is no way in where passwords are off");
    house.accounts.unlink(bob, bobs).await.expect("the password is left");
}

on_both_databases!(of_several_identities_unlinked_at_once_one_stays);
async fn of_several_identities_unlinked_at_once_one_stays(db: TestDb) {
    let house = House::new(db);
    for round in 0..8 {
        let email = format!("ann{round}@example.org");
        let ann = house.sign_in_as(&claims(&format!("{round} first"), &email)).await.unwrap().user.id;
        for number in 0..3 {
            house.accounts.link(ann, &claims(&format!("{round} {number}"), &email)).await.unwrap();
        }
        let all = house.accounts.identities(ann).await.unwrap();
        let together = Arc::new(Barrier::new(all.len()));
        let unlinking: Vec<_> = all
            .into_iter()
            .map(|identity| {
                let (accounts, together) = (house.accounts.clone(), together.clone());
                tokio::spawn(async move {
                    together.wait().await;
                    refusal(accounts.unlink(ann, identity.id).await)
                })
            })
            .collect();
        let mut ends = Vec::new();
        for end in unlinking {
            ends.push(end.await.unwrap());
        }
        ends.sort();
        assert_eq!(ends, ["LastWayIn", "none", "none", "none"]);
        assert_eq!(house.accounts.identities(ann).await.unwrap().len(), 1);
    }
}

on_both_databases!(the_same_person_coming_many_times_at_once_is_one_account);
async fn the_same_person_coming_many_times_at_once_is_one_account(db: TestDb) {
    let house = House::new(db);
    let attempts: Vec<_> = (0..8)
        .map(|_| {
            let accounts = house.accounts.clone();
            tokio::spawn(async move { accounts.sign_in_as(&claims("1", "ann@example.org"), &browser(1)).await })
        })
        .collect();
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(_) => {}
            Err(Error::Store(store::Error::Conflict(_))) => panic!("a race shows"),
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(house.count("select count(*) from users").await, 1);
    assert_eq!(house.count("select count(*) from identities").await, 1);
    assert_eq!(house.count("select count(*) from sessions").await, 8);
}

on_both_databases!(a_providers_name_is_taken_as_far_as_it_fits);
async fn a_providers_name_is_taken_as_far_as_it_fits(db: TestDb) {
    let house = House::new(db);
    let named = |subject: &str, name: Option<&str>| Claims {
        name: name.map(str::to_owned),
        ..claims(subject, &format!("{subject}@example.org"))
    };
    let long = "n".repeat(1_000);
    for (subject, name, expected) in
        [("a", None, "a"), ("b", Some(long.as_str()), "b"), ("c", Some(" C\0\r\nD "), "C D")]
    {
        assert_eq!(house.sign_in_as(&named(subject, name)).await.unwrap().user.name, expected);
    }
}
