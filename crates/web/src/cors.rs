//! The one other origin whose pages may use the API (`CORS_ALLOWED_ORIGIN`). Everybody else hears nothing about it.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
const HEADERS: HeaderValue = HeaderValue::from_static("accept-language, authorization, content-type, x-request-id");
const EXPOSED: HeaderValue = HeaderValue::from_static("content-disposition, retry-after, x-request-id");
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");
const PREFLIGHT_VARIES: HeaderValue =
    HeaderValue::from_static("access-control-request-method, access-control-request-headers");

/// Answers a browser that asks for this origin whether it may, and marks what its pages may read.
pub(crate) async fn allow_origin(State(allowed): State<HeaderValue>, request: Request, next: Next) -> Response {
    let is_allowed = is_from(request.headers(), &allowed);
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match is_allowed && is_preflight {
        true => preflight(),
        false => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if is_allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    response
}

/// Whether exactly this origin, and no other, is named.
fn is_from(headers: &HeaderMap, allowed: &HeaderValue) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.next() == Some(allowed) && origins.next().is_none()
}

fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    headers.insert(header::VARY, PREFLIGHT_VARIES);
    response
}
