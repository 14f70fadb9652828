//! The reader's tables keep their promises by themselves, on both databases.

use store::{Db, Error};
use testkit::{TestDb, on_both_databases};
use uuid::Uuid;

use crate::jobs::start;

async fn add_user(db: &Db, email: &str) -> store::Result<Uuid> {
    let id = Uuid::now_v7();
    let insert = db.write("insert into users (id, email, name) values ($1, $2, 'Reader')");
    insert.bind(id).bind(email.to_owned()).execute().await.map(|_| id)
}

async fn add_feed(db: &Db, url: &str) -> store::Result<Uuid> {
    let id = Uuid::now_v7();
    let insert = db.write("insert into feeds (id, feed_url, title) values ($1, $2, 'Feed')");
    insert.bind(id).bind(url.to_owned()).execute().await.map(|_| id)
}

async fn add_item(db: &Db, feed: Uuid, guid: Option<&str>) -> store::Result<i64> {
    db.write("insert into items (feed_id, guid_or_id, title, published_at) values ($1, $2, 'Item', $3) returning id")
        .bind(feed)
        .bind(guid.map(str::to_owned))
        .bind(start())
        .scalar()
        .await
}

async fn subscribe(db: &Db, user: Uuid, feed: Uuid, minutes: i64) -> store::Result<u64> {
    db.write("insert into subscriptions (id, user_id, feed_id, fetch_interval_minutes) values ($1, $2, $3, $4)")
        .bind(Uuid::now_v7())
        .bind(user)
        .bind(feed)
        .bind(minutes)
        .execute()
        .await
}

async fn count(db: &Db, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

on_both_databases!(one_account_per_address_however_it_is_written);
async fn one_account_per_address_however_it_is_written(db: TestDb) {
    add_user(&db, "Someone@example.org").await.unwrap();
    assert!(matches!(add_user(&db, "someone@EXAMPLE.org").await, Err(Error::Conflict(_))));
    assert!(add_user(&db, &"x".repeat(256)).await.is_err(), "longer than the document allows");
}

on_both_databases!(an_identity_belongs_to_one_person);
async fn an_identity_belongs_to_one_person(db: TestDb) {
    let user = add_user(&db, "a@example.org").await.unwrap();
    let insert = |issuer: &str| {
        db
            .write("insert into identities (id, user_id, provider, issuer, provider_user_id) values ($1, $2, 'oidc', $3, '42')")
            .bind(Uuid::now_v7())
            .bind(user)
            .bind(issuer.to_owned())
    };
    insert("https://one.example").execute().await.unwrap();
    assert!(matches!(insert("https://one.example").execute().await, Err(Error::Conflict(_))));
    insert("https://other.example").execute().await.expect("the same subject elsewhere is somebody else");
}

on_both_databases!(feeds_and_items_are_told_apart);
async fn feeds_and_items_are_told_apart(db: TestDb) {
    let feed = add_feed(&db, "https://example.org/feed").await.unwrap();
    assert!(matches!(add_feed(&db, "https://example.org/feed").await, Err(Error::Conflict(_))));
    assert!(add_feed(&db, &format!("https://example.org/{}", "x".repeat(3000))).await.is_err());
    let first = add_item(&db, feed, Some("guid")).await.unwrap();
    assert!(matches!(add_item(&db, feed, Some("guid")).await, Err(Error::Conflict(_))));
    let nameless = add_item(&db, feed, None).await.unwrap();
    assert!(add_item(&db, feed, None).await.unwrap() > nameless && nameless > first, "ids ascend");
    // The longest guid of multi-byte characters must fit the index of PostgreSQL.
    add_item(&db, feed, Some(&"瓦".repeat(666))).await.unwrap();
    assert!(add_item(&db, feed, Some(&"瓦".repeat(667))).await.is_err());
    assert!(db.write("update feeds set fetch_status = 'asleep'").execute().await.is_err());
}

on_both_databases!(a_subscription_is_unique_and_its_interval_in_steps);
async fn a_subscription_is_unique_and_its_interval_in_steps(db: TestDb) {
    let user = add_user(&db, "a@example.org").await.unwrap();
    let feed = add_feed(&db, "https://example.org/feed").await.unwrap();
    for bad in [0, 15, 29, 45, 750] {
        assert!(subscribe(&db, user, feed, bad).await.is_err(), "{bad} minutes");
    }
    subscribe(&db, user, feed, 30).await.unwrap();
    assert!(matches!(subscribe(&db, user, feed, 720).await, Err(Error::Conflict(_))));
    assert!(db.write("update subscriptions set unread_count = -1").execute().await.is_err());
    assert!(subscribe(&db, Uuid::now_v7(), feed, 60).await.is_err(), "nobody");
}

on_both_databases!(leaving_takes_what_is_ones_own_and_keeps_the_shared);
async fn leaving_takes_what_is_ones_own_and_keeps_the_shared(db: TestDb) {
    let user = add_user(&db, "a@example.org").await.unwrap();
    let feed = add_feed(&db, "https://example.org/feed").await.unwrap();
    let item = add_item(&db, feed, Some("guid")).await.unwrap();
    subscribe(&db, user, feed, 60).await.unwrap();
    for sql in [
        "insert into item_states (user_id, item_id, feed_id, published_at) select $1, id, feed_id, published_at from items",
        "insert into user_settings (id, user_id) values ($1, $1)",
    ] {
        db.write(sql).bind(user).execute().await.unwrap();
    }
    db.write(
        "insert into sessions (id, user_id, data, expires_at, public_id, seen_at) values ('s', $1, $2, $3, $1, $3)",
    )
    .bind(user)
    .bind(Vec::<u8>::new())
    .bind(start())
    .execute()
    .await
    .unwrap();
    assert_eq!(count(&db, "select count(*) from item_states where is_read = false").await, 1);
    assert!(store::delete_user::remove_user(&db, store::UserId(user), start()).await.unwrap());
    for table in [
        "select count(*) from subscriptions",
        "select count(*) from item_states",
        "select count(*) from user_settings",
        "select count(*) from sessions",
    ] {
        assert_eq!(count(&db, table).await, 0, "{table}");
    }
    assert_eq!(count(&db, "select count(*) from items").await, 1);
    db.write("delete from feeds where id = $1").bind(feed).execute().await.unwrap();
    assert_eq!(count(&db, "select count(*) from items").await, 0, "item {item} went with its feed");
}
