//! The first account, and those that others make.

use accounts::{Error, NewAccount, Password, Role, Settings};
use store::users;
use testkit::{TestDb, on_both_databases};

use crate::house::{House, PASSWORD, account, browser, claims, now, open, refusal, settings};

on_both_databases!(the_link_makes_the_owner_once);
async fn the_link_makes_the_owner_once(db: TestDb) {
    let house = House::new(db);
    assert!(house.accounts.needs_setup().await.unwrap());
    let (link, later) =
        (house.accounts.setup_link().await.unwrap().unwrap(), house.accounts.setup_link().await.unwrap().unwrap());
    let made_up = "A".repeat(43);
    for token in ["", "x", &made_up] {
        assert_eq!(
            refusal(house.accounts.set_up(token, &account("eve@example.org"), &browser(6)).await),
            "SetupLinkInvalid"
        );
    }
    assert_eq!(house.accounts.hashes_computed(), 0, "no work for who makes a token up");
    let ann = house.accounts.set_up(link.expose(), &account("Ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!(
        (ann.user.role, ann.user.email.as_str(), ann.user.is_email_verified),
        (Role::Owner, "ann@example.org", true)
    );
    assert!(house.accounts.session(&ann.secret).await.unwrap().is_some(), "and lets them in");
    for token in [&link, &later] {
        let again = house.accounts.set_up(token.expose(), &account("eve@example.org"), &browser(6)).await;
        assert_eq!(refusal(again), "SetupLinkInvalid", "neither this link nor another");
    }
    assert!(!house.accounts.needs_setup().await.unwrap());
    assert!(house.accounts.setup_link().await.unwrap().is_none());
    assert_eq!(house.count("select count(*) from setup_links").await, 0);
}

on_both_databases!(a_mistake_does_not_use_the_link_up);
async fn a_mistake_does_not_use_the_link_up(db: TestDb) {
    let house = House::new(db);
    let link = house.accounts.setup_link().await.unwrap().unwrap();
    let wrong = [
        (NewAccount { email: "nobody".to_owned(), ..account("") }, "InvalidEmail"),
        (NewAccount { password: Password::new("short"), ..account("a@example.org") }, "PasswordTooShort { min: 8 }"),
        (NewAccount { password: Password::new("password123"), ..account("a@example.org") }, "PasswordTooCommon"),
        (NewAccount { name: "n".repeat(256), ..account("a@example.org") }, "NameTooLong { max: 255 }"),
    ];
    for (new, expected) in wrong {
        assert_eq!(refusal(house.accounts.set_up(link.expose(), &new, &browser(1)).await), expected);
    }
    let unnamed = NewAccount { name: " \0\n ".to_owned(), ..account("ann@example.org") };
    let ann = house.accounts.set_up(link.expose(), &unnamed, &browser(1)).await.unwrap();
    assert_eq!(ann.user.name, "ann");
}

on_both_databases!(a_link_is_good_for_a_day);
async fn a_link_is_good_for_a_day(db: TestDb) {
    let house = House::new(db);
    let link = house.accounts.setup_link().await.unwrap().unwrap();
    house.pass(24 * 60 * 60);
    assert_eq!(
        refusal(house.accounts.set_up(link.expose(), &account("a@example.org"), &browser(1)).await),
        "SetupLinkInvalid"
    );
    assert_eq!(house.accounts.prune().await.unwrap().setup_links, 1);
}

on_both_databases!(of_many_who_use_links_at_once_one_becomes_the_owner);
async fn of_many_who_use_links_at_once_one_becomes_the_owner(db: TestDb) {
    let house = House::new(db);
    let links =
        [house.accounts.setup_link().await.unwrap().unwrap(), house.accounts.setup_link().await.unwrap().unwrap()];
    let attempts: Vec<_> = (0..10)
        .map(|number| {
            let (accounts, link) = (house.accounts.clone(), links[number % 2].clone());
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
    assert_eq!(house.count("select count(*) from users").await, 1);
    assert_eq!(house.count("select count(*) from sessions").await, 1);
}

on_both_databases!(there_is_no_link_without_passwords_or_with_somebody);
async fn there_is_no_link_without_passwords_or_with_somebody(db: TestDb) {
    let house = House::new(db);
    let off = house.under(Settings { local_accounts: false, ..settings() });
    assert!(!off.needs_setup().await.unwrap() && off.setup_link().await.unwrap().is_none());
    let early = house.accounts.setup_link().await.unwrap().unwrap();
    house.accounts.sign_in_as(&claims("1", "ann@example.org"), &browser(1)).await.unwrap();
    assert!(house.accounts.setup_link().await.unwrap().is_none());
    let late = house.accounts.set_up(early.expose(), &account("eve@example.org"), &browser(6)).await;
    assert_eq!(refusal(late), "SetupLinkInvalid", "somebody came in another way meanwhile");
}

on_both_databases!(the_owner_takes_over_what_was_there_before_accounts);
async fn the_owner_takes_over_what_was_there_before_accounts(db: TestDb) {
    let house = House::new(db);
    let local = users::create_unclaimed(&house.db, "owner@localhost", "", now()).await.unwrap();
    assert!(house.accounts.needs_setup().await.unwrap(), "nothing lets that person in");
    let link = house.accounts.setup_link().await.unwrap().unwrap();
    let ann = house.accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!((ann.user.id, ann.user.role, ann.user.email.as_str()), (local, Role::Owner, "ann@example.org"));
    house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let bob = house.accounts.add(&account("bob@example.org"), Role::Owner).await.unwrap();
    assert_ne!(bob.id, local, "only the first one");
}

on_both_databases!(registration_is_closed_unless_it_is_opened);
async fn registration_is_closed_unless_it_is_opened(db: TestDb) {
    let house = House::new(db);
    assert_eq!(refusal(house.accounts.register(&account("ann@example.org"), &browser(1)).await), "RegistrationClosed");
    let open = house.under(open());
    let ann = open.register(&account("Ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!((ann.user.role, ann.user.is_email_verified), (Role::Member, false), "never an owner, nothing verified");
    assert!(open.session(&ann.secret).await.unwrap().is_some());
    assert_eq!(refusal(open.register(&account("ANN@example.org"), &browser(1)).await), "EmailTaken");
}

on_both_databases!(the_same_address_registered_many_times_at_once_is_one_account);
async fn the_same_address_registered_many_times_at_once_is_one_account(db: TestDb) {
    let house = House::with(db, open());
    let attempts: Vec<_> = (1..=8)
        .map(|number| {
            let accounts = house.accounts.clone();
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

on_both_databases!(who_may_register_is_the_operators_choice);
async fn who_may_register_is_the_operators_choice(db: TestDb) {
    let settings = Settings {
        signup_allowed: "example.org, bob@example.com".parse().unwrap(),
        owner_email: Some("Owner@Example.org".to_owned()),
        ..open()
    };
    let house = House::with(db, settings);
    let register = async |email: &str| refusal(house.accounts.register(&account(email), &browser(1)).await);
    assert_eq!(register("ann@EXAMPLE.org").await, "none");
    assert_eq!(register("bob@example.com").await, "none");
    assert_eq!(register("eve@example.com").await, "SignUpNotAllowed");
    assert_eq!(register("eve@sub.example.org").await, "SignUpNotAllowed");
    assert_eq!(
        register("owner@example.org").await,
        "SignUpNotAllowed",
        "the owner's address is not for the first comer"
    );
}

on_both_databases!(the_operator_adds_finds_lists_and_removes_people);
async fn the_operator_adds_finds_lists_and_removes_people(db: TestDb) {
    let house = House::new(db);
    let ann = house.accounts.add(&account("ann@example.org"), Role::Owner).await.unwrap();
    house.pass(1);
    let bob = house.accounts.add(&account("bob@example.org"), Role::Member).await.unwrap();
    assert!(bob.is_email_verified && bob.has_password);
    assert_eq!(refusal(house.accounts.add(&account("BOB@example.org"), Role::Member).await), "EmailTaken");
    assert_eq!(house.accounts.find(" Bob@Example.ORG").await.unwrap().map(|user| user.id), Some(bob.id));
    assert!(house.accounts.find("no address").await.unwrap().is_none());
    house.sign_in("bob@example.org", PASSWORD).await.unwrap();
    let first = house.accounts.users(None, 1).await.unwrap();
    assert_eq!(first.iter().map(|person| person.user.id).collect::<Vec<_>>(), [ann.id]);
    assert_eq!((first[0].subscriptions, first[0].last_seen_at), (0, None));
    let second = house.accounts.users(Some(ann.id), 10).await.unwrap();
    assert_eq!(second.iter().map(|person| person.user.id).collect::<Vec<_>>(), [bob.id]);
    assert_eq!(second[0].last_seen_at, Some(house.clock.now()));
    assert_eq!(house.accounts.rename(bob.id, "  Bob\tthe\u{7}Builder ").await.unwrap().name, "Bob the Builder");
    assert_eq!(house.accounts.user(bob.id).await.unwrap().unwrap().name, "Bob the Builder");
    house.accounts.remove("BOB@example.org").await.unwrap();
    assert_eq!(refusal(house.accounts.remove("bob@example.org").await), "NotFound");
    assert_eq!(refusal(house.accounts.rename(bob.id, "Bob").await), "NotFound");
    assert_eq!(house.accounts.users(None, 10).await.unwrap().len(), 1);
}
