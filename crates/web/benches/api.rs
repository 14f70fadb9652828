//! The cost of frequent requests: subscriptions, unread counts, and items with their content.
//!
//! One user has 500 feeds with 20 items of 3 kB each. Requests go through the whole router, one after the other. Processor
//! time is that of this process and of the database server. Run it with `make bench`. It fails when a budget is missed.
#![expect(clippy::unwrap_used, reason = "a failed measurement ends the run")]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use accounts::Accounts;
use axum::{
    Router,
    body::{Body, to_bytes},
};
use chrono::TimeDelta;
use http::Request;
use store::{Clock, Db, SessionId, UserId, feeds, items, items::NewItem, subscriptions, users};
use testkit::{TestDb, cpu_time};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use web::{
    ApiState, AuthMethod, BuildInfo, Caller, EventStreams, Measurements, RateLimiter, RateLimits, Site, SiteSettings,
    main_router,
};

// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEEDS: usize = 500;
const ITEMS: usize = 20;
const ROUNDS: usize = 9;
const REQUESTS: u32 = 40;

const SUBSCRIPTIONS: &str = "/api/subscriptions";
const COUNTS: &str = "/api/subscriptions/counts";
const CONTENT: &str = "/api/items?include=content&limit=50";

/// Minimum ratio of requests per second between the counts and the whole list.
const MIN_COUNTS_RATIO: f64 = 10.0;
/// Maximum processor time of 50 items with their content, in milliseconds.
const MAX_CONTENT_CPU_MS: f64 = 14.0;
/// Maximum ratio of the processor time of the list between SQLite and PostgreSQL.
const MAX_SQLITE_CPU_RATIO: f64 = 1.0;

/// Medians of one request: milliseconds, and bytes of the body.
#[derive(Clone, Copy)]
struct Cost {
    time: f64,
    cpu: f64,
    bytes: usize,
}

#[tokio::main]
async fn main() -> ExitCode {
    let build = BuildInfo { version: "bench", commit: "bench", started_at_seconds: 0 };
    let measurements = Measurements::install(build).unwrap();
    println!("{FEEDS} feeds; medians of {ROUNDS} × {REQUESTS} requests\n");
    println!("| request | database | ms | processor ms | kB |\n|---|---|---:|---:|---:|");
    let mut lists = Vec::new();
    let mut is_kept = true;
    for (name, db) in [("SQLite", TestDb::sqlite().await), ("PostgreSQL", TestDb::postgres().await)] {
        let (user, router) = (fill(&db).await, router(&db, measurements.clone()));
        let [list, counts, content] = measure(&db, &router, user).await;
        for (path, cost) in [(SUBSCRIPTIONS, list), (COUNTS, counts), (CONTENT, content)] {
            let kilobytes = cost.bytes / 1_000;
            println!("| `{path}` | {name} | {:.2} | {:.2} | {kilobytes} |", cost.time, cost.cpu);
        }
        is_kept &=
            verdict(&format!("{name}: counts against the list"), list.time / counts.time, MIN_COUNTS_RATIO, true);
        is_kept &=
            verdict(&format!("{name}: processor ms of 50 items with content"), content.cpu, MAX_CONTENT_CPU_MS, false);
        lists.push(list.cpu);
    }
    is_kept &= verdict(
        "processor time of the list, SQLite against PostgreSQL",
        lists[0] / lists[1],
        MAX_SQLITE_CPU_RATIO,
        false,
    );
    if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(title: &str, value: f64, budget: f64, is_least: bool) -> bool {
    let is_kept = if is_least { value >= budget } else { value <= budget };
    println!("| {title} | | {value:.2} | budget {budget} | {} |", if is_kept { "kept" } else { "**missed**" });
    is_kept
}

/// The costs of the three requests. Each round sends all of them, so that other load affects all equally.
async fn measure(db: &Db, router: &Router, user: UserId) -> [Cost; 3] {
    let mut costs = [SUBSCRIPTIONS, COUNTS, CONTENT].map(|path| (path, Vec::new(), Vec::new(), 0));
    for round in 0..=ROUNDS {
        for (path, times, cpu, bytes) in &mut costs {
            let (cpu_before, started) = (cpu_time(db).await, Instant::now());
            for _ in 0..REQUESTS {
                *bytes = call(router, user, path).await;
            }
            // The first round warms caches up.
            if round > 0 {
                times.push(milliseconds(started.elapsed()));
                cpu.push(milliseconds(cpu_time(db).await - cpu_before));
            }
        }
    }
    costs.map(|(_, times, cpu, bytes)| Cost { time: median(times), cpu: median(cpu), bytes })
}

fn milliseconds(of_all: Duration) -> f64 {
    of_all.as_secs_f64() * 1e3 / f64::from(REQUESTS)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Sends a request and returns the length of the body.
async fn call(router: &Router, user_id: UserId, path: &str) -> usize {
    let mut request = Request::get(path).body(Body::empty()).unwrap();
    request.extensions_mut().insert(Caller { user_id, is_owner: false, auth: AuthMethod::Session(SessionId::new()) });
    let response = router.clone().oneshot(request).await.unwrap();
    assert!(response.status().is_success());
    to_bytes(response.into_body(), usize::MAX).await.unwrap().len()
}

fn router(db: &Db, measurements: Measurements) -> Router {
    let (clock, here) = (Clock::system(), "http://localhost:8080");
    let net = net::Client::new(net::ClientSettings::default()).unwrap();
    let mut reader = read::Reader::new(db.clone(), net.clone(), clock.clone(), read::ReaderSettings::default());
    let watcher = watch::Watcher::new(&mut reader, net, watch::WatchSettings::default());
    main_router(ApiState {
        db: db.clone(),
        reader,
        watcher,
        accounts: Accounts::new(db.clone(), clock, accounts::AccountSettings::default()),
        providers: Vec::new(),
        site: Site::new(SiteSettings {
            base_url: here.parse().unwrap(),
            frontend_url: here.parse().unwrap(),
            allowed_origin: None,
            trusted_proxies: Vec::new(),
            session_secret: "a secret for benches of thirty-two bytes or more".to_owned(),
        }),
        limiter: RateLimiter::new(RateLimits::default()),
        streams: EventStreams::default(),
        licenses: web::Licenses::new(&[]),
        measurements,
        metrics_token: None,
        stopping: CancellationToken::new(),
    })
}

/// A user with feeds that have unread items.
async fn fill(db: &Db) -> UserId {
    let now = Clock::system().now();
    let user = users::create_unclaimed(db, "reader@example.org", "Reader", now).await.unwrap();
    let text = format!("<p>{}</p>", "A sentence of some words, for a text of three kilobytes. ".repeat(55));
    for number in 0..FEEDS {
        let new = feeds::NewFeed {
            feed_url: format!("https://{number}.example.org/feed"),
            host: format!("{number}.example.org"),
            site_url: Some(format!("https://{number}.example.org/")),
            title: format!("Feed number {number}"),
            kind: "feed",
            next_fetch_at: now,
        };
        let item = |place: usize| NewItem {
            title: format!("Item {place} of feed {number}"),
            link: Some(format!("https://{number}.example.org/{place}")),
            content: Some(text.clone()),
            published_at: now - TimeDelta::minutes(i64::try_from(place * FEEDS + number).unwrap()),
            categories: "[]".to_owned(),
            enclosures: "[]".to_owned(),
            ..NewItem::default()
        };
        let new_items: Vec<NewItem> = (0..ITEMS).map(item).collect();
        let mut tx = db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
        subscriptions::create(&mut tx, user, feed, i64::MAX, now).await.unwrap();
        let ids = items::insert(&mut tx, feed, &new_items, now).await.unwrap();
        items::fan_out(&mut tx, feed, &ids, i64::MAX, now).await.unwrap();
        tx.commit().await.unwrap();
    }
    if db.is_postgres() {
        db.write("vacuum analyze").execute().await.unwrap();
    }
    user
}
