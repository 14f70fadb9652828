//! What no handler may do to the others: hang for ever, or take the server down by a panic.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;

use crate::{ApiError, Error};

/// Ends a request after `limit`, and turns a panic into an error. A body that is streamed afterwards is not limited.
pub(crate) async fn limit_time(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    let handled = AssertUnwindSafe(next.run(request)).catch_unwind();
    match tokio::time::timeout(limit, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(payload)) => ApiError::internal(Panicked(words_of(payload.as_ref()))).into_response(),
        Err(_) => ApiError::from(Error::TimedOut).into_response(),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panicked(String);

fn words_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without words").to_owned()
}
