//! The metrics page, in Prometheus' text format.

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

/// What a caller must show to see the metrics on the main port.
#[derive(Clone)]
pub struct MetricsToken(String);

impl MetricsToken {
    /// The token the operator chose.
    pub fn new(token: String) -> Self {
        MetricsToken(token)
    }

    /// Compares without telling by its duration how much of a guess was right.
    fn is_shown_by(&self, headers: &HeaderMap) -> bool {
        let shown = headers.get(AUTHORIZATION).and_then(|value| {
            let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
            scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
        });
        shown.is_some_and(|token| token.ct_eq(self.0.as_bytes()).into())
    }
}

/// The metrics for whoever knows the token; without a token there is no such page.
pub(crate) async fn get_metrics(State(app): State<ApiState>, headers: HeaderMap) -> Result<Response, ApiError> {
    let token = app.metrics_token.as_ref().ok_or(Error::NotFound)?;
    if !token.is_shown_by(&headers) {
        return Err(Error::TokenRequired.into());
    }
    Ok(page(&app.measurements))
}

/// The metrics for whoever reaches the listener of their own.
pub(crate) async fn get_metrics_openly(State(measurements): State<Measurements>) -> Response {
    page(&measurements)
}

fn page(measurements: &Measurements) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, measurements.render()).into_response()
}
