//! Search at ten thousand, a hundred thousand and, with `SEARCH_BENCH_ITEMS=1000000`, a million items on both databases.
//!
//! Run it with `make bench`, which starts a PostgreSQL server. Times are of whole requests on a warm database. It fails if
//! the median of a query exceeds its budget, or if the index of PostgreSQL exceeds its budget of size (relative to the
//! items) or of processor time (relative to SQLite).
//! `SEARCH_BENCH_DATABASE` names an empty database to fill and keep, or a filled one to measure again.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

mod texts;

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use read::{Reader, ReaderSettings};
use store::{Clock, Db, FeedId, UserId, feeds, items, items::NewItem, search, subscriptions, users};
use testkit::{TestDb, cpu_time};

use crate::texts::Texts;

const FEEDS: usize = 1_000;
const FEW: usize = 3;
const BUDGET: Duration = Duration::from_millis(50);
/// The budget of rare and missing words, with up to 100,000 items.
const RARE_BUDGET: Duration = Duration::from_millis(14);
/// The size of PostgreSQL's index relative to the items. Provisional, like the next: it only detects growth.
const INDEX_SIZE: f64 = 1.6;
/// The processor time to index an item on PostgreSQL relative to SQLite.
const INDEX_CPU: f64 = 3.0;
const ROUNDS: usize = 15;
const DAYS: i64 = 180;

const QUERIES: [(&str, &str); 17] = [
    ("rare word", "zyzzyva"),
    ("rare prefix", "zyzz"),
    ("common prefix", "peop"),
    ("broad prefix", "con"),
    ("rare word, Japanese", "瓦版"),
    ("common word", "people"),
    ("common word, Japanese", "東京"),
    ("two common words", "people today"),
    ("two common words, Japanese", "東京 大阪"),
    ("phrase", "\"people today\""),
    ("four characters", "機械学習"),
    ("one character, common", "の"),
    ("one character", "猫"),
    ("one character, rare", "鼬"),
    ("exclusion", "東京 -大阪"),
    ("no hit", "people 鼬 qqqq"),
    ("in titles", "title:東京"),
];

#[tokio::main]
async fn main() -> ExitCode {
    let most = env_var("SEARCH_BENCH_ITEMS").and_then(|text| text.parse().ok()).unwrap_or(100_000);
    println!(
        "search: pages of 50 items, median / slowest of {ROUNDS} / processor time, in ms; {FEEDS} feeds, or {FEW} of them\n"
    );
    if let Some(address) = env_var("SEARCH_BENCH_DATABASE") {
        let db = Db::open(&address.parse().unwrap(), 4).await.unwrap();
        db.migrate().await.unwrap();
        return verdict(SearchBench::new(&db, most).await.measure(most).await);
    }
    let mut is_within = true;
    for count in [10_000, 100_000, 1_000_000].into_iter().filter(|count| *count <= most) {
        let mut cpu = Vec::new();
        for db in [TestDb::sqlite().await, TestDb::postgres().await] {
            let bench = SearchBench::new(&db, count).await;
            is_within &= bench.measure(count).await & bench.is_index_small(&db).await;
            cpu.push(bench.cpu_per_item.as_secs_f64());
        }
        is_within &=
            is_within_budget("processor time to index, PostgreSQL relative to SQLite", cpu[1] / cpu[0], INDEX_CPU);
    }
    verdict(is_within)
}

fn is_within_budget(title: &str, value: f64, budget: f64) -> bool {
    let is_within = value <= budget;
    println!("{title}: {value:.2}, budget {budget}, {}\n", if is_within { "kept" } else { "**missed**" });
    is_within
}

fn verdict(is_within: bool) -> ExitCode {
    if is_within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::disallowed_methods, reason = "settings of a run")]
fn env_var(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The times of one query.
struct Times {
    median: Duration,
    slowest: Duration,
    cpu: Duration,
}

/// A filled and indexed database.
struct SearchBench {
    db: Db,
    name: &'static str,
    reader: Reader,
    everything: UserId,
    few: UserId,
    cpu_per_item: Duration,
}

impl SearchBench {
    async fn new(db: &Db, count: usize) -> SearchBench {
        let clock = Clock::system();
        let net = net::Client::new(net::ClientSettings::default()).unwrap();
        let reader = Reader::new(db.clone(), net, clock.clone(), ReaderSettings::default());
        let name = if db.is_postgres() { "PostgreSQL" } else { "SQLite" };
        if let Some(known) = users::find_by_email(db, "all@example.org").await.unwrap() {
            let few = users::find_by_email(db, "few@example.org").await.unwrap().unwrap();
            let mut bench = SearchBench {
                db: db.clone(),
                name,
                reader,
                everything: known.id,
                few: few.id,
                cpu_per_item: Duration::ZERO,
            };
            bench.index(db).await;
            return bench;
        }
        let now = clock.now();
        let everything = users::create_unclaimed(db, "all@example.org", "All", now).await.unwrap();
        let few = users::create_unclaimed(db, "few@example.org", "Few", now).await.unwrap();
        let started = Instant::now();
        fill(db, count, now, everything, few).await;
        let mut bench = SearchBench { db: db.clone(), name, reader, everything, few, cpu_per_item: Duration::ZERO };
        println!("{name}, {count} items: stored in {:.0} s", started.elapsed().as_secs_f64());
        bench.index(db).await;
        bench
    }

    #[expect(clippy::cast_precision_loss, reason = "printed for humans")]
    async fn index(&mut self, db: &Db) {
        let (before, cpu, started) = (size(db).await, cpu_time(db).await, Instant::now());
        let count = self.reader.index_all_pending().await.unwrap();
        let took = started.elapsed().as_secs_f64();
        let megabytes = (size(db).await - before) as f64 / 1e6;
        self.cpu_per_item = (cpu_time(db).await - cpu) / u32::try_from(count).unwrap().max(1);
        println!(
            "indexed in {took:.0} s, {:.2} ms of processor time an item, index {megabytes:.0} MB\n",
            self.cpu_per_item.as_secs_f64() * 1e3
        );
        if db.is_postgres() {
            db.write("vacuum analyze").execute().await.unwrap();
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "printed for humans")]
    async fn is_index_small(&self, db: &Db) -> bool {
        if !db.is_postgres() {
            return true;
        }
        let items: i64 = db.read("select pg_total_relation_size('items')").scalar().await.unwrap();
        is_within_budget("size of the index relative to the items", size(db).await as f64 / items as f64, INDEX_SIZE)
    }

    async fn measure(&self, count: usize) -> bool {
        println!(
            "| {}, {count} items | all feeds | found | {FEW} feeds | found |\n|---|---:|---:|---:|---:|",
            self.name
        );
        let mut is_within = true;
        for (title, query) in QUERIES {
            let (all, found) = self.time_query(self.everything, query).await;
            let (few, found_few) = self.time_query(self.few, query).await;
            let is_rare = title.starts_with("rare") || title == "no hit";
            let budget = if is_rare && count <= 100_000 { RARE_BUDGET } else { BUDGET };
            is_within &= all.median <= budget && few.median <= budget;
            println!(
                "| {title} `{query}` | {} | {found} | {} | {found_few} |",
                shown(&all, budget),
                shown(&few, budget)
            );
        }
        println!();
        is_within
    }

    /// The times of a query, and the number of results.
    async fn time_query(&self, user: UserId, query: &str) -> (Times, String) {
        let mut times = Vec::new();
        let mut found = String::new();
        let cpu = cpu_time(&self.db).await;
        for _ in 0..=ROUNDS {
            let started = Instant::now();
            let answer = self.reader.search_items(user, query, None, 50).await.unwrap();
            times.push(started.elapsed());
            found = format!("{}{}", answer.items.len(), if answer.next.is_some() { "+" } else { "" });
        }
        // The first round reads from disk.
        times.remove(0);
        times.sort();
        let cpu = (cpu_time(&self.db).await - cpu) / u32::try_from(ROUNDS + 1).unwrap();
        (Times { median: times[times.len() / 2], slowest: times[times.len() - 1], cpu }, found)
    }
}

fn shown(times: &Times, budget: Duration) -> String {
    let verdict = if times.median > budget { " **missed**" } else { "" };
    let [median, slowest, cpu] = [times.median, times.slowest, times.cpu].map(|time| time.as_secs_f64() * 1e3);
    format!("{median:.1} / {slowest:.1} / {cpu:.1}{verdict}")
}

/// Stores feeds with items, oldest first.
async fn fill(db: &Db, count: usize, now: DateTime<Utc>, everything: UserId, few: UserId) {
    let mut ids: Vec<FeedId> = Vec::new();
    for number in 0..FEEDS {
        let new = feeds::NewFeed {
            feed_url: format!("https://{number}.example.org/feed"),
            host: format!("{number}.example.org"),
            site_url: None,
            title: format!("Feed number {number}"),
            kind: "feed",
            next_fetch_at: now,
        };
        let mut tx = db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
        subscriptions::create(&mut tx, everything, feed, i64::MAX, now).await.unwrap();
        if number < FEW {
            subscriptions::create(&mut tx, few, feed, i64::MAX, now).await.unwrap();
        }
        tx.commit().await.unwrap();
        ids.push(feed);
    }
    let mut texts = Texts::new(1);
    let step = TimeDelta::days(DAYS) / i32::try_from(count).unwrap();
    let per_feed = (count / FEEDS).min(10);
    let mut made = 0;
    while made < count {
        let mut tx = db.begin().await.unwrap();
        for feed in &ids {
            let new: Vec<NewItem> = (0..per_feed)
                .map(|number| {
                    let (title, content) = texts.article();
                    let place = i32::try_from(made + number * FEEDS).unwrap();
                    let published_at = now - TimeDelta::days(DAYS) + step * place;
                    let (categories, enclosures) = ("[]".to_owned(), "[]".to_owned());
                    NewItem {
                        title,
                        content: Some(content),
                        published_at,
                        categories,
                        enclosures,
                        ..NewItem::default()
                    }
                })
                .collect();
            let added = items::insert(&mut tx, *feed, &new, now).await.unwrap();
            items::fan_out(&mut tx, *feed, &added, i64::MAX, now).await.unwrap();
            search::mark_pending(&mut tx, added).await.unwrap();
            made += 1;
        }
        made += (per_feed - 1) * FEEDS;
        tx.commit().await.unwrap();
    }
}

async fn size(db: &Db) -> i64 {
    if db.is_postgres() {
        return db.read("select pg_total_relation_size('item_search')").scalar().await.unwrap();
    }
    let pages: i64 = db
        .write("select page_count - freelist_count from pragma_page_count, pragma_freelist_count")
        .scalar()
        .await
        .unwrap();
    pages * 8192
}
