//! The routes and what they share, driven through the real router.

use std::{convert::Infallible, time::Duration};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
    routing::{get, post},
};
use http::{HeaderMap, StatusCode, header};
use serde_json::Value;
use testkit::{TestDb, on_both_databases};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{ApiError, App, Build, InvalidField, Measurements, MetricsToken, Words, main_router, router::with_layers};

mod errors;
mod health;
mod metrics;
mod serving;
mod shared;

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
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
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

fn app(db: &TestDb) -> App {
    App {
        db: db.db(),
        measurements: Measurements::detached(build()),
        metrics_token: None,
        stopping: CancellationToken::new(),
    }
}
