//! Migrations: both databases get the same tables, and any number of processes may start at once.

use store::{Db, Error};
use testkit::{TestDb, on_both_databases};

on_both_databases!(migrating_again_changes_nothing);
async fn migrating_again_changes_nothing(db: TestDb) {
    let again = db.migrate().await.unwrap();
    assert_eq!(again.from, again.to);
    db.check().await.unwrap();
}

on_both_databases!(newer_database_is_rejected);
async fn newer_database_is_rejected(db: TestDb) {
    db.write("insert into schema_migrations (version, name) values (9999, 'from the future')").execute().await.unwrap();
    let refused = db.migrate().await.unwrap_err();
    assert!(matches!(refused, Error::Newer { found: 9999, .. }), "{refused}");
    assert!(matches!(db.check().await, Err(Error::Newer { .. })));
}

on_both_databases!(an_older_database_is_not_ready);
async fn an_older_database_is_not_ready(db: TestDb) {
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let refused = db.check().await.unwrap_err();
    assert!(refused.to_string().contains("kawaraban migrate"), "{refused}");
    db.write("drop table schema_migrations").execute().await.unwrap();
    assert!(matches!(db.check().await, Err(Error::Older { found: 0, .. })), "an empty database is not ready either");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_processes_migrate_a_new_sqlite_file() {
    let folder = tempfile::TempDir::new().unwrap();
    let url = format!("sqlite://{}", folder.path().join("k.db").display());
    migrate_ten_times(url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_processes_migrate_a_postgres_database() {
    let db = TestDb::postgres().await;
    // Back to an empty database.
    for sql in ["drop schema public cascade", "create schema public"] {
        db.write(sql).execute().await.unwrap();
    }
    migrate_ten_times(db.url().to_owned()).await;
}

async fn migrate_ten_times(url: String) {
    let starts: Vec<_> = (0..10)
        .map(|_| {
            let address = url.parse().unwrap();
            tokio::spawn(async move {
                let db = Db::open(&address, 2).await.unwrap();
                let migrated = db.migrate().await.unwrap();
                db.check().await.unwrap();
                db.close().await;
                migrated
            })
        })
        .collect();
    let mut from_empty = 0;
    for start in starts {
        from_empty += i32::from(start.await.unwrap().from == 0);
    }
    assert_eq!(from_empty, 1, "exactly one of them migrated");
}

/// All but the search index, which differs: FTS5 has its own tables, GIN has none.
#[tokio::test]
async fn both_databases_have_the_same_tables_and_columns() {
    let (sqlite, postgres) = (TestDb::sqlite().await, TestDb::postgres().await);
    let on_sqlite: Vec<(String, String, bool)> = sqlite
        .read(
            "select t.name, c.name, c.\"notnull\" = 1 or c.pk > 0 from sqlite_schema t, pragma_table_info(t.name) c
             where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'item_search' and t.name not like 'item_words%'
             order by t.name, c.cid",
        )
        .all()
        .await
        .unwrap();
    let on_postgres: Vec<(String, String, bool)> = postgres
        .read(
            "select cast(table_name as text), cast(column_name as text), is_nullable = 'NO'
             from information_schema.columns where table_schema = 'public' and table_name <> 'item_search'
             order by table_name, ordinal_position",
        )
        .all()
        .await
        .unwrap();
    assert!(on_sqlite.len() > 80, "the query finds the tables: {on_sqlite:?}");
    assert_eq!(on_sqlite, on_postgres);

    let indexes =
        "select tbl_name, name from sqlite_schema where type = 'index' and name not like 'sqlite_%' order by 1, 2";
    let on_sqlite: Vec<(String, String)> = sqlite.read(indexes).all().await.unwrap();
    let on_postgres: Vec<(String, String)> = postgres
        .read(
            "select cast(tablename as text), cast(indexname as text) from pg_indexes
             where schemaname = 'public' and indexname not like '%_pkey' and indexname not like '%_key'
                and indexname <> 'item_search_words' order by 1, 2",
        )
        .all()
        .await
        .unwrap();
    assert!(on_sqlite.len() > 15);
    let named =
        |rows: Vec<(String, String)>| rows.into_iter().filter(|(_, name)| !name.ends_with("_key")).collect::<Vec<_>>();
    assert_eq!(named(on_sqlite), named(on_postgres));
}

#[tokio::test]
async fn no_postgres_column_is_a_small_integer() {
    let db = TestDb::postgres().await;
    let small: Vec<(String, String)> = db
        .read(
            "select cast(table_name as text), cast(column_name as text) from information_schema.columns
             where table_schema = 'public' and data_type in ('integer', 'smallint')",
        )
        .all()
        .await
        .unwrap();
    assert_eq!(small, [], "i64 cannot be read from these");
}
