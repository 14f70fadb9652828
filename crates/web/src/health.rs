//! Whether the process is alive, and whether it can do its work.

use std::time::Duration;

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use serde_json::json;

use crate::{ApiError, ApiState, Error};

/// How long the database has to answer. A probe that waits longer has given up by itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// The process answers.
pub(crate) async fn get_healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "alive" })))
}

/// The process is not stopping, and the database answers, can be written and has the version this program needs.
pub(crate) async fn get_readyz(State(app): State<ApiState>) -> Result<impl IntoResponse, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(Error::Stopping.into());
    }
    let answered = tokio::time::timeout(PATIENCE, app.db.check()).await;
    answered.map_err(|elapsed| ApiError::from(Error::DatabaseUnavailable).because(elapsed))?.map_err(of_check)?;
    // A database that is only busy writing something else is ready.
    match tokio::time::timeout(PATIENCE, app.db.check_writable(app.reader.clock().now())).await {
        Ok(Err(error)) if !matches!(error, store::Error::Busy(_) | store::Error::Locked(_)) => Err(of_check(error)),
        _ => Ok(([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "ready" })))),
    }
}

/// Whatever is wrong with the database, it is never an internal error here: the process is not ready.
fn of_check(error: store::Error) -> ApiError {
    match error {
        store::Error::Newer { .. } | store::Error::Older { .. } | store::Error::Full(_) => error.into(),
        error => ApiError::from(Error::DatabaseUnavailable).because(error),
    }
}
