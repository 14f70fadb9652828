//! A site that changes, a database, a manual clock and a user.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use read::{ListQuery, Reader, ReaderSettings, SubscribeOptions};
use store::{
    Clock, Db, FeedId, UserId,
    item_lists::{Filter, ItemScope, Order},
};
use testkit::origin::{self, Origin, Seen};
use watch::{WatchSettings, Watcher};

/// What the origin serves.
#[derive(Default)]
pub struct Pages {
    /// Titles of posts, the newest first, with their days in March 2026.
    pub posts: Vec<(String, u32)>,
    /// The paths of posts whose pages are missing.
    pub missing: Vec<String>,
    /// Whole answers by path, before anything else.
    pub answers: Vec<(String, Vec<u8>)>,
    /// What follows the address of each post, such as `?t=1`.
    pub suffix: String,
}

pub struct TestSite {
    pub db: Db,
    pub clock: Clock,
    pub reader: Reader,
    pub watcher: Watcher,
    pub origin: Origin,
    pub user: UserId,
    pages: Arc<Mutex<Pages>>,
}

pub fn start() -> DateTime<Utc> {
    "2026-03-20T10:00:00Z".parse().unwrap()
}

fn client() -> net::Client {
    let settings = net::ClientSettings {
        allow_nets: vec!["127.0.0.0/8".parse().unwrap()],
        host_gap: Duration::ZERO,
        timeout: Duration::from_secs(5),
        ..net::ClientSettings::default()
    };
    net::Client::new(settings).unwrap()
}

impl TestSite {
    pub async fn new(db: &Db) -> TestSite {
        TestSite::with(db, WatchSettings::default()).await
    }

    pub async fn with(db: &Db, settings: WatchSettings) -> TestSite {
        let pages: Arc<Mutex<Pages>> = Arc::default();
        let shared = Arc::clone(&pages);
        let origin = Origin::serve(move |seen| answer(&shared.lock().unwrap(), seen)).await;
        let clock = Clock::manual(start());
        let mut reader = Reader::new(db.clone(), client(), clock.clone(), ReaderSettings::default());
        let watcher = Watcher::new(&mut reader, client(), settings);
        let email = format!("{}@example.org", UserId::new());
        let user = store::users::create_unclaimed(db, &email, "User", start()).await.unwrap();
        TestSite { db: db.clone(), clock, reader, watcher, origin, user, pages }
    }

    pub fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap()
    }

    /// The site has these posts, the newest first.
    pub fn set_posts(&self, posts: &[(&str, u32)]) {
        self.pages().posts = posts.iter().map(|(title, day)| ((*title).to_owned(), *day)).collect();
    }

    pub fn add_post(&self, title: &str, day: u32) {
        self.pages().posts.insert(0, (title.to_owned(), day));
    }

    /// The answer to requests for a path.
    pub fn on(&self, path: &str, answer: Vec<u8>) {
        let mut pages = self.pages();
        pages.answers.retain(|(known, _)| known != path);
        pages.answers.push((path.to_owned(), answer));
    }

    pub async fn subscribe(&self) -> FeedId {
        let options = SubscribeOptions { start_read: true, ..SubscribeOptions::default() };
        self.watcher.subscribe(self.user, &self.origin.url("/news/"), None, options).await.unwrap().feed.id
    }

    /// Checks whatever is due a day later.
    pub async fn next_day(&self) {
        self.clock.advance(Duration::from_secs(24 * 60 * 60));
        self.reader.fetch_due().await.unwrap();
    }

    /// The titles of the items, the newest first.
    pub async fn titles(&self, filter: Filter) -> Vec<String> {
        let query = ListQuery {
            scope: ItemScope::All,
            filter,
            order: Order::Newest,
            after: None,
            limit: 100,
            with_content: false,
        };
        let page = self.reader.list_items(self.user, &query).await.unwrap();
        page.items.into_iter().map(|listed| listed.row.title).collect()
    }

    pub async fn unread(&self) -> Vec<String> {
        self.titles(Filter::Unread).await
    }

    /// The checks of a site, the oldest first: status, skipped, changed, whether it failed.
    pub async fn checks(&self, blog_id: &str) -> Vec<(Option<i64>, bool, bool, bool)> {
        let before = (start() + TimeDelta::days(10_000), i64::MAX);
        let mut checks = store::watch::list_checks(&self.db, blog_id, before, 100).await.unwrap();
        checks.reverse();
        let row = |check: store::watch::Check| {
            (check.http_status, check.skipped == 1, check.changed == 1, check.error_message.is_some())
        };
        checks.into_iter().map(row).collect()
    }
}

pub fn html(body: &str) -> Vec<u8> {
    origin::answer("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n", body)
}

pub fn xml(body: &str) -> Vec<u8> {
    origin::answer("HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n", body)
}

pub fn not_found() -> Vec<u8> {
    origin::answer("HTTP/1.1 404 Not Found\r\n", "not found")
}

pub fn slug(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn answer(pages: &Pages, seen: &Seen) -> Vec<u8> {
    let path = seen.target.split('?').next().unwrap_or_default();
    if let Some((_, answer)) = pages.answers.iter().find(|(known, _)| known == path) {
        return answer.clone();
    }
    if path == "/news/" {
        return html(&list_page(pages));
    }
    let post = pages.posts.iter().find(|(title, _)| path == format!("/news/{}", slug(title)));
    match post.filter(|_| !pages.missing.iter().any(|missing| missing == path)) {
        Some((title, day)) => html(&post_page(title, *day)),
        None => not_found(),
    }
}

fn list_page(pages: &Pages) -> String {
    let item = |(title, day): &(String, u32)| {
        let (slug, suffix) = (slug(title), &pages.suffix);
        format!(
            "<li><h2><a href='/news/{slug}{suffix}'>{title}</a></h2><time datetime='2026-03-{day:02}'>{day} March 2026</time></li>"
        )
    };
    let items: String = pages.posts.iter().map(item).collect();
    format!(
        "<html><head><title>Harbour news</title></head><body><nav><a href='/'>Home</a> <a href='/about'>About us</a></nav>
         <main><ul class='news'>{items}</ul></main><footer><a href='/legal'>Legal notice</a></footer></body></html>"
    )
}

fn post_page(title: &str, day: u32) -> String {
    let text = "The ferry filled before noon, and the harbour master counted every boat twice. ".repeat(12);
    format!(
        "<html><head><title>{title}</title><meta name='author' content='Hana'></head><body><article><h1>{title}</h1>
         <time datetime='2026-03-{day:02}T08:00:00Z'>{day} March</time><p>{text}</p></article></body></html>"
    )
}

/// Three posts to begin with.
pub const FIRST: &[(&str, u32)] =
    &[("The tide came early this year", 10), ("A new ferry for the island", 9), ("The bridge is closed again", 8)];
