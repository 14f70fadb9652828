//! Time limits and panics of handlers.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;

use crate::{ApiError, Error};

/// Ends a request after `limit`, and turns a panic into an error. Streaming the body is not limited.
pub(crate) async fn limit_time(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    let handled = AssertUnwindSafe(next.run(request)).catch_unwind();
    match tokio::time::timeout(limit, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(payload)) => ApiError::internal(Panicked(panic_message(payload.as_ref()))).into_response(),
        Err(_) => ApiError::from(Error::TimedOut).into_response(),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("handler panicked: {0}")]
struct Panicked(String);

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
