//! Refreshing 2,000 feeds of 20 items against a bare loop that does nothing but GET, parse and one bulk insert a feed.
//!
//! The loop sanitises nothing, compares nothing, tells no subscriber and keeps no schedule; it has the same door to the
//! network, parser, table and number of fetches at once. Machines are noisy, so what counts is the ratio within a round,
//! and its median over the rounds. Run it with `make bench`. It fails when the budget is missed.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

mod site;

use std::{
    fs,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use feed::ParseOptions;
use read::{Reader, ReaderSettings};
use site::{Manner, Sites};
use store::{
    Clock, Db, FeedId, ItemId,
    feeds::{self, NewFeed},
    subscriptions, users,
};
use testkit::TestDb;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

// As the binary has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEEDS: usize = 2_000;
const ITEMS: usize = 20;
const ROUNDS: usize = 3;
/// The least ratio to the bare loop.
const BUDGET_SQLITE: f64 = 0.9;
const BUDGET_POSTGRES: f64 = 0.7;
/// The largest growth of memory.
const MAX_GROWTH_MB: f64 = 32.0;

#[tokio::main]
async fn main() -> ExitCode {
    println!(
        "{FEEDS} feeds of {ITEMS} items, {ROUNDS} rounds, median feeds/s; ratio = median of the rounds' own ratios\n"
    );
    println!(
        "| database | bare loop | first time | ratio | 304 | ratio | same body | ratio | growth of memory | budget |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let sites = Sites::start();
    let sqlite = measure("SQLite", BUDGET_SQLITE, &TestDb::sqlite().await, &sites).await;
    let postgres = measure("PostgreSQL", BUDGET_POSTGRES, &TestDb::postgres().await, &sites).await;
    if sqlite && postgres { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Feeds a second, one list for each kind of work.
#[derive(Default)]
struct Rates {
    bare: Vec<f64>,
    first: Vec<f64>,
    not_modified: Vec<f64>,
    same_body: Vec<f64>,
    peak_mb: f64,
}

async fn measure(name: &str, budget: f64, db: &TestDb, sites: &Sites) -> bool {
    // As a server has it: the pool of a test is smaller.
    let db = Db::open(&db.url().parse().unwrap(), 10).await.unwrap();
    let stage = Stage::build(&db, sites).await;
    let mut rates = Rates::default();
    for round in 0..=ROUNDS {
        let mut results = Rates::default();
        if round % 2 == 0 {
            stage.bare(&mut results).await;
            stage.ours(&mut results).await;
        } else {
            stage.ours(&mut results).await;
            stage.bare(&mut results).await;
        }
        // The first round warms files and caches up.
        if round > 0 {
            rates.add(results);
        }
    }
    rates.report(name, budget)
}

impl Rates {
    fn add(&mut self, other: Rates) {
        self.bare.extend(other.bare);
        self.first.extend(other.first);
        self.not_modified.extend(other.not_modified);
        self.same_body.extend(other.same_body);
        self.peak_mb = self.peak_mb.max(other.peak_mb);
    }

    fn report(&self, name: &str, budget: f64) -> bool {
        let against = |rates: &[f64]| median(rates.iter().zip(&self.bare).map(|(rate, bare)| rate / bare).collect());
        let first = against(&self.first);
        let is_kept = first >= budget && self.peak_mb <= MAX_GROWTH_MB;
        let verdict = if is_kept { "" } else { " **missed**" };
        println!(
            "| {name} | {:.0} | {:.0} | {first:.2} | {:.0} | {:.2} | {:.0} | {:.2} | {:.0} MB | {budget}, {MAX_GROWTH_MB:.0} MB{verdict} |",
            median(self.bare.clone()),
            median(self.first.clone()),
            median(self.not_modified.clone()),
            against(&self.not_modified),
            median(self.same_body.clone()),
            against(&self.same_body),
            self.peak_mb,
        );
        is_kept
    }
}

/// A database with one person who reads all feeds.
struct Stage<'a> {
    db: Db,
    net: net::Client,
    reader: Reader,
    sites: &'a Sites,
    feeds: Arc<Vec<(FeedId, String)>>,
}

impl Stage<'_> {
    async fn build<'a>(db: &Db, sites: &'a Sites) -> Stage<'a> {
        let now = Clock::system().now();
        let user = users::create_unclaimed(db, "reader@example.org", "Reader", now).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let mut added = Vec::new();
        for n in 0..FEEDS {
            let (host, feed_url) = sites.feed(n);
            let new = NewFeed {
                feed_url: feed_url.clone(),
                host,
                site_url: None,
                title: "?".to_owned(),
                kind: "feed",
                next_fetch_at: now,
            };
            let (id, _) = feeds::add(&mut tx, &new, now).await.unwrap();
            subscriptions::create(&mut tx, user, id, i64::MAX, now).await.unwrap();
            added.push((id, feed_url));
        }
        // As every subscription by a person leaves it.
        tx.query("update feeds set favicon_checked_at = $1").bind(now).execute().await.unwrap();
        tx.commit().await.unwrap();
        let allow_nets = vec!["127.0.0.0/8".parse().unwrap()];
        let net = net::Client::new(net::ClientSettings { allow_nets, ..net::ClientSettings::default() }).unwrap();
        let reader = Reader::new(db.clone(), net.clone(), Clock::system(), ReaderSettings::default());
        Stage { db: db.clone(), net, reader, sites, feeds: Arc::new(added) }
    }

    async fn bare(&self, rates: &mut Rates) {
        self.empty().await;
        self.sites.answer(Manner::Plain);
        let started = Instant::now();
        bare_loop(&self.db, &self.net, &self.feeds).await;
        rates.bare.push(rate(started.elapsed()));
        self.check().await;
    }

    async fn ours(&self, rates: &mut Rates) {
        self.empty().await;
        self.sites.answer(Manner::Validating);
        let before = memory("VmRSS:");
        forget_peak();
        rates.first.push(self.refresh().await);
        self.check().await;
        rates.not_modified.push(self.refresh().await);
        self.sites.answer(Manner::Plain);
        rates.same_body.push(self.refresh().await);
        rates.peak_mb = (memory("VmHWM:") - before).max(0.0);
        self.check().await;
    }

    /// Makes all feeds due and fetches them.
    async fn refresh(&self) -> f64 {
        let begun_at = Clock::system().now();
        let due = self.db.write("update feeds set next_fetch_at = $1, refresh_asked_at = null");
        due.bind(begun_at).execute().await.unwrap();
        self.settle().await;
        let stop = CancellationToken::new();
        let started = Instant::now();
        let (reader, stopped) = (self.reader.clone(), stop.clone());
        let fetching = tokio::spawn(async move { reader.fetch_feeds(stopped).await });
        while self.has_work(begun_at).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let took = started.elapsed();
        stop.cancel();
        fetching.await.unwrap();
        let failing: i64 =
            self.db.read("select count(*) from feeds where fetch_status <> 'active'").scalar().await.unwrap();
        assert_eq!(failing, 0, "a fetch failed");
        rate(took)
    }

    /// Whether a feed has not been fetched since.
    async fn has_work(&self, begun_at: DateTime<Utc>) -> bool {
        // A feed that was fetched is due later; one that is being fetched still has its lease.
        let waiting = "select count(*) from (select 1 from feeds
            where lease_token is not null or next_fetch_at <= $1 limit 1) as waiting";
        self.db.read(waiting).bind(begun_at).scalar::<i64>().await.unwrap() > 0
    }

    /// As if nothing had ever been fetched.
    async fn empty(&self) {
        for sql in [
            "delete from item_states",
            "delete from search_pending",
            "delete from items",
            "update subscriptions set unread_count = 0",
            "update feeds set etag = null, last_modified = null, content_hash = null, hints = null, document_at = null,
                items_added = 0",
        ] {
            self.db.write(sql).execute().await.unwrap();
        }
        if self.db.is_postgres() {
            for sql in [
                "vacuum analyze items",
                "vacuum analyze item_states",
                "vacuum analyze search_pending",
                "vacuum analyze feeds",
            ] {
                self.db.write(sql).execute().await.unwrap();
            }
        }
        self.settle().await;
    }

    /// What was written before is not paid for by what comes.
    async fn settle(&self) {
        let sql = if self.db.is_postgres() { "checkpoint" } else { "pragma wal_checkpoint(truncate)" };
        self.db.write(sql).execute().await.unwrap();
    }

    async fn check(&self) {
        let items: i64 = self.db.read("select count(*) from items").scalar().await.unwrap();
        assert_eq!(items, i64::try_from(FEEDS * ITEMS).unwrap());
    }
}

/// So many at once as the fetcher has: GET, parse, insert.
async fn bare_loop(db: &Db, net: &net::Client, feeds: &Arc<Vec<(FeedId, String)>>) {
    let next = Arc::new(AtomicUsize::new(0));
    let mut running = JoinSet::new();
    for _ in 0..ReaderSettings::default().max_concurrent {
        let (db, net, feeds, next) = (db.clone(), net.clone(), Arc::clone(feeds), Arc::clone(&next));
        running.spawn(async move {
            while let Some((id, url)) = feeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                let url = net::parse_url(url).unwrap();
                let answer = net.send(net::Request::get(url.clone())).await.unwrap();
                let now = Clock::system().now();
                let options = ParseOptions { url: Some(url), content_type: answer.content_type, now };
                let parsed = feed::parse(&answer.body, &options).unwrap();
                let mut tx = db.begin().await.unwrap();
                tx.insert_many::<_, (ItemId,)>(
                    "insert into items (feed_id, guid_or_id, link, title, content, summary, author, published_at)",
                    8,
                    "returning id",
                    &parsed.feed.entries,
                    |query, entry| {
                        query
                            .bind(*id)
                            .bind(entry.id.clone())
                            .bind(entry.link.clone())
                            .bind(entry.title.clone())
                            .bind(entry.content.clone())
                            .bind(entry.summary.clone())
                            .bind(entry.authors.first().cloned())
                            .bind(entry.published.unwrap_or(now))
                    },
                )
                .await
                .unwrap();
                tx.commit().await.unwrap();
            }
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

#[expect(clippy::cast_precision_loss, reason = "thousands of feeds fit a float")]
fn rate(took: Duration) -> f64 {
    FEEDS as f64 / took.as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Megabytes of this process, by the kernel's name for them.
fn memory(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<f64>().ok()).unwrap_or(0.0) / 1_024.0
}

/// From now on the peak is counted anew.
fn forget_peak() {
    // Without the kernel's help the peak is that of the whole run.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
