//! Search at ten thousand, a hundred thousand and, with `SEARCH_BENCH_ITEMS=1000000`, a million items on both databases.
//!
//! Run it with `make bench`, which brings a PostgreSQL server. Times are of whole answers, read from the database that the
//! questions have warmed up. It fails when an answer takes longer than its budget at the median.
//! `SEARCH_BENCH_DATABASE` names an empty database to fill and keep, or one to measure again.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

mod texts;

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use read::{Reader, Settings};
use store::{Clock, Db, FeedId, UserId, feeds, items, items::NewItem, search, subscriptions, users};
use testkit::TestDb;

use crate::texts::Texts;

const FEEDS: usize = 1_000;
const FEW: usize = 3;
const BUDGET: Duration = Duration::from_millis(50);
const ROUNDS: usize = 15;
const DAYS: i64 = 180;

const QUESTIONS: [(&str, &str); 14] = [
    ("rare word", "zyzzyva"),
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
    let most = asked("SEARCH_BENCH_ITEMS").and_then(|text| text.parse().ok()).unwrap_or(100_000);
    println!(
        "search: whole answers of 50 items, median / slowest of {ROUNDS} in ms; {FEEDS} feeds, or {FEW} of them\n"
    );
    if let Some(address) = asked("SEARCH_BENCH_DATABASE") {
        let db = Db::open(&address.parse().unwrap(), 4).await.unwrap();
        db.migrate().await.unwrap();
        return verdict(Stage::new(&db, most).await.measure(most).await);
    }
    let mut is_kept = true;
    for count in [10_000, 100_000, 1_000_000].into_iter().filter(|count| *count <= most) {
        for db in [TestDb::sqlite().await, TestDb::postgres().await] {
            is_kept &= Stage::new(&db, count).await.measure(count).await;
        }
    }
    verdict(is_kept)
}

fn verdict(is_kept: bool) -> ExitCode {
    if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::disallowed_methods, reason = "how a person asks for another run")]
fn asked(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A filled and indexed database.
struct Stage {
    name: &'static str,
    reader: Reader,
    everything: UserId,
    few: UserId,
}

impl Stage {
    async fn new(db: &Db, count: usize) -> Stage {
        let clock = Clock::system();
        let net = net::Client::new(net::Settings::default()).unwrap();
        let reader = Reader::new(db.clone(), net, clock.clone(), Settings::default());
        let name = if db.is_postgres() { "PostgreSQL" } else { "SQLite" };
        if let Some(known) = users::find_by_email(db, "all@example.org").await.unwrap() {
            let few = users::find_by_email(db, "few@example.org").await.unwrap().unwrap();
            let stage = Stage { name, reader, everything: known.id, few: few.id };
            stage.index(db).await;
            return stage;
        }
        let now = clock.now();
        let everything = users::add(db, "all@example.org", "All", now).await.unwrap();
        let few = users::add(db, "few@example.org", "Few", now).await.unwrap();
        let started = Instant::now();
        fill(db, count, now, everything, few).await;
        let stage = Stage { name, reader, everything, few };
        println!("{name}, {count} items: stored in {:.0} s", started.elapsed().as_secs_f64());
        stage.index(db).await;
        stage
    }

    #[expect(clippy::cast_precision_loss, reason = "for people")]
    async fn index(&self, db: &Db) {
        let (before, started) = (size(db).await, Instant::now());
        let count = self.reader.index_all_pending().await.unwrap();
        let took = started.elapsed().as_secs_f64();
        let megabytes = (size(db).await - before) as f64 / 1e6;
        println!("indexed in {took:.0} s ({:.0} a second), index {megabytes:.0} MB\n", count as f64 / took);
        if db.is_postgres() {
            db.write("vacuum analyze").execute().await.unwrap();
        }
    }

    async fn measure(&self, count: usize) -> bool {
        println!(
            "| {}, {count} items | all feeds | found | {FEW} feeds | found |\n|---|---:|---:|---:|---:|",
            self.name
        );
        let mut is_kept = true;
        for (title, question) in QUESTIONS {
            let (all, found) = self.ask(self.everything, question).await;
            let (few, found_few) = self.ask(self.few, question).await;
            is_kept &= all.0 <= BUDGET && few.0 <= BUDGET;
            println!("| {title} `{question}` | {} | {found} | {} | {found_few} |", shown(all), shown(few));
        }
        println!();
        is_kept
    }

    /// The median and the slowest of some rounds, and how many were found.
    async fn ask(&self, user: UserId, question: &str) -> ((Duration, Duration), String) {
        let mut times = Vec::new();
        let mut found = String::new();
        for _ in 0..=ROUNDS {
            let started = Instant::now();
            let answer = self.reader.search_items(user, question, None, 50).await.unwrap();
            times.push(started.elapsed());
            found = format!("{}{}", answer.items.len(), if answer.next.is_some() { "+" } else { "" });
        }
        // The first round reads from the disk.
        times.remove(0);
        times.sort();
        ((times[times.len() / 2], times[times.len() - 1]), found)
    }
}

fn shown((median, slowest): (Duration, Duration)) -> String {
    let verdict = if median > BUDGET { " **missed**" } else { "" };
    format!("{:.1} / {:.1}{verdict}", median.as_secs_f64() * 1e3, slowest.as_secs_f64() * 1e3)
}

/// Feeds with items, oldest first, as they would have come in.
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
        subscriptions::add(&mut tx, everything, feed, i64::MAX, now).await.unwrap();
        if number < FEW {
            subscriptions::add(&mut tx, few, feed, i64::MAX, now).await.unwrap();
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
            search::add_pending(&mut tx, added).await.unwrap();
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
