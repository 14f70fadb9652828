use super::*;

on_both_databases!(ready_with_the_right_database_version);
async fn ready_with_the_right_database_version(db: TestDb) {
    let router = main_router(app(&db));
    let ready = get_with(&router, "/readyz", &[]).await;
    assert_eq!((ready.status.as_u16(), ready.json()["status"].as_str()), (200, Some("ready")));
    assert_eq!(ready.header("cache-control"), "no-store");

    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let older = get_with(&router, "/readyz", &[]).await;
    assert_eq!((older.status.as_u16(), older.json()["code"].as_str()), (503, Some("database_version")));

    db.write("insert into schema_migrations (version, name) values (9999, 'future')").execute().await.unwrap();
    let newer = get_with(&router, "/readyz", &[]).await;
    assert_eq!((newer.status.as_u16(), newer.json()["code"].as_str()), (503, Some("database_version")));
}

on_both_databases!(without_a_database_alive_but_not_ready);
async fn without_a_database_alive_but_not_ready(db: TestDb) {
    let router = main_router(app(&db));
    db.close().await;
    let ready = get_with(&router, "/readyz", &[]).await;
    assert_eq!((ready.status.as_u16(), ready.json()["code"].as_str()), (503, Some("database_unavailable")));
    let alive = get_with(&router, "/healthz", &[]).await;
    assert_eq!((alive.status.as_u16(), alive.json()["status"].as_str()), (200, Some("alive")));
}

#[tokio::test]
async fn not_ready_while_stopping() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let router = main_router(app.clone());
    app.stopping.cancel();
    let answer = get_with(&router, "/readyz", &[("accept-language", "ja")]).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (503, Some("stopping")));
    assert_eq!(get_with(&router, "/healthz", &[]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn not_ready_while_the_disk_is_full() {
    let db = TestDb::postgres().await;
    let router = main_router(app(&db));
    for sql in [
        "create function disk_full() returns trigger language plpgsql as $$
            begin raise exception 'could not extend file' using errcode = '53100'; end $$",
        "create trigger disk_full before insert on readiness for each row execute function disk_full()",
    ] {
        db.write(sql).execute().await.unwrap();
    }
    let full = get_with(&router, "/readyz", &[]).await;
    assert_eq!((full.status.as_u16(), full.json()["code"].as_str()), (503, Some("disk_full")));
    db.write("drop trigger disk_full on readiness").execute().await.unwrap();
    assert_eq!(get_with(&router, "/readyz", &[]).await.status, StatusCode::OK, "ready again");
}
