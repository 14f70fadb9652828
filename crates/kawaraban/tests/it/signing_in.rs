//! Signing in to the real program: the set-up link, passwords, and sessions over restarts and several processes.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    os::{fd::OwnedFd, unix::net::UnixStream},
};

use chrono::TimeDelta;
use serde_json::{Value, json};
use store::Clock;
use testkit::{TestDb, on_both_databases};

use crate::{
    browser::{Browser, PASSWORD, add_user},
    process::{PATIENCE, Program, Running, ask, get, until},
};

const SECRET: &str = "0123456789abcdef0123456789abcdef";
const OPENID: [(&str, &str); 3] =
    [("OIDC_ISSUER", "http://127.0.0.1:1"), ("OIDC_CLIENT_ID", "id"), ("OIDC_CLIENT_SECRET", "hunter2")];

/// The token in the set-up link.
fn token(running: &Running) -> String {
    let link = running.setup_link().expect("a link while there is no account");
    let (page, token) = link.split_once("/setup?token=").expect("the page for it");
    assert_eq!(page, format!("http://localhost:{}", running.main().port()));
    token.to_owned()
}

fn new_account(token: &str, email: &str) -> serde_json::Value {
    json!({ "token": token, "email": email, "name": "Me", "password": PASSWORD })
}

async fn needs_setup(running: &Running) -> bool {
    let providers = get(running.main(), "/auth/providers").await.json();
    providers["setup_required"].as_bool().expect("a boolean")
}

/// Both ends of an output that is full: the next write to it blocks until the other end reads.
fn full_output() -> (UnixStream, UnixStream) {
    let (reader, writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    for size in [4_096, 1] {
        let full = loop {
            if let Err(error) = (&writer).write(&vec![b'\n'; size]) {
                break error;
            }
        };
        assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
    }
    writer.set_nonblocking(false).unwrap();
    (reader, writer)
}

#[tokio::test]
async fn setup_link_is_printed_before_the_api_answers() {
    let program = Program::new().with("METRICS_ADDR", "127.0.0.1:0");
    let (output, full) = full_output();
    let log = program.path("log");
    let mut command = program.command(&["serve"]);
    let _child = command.stdout(OwnedFd::from(full)).stderr(fs::File::create(&log).unwrap()).spawn().unwrap();
    drop(command);
    let address_of = |message: &str| -> Option<SocketAddr> {
        let log = fs::read_to_string(&log).unwrap();
        let mut lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.find(|line| line["message"] == message)?["address"].as_str()?.parse().ok()
    };
    until(async || address_of("ready").is_some()).await;
    let (main, metrics) = (address_of("ready").unwrap(), address_of("metrics are served").unwrap());

    let mut connection = TcpStream::connect(main).unwrap();
    connection.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    for _ in 0..50 {
        assert_eq!(get(metrics, "/metrics").await.status, 200, "the process runs");
    }
    connection.set_nonblocking(true).unwrap();
    let early = connection.read(&mut [0]);
    assert!(early.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock), "/readyz answered before the link");

    output.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut lines = BufReader::new(output).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("set up your account at ")));
    connection.set_nonblocking(false).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

on_both_databases!(setup_link_creates_the_owner_once);
async fn setup_link_creates_the_owner_once(db: TestDb) {
    let program = Program::on(&db).with("SESSION_SECRET", SECRET).with("LOG_LEVEL", "trace");
    let running = program.start(&["serve"]).await;
    let token = token(&running);
    assert!(!running.log().contains(&token), "the link is not logged");
    assert!(needs_setup(&running).await);
    assert_eq!(get(running.main(), "/api/users/me").await.status, 401, "not even from this machine");

    let mut browser = Browser::new(running.main());
    let wrong = browser.send("POST", "/auth/setup", &new_account("a-guess", "me@example.org")).await;
    assert!((400..500).contains(&wrong.status), "{wrong:?}");
    let made = browser.send("POST", "/auth/setup", &new_account(&token, "me@example.org")).await;
    assert_eq!((made.status, made.json()["role"].as_str()), (201, Some("owner")), "{made:?}");
    assert_eq!(browser.get("/api/users/me").await.json()["email"], "me@example.org", "and is signed in");

    let again = Browser::new(running.main()).send("POST", "/auth/setup", &new_account(&token, "you@example.org")).await;
    assert!((400..500).contains(&again.status), "{again:?}");
    assert!(!needs_setup(&running).await);
    assert!(!running.log().contains(&token) && !running.log().contains(PASSWORD));
    assert_eq!(running.stop().await, Some(0));
    let running = program.start(&["serve"]).await;
    assert_eq!(running.setup_link(), None, "an account exists");
    Browser::signed_in(running.main(), "me@example.org").await;
}

on_both_databases!(only_one_setup_link_works);
async fn only_one_setup_link_works(db: TestDb) {
    let program = Program::on(&db).with("SESSION_SECRET", SECRET);
    let processes = [program.start(&["api"]).await, program.start(&["api"]).await];
    let mut made = 0;
    for (running, email) in processes.iter().zip(["me@example.org", "you@example.org"]) {
        let token = token(running);
        made += i32::from(
            Browser::new(running.main()).send("POST", "/auth/setup", &new_account(&token, email)).await.status == 201,
        );
    }
    assert_eq!(made, 1);
    let owners: i64 = db.read("select count(*) from users where role = 'owner'").scalar().await.unwrap();
    assert_eq!(owners, 1);
}

on_both_databases!(session_works_in_all_processes_after_restart);
async fn session_works_in_all_processes_after_restart(db: TestDb) {
    let program = Program::on(&db).with("SESSION_SECRET", SECRET);
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let (one, other) = (program.start(&["api"]).await, program.start(&["api"]).await);
    let mut browser = Browser::signed_in(one.main(), "me@example.org").await;
    assert_eq!(browser.get("/api/users/me").await.status, 200);
    let mut elsewhere = browser.at(other.main());
    assert_eq!(elsewhere.get("/api/users/me").await.status, 200);
    assert_eq!(one.stop().await, Some(0));
    assert_eq!(elsewhere.send("POST", "/auth/logout", &json!({})).await.status, 204);

    let again = program.start(&["api"]).await;
    let mut returned = browser.at(again.main());
    assert_eq!(returned.get("/api/users/me").await.status, 401, "signed out at one is signed out at all");
    let other_secret = Program::on(&db).with("SESSION_SECRET", &SECRET.to_uppercase()).start(&["api"]).await;
    let browser = Browser::signed_in(other.main(), "me@example.org").await;
    assert_eq!(browser.at(other.main()).get("/api/users/me").await.status, 200);
    assert_eq!(browser.at(other_secret.main()).get("/api/users/me").await.status, 401, "another secret");
}

on_both_databases!(expired_rows_are_pruned);
async fn expired_rows_are_pruned(db: TestDb) {
    let now = Clock::system().now();
    let add = "insert into setup_links (token_hash, expires_at, created_at) values ($1, $2, $2)";
    for (hash, expires_at) in [("old", now - TimeDelta::days(2)), ("good", now + TimeDelta::days(1))] {
        db.write(add).bind(hash.to_owned()).bind(expires_at).execute().await.unwrap();
    }
    // As if two hours had passed since the last run.
    db.write("insert into job_schedules (kind, due_at) values ('prune_accounts', $1)")
        .bind(now - TimeDelta::hours(2))
        .execute()
        .await
        .unwrap();
    let _worker = Program::on(&db).start(&["worker"]).await;
    let left = async || db.read("select token_hash from setup_links").all::<(String,)>().await.unwrap();
    until(async || left().await == [("good".to_owned(),)]).await;
}

#[tokio::test]
async fn generated_secret_keeps_sessions_over_restarts() {
    let program = Program::new();
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let browser = Browser::signed_in(running.main(), "me@example.org").await;
    assert_eq!(running.stop().await, Some(0));

    let running = program.start(&["serve"]).await;
    assert_eq!(browser.at(running.main()).get("/api/users/me").await.status, 200);
    assert_eq!(running.stop().await, Some(0));

    std::fs::remove_file(program.path("data/session-secret")).unwrap();
    let running = program.start(&["serve"]).await;
    assert_eq!(browser.at(running.main()).get("/api/users/me").await.status, 401, "a new secret ends all sessions");
}

#[tokio::test]
async fn incomplete_provider_is_rejected_before_opening() {
    let cases: [&[(&str, &str)]; 5] = [
        &OPENID[..1],
        &OPENID[1..],
        &[("OIDC_NAME", "Work")],
        &[("GOOGLE_CLIENT_ID", "id")],
        &[("GOOGLE_CLIENT_ID", "id"), ("GOOGLE_CLIENT_SECRET", "hunter2")],
    ];
    for variables in cases {
        let program = with(Program::new().with("SESSION_SECRET", SECRET), variables);
        for command in ["serve", "api", "worker"] {
            let finished = program.run(&[command]).await.expect_code(2);
            assert!(finished.stderr.contains(", or none") && !finished.stderr.contains("hunter2"), "{finished:?}");
        }
        assert!(!program.path("data").exists());
    }
    let open = with(Program::new(), &OPENID).with("LOCAL_REGISTRATION", "true").run(&["serve"]).await.expect_code(2);
    assert!(open.stderr.contains("LOCAL_REGISTRATION=true: needs"), "{open:?}");
}

fn with(program: Program, variables: &[(&str, &str)]) -> Program {
    variables.iter().fold(program, |program, (name, value)| program.with(name, value))
}

#[tokio::test]
async fn passwords_are_off_by_default_with_a_provider() {
    let providers = async |program: &Program| {
        let running = program.start(&["serve"]).await;
        let answer = get(running.main(), "/auth/providers").await.json();
        (running, answer)
    };
    let alone = Program::new();
    let (running, offered) = providers(&alone).await;
    assert_eq!(
        (&offered["local"], &offered["registration"], &offered["providers"]),
        (&json!(true), &json!(false), &json!([]))
    );
    assert!(running.setup_link().is_some());

    let beside = with(Program::new(), &OPENID).with("OIDC_NAME", "会社");
    add_user(&beside, "me@example.org", &[]).await.expect_code(0);
    let (running, offered) = providers(&beside).await;
    assert_eq!((&offered["local"], &offered["setup_required"]), (&json!(false), &json!(false)));
    assert_eq!((&offered["providers"][0]["id"], &offered["providers"][0]["name"]), (&json!("oidc"), &json!("会社")));
    assert_eq!(running.setup_link(), None);
    let refused = Browser::new(running.main()).sign_in("me@example.org", PASSWORD).await;
    assert!((400..500).contains(&refused.status) && refused.cookies.is_empty(), "{refused:?}");
    drop(running);

    let asked_for = beside.with("LOCAL_ACCOUNTS", "true").with("LOCAL_REGISTRATION", "true");
    let (running, offered) = providers(&asked_for).await;
    assert_eq!((&offered["local"], &offered["registration"]), (&json!(true), &json!(true)));
    let registration = json!({ "email": "you@example.org", "name": "You", "password": PASSWORD });
    let mut browser = Browser::new(running.main());
    assert_eq!(browser.send("POST", "/auth/local/register", &registration).await.status, 201);
    assert_eq!(browser.get("/api/users/me").await.json()["role"], "member");
}

#[tokio::test]
async fn api_token_authenticates_scripts() {
    let program = Program::new();
    add_user(&program, "me@example.org", &["--owner"]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    let made = browser.send("POST", "/api/users/me/tokens", &json!({ "name": "script", "scope": "read" })).await;
    assert_eq!(made.status, 201, "{made:?}");
    let authorization = format!("Bearer {}", made.json()["token"].as_str().expect("the token, once"));
    let headers = [("authorization", authorization.as_str())];
    assert_eq!(ask(running.main(), "GET", "/api/users/me", &headers).await.status, 200);
    assert_eq!(ask(running.main(), "POST", "/api/feeds", &headers).await.status, 403, "it may only read");
    program.run(&["user", "delete", "me@example.org", "--yes"]).await.expect_code(0);
    assert_eq!(ask(running.main(), "GET", "/api/users/me", &headers).await.status, 401);
    assert!(!running.log().contains("kwb_"), "{}", running.log());
}
