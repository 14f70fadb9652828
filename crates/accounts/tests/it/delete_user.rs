//! Deleting a user, exporting their data, and pruning expired rows.

use accounts::{DisplaySettings, ExportScope, Scope, SignedIn};
use chrono::TimeDelta;
use serde_json::{Value, json};
use store::{
    Db, FeedId, UserId, feeds,
    feeds::NewFeed,
    folders, imports, subscriptions,
    undos::{self, NewUndoChunk},
};
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, account, browser, claims, count, now, refusal};

/// Tables with rows of one user.
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

/// Creates a user with a row in every table.
async fn create_full_user(test: &TestAccounts, email: &str, feeds: &[FeedId]) -> SignedIn {
    let user = test.create_user(email).await.id;
    let signed_in = test.accounts.sign_in_with_provider(&claims(email, email), &browser(1)).await.unwrap();
    test.accounts.create_token(user, "script", Scope::Read).await.unwrap();
    test.accounts.update_settings(user, &DisplaySettings::default()).await.unwrap();
    for feed in feeds {
        subscribe(&test.db, user, *feed).await;
    }
    let mut tx = test.db.begin().await.unwrap();
    folders::create(&mut tx, user, "News", 10, now()).await.unwrap();
    let undo =
        NewUndoChunk { undo: store::UndoId::new(), chunk: 0, items: &[], expires_at: now() + TimeDelta::hours(1) };
    undos::create(&mut tx, user, &undo).await.unwrap();
    let file = imports::NewImportFeed { feed_url: "https://x.example".to_owned(), title: String::new(), folder: None };
    imports::create(&mut tx, user, &[file], now()).await.unwrap();
    tx.commit().await.unwrap();
    signed_in
}

on_both_databases!(deleting_a_user_deletes_only_their_data);
async fn deleting_a_user_deletes_only_their_data(db: TestDb) {
    let test = TestAccounts::new(db);
    let (own, shared) = (feed(&test.db, "https://own.example").await, feed(&test.db, "https://shared.example").await);
    let bob = create_full_user(&test, "bob@example.org", &[shared]).await;
    let before = counts(&test.db).await;
    let ann = create_full_user(&test, "ann@example.org", &[own, shared]).await;
    let (_, token) = test.accounts.create_token(ann.user.id, "script", Scope::Write).await.unwrap();
    assert!(counts(&test.db).await.iter().zip(&before).all(|(with, without)| with > without), "a row in every table");
    let mut changes = test.db.signals().changes();
    test.accounts.delete_user(ann.user.id).await.unwrap();
    assert_eq!(counts(&test.db).await, before, "the other user's rows stay");
    assert_eq!(changes.try_recv().unwrap(), store::Change::User(ann.user.id), "open pages get a signal");

    assert_eq!((test.count(SHARED[0]).await, test.count(SHARED[1]).await), (2, 6), "feeds and items stay");
    assert!(feeds::is_resting(&test.db, own).await.unwrap(), "it has no subscriber");
    assert!(!feeds::is_resting(&test.db, shared).await.unwrap());
    let rested: Option<chrono::DateTime<chrono::Utc>> =
        test.db.read("select rested_at from feeds where id = $1").bind(own).scalar().await.unwrap();
    assert_eq!(rested, Some(test.clock.now()));

    assert!(test.accounts.find_session(&ann.secret).await.unwrap().is_none());
    assert!(test.accounts.find_token(token.expose()).await.unwrap().is_none());
    assert_eq!(refusal(test.sign_in("ann@example.org", PASSWORD).await), "WrongCredentials");
    assert_eq!(refusal(test.accounts.delete_user(ann.user.id).await), "NotFound");
    assert!(test.accounts.find_session(&bob.secret).await.unwrap().is_some());
    test.create_user("ann@example.org").await;
}

on_both_databases!(set_up_is_possible_after_deleting_the_last_owner);
async fn set_up_is_possible_after_deleting_the_last_owner(db: TestDb) {
    let test = TestAccounts::new(db);
    let link = test.accounts.create_setup_link().await.unwrap().unwrap();
    let owner = test.accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    test.accounts.delete_user(owner.user.id).await.unwrap();
    assert!(test.accounts.needs_setup().await.unwrap());
    assert!(test.accounts.create_setup_link().await.unwrap().is_some());
}

on_both_databases!(deleting_a_user_while_subscribing_rests_all_feeds);
async fn deleting_a_user_while_subscribing_rests_all_feeds(db: TestDb) {
    let test = TestAccounts::new(db);
    for round in 0..5 {
        let mut all = Vec::new();
        for number in 0..6 {
            all.push(feed(&test.db, &format!("https://{round}.example/{number}")).await);
        }
        let ann = test.create_user("ann@example.org").await.id;
        subscribe(&test.db, ann, all[0]).await;
        let subscribing: Vec<_> = all[1..]
            .iter()
            .map(|feed| {
                let (db, feed) = (test.db.db(), *feed);
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
        test.accounts.delete_user(ann).await.unwrap();
        for attempt in subscribing {
            attempt.await.unwrap();
        }
        assert_eq!(counts(&test.db).await.iter().sum::<i64>(), 0, "nothing came back");
        assert_eq!(test.count("select count(*) from feeds where rested_at is null").await, 0);
    }
}

on_both_databases!(concurrent_deletions_delete_once);
async fn concurrent_deletions_delete_once(db: TestDb) {
    let test = TestAccounts::new(db);
    let shared = feed(&test.db, "https://shared.example").await;
    let ann = create_full_user(&test, "ann@example.org", &[shared]).await.user.id;
    let (one, other) = tokio::join!(test.accounts.delete_user(ann), test.accounts.delete_user(ann));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|left| **left).count(), 1);
    assert!(feeds::is_resting(&test.db, shared).await.unwrap());
}

on_both_databases!(export_has_all_data_and_no_secret);
async fn export_has_all_data_and_no_secret(db: TestDb) {
    let test = TestAccounts::new(db);
    let feed = feed(&test.db, "https://own.example").await;
    let ann = create_full_user(&test, "ann@example.org", &[feed]).await;
    create_full_user(&test, "bob@example.org", &[feed]).await;
    let mut tx = test.db.begin().await.unwrap();
    let folder = folders::find(&mut tx, ann.user.id, "News").await.unwrap();
    let subscription = subscriptions::find_in(&mut tx, ann.user.id, feed).await.unwrap().unwrap();
    let patch = subscriptions::SubscriptionPatch {
        fetch_interval_minutes: Some(120),
        title: Some(Some("Mine".to_owned())),
        folder_id: Some(folder),
        full_text: None,
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

    let export = serde_json::to_value(test.accounts.export(ann.user.id, ExportScope::Full).await.unwrap()).unwrap();
    let at = |pointer: &str| export.pointer(pointer).unwrap_or(&Value::Null).clone();
    assert_eq!(at("/format"), json!(1));
    assert_eq!(at("/account/email"), json!("ann@example.org"));
    assert_eq!(at("/account/role"), json!("member"));
    assert_eq!(at("/account/has_password"), json!(true));
    assert_eq!(at("/settings/theme"), json!("system"));
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
    let session: String = test.db.read("select id from sessions limit 1").scalar().await.unwrap();
    let token: String = test.db.read("select token_hash from api_tokens limit 1").scalar().await.unwrap();
    for secret in ["$argon2id$", "bob@example.org", ann.secret.expose(), &session, &token] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert_eq!(refusal(test.accounts.export(UserId::new(), ExportScope::Full).await), "NotFound");
}

on_both_databases!(prune_deletes_only_expired_rows);
async fn prune_deletes_only_expired_rows(db: TestDb) {
    let test = TestAccounts::new(db);
    test.accounts.create_setup_link().await.unwrap().unwrap();
    let ann = test.create_user("ann@example.org").await;
    test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    test.sign_in("ann@example.org", "wrong password").await.unwrap_err();
    assert_eq!(test.accounts.prune().await.unwrap(), accounts::Pruned::default(), "nothing has expired");
    test.advance(23 * 60 * 60);
    test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let pruned = test.accounts.prune().await.unwrap();
    assert_eq!((pruned.sessions, pruned.setup_links), (0, 0));
    assert!(pruned.throttles >= 2);
    test.advance(60 * 60);
    let pruned = test.accounts.prune().await.unwrap();
    assert_eq!((pruned.sessions, pruned.setup_links), (1, 1));
    assert_eq!(test.accounts.list_sessions(ann.id).await.unwrap().len(), 1);
    assert_eq!(test.count("select count(*) from throttles").await, 0);
}
