//! A claim of due feeds reads only the rows it needs.

use store::{Db, feeds};
use testkit::{TestDb, on_both_databases};

use crate::{jobs::start, locked_rows::claim_of};

/// Feeds of a kind on separate hosts, due one second after another.
async fn add_feeds(db: &Db, kind: &'static str, count: i64) {
    let mut tx = db.begin().await.unwrap();
    let numbers: Vec<i64> = (0..count).collect();
    let insert = "insert into feeds (id, feed_url, host, title, kind, next_fetch_at, created_at, updated_at)";
    tx.insert_many::<_, (i64,)>(insert, 8, "", &numbers, |query, number| {
        query
            .bind(store::FeedId::new())
            .bind(format!("https://{kind}{number}.example/"))
            .bind(format!("{kind}{number}.example"))
            .bind("?".to_owned())
            .bind(kind.to_owned())
            .bind(start() - chrono::TimeDelta::seconds(count - number))
            .bind(start())
            .bind(start())
    })
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

on_both_databases!(claim_returns_longest_due_of_its_kinds);
async fn claim_returns_longest_due_of_its_kinds(db: TestDb) {
    add_feeds(&db, "digest", 50).await;
    add_feeds(&db, "feed", 20).await;
    add_feeds(&db, "site", 10).await;
    let kinds = |kinds: &[&str]| kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>();
    let urls = async |most: i64, of: &[&str]| {
        let claimed = feeds::claim(&db, &feeds::Claim { kinds: kinds(of), ..claim_of(most) }).await.unwrap();
        let mut urls: Vec<String> =
            claimed.into_iter().map(|feed| format!("{} {}", feed.kind, feed.feed_url)).collect();
        urls.sort();
        urls
    };
    assert_eq!(urls(2, &["feed"]).await, ["feed https://feed0.example/", "feed https://feed1.example/"]);
    // Nine feeds of `feed` have been due longer than the first of `site`.
    assert_eq!(urls(10, &["feed", "site"]).await.iter().filter(|url| url.starts_with("site")).count(), 1);
    assert_eq!(urls(100, &["site"]).await.len(), 9);
    assert!(urls(100, &[]).await.is_empty() && urls(100, &["unknown"]).await.is_empty());
    let next = feeds::next_due_at(&db, kinds(&["feed", "site"])).await.unwrap();
    assert_eq!(next, Some(start() - chrono::TimeDelta::seconds(9)));
    assert_eq!(feeds::next_due_at(&db, kinds(&["unknown"])).await.unwrap(), None);
}

/// EXPLAIN does not show the plan of a function, so this counts the rows it reads.
#[tokio::test]
async fn postgres_claim_reads_only_its_kinds() {
    let db = TestDb::postgres().await;
    add_feeds(&db, "digest", 20_000).await;
    add_feeds(&db, "feed", 20_000).await;
    db.write("analyze feeds").execute().await.unwrap();
    let mut tx = db.begin().await.unwrap();
    let claimed: i64 = tx
        .query(
            "select count(*) from claim_due_feeds($1, $1 + interval '2 days', $1 + interval '5 minutes',
                gen_random_uuid(), 20, 2, array['feed', 'site'])",
        )
        .bind(start())
        .scalar()
        .await
        .unwrap();
    let read: (i64, i64) = tx
        .query("select seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables where relname = 'feeds'")
        .one()
        .await
        .unwrap();
    tx.rollback().await.unwrap();
    assert_eq!((claimed, read.0), (20, 0));
    assert!(read.1 <= 20 * 10 + 200, "{} rows by index", read.1);
}
