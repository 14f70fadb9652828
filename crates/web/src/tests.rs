//! The routes and what they share, driven through the real router.

use std::{convert::Infallible, time::Duration};

use ::accounts::{Accounts, Client, Cost, NewAccount, Password, Role, Settings, SignedIn, User};
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

use store::{Clock, SessionId, UserId};

use crate::{
    ApiError, App, AuthMethod, Build, Caller, Error, Limiter, Limits, Measurements, MetricsToken, Site, SiteSettings,
    limit::Limited, main_router, router::with_layers,
};

mod accounts;
mod admin;
mod attacks;
mod audit;
mod browser;
mod door;
mod error_codes;
mod errors;
mod events;
mod extracting;
mod feeds;
mod health;
mod jobs;
mod licenses;
mod metrics_page;
mod openapi;
mod opml;
mod providers;
mod reading;
mod search;
mod serving;
mod shared;
mod signing_in;
mod static_files;
mod walk;

/// Everybody's password in tests.
const PASSWORD: &str = "correct horse battery";

/// An answer, read to its end.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
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

async fn ask(router: &Router, request: Request) -> Answer {
    let answered: Result<Response, Infallible> = router.clone().oneshot(request).await;
    let (parts, body) = answered.unwrap().into_parts();
    let read = tokio::time::timeout(Duration::from_secs(60), to_bytes(body, usize::MAX)).await;
    let body = read.expect("an answer that ends").unwrap().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body.into()).unwrap()
}

async fn get_with(router: &Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    ask(router, request("GET", path, headers, Body::empty())).await
}

fn build() -> Build {
    Build { version: "1.2.3", commit: "abc", started_at_seconds: 7 }
}

/// An app on this database, with the machine's clock.
fn app(db: &TestDb) -> App {
    app_at(db, Clock::system())
}

/// An app on this database, with a clock of one's own. It fetches from loopback, and limits nobody.
fn app_at(db: &TestDb, clock: Clock) -> App {
    let settings = net::Settings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::Settings::default() };
    let client = net::Client::new(settings).unwrap();
    App {
        db: db.db(),
        reader: read::Reader::new(db.db(), client, clock.clone(), read::Settings::default()),
        accounts: open_accounts(db, clock),
        providers: Vec::new(),
        site: site("http://localhost:8080", None),
        limiter: Limiter::new(Limits::default()),
        streams: crate::Streams::default(),
        measurements: Measurements::detached(build()),
        licenses: licenses::sample(),
        metrics_token: None,
        stopping: CancellationToken::new(),
    }
}

/// Accounts on this database, open to everybody, with hashes that cost little.
fn open_accounts(db: &TestDb, clock: Clock) -> Accounts {
    let settings = Settings { local_registration: true, argon2: Cost::LEAST, ..Settings::default() };
    Accounts::new(db.db(), clock, settings)
}

/// A site here, with or without pages at another origin.
fn site(base_url: &str, allowed_origin: Option<&str>) -> Site {
    Site::new(SiteSettings {
        base_url: base_url.parse().unwrap(),
        frontend_url: allowed_origin.unwrap_or(base_url).parse().unwrap(),
        allowed_origin: allowed_origin.map(|url| url.parse().unwrap()),
        trusted_proxies: Vec::new(),
        session_secret: "a secret for tests of thirty-two bytes or more".to_owned(),
    })
}

/// A new person.
async fn person(db: &TestDb, email: &str) -> Caller {
    let user_id = store::users::create_unclaimed(&db.db(), email, "", Clock::system().now()).await.unwrap();
    Caller { user_id, is_owner: false, auth: AuthMethod::Session(SessionId::new()) }
}

/// A new person with a password and a session.
async fn signed_in(app: &App, email: &str) -> (Caller, SignedIn) {
    let new = NewAccount { email: email.to_owned(), name: String::new(), password: Password::new(PASSWORD) };
    app.accounts.add(&new, Role::Member).await.unwrap();
    let client = Client { address: [192, 0, 2, 1].into(), user_agent: "a browser".to_owned() };
    let signed_in = app.accounts.sign_in(email, &Password::new(PASSWORD), None, &client).await.unwrap();
    let caller = Caller { user_id: signed_in.user.id, is_owner: false, auth: AuthMethod::Session(signed_in.session) };
    (caller, signed_in)
}

/// A new person who looks after the machine.
async fn owner(db: &TestDb) -> Caller {
    Caller { is_owner: true, ..person(db, "owner@example.com").await }
}

/// Asks as this person: with an extension, which cannot come from outside.
async fn ask_as(router: &Router, caller: Caller, mut request: Request) -> Answer {
    request.extensions_mut().insert(caller);
    ask(router, request).await
}

/// Gets this as this person.
async fn get_as(router: &Router, caller: Caller, path: &str) -> Answer {
    ask_as(router, caller, request("GET", path, &[], Body::empty())).await
}

/// Sends this as JSON as this person.
async fn send_as(router: &Router, caller: Caller, method: &str, path: &str, body: Value) -> Answer {
    let request = request(method, path, &[("content-type", "application/json")], body.to_string());
    ask_as(router, caller, request).await
}
