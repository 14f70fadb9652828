//! The event stream over a real connection.

use std::net::SocketAddr;

use futures_util::{FutureExt, future::BoxFuture};
use store::{
    Change, Db, FeedId, SubscriptionId, TokenId, feeds::NewFeed, subscriptions::SubscriptionCreated, tokens::Scope,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::*;

/// Long enough for a slow machine, but shorter than the poll interval of a stream.
const SOON: Duration = Duration::from_secs(20);

/// Starts a server and creates a token of this user.
async fn start(app: ApiState, caller: Caller) -> Server {
    let stop = app.stopping.clone();
    let (token, secret) = app.accounts.create_token(caller.user_id, "test", Scope::Read).await.unwrap();
    let router = main_router(app);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(crate::serve(
        listener,
        router,
        crate::ConnectionLimits::new(100, Vec::new()),
        stop,
        Duration::from_secs(1),
    ));
    Server { address, token: token.id, authorization: format!("authorization: Bearer {}", secret.expose()) }
}

/// The address of the server and a credential for it.
struct Server {
    address: SocketAddr,
    token: TokenId,
    authorization: String,
}

struct Page {
    stream: BufReader<TcpStream>,
}

/// An event's name and its data.
type Sent = (String, Value);

impl Page {
    async fn open(server: &Server) -> Page {
        Page::open_as(server, &server.authorization).await
    }

    async fn open_as(server: &Server, credentials: &str) -> Page {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let head = format!(
            "GET /api/events HTTP/1.1\r\nhost: localhost\r\n{credentials}\r\naccept-encoding: gzip, zstd\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut page = Page { stream: BufReader::new(stream) };
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            page.stream.read_line(&mut head).await.unwrap();
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let head = head.to_lowercase();
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        assert!(!head.contains("content-encoding"), "compression would hold events back: {head}");
        page
    }

    /// The next event, without comments and the chunk framing.
    async fn next(&mut self) -> Sent {
        let (mut name, mut data) = (String::new(), Value::Null);
        loop {
            let mut line = String::new();
            let read = timeout(SOON, self.stream.read_line(&mut line)).await.expect("an event in time").unwrap();
            assert!(read > 0, "the stream ended");
            match line.trim_end().split_once(": ") {
                Some(("event", value)) => name = value.to_owned(),
                Some(("data", value)) => data = serde_json::from_str(value).unwrap(),
                _ if line.trim().is_empty() && !name.is_empty() => return (name, data),
                _ => {}
            }
        }
    }

    /// Reads until the empty last chunk of the response. The connection may stay open.
    async fn end(mut self) {
        let mut line = String::new();
        while line.trim_end() != "0" {
            line.clear();
            let read = timeout(SOON, self.stream.read_line(&mut line)).await.expect("the end in time").unwrap_or(0);
            if read == 0 {
                return;
            }
        }
    }
}

async fn add_feed(db: &Db, name: &str) -> FeedId {
    let now = Clock::system().now();
    let new = NewFeed {
        feed_url: format!("https://{name}.example/feed"),
        host: format!("{name}.example"),
        site_url: None,
        title: name.to_owned(),
        kind: "feed",
        next_fetch_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let (id, _) = store::feeds::add(&mut tx, &new, now).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn subscribe(db: &Db, user: UserId, feed: FeedId) -> SubscriptionId {
    let mut tx = db.begin().await.unwrap();
    let added = store::subscriptions::create(&mut tx, user, feed, 100, Clock::system().now()).await.unwrap();
    tx.changed(Change::User(user));
    tx.commit().await.unwrap();
    let SubscriptionCreated::New(id) = added else { panic!("{added:?}") };
    id
}

/// Adds three to the counters of a feed and sends this signal.
async fn arrive(db: &Db, feed: FeedId, change: Change) {
    let mut tx = db.begin().await.unwrap();
    for sql in [
        "update feeds set items_added = items_added + 3 where id = $1",
        "update subscriptions set unread_count = unread_count + 3 where feed_id = $1",
    ] {
        tx.query(sql).bind(feed).execute().await.unwrap();
    }
    tx.changed(change);
    tx.commit().await.unwrap();
}

async fn stop_feed(db: &Db, feed: FeedId) {
    let mut tx = db.begin().await.unwrap();
    tx.query("update feeds set fetch_status = 'stopped', error_code = 'gone' where id = $1")
        .bind(feed)
        .execute()
        .await
        .unwrap();
    tx.changed(Change::Feed(feed));
    tx.commit().await.unwrap();
}

on_both_databases!(stream_sends_only_changes);
async fn stream_sends_only_changes(db: TestDb) {
    let (app, caller, other) = (app(&db), new_owner(&db).await, new_user(&db, "a@example.com").await);
    let (feed, foreign) = (add_feed(&db, "one").await, add_feed(&db, "foreign").await);
    let subscription = subscribe(&db, caller.user_id, feed).await;
    subscribe(&db, other.user_id, foreign).await;
    let server = start(app, caller).await;
    let mut page = Page::open(&server).await;
    let counter = |unread: i64| {
        serde_json::json!({
            "subscription_id": subscription, "feed_id": feed, "unread_count": unread, "items_added": unread,
            "revision": 0
        })
    };
    let hello = serde_json::json!({ "unread_count": 0, "revision": 0, "subscriptions": [counter(0)], "troubled": [] });
    assert_eq!(page.next().await, ("hello".to_owned(), hello));

    arrive(&db, foreign, Change::Feed(foreign)).await;
    arrive(&db, feed, Change::Feed(feed)).await;
    assert_eq!(page.next().await, ("counters".to_owned(), counter(3)), "not the other user's feed");
    let items = serde_json::json!({ "feed_id": feed, "new_items": 3, "items_added": 3 });
    assert_eq!(page.next().await, ("items".to_owned(), items));

    stop_feed(&db, feed).await;
    let (name, state) = page.next().await;
    assert_eq!(
        (name.as_str(), &state["fetch_status"], &state["error_code"]),
        ("feed", &"stopped".into(), &"gone".into())
    );
    assert!(state["error_message"].as_str().unwrap().contains("410: this feed has been removed"));
    let (_, hello) = Page::open(&server).await.next().await;
    assert_eq!(hello["troubled"], serde_json::json!([state]), "a later stream gets the same state");

    let second = add_feed(&db, "two").await;
    let added = subscribe(&db, caller.user_id, second).await;
    let (name, list) = page.next().await;
    assert_eq!((name.as_str(), list), ("subscriptions", serde_json::json!({ "added": [added], "removed": [] })));
    assert_eq!(page.next().await.0, "counters");
    arrive(&db, second, Change::Feed(second)).await;
    assert_eq!(page.next().await.1["feed_id"], second.to_string(), "a feed added meanwhile is included");
}

on_both_databases!(eleventh_stream_ends_the_oldest);
async fn eleventh_stream_ends_the_oldest(db: TestDb) {
    let (app, caller) = (app(&db), new_owner(&db).await);
    let server = start(app, caller).await;
    let mut pages = Vec::new();
    for _ in 0..11 {
        let mut page = Page::open(&server).await;
        assert_eq!(page.next().await.0, "hello");
        pages.push(page);
    }
    pages.remove(0).end().await;
    let feed = add_feed(&db, "one").await;
    subscribe(&db, caller.user_id, feed).await;
    for page in &mut pages {
        assert_eq!(page.next().await.0, "subscriptions", "the others go on");
    }
}

on_both_databases!(streams_end_when_the_server_stops);
async fn streams_end_when_the_server_stops(db: TestDb) {
    let (app, caller) = (app(&db), new_owner(&db).await);
    let stopping = app.stopping.clone();
    let mut page = Page::open(&start(app, caller).await).await;
    assert_eq!(page.next().await.0, "hello");
    stopping.cancel();
    page.end().await;
}

on_both_databases!(stream_ends_only_with_its_own_token);
async fn stream_ends_only_with_its_own_token(db: TestDb) {
    let (app, caller) = (app(&db), new_owner(&db).await);
    let accounts = app.accounts.clone();
    let (other, _) = accounts.create_token(caller.user_id, "other", Scope::Read).await.unwrap();
    let server = start(app, caller).await;
    let mut page = Page::open(&server).await;
    assert_eq!(page.next().await.0, "hello");
    accounts.delete_token(caller.user_id, other.id).await.unwrap();
    let feed = add_feed(&db, "one").await;
    subscribe(&db, caller.user_id, feed).await;
    assert_eq!(page.next().await.0, "subscriptions", "another token's end does not matter");
    accounts.delete_token(caller.user_id, server.token).await.unwrap();
    page.end().await;
}

on_both_databases!(stream_ends_with_its_session);
async fn stream_ends_with_its_session(db: TestDb) {
    type End = fn(Accounts, UserId, SignedIn) -> BoxFuture<'static, ()>;
    let ends: [(&str, End); 3] = [
        ("signing out", |accounts, _, session| {
            async move { accounts.sign_out(&session.secret).await.unwrap() }.boxed()
        }),
        ("the list of sessions", |accounts, user, session| {
            async move { accounts.delete_session(user, session.session).await.unwrap() }.boxed()
        }),
        ("deleting the user", |accounts, user, _| async move { accounts.delete_user(user).await.unwrap() }.boxed()),
    ];
    let app = app(&db);
    for (index, (what, end)) in ends.into_iter().enumerate() {
        let (caller, session) = sign_in_new_user(&app, &format!("a{index}@example.com")).await;
        let cookie = crate::session_cookies::session_cookie(&app, &session.secret, session.expires_at).unwrap();
        let credentials = format!("cookie: {}", cookie.to_str().unwrap().split(';').next().unwrap());
        let server = start(app.clone(), caller).await;
        let mut page = Page::open_as(&server, &credentials).await;
        assert_eq!(page.next().await.0, "hello", "{what}");
        end(app.accounts.clone(), caller.user_id, session).await;
        page.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_other_processes_are_streamed() {
    let db = TestDb::postgres().await;
    let caller = new_owner(&db).await;
    let feed = add_feed(&db, "one").await;
    subscribe(&db, caller.user_id, feed).await;
    // A second handle has its own signals, like another process.
    let here = Db::open(db.address(), 5).await.unwrap();
    let listener = here.clone();
    tokio::spawn(async move { listener.listen().await });
    let mut page = Page::open(&start(ApiState { db: here, ..app(&db) }, caller).await).await;
    assert_eq!(page.next().await.0, "hello");
    arrive(&db, feed, Change::User(caller.user_id)).await;
    let (name, counter) = page.next().await;
    assert_eq!((name.as_str(), counter["unread_count"].as_i64()), ("counters", Some(3)));
}
