//! A layer between the HTTP library and the sockets, where tests observe or forbid connections.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower::{Layer, Service};

use crate::error::Cause;

/// Called before each connection; `false` forbids it.
pub(crate) type OnDial = Arc<dyn Fn() -> bool + Send + Sync>;

#[derive(Clone)]
pub(crate) struct DialLayer(pub(crate) OnDial);

impl<S> Layer<S> for DialLayer {
    type Service = Dial<S>;

    fn layer(&self, connector: S) -> Dial<S> {
        Dial { connector, on_dial: Arc::clone(&self.0) }
    }
}

#[derive(Clone)]
pub(crate) struct Dial<S> {
    connector: S,
    on_dial: OnDial,
}

#[derive(Debug, thiserror::Error)]
#[error("dialling was forbidden")]
struct Forbidden;

impl<S, R> Service<R> for Dial<S>
where
    S: Service<R, Error = Cause>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Cause;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Cause>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Cause>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: R) -> Self::Future {
        if (self.on_dial)() { Box::pin(self.connector.call(target)) } else { Box::pin(async { Err(Forbidden.into()) }) }
    }
}
