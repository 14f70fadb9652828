//! Tests of routes and layers through the real router.

use std::{convert::Infallible, time::Duration};

use ::accounts::{AccountSettings, Accounts, HashCost, NewAccount, Password, RemoteClient, Role, SignedIn, User};
use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
    routing::{get, post},
};
use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};
use testkit::{TestDb, on_both_databases};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use watch::{WatchSettings, Watcher};

use store::{Clock, SessionId, UserId};

use crate::{
    ApiError, ApiState, AuthMethod, BuildInfo, Caller, Error, Measurements, MetricsToken, RateLimiter, RateLimits,
    Site, SiteSettings, limit::RateLimit, main_router, router::with_layers,
};

mod access;
mod admin;
mod attacks;
mod audit;
mod browser;
mod error_codes;
mod errors;
mod events;
mod every_route;
mod extract;
mod feeds;
mod health;
mod jobs;
mod layers;
mod licenses;
mod metrics_page;
mod openapi;
mod opml;
mod providers;
mod reading;
mod search;
mod serve;
mod sign_in;
mod static_files;
mod users;

/// The password of all test users.
const PASSWORD: &str = "correct horse battery";

/// A response with its whole body.
struct TestResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl TestResponse {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn call(router: &Router, request: Request) -> TestResponse {
    let response: Result<Response, Infallible> = router.clone().oneshot(request).await;
    let (parts, body) = response.unwrap().into_parts();
    let read = tokio::time::timeout(Duration::from_secs(60), to_bytes(body, usize::MAX)).await;
    let body = read.expect("a response that ends").unwrap().to_vec();
    TestResponse { status: parts.status, headers: parts.headers, body }
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body.into()).unwrap()
}

async fn get_with(router: &Router, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    call(router, request("GET", path, headers, Body::empty())).await
}

fn build() -> BuildInfo {
    BuildInfo { version: "1.2.3", commit: "abc", started_at_seconds: 7 }
}

/// State on this database with the system clock.
fn app(db: &TestDb) -> ApiState {
    app_at(db, Clock::system())
}

/// State on this database with this clock. It can fetch from loopback and has no rate limits.
fn app_at(db: &TestDb, clock: Clock) -> ApiState {
    let settings =
        net::ClientSettings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::ClientSettings::default() };
    let client = net::Client::new(settings).unwrap();
    let mut reader = read::Reader::new(db.db(), client.clone(), clock.clone(), read::ReaderSettings::default());
    let watcher = Watcher::new(&mut reader, client, WatchSettings::default());
    ApiState {
        db: db.db(),
        reader,
        watcher,
        accounts: open_accounts(db, clock),
        providers: Vec::new(),
        site: site("http://localhost:8080", None),
        limiter: RateLimiter::new(RateLimits::default()),
        streams: crate::EventStreams::default(),
        measurements: Measurements::detached(build()),
        licenses: licenses::sample(),
        metrics_token: None,
        stopping: CancellationToken::new(),
    }
}

/// Accounts on this database, with open registration and cheap hashes.
fn open_accounts(db: &TestDb, clock: Clock) -> Accounts {
    let settings = AccountSettings { local_registration: true, argon2: HashCost::MIN, ..AccountSettings::default() };
    Accounts::new(db.db(), clock, settings)
}

/// A site at this address, with or without another allowed origin.
fn site(base_url: &str, allowed_origin: Option<&str>) -> Site {
    Site::new(SiteSettings {
        base_url: base_url.parse().unwrap(),
        frontend_url: allowed_origin.unwrap_or(base_url).parse().unwrap(),
        allowed_origin: allowed_origin.map(|url| url.parse().unwrap()),
        trusted_proxies: Vec::new(),
        session_secret: "a secret for tests of thirty-two bytes or more".to_owned(),
    })
}

/// Creates a user.
async fn new_user(db: &TestDb, email: &str) -> Caller {
    let user_id = store::users::create_unclaimed(&db.db(), email, "", Clock::system().now()).await.unwrap();
    Caller { user_id, is_owner: false, auth: AuthMethod::Session(SessionId::new()) }
}

/// Creates a user with a password and a session.
async fn sign_in_new_user(app: &ApiState, email: &str) -> (Caller, SignedIn) {
    let new = NewAccount { email: email.to_owned(), name: String::new(), password: Password::new(PASSWORD) };
    app.accounts.create_user(&new, Role::Member).await.unwrap();
    let client = RemoteClient { address: [192, 0, 2, 1].into(), user_agent: "a browser".to_owned(), language: None };
    let signed_in = app.accounts.sign_in(email, &Password::new(PASSWORD), None, &client).await.unwrap();
    let caller = Caller { user_id: signed_in.user.id, is_owner: false, auth: AuthMethod::Session(signed_in.session) };
    (caller, signed_in)
}

/// Creates an owner.
async fn new_owner(db: &TestDb) -> Caller {
    Caller { is_owner: true, ..new_user(db, "owner@example.com").await }
}

/// Sends a request as this user, with an extension that clients cannot set.
async fn call_as(router: &Router, caller: Caller, mut request: Request) -> TestResponse {
    request.extensions_mut().insert(caller);
    call(router, request).await
}

/// Sends a GET request as this user.
async fn get_as(router: &Router, caller: Caller, path: &str) -> TestResponse {
    call_as(router, caller, request("GET", path, &[], Body::empty())).await
}

/// Sends JSON as this user.
async fn send_as(router: &Router, caller: Caller, method: &str, path: &str, body: Value) -> TestResponse {
    let request = request(method, path, &[("content-type", "application/json")], body.to_string());
    call_as(router, caller, request).await
}
