//! Migrating a database of an earlier version keeps its rows.

use chrono::{DateTime, Utc};
use sqlx::{Connection, PgConnection, SqliteConnection};
use store::{Db, UserId, identities, sessions, user_settings, users};
use testkit::TestDb;
use uuid::Uuid;

use crate::jobs::start;

const SQLITE: [&str; 3] = [
    include_str!("../../migrations/sqlite/0001_reader.sql"),
    include_str!("../../migrations/sqlite/0002_jobs.sql"),
    include_str!("../../migrations/sqlite/0003_reading.sql"),
];
const POSTGRES: [&str; 3] = [
    include_str!("../../migrations/postgres/0001_reader.sql"),
    include_str!("../../migrations/postgres/0002_jobs.sql"),
    include_str!("../../migrations/postgres/0003_reading.sql"),
];
const APPLIED: &str = "insert into schema_migrations (version, name) values
    (1, '0001_reader'), (2, '0002_jobs'), (3, '0003_reading')";

/// Rows of version 3. `$1` is the id of every row, `$2` a time.
const ROWS: [&str; 7] = [
    "insert into users (id, email, name, created_at) values ($1, 'Ann@Example.org', 'Ann', $2)",
    "insert into identities (id, user_id, provider, provider_user_id, created_at) values ($1, $1, 'google', '42', $2)",
    "insert into feeds (id, feed_url, title, created_at) values ($1, 'https://example.org/feed', 'Feed', $2)",
    "insert into items (feed_id, title, published_at) values ($1, 'Item', $2)",
    "insert into subscriptions (id, user_id, feed_id, created_at) values ($1, $1, $1, $2)",
    "insert into user_settings (id, user_id, theme, updated_at) values ($1, $1, 'dark', $2)",
    "insert into item_states (user_id, item_id, feed_id, published_at, is_starred)
        select $1, id, feed_id, $2, true from items",
];

#[tokio::test]
async fn sqlite_rows_survive_the_upgrade() {
    let folder = tempfile::TempDir::new().unwrap();
    let url = format!("sqlite://{}", folder.path().join("k.db").display());
    let db = Db::open(&url.parse().unwrap(), 2).await.unwrap();
    let mut raw = SqliteConnection::connect(&url).await.unwrap();
    let versions = "create table schema_migrations (version integer primary key, name text not null,
        applied_at text not null default '2026-01-01T00:00:00+00:00') strict";
    for script in SQLITE.into_iter().chain([versions, APPLIED]) {
        sqlx::raw_sql(script).execute(&mut raw).await.unwrap();
    }
    raw.close().await.unwrap();
    upgrade(&db).await;
}

#[tokio::test]
async fn postgres_rows_survive_the_upgrade() {
    let test = TestDb::postgres().await;
    for sql in ["drop schema public cascade", "create schema public"] {
        test.write(sql).execute().await.unwrap();
    }
    let mut raw = PgConnection::connect(test.url()).await.unwrap();
    let versions = "create table schema_migrations (version bigint primary key, name text not null,
        applied_at timestamptz not null default now())";
    for script in POSTGRES.into_iter().chain([versions, APPLIED]) {
        sqlx::raw_sql(script).execute(&mut raw).await.unwrap();
    }
    raw.close().await.unwrap();
    upgrade(&test).await;
}

async fn upgrade(db: &Db) {
    let id = Uuid::now_v7();
    for sql in ROWS {
        db.write(sql).bind(id).bind(start()).execute().await.unwrap();
    }
    db.write("insert into sessions (id, user_id, data, expires_at, created_at) values ('a', $1, $2, $3, $4), ('b', $1, $2, $3, $4)")
        .bind(id)
        .bind(b"{}".to_vec())
        .bind(start() + chrono::TimeDelta::days(1))
        .bind(start())
        .execute()
        .await
        .unwrap();
    let migrated = db.migrate().await.unwrap();
    assert_eq!((migrated.from, migrated.to >= 4), (3, true));
    db.check().await.unwrap();
    check_rows(db, UserId(id)).await;
}

async fn check_rows(db: &Db, id: UserId) {
    let ann = users::find_by_email(db, "ann@example.org").await.unwrap().unwrap();
    assert_eq!((ann.id, ann.name.as_str(), ann.role, ann.created_at), (id, "Ann", users::Role::Member, start()));
    assert!(!ann.has_password && !ann.is_email_verified);
    let identities = identities::list(db, id).await.unwrap();
    assert_eq!(identities.len(), 1);
    assert_eq!((identities[0].issuer.as_str(), identities[0].created_at), ("https://accounts.google.com", start()));
    let sessions = sessions::list(db, id, start()).await.unwrap();
    assert_eq!(sessions.len(), 2, "each has its own id");
    assert!(sessions.iter().all(|session| session.seen_at == start() && session.data == b"{}"));
    let settings = user_settings::get(db, id).await.unwrap().unwrap();
    assert_eq!((settings.theme, settings.language), (user_settings::Theme::Dark, None));
    assert_eq!((settings.density, settings.preferences.as_str()), (user_settings::Density::Comfortable, "{}"));
    let starred: (DateTime<Utc>, bool) =
        db.read("select published_at, is_starred from item_states where user_id = $1").bind(id).one().await.unwrap();
    assert_eq!(starred, (start(), true));
    // Foreign keys still work after tables were recreated.
    db.write("delete from users where id = $1").bind(id).execute().await.unwrap();
    for table in ["select count(*) from identities", "select count(*) from sessions"] {
        let left: i64 = db.read(table).scalar().await.unwrap();
        assert_eq!(left, 0, "{table}");
    }
}
