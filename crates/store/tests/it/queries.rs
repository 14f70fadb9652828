//! `Query` and `Tx` on both databases.

use chrono::{DateTime, TimeDelta, Utc};
use store::{Db, Error, JobId, Topic};
use testkit::{TestDb, on_both_databases};

use crate::jobs::{new_job, start};

on_both_databases!(times_keep_microseconds_and_sort);
async fn times_keep_microseconds_and_sort(db: TestDb) {
    let base = DateTime::from_timestamp_micros(1_800_000_000_000_000).unwrap();
    let mut times: Vec<DateTime<Utc>> =
        [0, 1, 10, 200_000, 999_999, 1_000_000, 1_000_001].map(|us| base + TimeDelta::microseconds(us)).into();
    let mut tx = db.begin().await.unwrap();
    for at in times.iter().rev() {
        let mut job = new_job("tick");
        job.run_at = *at;
        store::jobs::enqueue(&mut tx, base, &job).await.unwrap();
    }
    tx.commit().await.unwrap();
    let read: Vec<(DateTime<Utc>,)> = db.read("select run_at from jobs order by run_at").all().await.unwrap();
    times.sort();
    assert_eq!(read.into_iter().map(|(at,)| at).collect::<Vec<_>>(), times);
}

on_both_databases!(bound_ids_select_exactly_those);
async fn bound_ids_select_exactly_those(db: TestDb) {
    let mut tx = db.begin().await.unwrap();
    let jobs = vec![new_job("listed"); 5];
    let added = store::jobs::enqueue_many(&mut tx, start(), &jobs).await.unwrap();
    tx.commit().await.unwrap();
    let wanted = [added[1].id(), added[3].id(), JobId::new()];
    let found: Vec<(JobId,)> = db
        .read("select id from jobs where id in (select unhex(value) from json_each($1)) order by id")
        .bind_ids(wanted)
        .all()
        .await
        .unwrap();
    assert_eq!(found, [(wanted[0],), (wanted[1],)]);
    let none: Vec<(JobId,)> = db
        .read("select id from jobs where id in (select unhex(value) from json_each($1))")
        .bind_ids(Vec::<JobId>::new())
        .all()
        .await
        .unwrap();
    assert!(none.is_empty());
}

on_both_databases!(dropped_transaction_writes_and_signals_nothing);
async fn dropped_transaction_writes_and_signals_nothing(db: TestDb) {
    let mut heard = db.signals().subscribe(Topic::Jobs);
    let mut tx = db.begin().await.unwrap();
    store::jobs::enqueue(&mut tx, start(), &new_job("dropped")).await.unwrap();
    drop(tx);
    let count: i64 = db.write("select count(*) from jobs").scalar().await.unwrap();
    assert_eq!(count, 0);
    assert!(!heard.has_changed().unwrap());
    let mut tx = db.begin().await.unwrap();
    store::jobs::enqueue(&mut tx, start(), &new_job("kept")).await.unwrap();
    tx.commit().await.unwrap();
    heard.changed().await.unwrap();
}

on_both_databases!(errors_are_classified);
async fn errors_are_classified(db: TestDb) {
    let id = JobId::new();
    let insert =
        || db.write("insert into job_schedules (kind, due_at) values ($1, $2)").bind("x".to_owned()).bind(start());
    insert().execute().await.unwrap();
    assert!(matches!(insert().execute().await, Err(Error::Conflict(_))));
    let missing = db.read("select id from jobs where id = $1").bind(id).one::<(JobId,)>().await;
    assert!(matches!(missing, Err(Error::NotFound)));
    assert!(matches!(db.read("select nonsense from nowhere").all::<(i64,)>().await, Err(Error::Query(_))));
    let none = db.read("select id from jobs where id = $1").bind(id).optional::<(JobId,)>().await.unwrap();
    assert_eq!(none, None);
}

on_both_databases!(transaction_dropped_while_beginning_is_harmless);
async fn transaction_dropped_while_beginning_is_harmless(db: TestDb) {
    let other = Db::open(&db.url().parse().unwrap(), 1).await.unwrap();
    // One connection, so that the next write uses the one that was about to begin.
    let one = Db::open(&db.url().parse().unwrap(), 1).await.unwrap();
    for polls in 0..24 {
        {
            let mut begin = std::pin::pin!(one.begin());
            for _ in 0..polls {
                let mut context = std::task::Context::from_waker(std::task::Waker::noop());
                if begin.as_mut().poll(&mut context).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let id = uuid::Uuid::now_v7();
        let add = one.write("insert into users (id, email, name) values ($1, $2, 'A')");
        add.bind(id).bind(format!("{polls}@example.org")).execute().await.unwrap();
        let seen: i64 = other.read("select count(*) from users").scalar().await.unwrap();
        assert_eq!(seen, polls + 1, "written after {polls} polls of a transaction that never began");
    }
}

on_both_databases!(insert_many_inserts_all_rows);
async fn insert_many_inserts_all_rows(db: TestDb) {
    let jobs = vec![new_job("many"); 4_321];
    let mut tx = db.begin().await.unwrap();
    let added = store::jobs::enqueue_many(&mut tx, start(), &jobs).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(added.len(), jobs.len());
    let count: i64 = db.read("select count(*) from jobs").scalar().await.unwrap();
    assert_eq!(count, 4_321);
}

#[tokio::test]
async fn another_process_receives_signals() {
    let here = TestDb::postgres().await;
    let there = store::Db::open(&here.url().parse().unwrap(), 3).await.unwrap();
    let mut heard = there.signals().subscribe(Topic::Jobs);
    let listener = there.clone();
    let listening = tokio::spawn(async move { listener.listen().await });
    // The other side may not listen yet, so announce until it receives one.
    let announce = async {
        loop {
            let mut tx = here.begin().await.unwrap();
            store::jobs::enqueue(&mut tx, start(), &new_job("heard")).await.unwrap();
            tx.commit().await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        changed = heard.changed() => changed.unwrap(),
        () = announce => unreachable!("announces in a loop"),
        () = tokio::time::sleep(std::time::Duration::from_secs(30)) => panic!("no signal arrived"),
    }
    listening.abort();
}

#[tokio::test]
async fn sqlite_file_is_private_and_reads_cannot_write() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("new/folder/k.db");
    let db = store::Db::open(&format!("sqlite://{}", file.display()).parse().unwrap(), 1).await.unwrap();
    db.migrate().await.unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&file.with_extension("db-wal")), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    let page: i64 = db.read("pragma page_size").scalar().await.unwrap();
    assert_eq!(page, 8192);
    let journal: String = db.read("pragma journal_mode").scalar().await.unwrap();
    assert_eq!(journal, "wal");
    let refused = db.read("delete from jobs").execute().await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    db.close().await;
    // A folder instead of a file is an error with a message.
    let address = format!("sqlite://{}", folder.path().join("new").display()).parse().unwrap();
    assert!(matches!(store::Db::open(&address, 1).await.err(), Some(Error::Open { .. })));
}
