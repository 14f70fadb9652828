//! Constraints of the reader's tables, on both databases.

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

on_both_databases!(email_is_unique_ignoring_case);
async fn email_is_unique_ignoring_case(db: TestDb) {
    add_user(&db, "Someone@example.org").await.unwrap();
    assert!(matches!(add_user(&db, "someone@EXAMPLE.org").await, Err(Error::Conflict(_))));
    assert!(add_user(&db, &"x".repeat(256)).await.is_err(), "longer than an address may be");
}

on_both_databases!(identity_belongs_to_one_user);
async fn identity_belongs_to_one_user(db: TestDb) {
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
    insert("https://other.example").execute().await.expect("the same subject at another issuer is another identity");
}

on_both_databases!(feed_urls_and_guids_are_unique);
async fn feed_urls_and_guids_are_unique(db: TestDb) {
    let feed = add_feed(&db, "https://example.org/feed").await.unwrap();
    assert!(matches!(add_feed(&db, "https://example.org/feed").await, Err(Error::Conflict(_))));
    assert!(add_feed(&db, &format!("https://example.org/{}", "x".repeat(3000))).await.is_err());
    let first = add_item(&db, feed, Some("guid")).await.unwrap();
    assert!(matches!(add_item(&db, feed, Some("guid")).await, Err(Error::Conflict(_))));
    let nameless = add_item(&db, feed, None).await.unwrap();
    assert!(add_item(&db, feed, None).await.unwrap() > nameless && nameless > first, "ids ascend");
    // The longest guid in multi-byte characters must fit into PostgreSQL's index.
    add_item(&db, feed, Some(&"瓦".repeat(666))).await.unwrap();
    assert!(add_item(&db, feed, Some(&"瓦".repeat(667))).await.is_err());
    assert!(db.write("update feeds set fetch_status = 'asleep'").execute().await.is_err());
}

on_both_databases!(subscription_is_unique_with_valid_interval);
async fn subscription_is_unique_with_valid_interval(db: TestDb) {
    let user = add_user(&db, "a@example.org").await.unwrap();
    let feed = add_feed(&db, "https://example.org/feed").await.unwrap();
    for bad in [0, 15, 29, 45, 750] {
        assert!(subscribe(&db, user, feed, bad).await.is_err(), "{bad} minutes");
    }
    subscribe(&db, user, feed, 30).await.unwrap();
    assert!(matches!(subscribe(&db, user, feed, 720).await, Err(Error::Conflict(_))));
    assert!(db.write("update subscriptions set unread_count = -1").execute().await.is_err());
    assert!(subscribe(&db, Uuid::now_v7(), feed, 60).await.is_err(), "no such user");
}

on_both_databases!(deleting_a_user_keeps_shared_rows);
async fn deleting_a_user_keeps_shared_rows(db: TestDb) {
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
    assert!(store::delete_user::delete(&db, store::UserId(user), start()).await.unwrap());
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

on_both_databases!(unread_list_uses_its_partial_index);
async fn unread_list_uses_its_partial_index(db: TestDb) {
    // The planner must choose the partial index with and without statistics.
    let user = add_user(&db, "a@example.org").await.unwrap();
    let plan = if db.is_postgres() {
        db.write("set enable_seqscan = off").execute().await.unwrap();
        "explain select item_id from item_states where user_id = $1 and is_read = false
             and (published_at, item_id) < ($2, $3) order by published_at desc, item_id desc limit 50"
    } else {
        "explain query plan select item_id from item_states where user_id = $1 and is_read = false
             and (published_at, item_id) < ($2, $3) order by published_at desc, item_id desc limit 50"
    };
    let query = db.read(plan).bind(user).bind(start()).bind(i64::MAX);
    let text = if db.is_postgres() {
        let rows: Vec<(String,)> = query.all().await.unwrap();
        rows.into_iter().map(|(line,)| line).collect::<Vec<_>>().join("\n")
    } else {
        let rows: Vec<(i64, i64, i64, String)> = query.all().await.unwrap();
        rows.into_iter().map(|row| row.3).collect::<Vec<_>>().join("\n")
    };
    assert!(text.contains("item_states_unread"), "{text}");
    assert!(!text.to_lowercase().contains("sort") && !text.contains("TEMP B-TREE"), "{text}");
}
