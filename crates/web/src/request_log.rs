//! A request id, a line in the log and a measurement for every request.

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
const LONGEST_REQUEST_ID: usize = 64;

/// Routes that machines ask every few seconds; their lines would bury the others.
const QUIET: &[&str] = &["/healthz", "/readyz", "/metrics"];

/// What log and metrics call an answer that no pattern of the table explains.
#[derive(Clone, Copy)]
pub(crate) struct RouteLabel(pub(crate) &'static str);

/// Gives the request an id and a span, and tells log and metrics how it was answered.
pub(crate) async fn log_request(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = incoming_id(request.headers()).unwrap_or_else(|| Uuid::now_v7().to_string());
    // The pattern, never the path: a label for each path that somebody made up would fill the memory.
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

/// The fields that every line about this request carries. The query is left out: it may hold a token.
fn span(id: &str, request: &Request) -> Span {
    tracing::info_span!(
        "request",
        request_id = id,
        method = %request.method(),
        path = request.uri().path(),
        user_id = field::Empty,
    )
}

/// The caller's own id, when it is one that a log can bear.
fn incoming_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let sane = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ((1..=LONGEST_REQUEST_ID).contains(&id.len()) && id.bytes().all(sane)).then(|| id.to_owned())
}

/// A method's name, if it is one of HTTP's own: anybody may make up others.
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
    fn only_sane_request_ids_are_taken_over() {
        let taken = |id: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_bytes(id).unwrap());
            incoming_id(&headers).is_some()
        };
        assert!(taken(b"0197-abc_DEF.9") && taken(&[b'x'; 64]));
        assert!(
            !taken(b"") && !taken(&[b'x'; 65]) && !taken(b"a b") && !taken(b"a\"b") && !taken("\u{3042}".as_bytes())
        );
    }
}
