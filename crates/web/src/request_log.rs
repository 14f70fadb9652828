//! A request id, a log line and metrics for each request.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use metrics::{counter, histogram};
use tracing::{Instrument, Span, field};
use uuid::Uuid;

use crate::metrics::{HTTP_REQUEST_DURATION, HTTP_REQUESTS};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID_BYTES: usize = 64;

/// Routes that monitors request every few seconds. They are logged at the level `debug`.
const QUIET: &[&str] = &["/healthz", "/readyz", "/metrics"];

/// A response extension with the route label of requests that match no route.
#[derive(Clone, Copy)]
pub(crate) struct RouteLabel(pub(crate) &'static str);

/// Adds a request id and a span, and logs and measures the response.
pub(crate) async fn log_request(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = incoming_id(request.headers()).unwrap_or_else(|| Uuid::now_v7().to_string());
    // The pattern, not the path: clients could create any number of labels.
    let matched = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = method_label(request.method());
    let span = span(&id, &request);

    let mut response = next.run(request).instrument(span.clone()).await;

    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    let label = response.extensions().get::<RouteLabel>().map_or("unmatched", |label| label.0);
    let route = matched.unwrap_or_else(|| label.to_owned());
    let status = response.status().as_u16();
    let took = started.elapsed();
    counter!(HTTP_REQUESTS, "method" => method, "route" => route.clone(), "status" => status.to_string()).increment(1);
    histogram!(HTTP_REQUEST_DURATION, "method" => method, "route" => route.clone()).record(took.as_secs_f64());
    let duration_ms = took.as_micros() as f64 / 1_000.0;
    span.in_scope(|| {
        if QUIET.contains(&route.as_str()) && status < 500 {
            tracing::debug!(status, duration_ms, "answered");
        } else {
            tracing::info!(status, duration_ms, "answered");
        }
    });
    response
}

/// The fields of every log line about this request. The query is left out because it may contain a token.
fn span(id: &str, request: &Request) -> Span {
    tracing::info_span!(
        "request",
        request_id = id,
        method = %request.method(),
        path = request.uri().path(),
        user_id = field::Empty,
    )
}

/// The request id of the client, if it is safe to log.
fn incoming_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ((1..=MAX_REQUEST_ID_BYTES).contains(&id.len()) && id.bytes().all(is_safe)).then(|| id.to_owned())
}

/// The label of a method. Unknown methods share one label, because clients can invent any number of them.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_request_ids_are_accepted() {
        let is_accepted = |id: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_bytes(id).unwrap());
            incoming_id(&headers).is_some()
        };
        assert!(is_accepted(b"0197-abc_DEF.9") && is_accepted(&[b'x'; 64]));
        for id in [&b""[..], &[b'x'; 65], b"a b", b"a\"b", "\u{3042}".as_bytes()] {
            assert!(!is_accepted(id), "{id:?}");
        }
    }
}
