//! The server: accepts connections within limits, serves each in a task, and shuts down gracefully.
//!
//! Written on hyper rather than `axum::serve`, which never closes a connection that sends no request.

mod activity;
mod connections;

use std::{io, time::Duration};

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::connections::Connections;

pub use self::connections::ConnectionLimits;

/// Pause after a failed accept, when the machine has no file or memory for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves `listener` until `stop`. Then it closes the listener, and aborts connections that have not finished after `grace`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: CancellationToken,
    grace: Duration,
) {
    let mut connections = Connections::new(router, limits);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => connections.add(stream, peer).await,
                Err(error) => pause(&error).await,
            },
            Some(()) = connections.reap() => {}
        }
    }
    drop(listener);
    connections.finish(grace).await;
}

/// Pauses after an error, unless only the new connection failed.
async fn pause(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    if matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted) {
        return;
    }
    tracing::error!(error = error as &dyn std::error::Error, "cannot accept a connection");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}
