//! Checks of sites: 10,000 that have not changed and 1,000 that have, against fetches of as many feeds in the same run.
//!
//! A check writes more than a fetch: the state of the site and a row of its history. What counts is how much more processor
//! time that takes, whether it stays the same as the history grows to a million rows, and how long it takes to find a list.
//! Run it with `make bench`. It fails when a budget is missed.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

use std::{
    fs,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use read::{Reader, ReaderSettings};
use store::{
    Clock, Db,
    feeds::{self, NewFeed},
    subscriptions, users,
};
use testkit::{TestDb, cpu_time, origin::Origin};
use watch::{SITE_KIND, WatchSettings, Watcher};

// As the binary has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SITES: usize = 10_000;
const CHANGED: usize = 1_000;
const POSTS: usize = 20;
const HISTORY: i64 = 1_000_000;
/// The most processor time of an unchanged check, in that of an unchanged fetch.
const UNCHANGED_BUDGET: f64 = 2.0;
/// The same with a history of a million rows, in that with an empty one.
const HISTORY_BUDGET: f64 = 1.3;
/// The most time to find a list.
const FIND_BUDGET: Duration = Duration::from_millis(5);
const MAX_GROWTH_MB: f64 = 64.0;

fn main() -> ExitCode {
    // Threads that end would take their processor time with them.
    let keep = Duration::from_secs(60 * 60);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_keep_alive(keep).build().unwrap();
    runtime.block_on(run())
}

async fn run() -> ExitCode {
    println!("{SITES} sites of {POSTS} posts, processor time each, and requests each\n");
    println!(
        "| database | feed, 304 | site, 304 | ratio | with {HISTORY} checks | ratio | {CHANGED} changed | requests | memory | budgets |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let origin = Arc::new(Pages::serve().await);
    let sqlite = measure("SQLite", &TestDb::sqlite().await, &origin).await;
    let postgres = measure("PostgreSQL", &TestDb::postgres().await, &origin).await;
    let finds = measure_finding();
    if sqlite && postgres && finds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sites and feeds on loopback. Everything has an ETag, which names the number of posts.
struct Pages {
    origin: Origin,
    requests: Arc<AtomicUsize>,
    posts: Arc<AtomicUsize>,
}

impl Pages {
    async fn serve() -> Pages {
        let (requests, posts) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(POSTS)));
        let (counted, listed) = (Arc::clone(&requests), Arc::clone(&posts));
        let origin = Origin::serve(move |seen| {
            counted.fetch_add(1, Ordering::Relaxed);
            answer(&seen.target, seen.header("if-none-match"), listed.load(Ordering::Relaxed))
        })
        .await;
        Pages { origin, requests, posts }
    }
}

fn answer(path: &str, known: Option<&str>, posts: usize) -> Vec<u8> {
    let etag = format!("\"{posts}\"");
    if path == "/robots.txt" {
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec();
    }
    if known == Some(&etag) && !path.contains("/post-") {
        return format!("HTTP/1.1 304 Not Modified\r\nETag: {etag}\r\n\r\n").into_bytes();
    }
    let (kind, body) = if path.contains("/post-") {
        let text = "The ferry filled before noon, and the harbour master counted every boat twice. ".repeat(30);
        ("text/html", format!("<article><h1>A story of the harbour</h1><p>{text}</p></article>"))
    } else if path.starts_with("/feed") {
        ("application/rss+xml", rss(path, posts))
    } else {
        ("text/html", page(path, posts))
    };
    format!("HTTP/1.1 200 OK\r\nETag: {etag}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

fn page(path: &str, posts: usize) -> String {
    let post = |n: usize| {
        format!(
            "<li class='card'><h2><a href='{path}/post-{n}'>Story {n} of the harbour and its boats</a></h2>
             <time datetime='2026-03-{:02}'>{} March 2026</time><p>What happened at the pier, and why.</p></li>",
            1 + n % 28,
            1 + n % 28
        )
    };
    let posts: String = (0..posts).rev().map(post).collect();
    let links: String = (0..40).map(|n| format!("<a href='/topic/{n}'>Topic {n}</a> ")).collect();
    format!(
        "<html><head><title>Harbour</title></head><body><nav>{links}</nav><main><ul>{posts}</ul></main></body></html>"
    )
}

fn rss(path: &str, posts: usize) -> String {
    let item = |n: usize| format!("<item><title>Story {n}</title><link>http://e.example{path}/{n}</link></item>");
    let items: String = (0..posts).rev().map(item).collect();
    format!("<rss version='2.0'><channel><title>Harbour</title>{items}</channel></rss>")
}

struct Stage {
    db: Db,
    clock: Clock,
    reader: Reader,
    pages: Arc<Pages>,
}

impl Stage {
    async fn build(db: &Db, pages: &Arc<Pages>) -> Stage {
        let settings = net::ClientSettings {
            allow_nets: vec!["127.0.0.0/8".parse().unwrap()],
            host_gap: Duration::ZERO,
            host_concurrency: 100,
            ..net::ClientSettings::default()
        };
        let net = net::Client::new(settings).unwrap();
        let clock = Clock::manual(Clock::system().now());
        let settings = ReaderSettings { host_concurrency: 100, ..ReaderSettings::default() };
        let mut reader = Reader::new(db.clone(), net.clone(), clock.clone(), settings);
        Watcher::new(&mut reader, net, WatchSettings::default());
        Stage { db: db.clone(), clock, reader, pages: Arc::clone(pages) }
    }

    /// Adds feeds of a kind that one person reads, and fetches them once.
    async fn add(&self, kind: &'static str, path: &str) {
        let now = self.clock.now();
        let user = users::create_unclaimed(&self.db, &format!("{kind}@example.org"), "Reader", now).await.unwrap();
        let mut tx = self.db.begin().await.unwrap();
        for n in 0..SITES {
            let new = NewFeed {
                feed_url: self.pages.origin.url(&format!("{path}{n}")),
                host: "127.0.0.1".to_owned(),
                site_url: None,
                title: "Harbour".to_owned(),
                kind,
                next_fetch_at: now,
            };
            let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
            subscriptions::create(&mut tx, user, feed, i64::MAX, now).await.unwrap();
        }
        tx.commit().await.unwrap();
        // Icons are not part of it.
        self.db.write("update feeds set favicon_checked_at = $1").bind(now).execute().await.unwrap();
        self.reader.fetch_due().await.unwrap();
    }

    /// The processor time and the requests of one fetch, when all feeds are due.
    async fn round(&self) -> (Duration, f64) {
        self.clock.advance(Duration::from_secs(24 * 60 * 60));
        self.fetch(SITES).await
    }

    /// The same for the feeds that are due now.
    async fn fetch(&self, expected: usize) -> (Duration, f64) {
        let (cpu, requests) = (cpu_time(&self.db).await, self.pages.requests.load(Ordering::Relaxed));
        let fetches = self.reader.fetch_due().await.unwrap();
        assert_eq!(fetches, expected);
        let used = (cpu_time(&self.db).await - cpu) / u32::try_from(fetches).unwrap();
        let asked = self.pages.requests.load(Ordering::Relaxed) - requests;
        (used, asked as f64 / fetches as f64)
    }
}

async fn measure(name: &str, db: &TestDb, pages: &Arc<Pages>) -> bool {
    let db = Db::open(&db.url().parse().unwrap(), 10).await.unwrap();
    pages.posts.store(POSTS, Ordering::Relaxed);
    let before = resident_mb();
    let stage = Stage::build(&db, pages).await;
    stage.add("feed", "/feed").await;
    let (feed, _) = stage.round().await;
    db.write("delete from subscriptions").execute().await.unwrap();
    db.write("delete from feeds").execute().await.unwrap();
    stage.add(SITE_KIND, "/site").await;
    let (site, _) = stage.round().await;
    fill_history(&db).await;
    let (grown, _) = stage.round().await;
    pages.posts.store(POSTS + 1, Ordering::Relaxed);
    stage.make_due(CHANGED).await;
    let (changed, requests) = stage.fetch(CHANGED).await;
    let memory = resident_mb() - before;
    let (ratio, growth) = (site.div_duration_f64(feed), grown.div_duration_f64(site));
    let is_kept = ratio <= UNCHANGED_BUDGET && growth <= HISTORY_BUDGET && memory <= MAX_GROWTH_MB;
    let verdict = if is_kept { "" } else { " **missed**" };
    println!(
        "| {name} | {feed:.0?} | {site:.0?} | {ratio:.2} | {grown:.0?} | {growth:.2} | {changed:.0?} | {requests:.1} | {memory:.0} MB | {UNCHANGED_BUDGET}, {HISTORY_BUDGET}, {MAX_GROWTH_MB:.0} MB{verdict} |"
    );
    is_kept
}

/// Doubles the history until it is long.
async fn fill_history(db: &Db) {
    let double = "insert into check_history (blog_id, checked_at, http_status, skipped)
        select blog_id || '-', checked_at, 200, 1 from check_history";
    let count = "select count(*) from check_history";
    while db.read(count).scalar::<i64>().await.unwrap() < HISTORY {
        db.write(double).execute().await.unwrap();
    }
}

impl Stage {
    /// Makes so many feeds due now, and the others later.
    async fn make_due(&self, count: usize) {
        let (now, later) = (self.clock.now(), self.clock.now() + chrono::TimeDelta::hours(10));
        self.db.write("update feeds set next_fetch_at = $1").bind(later).execute().await.unwrap();
        let due = "update feeds set next_fetch_at = $1 where id in (select id from feeds limit $2)";
        self.db.write(due).bind(now).bind(i64::try_from(count).unwrap()).execute().await.unwrap();
    }
}

fn measure_finding() -> bool {
    let html = page("/site", 50);
    let url = "https://e.example/site".parse().unwrap();
    let context = posts::PageContext { base_url: Some(&url), now: Clock::system().now(), list: None };
    let mut times: Vec<Duration> = (0..50)
        .map(|_| {
            let begun = Instant::now();
            assert!(posts::find_posts(&html, &context).posts.len() >= 50);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let median = times[times.len() / 2];
    let is_kept = median <= FIND_BUDGET;
    println!("\nfinding a list of 50 posts: {median:.1?}{}", if is_kept { "" } else { " **missed**" });
    is_kept
}

fn resident_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1_024.0
}
