//! Whether the process is alive, and whether it can do its work.

use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use serde_json::json;

use crate::{ApiError, App};

/// How long the database has to answer. A probe that waits longer has given up by itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// The process answers.
pub(crate) async fn get_healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "alive" })))
}

/// The process is not stopping, and the database answers and has the version this program needs.
pub(crate) async fn get_readyz(State(app): State<App>) -> Result<impl IntoResponse, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(ApiError::Stopping);
    }
    match tokio::time::timeout(PATIENCE, app.db.check()).await {
        Ok(Ok(())) => Ok(([(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": "ready" })))),
        Ok(Err(error @ (store::Error::Newer { .. } | store::Error::Older { .. }))) => {
            Err(ApiError::DatabaseVersion(Arc::new(error)))
        }
        Ok(Err(error)) => Err(ApiError::DatabaseUnavailable(Arc::new(error))),
        Err(elapsed) => Err(ApiError::DatabaseUnavailable(Arc::new(elapsed))),
    }
}
