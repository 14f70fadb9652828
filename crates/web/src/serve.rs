//! The server: accepts connections, gives each a task, and lets them finish when it is time to stop.
//!
//! Written on hyper rather than `axum::serve`, which never closes a connection that sends no request.

use std::{io, net::SocketAddr, time::Duration};

use axum::Router;
use hyper::{Request, body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::address::Peer;

/// How long a connection may take to send the head of its next request: idle ones are closed, slow ones too. Longer
/// than the minute after which proxies close theirs, so that none sends a request into a connection we are closing.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// How long to wait when the machine has no more files or memory for a connection.
const BREATH: Duration = Duration::from_millis(200);

/// Answers on `listener` until `stop`; then accepts nothing more, and cuts off what has not finished after `grace`.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken, grace: Duration) {
    let graceful = GracefulShutdown::new();
    // Dropped with this function, and with it every connection that is left.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => drop(connections.spawn(connection(stream, peer, router.clone(), &graceful))),
                Err(error) => pause(&error).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
        tracing::warn!(connections = connections.len(), "connections were cut off: they did not finish in time");
    }
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    graceful: &GracefulShutdown,
) -> impl Future<Output = ()> + use<> {
    // Answers are whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), WithPeer { peer, router: TowerToHyperService::new(router) });
    let connection = graceful.watch(connection);
    async move {
        if let Err(error) = connection.await {
            tracing::debug!(error = &error as &dyn std::error::Error, "a connection ended early");
        }
    }
}

/// The router, told with each request who is at the other end.
struct WithPeer {
    peer: SocketAddr,
    router: TowerToHyperService<Router>,
}

impl Service<Request<Incoming>> for WithPeer {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(Peer(self.peer));
        self.router.call(request)
    }
}

/// A connection that was gone before it was accepted is nobody's problem; anything else needs time to pass.
async fn pause(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    if matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted) {
        return;
    }
    tracing::error!(error = error as &dyn std::error::Error, "cannot accept a connection");
    tokio::time::sleep(BREATH).await;
}
