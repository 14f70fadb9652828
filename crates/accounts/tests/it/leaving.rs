//! Leaving: everything of one's own goes at once, what is shared stays; and what one takes along.

use accounts::{Scope, SignedIn, UserSettings, WaysIn};
use chrono::TimeDelta;
use serde_json::{Value, json};
use store::{
    Db, FeedId, UserId, feeds,
    feeds::NewFeed,
    folders, imports, subscriptions,
    undos::{self, NewUndoChunk},
};
use testkit::{TestDb, on_both_databases};

use crate::house::{House, PASSWORD, account, browser, claims, count, now, refusal};

/// Tables with rows of a person's own.
const OWN: [&str; 11] = [
    "select count(*) from users",
    "select count(*) from identities",
    "select count(*) from sessions",
    "select count(*) from api_tokens",
    "select count(*) from user_settings",
    "select count(*) from subscriptions",
    "select count(*) from item_states",
    "select count(*) from folders",
    "select count(*) from undo_chunks",
    "select count(*) from opml_imports",
    "select count(*) from opml_import_feeds",
];
const SHARED: [&str; 2] = ["select count(*) from feeds", "select count(*) from items"];

async fn counts(db: &Db) -> Vec<i64> {
    let mut all = Vec::new();
    for sql in OWN {
        all.push(count(db, sql).await);
    }
    all
}

/// A feed with three items.
async fn feed(db: &Db, url: &str) -> FeedId {
    let mut tx = db.begin().await.unwrap();
    let new = NewFeed {
        feed_url: url.to_owned(),
        host: "example.org".to_owned(),
        site_url: None,
        title: "A feed".to_owned(),
        kind: "feed",
        next_fetch_at: now(),
    };
    let (feed, _) = feeds::add(&mut tx, &new, now()).await.unwrap();
    for number in 1..=3 {
        tx.query("insert into items (feed_id, title, link, published_at) values ($1, $2, $3, $4)")
            .bind(feed)
            .bind(format!("Item {number}"))
            .bind(format!("{url}/{number}"))
            .bind(now() + TimeDelta::minutes(number))
            .execute()
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    feed
}

async fn subscribe(db: &Db, user: UserId, feed: FeedId) {
    let mut tx = db.begin().await.unwrap();
    subscriptions::create(&mut tx, user, feed, 100, now()).await.unwrap();
    tx.commit().await.unwrap();
}

/// Somebody with a row in every table: by their own hand, as far as the store has one.
async fn settle(house: &House, email: &str, feeds: &[FeedId]) -> SignedIn {
    let user = house.add(email).await.id;
    let signed_in = house.accounts.sign_in_as(&claims(email, email), &browser(1)).await.unwrap();
    house.accounts.create_token(user, "script", Scope::Read).await.unwrap();
    house.accounts.put_settings(user, &UserSettings::default()).await.unwrap();
    for feed in feeds {
        subscribe(&house.db, user, *feed).await;
    }
    let mut tx = house.db.begin().await.unwrap();
    folders::create(&mut tx, user, "News", 10, now()).await.unwrap();
    let undo =
        NewUndoChunk { undo: store::UndoId::new(), chunk: 0, items: &[], expires_at: now() + TimeDelta::hours(1) };
    undos::create(&mut tx, user, &undo).await.unwrap();
    let file = imports::NewImportFeed { feed_url: "https://x.example".to_owned(), title: String::new(), folder: None };
    imports::create(&mut tx, user, &[file], now()).await.unwrap();
    tx.commit().await.unwrap();
    signed_in
}

on_both_databases!(leaving_takes_everything_of_ones_own_and_nothing_else);
async fn leaving_takes_everything_of_ones_own_and_nothing_else(db: TestDb) {
    let house = House::new(db);
    let (own, shared) = (feed(&house.db, "https://own.example").await, feed(&house.db, "https://shared.example").await);
    let bob = settle(&house, "bob@example.org", &[shared]).await;
    let before = counts(&house.db).await;
    let ann = settle(&house, "ann@example.org", &[own, shared]).await;
    let (_, token) = house.accounts.create_token(ann.user.id, "script", Scope::Write).await.unwrap();
    assert!(counts(&house.db).await.iter().zip(&before).all(|(with, without)| with > without), "a row in every table");
    let mut changes = house.db.signals().changes();
    house.accounts.leave(ann.user.id).await.unwrap();
    assert_eq!(counts(&house.db).await, before, "what is left is the other's");
    assert_eq!(changes.try_recv().unwrap(), store::Change::User(ann.user.id), "open pages are told");

    assert_eq!((house.count(SHARED[0]).await, house.count(SHARED[1]).await), (2, 6), "feeds and items stay");
    assert!(feeds::is_resting(&house.db, own).await.unwrap(), "nobody reads it any more");
    assert!(!feeds::is_resting(&house.db, shared).await.unwrap());
    let rested: Option<chrono::DateTime<chrono::Utc>> =
        house.db.read("select rested_at from feeds where id = $1").bind(own).scalar().await.unwrap();
    assert_eq!(rested, Some(house.clock.now()));

    assert!(house.accounts.session(&ann.secret).await.unwrap().is_none());
    assert!(house.accounts.token(token.expose()).await.unwrap().is_none());
    assert_eq!(refusal(house.sign_in("ann@example.org", PASSWORD).await), "WrongCredentials");
    assert_eq!(refusal(house.accounts.leave(ann.user.id).await), "NotFound");
    assert!(house.accounts.session(&bob.secret).await.unwrap().is_some());
    house.add("ann@example.org").await;
}

on_both_databases!(the_last_owner_may_leave_and_the_machine_is_set_up_anew);
async fn the_last_owner_may_leave_and_the_machine_is_set_up_anew(db: TestDb) {
    let house = House::new(db);
    let link = house.accounts.setup_link().await.unwrap().unwrap();
    let owner = house.accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    house.accounts.leave(owner.user.id).await.unwrap();
    assert!(house.accounts.needs_setup().await.unwrap());
    assert!(house.accounts.setup_link().await.unwrap().is_some());
}

on_both_databases!(leaving_while_subscribing_leaves_no_feed_awake_without_a_reader);
async fn leaving_while_subscribing_leaves_no_feed_awake_without_a_reader(db: TestDb) {
    let house = House::new(db);
    for round in 0..5 {
        let mut all = Vec::new();
        for number in 0..6 {
            all.push(feed(&house.db, &format!("https://{round}.example/{number}")).await);
        }
        let ann = house.add("ann@example.org").await.id;
        subscribe(&house.db, ann, all[0]).await;
        let subscribing: Vec<_> = all[1..]
            .iter()
            .map(|feed| {
                let (db, feed) = (house.db.db(), *feed);
                tokio::spawn(async move {
                    let mut tx = db.begin().await.unwrap();
                    let added = subscriptions::create(&mut tx, ann, feed, 100, now()).await;
                    if added.is_ok() {
                        tx.commit().await.unwrap();
                    }
                    added.is_ok()
                })
            })
            .collect();
        house.accounts.leave(ann).await.unwrap();
        for attempt in subscribing {
            attempt.await.unwrap();
        }
        assert_eq!(counts(&house.db).await.iter().sum::<i64>(), 0, "nothing came back");
        assert_eq!(house.count("select count(*) from feeds where rested_at is null").await, 0);
    }
}

on_both_databases!(somebody_who_leaves_twice_at_once_leaves_once);
async fn somebody_who_leaves_twice_at_once_leaves_once(db: TestDb) {
    let house = House::new(db);
    let shared = feed(&house.db, "https://shared.example").await;
    let ann = settle(&house, "ann@example.org", &[shared]).await.user.id;
    let (one, other) = tokio::join!(house.accounts.leave(ann), house.accounts.leave(ann));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|left| **left).count(), 1);
    assert!(feeds::is_resting(&house.db, shared).await.unwrap());
}

on_both_databases!(an_export_has_all_of_ones_own_and_no_secret);
async fn an_export_has_all_of_ones_own_and_no_secret(db: TestDb) {
    let house = House::new(db);
    let feed = feed(&house.db, "https://own.example").await;
    let ann = settle(&house, "ann@example.org", &[feed]).await;
    settle(&house, "bob@example.org", &[feed]).await;
    let mut tx = house.db.begin().await.unwrap();
    let folder = folders::find(&mut tx, ann.user.id, "News").await.unwrap();
    let subscription = subscriptions::find_in(&mut tx, ann.user.id, feed).await.unwrap().unwrap();
    let patch = subscriptions::SubscriptionPatch {
        fetch_interval_minutes: Some(120),
        title: Some(Some("Mine".to_owned())),
        folder_id: Some(folder),
    };
    subscriptions::update(&mut tx, ann.user.id, subscription, &patch, now()).await.unwrap();
    for (title, sql) in [
        (
            "Item 1",
            "update item_states set is_read = true where user_id = $1 and item_id in (select id from items where title = $2)",
        ),
        (
            "Item 2",
            "update item_states set is_starred = true where user_id = $1 and item_id in (select id from items where title = $2)",
        ),
    ] {
        tx.query(sql).bind(ann.user.id).bind(title).execute().await.unwrap();
    }
    tx.commit().await.unwrap();

    let export = serde_json::to_value(house.accounts.export(ann.user.id, WaysIn::Listed).await.unwrap()).unwrap();
    let at = |pointer: &str| export.pointer(pointer).unwrap_or(&Value::Null).clone();
    assert_eq!(at("/format"), json!(1));
    assert_eq!(at("/account/email"), json!("ann@example.org"));
    assert_eq!(at("/account/role"), json!("member"));
    assert_eq!(at("/account/has_password"), json!(true));
    assert_eq!(at("/settings/theme"), json!("light"));
    assert_eq!(at("/identities/0/issuer"), json!("https://issuer.example"));
    assert_eq!(at("/sessions/0/user_agent"), json!("Browser/1"));
    assert_eq!(at("/sessions/0/method"), json!("oidc"));
    assert_eq!(at("/tokens/0/name"), json!("script"));
    assert_eq!(at("/folders"), json!(["News"]));
    assert_eq!(at("/subscriptions/0/feed_url"), json!("https://own.example"));
    assert_eq!((at("/subscriptions/0/own_title"), at("/subscriptions/0/folder")), (json!("Mine"), json!("News")));
    assert_eq!(at("/subscriptions/0/fetch_interval_minutes"), json!(120));
    let items: Vec<_> = at("/items")
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["link"].clone(), item["is_read"].clone(), item["is_starred"].clone()))
        .collect();
    assert_eq!(
        items,
        [
            (json!("https://own.example/1"), json!(true), json!(false)),
            (json!("https://own.example/2"), json!(false), json!(true)),
        ]
    );
    let text = export.to_string();
    let session: String = house.db.read("select id from sessions limit 1").scalar().await.unwrap();
    let token: String = house.db.read("select token_hash from api_tokens limit 1").scalar().await.unwrap();
    for secret in ["$argon2id$", "bob@example.org", ann.secret.expose(), &session, &token] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert_eq!(refusal(house.accounts.export(UserId::new(), WaysIn::Listed).await), "NotFound");
}

on_both_databases!(what_has_ended_is_forgotten_and_nothing_else);
async fn what_has_ended_is_forgotten_and_nothing_else(db: TestDb) {
    let house = House::new(db);
    house.accounts.setup_link().await.unwrap().unwrap();
    let ann = house.add("ann@example.org").await;
    house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    house.sign_in("ann@example.org", "wrong password").await.unwrap_err();
    assert_eq!(house.accounts.prune().await.unwrap(), accounts::Pruned::default(), "all of it is still of use");
    house.pass(23 * 60 * 60);
    house.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let pruned = house.accounts.prune().await.unwrap();
    assert_eq!((pruned.sessions, pruned.setup_links), (0, 0));
    assert!(pruned.throttles >= 2);
    house.pass(60 * 60);
    let pruned = house.accounts.prune().await.unwrap();
    assert_eq!((pruned.sessions, pruned.setup_links), (1, 1));
    assert_eq!(house.accounts.sessions(ann.id).await.unwrap().len(), 1);
    assert_eq!(house.count("select count(*) from throttles").await, 0);
}
