//! The one other origin whose pages may use the API (`CORS_ALLOWED_ORIGIN`).

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tower::{Layer, ServiceExt};
use tower_http::cors::CorsLayer;

use crate::revision::REVISION;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The methods and headers that this origin may use.
fn layer(origin: HeaderValue) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origin)
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([header::ACCEPT_LANGUAGE, header::AUTHORIZATION, header::CONTENT_TYPE, REQUEST_ID])
        .expose_headers([header::CONTENT_DISPOSITION, header::RETRY_AFTER, REQUEST_ID, REVISION])
        .max_age(Duration::from_secs(600))
        .vary([header::ORIGIN])
}

/// Applies [`CorsLayer`] only to requests from this origin. On its own, the layer answers preflights of every origin and
/// lists the allowed methods.
pub(crate) async fn allow_origin(State(allowed): State<HeaderValue>, request: Request, next: Next) -> Response {
    if !is_from(request.headers(), &allowed) {
        let mut response = next.run(request).await;
        response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
        return response;
    }
    let is_preflight = request.method() == Method::OPTIONS;
    let answered: Result<Response, Infallible> = layer(allowed).layer(next).oneshot(request).await;
    let Ok(mut response) = answered;
    if is_preflight {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

/// Whether the request has exactly this `Origin`.
fn is_from(headers: &HeaderMap, allowed: &HeaderValue) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.next() == Some(allowed) && origins.next().is_none()
}
