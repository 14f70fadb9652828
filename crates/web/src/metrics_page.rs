//! The metrics in the text format of Prometheus.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap,
    header::{self, AUTHORIZATION},
};
use subtle::ConstantTimeEq;

use crate::{ApiError, ApiState, Error, Measurements};

/// The bearer token for the metrics on the main port.
#[derive(Clone)]
pub struct MetricsToken(String);

impl MetricsToken {
    /// A token that the operator has set.
    pub fn new(token: String) -> Self {
        MetricsToken(token)
    }

    /// Compares in constant time.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let token = headers.get(AUTHORIZATION).and_then(|value| {
            let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
            scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
        });
        token.is_some_and(|token| token.ct_eq(self.0.as_bytes()).into())
    }
}

/// The metrics on the main port. Without a configured token, the response is 404.
pub(crate) async fn get_metrics(State(app): State<ApiState>, headers: HeaderMap) -> Result<Response, ApiError> {
    let token = app.metrics_token.as_ref().ok_or(Error::NotFound)?;
    if !token.is_in(&headers) {
        return Err(Error::TokenRequired.into());
    }
    Ok(page(&app.measurements))
}

/// The metrics on their own port, without a token.
pub(crate) async fn get_metrics_without_token(State(measurements): State<Measurements>) -> Response {
    page(&measurements)
}

fn page(measurements: &Measurements) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, measurements.render()).into_response()
}
