//! Headers that every answer carries.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue, header};

const ALWAYS: [(HeaderName, HeaderValue); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// Adds the headers that keep browsers from guessing types and from telling others where their user came from.
pub(crate) async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().extend(ALWAYS);
    response
}
