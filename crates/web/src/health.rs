//! Liveness and readiness checks.

use std::time::Duration;

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use serde_json::json;

use crate::{ApiError, ApiState, Error};

/// Time limit of each database check. Probes usually wait no longer.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The process is alive.
pub(crate) async fn get_healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "alive" })))
}

/// The process is not stopping, and the database responds, has the right version and is writable.
pub(crate) async fn get_readyz(State(app): State<ApiState>) -> Result<impl IntoResponse, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(Error::Stopping.into());
    }
    let checked = tokio::time::timeout(CHECK_TIMEOUT, app.db.check()).await;
    checked.map_err(|elapsed| ApiError::from(Error::DatabaseUnavailable).because(elapsed))?.map_err(of_check)?;
    // A database that is busy with another write is ready.
    match tokio::time::timeout(CHECK_TIMEOUT, app.db.check_writable(app.reader.clock().now())).await {
        Ok(Err(error)) if !matches!(error, store::Error::Busy(_) | store::Error::Locked(_)) => Err(of_check(error)),
        _ => Ok(([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "ready" })))),
    }
}

/// Every other error of the database means `database_unavailable`, not `internal`.
fn of_check(error: store::Error) -> ApiError {
    match error {
        store::Error::Newer { .. } | store::Error::Older { .. } | store::Error::Full(_) => error.into(),
        error => ApiError::from(Error::DatabaseUnavailable).because(error),
    }
}
