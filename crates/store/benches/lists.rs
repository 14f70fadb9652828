//! A page of each kind of list with 10,000, 100,000 and 1,000,000 items, of which the newest nine tenths are read.
//!
//! One person reads 100 feeds, one of which gives all its items the same date. The time must not grow with the number of
//! items, and must stay below five milliseconds. Each round asks all three sizes one after the other, so that other work on
//! the machine slows all of them alike. Then everything is marked as read, at the two smaller sizes: the time may grow with the
//! number of items, and little faster. Run it with `make bench`.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Db, FeedId, FolderId, ItemId, UndoId, UserId,
    item_lists::{self, Filter, Order, Page, Position, Scope},
    states::{self, Unread},
    subscriptions,
    undos::{self, NewChunk},
    users,
};
use testkit::TestDb;

const SIZES: [i64; 3] = [10_000, 100_000, 1_000_000];
const FEEDS: i64 = 100;
const ROUNDS: usize = 301;
const MOST: Duration = Duration::from_millis(5);
/// How many times slower the largest may be than the smallest.
const GROWTH: f64 = 1.5;
/// How often everything is marked, how many items in one transaction, and how many times slower ten times the items may be.
const MARK_ROUNDS: usize = 5;
const MARK_CHUNK: i64 = 5_000;
const MARK_GROWTH: f64 = 12.0;

#[tokio::main]
async fn main() -> ExitCode {
    println!(
        "median of {ROUNDS}, ms; budget: at most {GROWTH}× from the smallest to the largest, and below {} ms\n\n\
         | list of 50 | {} | growth | verdict |\n|---|---:|---:|---:|---:|---|",
        MOST.as_millis(),
        SIZES.map(|size| size.to_string()).join(" | ")
    );
    let sqlite = measure("SQLite", [TestDb::sqlite().await, TestDb::sqlite().await, TestDb::sqlite().await]).await;
    let postgres =
        measure("PostgreSQL", [TestDb::postgres().await, TestDb::postgres().await, TestDb::postgres().await]).await;
    if sqlite && postgres { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A person with feeds in two folders.
struct Stage {
    user: UserId,
    feeds: Vec<FeedId>,
    small: FolderId,
    large: FolderId,
    middle: Position,
    tie: Position,
}

async fn measure(name: &str, databases: [TestDb; 3]) -> bool {
    let mut stages = Vec::new();
    for (db, items) in databases.iter().zip(SIZES) {
        stages.push(build(db, items).await);
    }
    let mut kept = true;
    for (title, page) in pages() {
        let mut times = SIZES.map(|_| Vec::new());
        for _ in 0..ROUNDS {
            for ((db, stage), times) in databases.iter().zip(&stages).zip(&mut times) {
                times.push(time_list(db, stage, &page(stage)).await);
            }
        }
        kept &= report(name, title, times);
    }
    let mut times = SIZES.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((db, stage), times) in databases.iter().zip(&stages).zip(&mut times) {
            let start = Instant::now();
            assert_eq!(subscriptions::list(db, stage.user).await.unwrap().len(), stage.feeds.len());
            times.push(start.elapsed());
        }
    }
    kept &= report(name, "subscriptions with counts", times);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..MARK_ROUNDS {
        for ((db, stage), times) in databases.iter().zip(&stages).zip(&mut times) {
            times.push(time_marking(db, stage).await);
        }
    }
    kept & report_marking(name, &times)
}

/// Prints a row of the table; false if it misses the budget.
fn report_marking(name: &str, [small, large]: &[Vec<Duration>; 2]) -> bool {
    let milliseconds = |times: &[Duration]| median(times.iter().map(Duration::as_secs_f64).collect()) * 1_000.0;
    let (small, large) = (milliseconds(small), milliseconds(large));
    let growth = large / small;
    let verdict = if growth <= MARK_GROWTH { "kept" } else { "**missed**" };
    println!(
        "| {name}: mark everything as read | {small:.0} | {large:.0} | | {growth:.1}× of {MARK_GROWTH}× | {verdict} |"
    );
    growth <= MARK_GROWTH
}

/// Makes everything unread, then marks it as read as `read::Reader::mark_as_read` does.
async fn time_marking(db: &Db, stage: &Stage) -> Duration {
    db.write("update item_states set is_read = false").execute().await.unwrap();
    db.write(
        "update subscriptions set unread_count =
            (select count(*) from item_states s where s.user_id = subscriptions.user_id and s.feed_id = subscriptions.feed_id)",
    )
    .execute()
    .await
    .unwrap();
    settle(db).await;
    let as_of = item_lists::latest_arrival(db).await.unwrap();
    let mut unread =
        Unread { scope: Scope::All, is_starred: false, as_of, after: Position::newest(), most: MARK_CHUNK };
    let undo = UndoId::new();
    let begun = Instant::now();
    for chunk in 0.. {
        let marked = db.transact(async |tx| {
            let marked = states::mark_next_read(tx, stage.user, &unread, start()).await?;
            let new = NewChunk { undo, chunk, items: &marked.items, expires_at: start() };
            undos::add(tx, stage.user, &new).await?;
            Ok::<_, store::Error>(marked.last)
        });
        match marked.await.unwrap() {
            Some(last) => unread.after = last,
            None => break,
        }
    }
    begun.elapsed()
}

async fn settle(db: &Db) {
    let settle = if db.is_postgres() { "vacuum analyze" } else { "pragma wal_checkpoint(truncate)" };
    db.write(settle).execute().await.unwrap();
}

/// Prints a row of the table; false if it misses the budget.
fn report(name: &str, title: &str, times: [Vec<Duration>; 3]) -> bool {
    let medians = times.map(|times| median(times.iter().map(Duration::as_secs_f64).collect()));
    let growth = medians[2] / medians[0];
    let kept = growth <= GROWTH && medians[2] < MOST.as_secs_f64();
    let shown = medians.map(|seconds| format!("{:.2}", seconds * 1_000.0)).join(" | ");
    println!("| {name}: {title} | {shown} | {growth:.2}× | {} |", if kept { "kept" } else { "**missed**" });
    kept
}

async fn time_list(db: &Db, stage: &Stage, page: &Page) -> Duration {
    let start = Instant::now();
    let listed = item_lists::list(db, stage.user, page).await.unwrap();
    let took = start.elapsed();
    assert_eq!(listed.items.len(), 50);
    took
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

type MakePage = fn(&Stage) -> Page;

fn pages() -> Vec<(&'static str, MakePage)> {
    const FIRST: Page = Page { scope: Scope::All, filter: Filter::All, order: Order::Newest, after: None, most: 50 };
    vec![
        ("all", |_| FIRST),
        ("all, from the middle", |stage| Page { after: Some(stage.middle), ..FIRST }),
        ("all, among items of one moment", |stage| Page { after: Some(stage.tie), ..FIRST }),
        ("all, oldest first", |_| Page { order: Order::Oldest, ..FIRST }),
        ("unread", |_| Page { filter: Filter::Unread, ..FIRST }),
        ("unread, oldest first", |_| Page { filter: Filter::Unread, order: Order::Oldest, ..FIRST }),
        ("starred", |_| Page { filter: Filter::Starred, ..FIRST }),
        ("feed", |stage| Page { scope: Scope::Feed(stage.feeds[7]), ..FIRST }),
        ("feed, items of one moment", |stage| Page {
            scope: Scope::Feed(stage.feeds[0]),
            after: Some(stage.tie),
            ..FIRST
        }),
        ("feed, oldest first", |stage| Page { scope: Scope::Feed(stage.feeds[7]), order: Order::Oldest, ..FIRST }),
        ("folder of 5 feeds", |stage| Page { scope: Scope::Folder(stage.small), ..FIRST }),
        ("folder of 5 feeds, unread", |stage| Page {
            scope: Scope::Folder(stage.small),
            filter: Filter::Unread,
            ..FIRST
        }),
        ("folder of 95 feeds", |stage| Page { scope: Scope::Folder(stage.large), ..FIRST }),
        ("folder of 95 feeds, unread", |stage| Page {
            scope: Scope::Folder(stage.large),
            filter: Filter::Unread,
            ..FIRST
        }),
        ("folder of 95 feeds, from the middle", |stage| Page {
            scope: Scope::Folder(stage.large),
            after: Some(stage.middle),
            ..FIRST
        }),
    ]
}

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000, 0).unwrap()
}

async fn build(db: &Db, items: i64) -> Stage {
    let user = users::add(db, "reader@example.org", "Reader", start()).await.unwrap();
    let (small, large) = (FolderId::new(), FolderId::new());
    for (position, folder) in (0_i64..).zip([small, large]) {
        db.write("insert into folders (id, user_id, name, position) values ($1, $2, $3, $4)")
            .bind(folder)
            .bind(user)
            .bind(format!("Folder {position}"))
            .bind(position)
            .execute()
            .await
            .unwrap();
    }
    let mut feeds = Vec::new();
    for n in 0..FEEDS {
        let feed = FeedId::new();
        db.write("insert into feeds (id, feed_url, title) values ($1, $2, $3)")
            .bind(feed)
            .bind(format!("https://example.org/{n}"))
            .bind(format!("Feed {n}"))
            .execute()
            .await
            .unwrap();
        db.write("insert into subscriptions (id, user_id, feed_id, folder_id) values ($1, $2, $3, $4)")
            .bind(store::SubscriptionId::new())
            .bind(user)
            .bind(feed)
            .bind(if n % 20 == 1 { small } else { large })
            .execute()
            .await
            .unwrap();
        fill(db, feed, n, items).await;
        feeds.push(feed);
    }
    let (unread_before, tied) = (at(items / 10), at(items / 2));
    db.write(
        "insert into item_states (user_id, item_id, feed_id, published_at, is_read, is_starred)
         select $1, id, feed_id, published_at, published_at >= $2, id % 97 = 0 from items order by id",
    )
    .bind(user)
    .bind(unread_before)
    .execute()
    .await
    .unwrap();
    settle(db).await;
    let tie: ItemId =
        db.read("select id from items where feed_id = $1 order by id limit 1").bind(feeds[0]).scalar().await.unwrap();
    Stage {
        user,
        feeds,
        small,
        large,
        middle: Position { published_at: at(items / 3), id: ItemId(0) },
        tie: Position { published_at: tied, id: ItemId(tie.0 + 60) },
    }
}

/// The `n`th minute.
fn at(n: i64) -> DateTime<Utc> {
    start() + TimeDelta::minutes(n)
}

/// The items of the `n`th feed: every hundredth minute has one, but the first feed has all of them at one moment.
async fn fill(db: &Db, feed: FeedId, n: i64, items: i64) {
    let numbers: Vec<i64> = (0..items / FEEDS).map(|k| k * FEEDS + n).collect();
    let text = "瓦版は江戸時代の日本で普及していた情報紙。 The quick brown fox jumps over the lazy dog. ".repeat(12);
    for chunk in numbers.chunks(2_000) {
        let mut tx = db.begin().await.unwrap();
        let insert = "insert into items (feed_id, guid_or_id, title, link, content, summary, excerpt, published_at)";
        let _: Vec<(i64,)> = tx
            .insert_many(insert, 8, "returning id", chunk, |query, number| {
                query
                    .bind(feed)
                    .bind(format!("guid {number}"))
                    .bind(format!("Item {number}"))
                    .bind(format!("https://example.org/{n}/{number}"))
                    .bind(format!("<p>{text}</p>"))
                    .bind(format!("<p>{}</p>", text.chars().take(150).collect::<String>()))
                    .bind(text.chars().take(150).collect::<String>())
                    .bind(if n == 0 { at(items / 2) } else { at(*number) })
            })
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
}
