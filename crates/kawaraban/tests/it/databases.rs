//! Starting on databases of all ages: new, current, newer, and ten processes at once.

use testkit::{TestDb, on_both_databases};

use crate::process::{Program, get};

on_both_databases!(newer_database_is_rejected);
async fn newer_database_is_rejected(db: TestDb) {
    db.write("insert into schema_migrations (version, name) values (9999, 'future')").execute().await.unwrap();
    for command in [&["serve"] as &[&str], &["worker"], &["migrate"], &["jobs", "list"], &["healthcheck", "--worker"]] {
        let finished = Program::on(&db).run(command).await.expect_code(1);
        let words = "the database is at version 9999, this program supports up to";
        assert!(finished.stderr.contains(words), "{command:?} {finished:?}");
    }
}

on_both_databases!(read_only_commands_do_not_migrate);
async fn read_only_commands_do_not_migrate(db: TestDb) {
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    for command in [&["jobs", "list"] as &[&str], &["healthcheck", "--worker"]] {
        let finished = Program::on(&db).run(command).await.expect_code(1);
        assert!(finished.stderr.contains("run `kawaraban migrate`"), "{finished:?}");
    }
    let version: i64 = db.read("select max(version) from schema_migrations").scalar().await.unwrap();
    assert_eq!(version, 1);
}

on_both_databases!(second_migration_reports_no_change);
async fn second_migration_reports_no_change(db: TestDb) {
    let finished = Program::on(&db).run(&["migrate"]).await.expect_code(0);
    assert!(finished.stdout.contains("is at version") && finished.stdout.contains("already"), "{finished:?}");
}

#[tokio::test]
async fn only_migrate_creates_a_database() {
    let program = Program::new();
    let file = program.path("data/kawaraban.db");
    let missing = program.run(&["jobs", "list"]).await.expect_code(1);
    assert!(missing.stderr.contains("there is no database at") && !file.exists(), "{missing:?}");

    std::fs::create_dir(program.path("data")).unwrap();
    std::fs::write(&file, "").unwrap();
    let empty = program.run(&["jobs", "list"]).await.expect_code(1);
    assert!(empty.stderr.contains("run `kawaraban migrate`"), "{empty:?}");

    let migrated = program.run(&["migrate"]).await.expect_code(0);
    assert!(migrated.stdout.contains("is new and is at version"), "{migrated:?}");
    program.run(&["jobs", "list"]).await.expect_code(0);
}

#[tokio::test]
async fn other_file_is_not_overwritten() {
    let program = Program::new();
    std::fs::create_dir(program.path("data")).unwrap();
    let file = program.path("data/kawaraban.db");
    let text = "these are notes\n".repeat(1_000);
    std::fs::write(&file, &text).unwrap();
    for command in ["serve", "migrate"] {
        let finished = program.run(&[command]).await.expect_code(1);
        assert!(finished.stderr.contains("not a database"), "{finished:?}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

/// Five `serve` and five `migrate`, all at once on a new database.
async fn start_ten_processes(program: &Program) {
    let serving = async {
        let starts = [(); 5].map(|()| program.start(&["serve"]));
        let [a, b, c, d, e] = starts;
        <[_; 5]>::from(tokio::join!(a, b, c, d, e))
    };
    let migrating = async {
        let runs = [(); 5].map(|()| program.run(&["migrate"]));
        let [a, b, c, d, e] = runs;
        <[_; 5]>::from(tokio::join!(a, b, c, d, e))
    };
    let (running, migrated) = tokio::join!(serving, migrating);
    for finished in migrated {
        finished.expect_code(0);
    }
    for running in running {
        assert_eq!(get(running.main(), "/readyz").await.status, 200);
        assert_eq!(running.stop().await, Some(0));
    }
}

#[tokio::test]
async fn ten_processes_start_on_a_new_sqlite_file() {
    start_ten_processes(&Program::new()).await;
}

#[tokio::test]
async fn ten_processes_start_on_a_new_postgres_database() {
    let db = TestDb::postgres().await;
    // Back to an empty database.
    for sql in ["drop schema public cascade", "create schema public"] {
        db.write(sql).execute().await.unwrap();
    }
    start_ten_processes(&Program::on(&db)).await;
}
