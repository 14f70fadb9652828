//! Times a page of each kind of list with 10,000, 100,000 and 1,000,000 items, of which the newest nine tenths are read.
//!
//! One user reads 100 feeds, one of which gives all its items the same date. The time must not grow with the number of items
//! and must stay below five milliseconds. Each round measures all three sizes, so that other load affects all of them alike. Then
//! everything is marked as read, at the two smaller sizes: the time may grow little faster than the number of items. Run it with
//! `make bench`.
#![expect(clippy::unwrap_used, reason = "a failed measurement ends the run")]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Db, FeedId, FolderId, ItemId, UndoId, UserId,
    item_lists::{self, Filter, ItemScope, Order, PageQuery, Position},
    states::{self, UnreadQuery},
    subscriptions,
    undos::{self, NewUndoChunk},
    users,
};
use testkit::TestDb;

const SIZES: [i64; 3] = [10_000, 100_000, 1_000_000];
const FEEDS: i64 = 100;
const ROUNDS: usize = 301;
const BUDGET: Duration = Duration::from_millis(5);
/// The largest size may be this many times slower than the smallest.
const MAX_GROWTH: f64 = 1.5;
/// The rounds of marking, the items in one transaction, and how many times slower ten times the items may be.
const MARK_ROUNDS: usize = 5;
const MARK_CHUNK: i64 = 20_000;
const MAX_MARK_GROWTH: f64 = 12.0;

#[tokio::main]
async fn main() -> ExitCode {
    println!(
        "median of {ROUNDS}, ms; budget: at most {MAX_GROWTH}× from the smallest to the largest, and below {} ms\n\n\
         | list of 50 | {} | growth | verdict |\n|---|---:|---:|---:|---:|---|",
        BUDGET.as_millis(),
        SIZES.map(|size| size.to_string()).join(" | ")
    );
    let sqlite = measure("SQLite", [TestDb::sqlite().await, TestDb::sqlite().await, TestDb::sqlite().await]).await;
    let postgres =
        measure("PostgreSQL", [TestDb::postgres().await, TestDb::postgres().await, TestDb::postgres().await]).await;
    if sqlite && postgres { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A user with feeds in two folders.
struct Fixture {
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
    let mut within_budget = true;
    for (title, page) in pages() {
        let mut times = SIZES.map(|_| Vec::new());
        for _ in 0..ROUNDS {
            for ((db, fixture), times) in databases.iter().zip(&stages).zip(&mut times) {
                times.push(time_list(db, fixture, &page(fixture)).await);
            }
        }
        within_budget &= report(name, title, times);
    }
    let mut times = SIZES.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((db, fixture), times) in databases.iter().zip(&stages).zip(&mut times) {
            let start = Instant::now();
            assert_eq!(subscriptions::list(db, fixture.user).await.unwrap().value.len(), fixture.feeds.len());
            times.push(start.elapsed());
        }
    }
    within_budget &= report(name, "subscriptions with counts", times);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..MARK_ROUNDS {
        for ((db, fixture), times) in databases.iter().zip(&stages).zip(&mut times) {
            times.push(time_marking(db, fixture).await);
        }
    }
    within_budget & report_marking(name, &times)
}

/// Prints a row of the table. False if it misses the budget.
fn report_marking(name: &str, [small, large]: &[Vec<Duration>; 2]) -> bool {
    let milliseconds = |times: &[Duration]| median(times.iter().map(Duration::as_secs_f64).collect()) * 1_000.0;
    let (small, large) = (milliseconds(small), milliseconds(large));
    let growth = large / small;
    let verdict = if growth <= MAX_MARK_GROWTH { "kept" } else { "**missed**" };
    println!(
        "| {name}: mark everything as read | {small:.0} | {large:.0} | | {growth:.1}× of {MAX_MARK_GROWTH}× | {verdict} |"
    );
    growth <= MAX_MARK_GROWTH
}

/// Marks everything as unread, then as read, as `read::Reader::mark_as_read` does.
async fn time_marking(db: &Db, fixture: &Fixture) -> Duration {
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
        UnreadQuery { scope: ItemScope::All, is_starred: false, as_of, after: Position::newest(), limit: MARK_CHUNK };
    let undo = UndoId::new();
    let begun = Instant::now();
    for chunk in 0.. {
        let marked = db.transact(async |tx| {
            let marked = states::mark_next_read(tx, fixture.user, &unread, start()).await?;
            let new = NewUndoChunk { undo, chunk, items: &marked.items, expires_at: start() };
            undos::create(tx, fixture.user, &new).await?;
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

/// Prints a row of the table. False if it misses the budget. Growth is the last median divided by the first.
fn report(name: &str, title: &str, times: [Vec<Duration>; 3]) -> bool {
    let medians = times.map(|times| median(times.iter().map(Duration::as_secs_f64).collect()));
    let growth = medians[2] / medians[0];
    let within_budget = growth <= MAX_GROWTH && medians[2] < BUDGET.as_secs_f64();
    let shown = medians.map(|seconds| format!("{:.2}", seconds * 1_000.0)).join(" | ");
    println!("| {name}: {title} | {shown} | {growth:.2}× | {} |", if within_budget { "kept" } else { "**missed**" });
    within_budget
}

async fn time_list(db: &Db, fixture: &Fixture, page: &PageQuery) -> Duration {
    let start = Instant::now();
    let listed = item_lists::list(db, fixture.user, page).await.unwrap();
    let took = start.elapsed();
    assert_eq!(listed.items.len(), 50);
    took
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

type MakePage = fn(&Fixture) -> PageQuery;

fn pages() -> Vec<(&'static str, MakePage)> {
    const FIRST: PageQuery =
        PageQuery { scope: ItemScope::All, filter: Filter::All, order: Order::Newest, after: None, limit: 50 };
    vec![
        ("all", |_| FIRST),
        ("all, from the middle", |fixture| PageQuery { after: Some(fixture.middle), ..FIRST }),
        ("all, among items with one date", |fixture| PageQuery { after: Some(fixture.tie), ..FIRST }),
        ("all, oldest first", |_| PageQuery { order: Order::Oldest, ..FIRST }),
        ("unread", |_| PageQuery { filter: Filter::Unread, ..FIRST }),
        ("unread, oldest first", |_| PageQuery { filter: Filter::Unread, order: Order::Oldest, ..FIRST }),
        ("starred", |_| PageQuery { filter: Filter::Starred, ..FIRST }),
        ("feed", |fixture| PageQuery { scope: ItemScope::Feed(fixture.feeds[7]), ..FIRST }),
        ("feed, items with one date", |fixture| PageQuery {
            scope: ItemScope::Feed(fixture.feeds[0]),
            after: Some(fixture.tie),
            ..FIRST
        }),
        ("feed, oldest first", |fixture| PageQuery {
            scope: ItemScope::Feed(fixture.feeds[7]),
            order: Order::Oldest,
            ..FIRST
        }),
        ("folder of 5 feeds", |fixture| PageQuery { scope: ItemScope::Folder(fixture.small), ..FIRST }),
        ("folder of 5 feeds, unread", |fixture| PageQuery {
            scope: ItemScope::Folder(fixture.small),
            filter: Filter::Unread,
            ..FIRST
        }),
        ("folder of 95 feeds", |fixture| PageQuery { scope: ItemScope::Folder(fixture.large), ..FIRST }),
        ("folder of 95 feeds, unread", |fixture| PageQuery {
            scope: ItemScope::Folder(fixture.large),
            filter: Filter::Unread,
            ..FIRST
        }),
        ("folder of 95 feeds, from the middle", |fixture| PageQuery {
            scope: ItemScope::Folder(fixture.large),
            after: Some(fixture.middle),
            ..FIRST
        }),
    ]
}

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000, 0).unwrap()
}

async fn build(db: &Db, items: i64) -> Fixture {
    let user = users::create_unclaimed(db, "reader@example.org", "Reader", start()).await.unwrap();
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
    Fixture {
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

/// The items of the `n`th feed, one every hundred minutes. The items of the first feed all have the same date.
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
