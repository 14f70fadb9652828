//! What the stories about subscribing share: a reader, people, documents to serve, and a worker for the jobs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use net::Urgency;
use queue::{Settings as WorkerSettings, Worker};
use read::{Error, FetchIcon, ImportFeed, Reader, Settings, SubscribeOptions, Subscribed};
use store::{Clock, Db, UserId};
use testkit::origin::answer;
use tokio_util::sync::CancellationToken;

/// A reader on loopback with a clock that stands still.
pub struct Desk {
    pub reader: Reader,
    pub clock: Clock,
    pub user: UserId,
}

impl Desk {
    pub async fn new(db: &Db) -> Desk {
        Desk::with(db, Settings { subscription_limit: Some(5), ..Settings::default() }).await
    }

    pub async fn with(db: &Db, settings: Settings) -> Desk {
        let clock = Clock::manual(now());
        let reader = Reader::new(db.clone(), client(), clock.clone(), settings);
        let user = person(db, "reader@example.com").await;
        Desk { reader, clock, user }
    }

    pub async fn subscribe(&self, address: &str) -> Result<Subscribed, Error> {
        self.reader.subscribe(self.user, address, Urgency::Interactive, &SubscribeOptions::default()).await
    }
}

pub fn client() -> net::Client {
    let allow_nets = vec!["127.0.0.0/8".parse().unwrap()];
    let settings = net::Settings { allow_nets, host_gap: Duration::ZERO, ..net::Settings::default() };
    net::Client::new(settings).unwrap()
}

pub fn now() -> DateTime<Utc> {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

pub async fn person(db: &Db, email: &str) -> UserId {
    store::users::create_unclaimed(db, email, "A reader", now()).await.unwrap()
}

/// An RSS document with this title and so many items.
pub fn rss(title: &str, items: usize) -> String {
    let item = |n: usize| {
        format!(
            "<item><title>Post {n}</title><link>https://blog.example/{n}</link><guid>post-{n}</guid>\
             <pubDate>Sun, 01 Mar 2026 {:02}:00:00 GMT</pubDate></item>",
            n % 24
        )
    };
    let items: String = (1..=items).map(item).collect();
    format!("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>{title}</title>{items}</channel></rss>")
}

/// A page with these lines in its head.
pub fn page(head: &str) -> Vec<u8> {
    html(format!("<!doctype html><html><head><title>A blog</title>{head}</head><body><p>Hello</p></body></html>"))
}

pub fn html(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n", body)
}

pub fn feed(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"v1\"\r\n", body)
}

pub fn status(code: u16) -> Vec<u8> {
    answer(&format!("HTTP/1.1 {code} So be it\r\n"), "")
}

/// A PNG of this width, as far as anybody looks.
pub fn png(width: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0".to_vec();
    bytes.extend([width, 0, 0, 0, width, 8, 6, 0, 0, 0]);
    bytes
}

/// The answer to a question that counts.
pub async fn count(db: &Db, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

/// A worker for the jobs of subscribing.
pub fn worker(db: &Db, desk: &Desk) -> Worker {
    let settings = WorkerSettings { poll: Duration::from_millis(20), ..WorkerSettings::default() };
    let mut worker = Worker::new(db.clone(), desk.clock.clone(), settings);
    worker.register::<FetchIcon>(desk.reader.clone());
    worker.register::<ImportFeed>(desk.reader.clone());
    worker
}

/// Runs jobs until none of them waits; the clock goes on, so that attempts come.
pub async fn run_jobs(db: &Db, desk: &Desk) {
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker(db, desk).run(stop.clone()));
    let waiting = "select count(*) from jobs
        where kind in ('fetch_icon', 'import_feed') and status in ('queued', 'processing')";
    let patience = tokio::time::Instant::now() + Duration::from_secs(60);
    while count(db, waiting).await > 0 {
        assert!(tokio::time::Instant::now() < patience, "the jobs do not end");
        if count(db, "select count(*) from jobs where kind in ('fetch_icon', 'import_feed') and status = 'processing'")
            .await
            == 0
        {
            desk.clock.advance(Duration::from_secs(5));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    working.await.unwrap().unwrap();
}
