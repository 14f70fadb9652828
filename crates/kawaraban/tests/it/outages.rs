//! A database that goes away, or cannot be written: answers with words, and recovery without a restart.

use std::net::SocketAddr;

use serde_json::json;
use testkit::TestDb;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

use crate::{
    people::{Browser, add_user},
    program::{Answer, Program, get, until},
};

/// Passes connections on to a server until it is cut; then it closes them all, and every new one.
struct Cable {
    address: SocketAddr,
    is_up: watch::Sender<bool>,
}

impl Cable {
    async fn to(server: SocketAddr) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (is_up, state) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut state = state.clone();
                tokio::spawn(async move {
                    let pass = async {
                        let mut server = TcpStream::connect(server).await.unwrap();
                        let _ = copy_bidirectional(&mut client, &mut server).await;
                    };
                    tokio::select! {
                        biased;
                        _ = state.wait_for(|is_up| !is_up) => {}
                        () = pass => {}
                    }
                });
            }
        });
        Cable { address, is_up }
    }

    /// The address of a database, by way of this cable.
    fn url(&self, url: &str) -> String {
        let (head, rest) = url.split_at(url.rfind('@').map_or("postgres://".len(), |at| at + 1));
        format!("{head}{}{}", self.address, &rest[rest.find('/').unwrap()..])
    }
}

/// Where the server of this address listens.
fn server_of(url: &str) -> SocketAddr {
    let rest = url.trim_start_matches("postgres://");
    let host = rest.rsplit('@').next().unwrap().split('/').next().unwrap();
    host.replace("localhost", "127.0.0.1").parse().unwrap_or_else(|error| panic!("{host}: {error}"))
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_eq!(answer.status, 503, "{answer:?}");
    let body = answer.json();
    assert!(["database_unavailable", "disk_full"].contains(&body["code"].as_str().unwrap()), "{body}");
    assert!(!body["message"].as_str().unwrap().is_empty() && !body["action"].as_str().unwrap().is_empty(), "{body}");
    assert!(answer.head.contains("retry-after: "), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_be_reached_is_told_and_comes_back() {
    let db = TestDb::postgres().await;
    let cable = Cable::to(server_of(db.url())).await;
    let program = Program::new().with("DATABASE_URL", &cable.url(db.url()));
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    assert_eq!(browser.get("/api/items").await.status, 200);

    cable.is_up.send_replace(false);
    assert_unavailable(&browser.get("/api/items").await);
    assert_unavailable(&browser.send("POST", "/api/folders", &json!({ "name": "News" })).await);
    assert_unavailable(&get(running.main(), "/readyz").await);
    assert_eq!(get(running.main(), "/healthz").await.status, 200);

    cable.is_up.send_replace(true);
    until(async || get(running.main(), "/readyz").await.status == 200).await;
    assert_eq!(browser.get("/api/items").await.status, 200);
    assert_eq!(running.stop().await, Some(0));
}

/// A limit on the size of files stands in for a full disk: it needs no disk of its own to fill.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_grow_is_told_and_not_ready() {
    let program = Program::new().with("RATE_LIMIT_GENERAL", "1000000");
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start_in_shell("trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"", &["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    let folder = browser.send("POST", "/api/folders", &json!({ "name": "News" })).await.json();
    let path = format!("/api/folders/{}", folder["id"].as_str().unwrap());
    let mut answer = None;
    for number in 0..3_000 {
        let renamed = browser.send("PATCH", &path, &json!({ "name": format!("News {number}") })).await;
        if renamed.status != 200 {
            answer = Some(renamed);
            break;
        }
    }
    assert_unavailable(&answer.expect("a file that cannot grow any more"));
    until(async || get(running.main(), "/readyz").await.status == 503).await;
    assert_unavailable(&get(running.main(), "/readyz").await);
    assert_eq!(browser.get("/api/items").await.status, 200, "reading goes on");
}
