//! The open connections of a listener, and the limits on them.

use std::{
    collections::HashMap,
    convert::Infallible,
    future::Future,
    net::{IpAddr, SocketAddr},
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use http::{Request, Response};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use ipnet::IpNet;
use metrics::counter;
use tokio::{
    net::TcpStream,
    task::{self, AbortHandle, JoinSet},
    time::Instant,
};

use super::activity::{Activity, TrackedBody, TrackedSocket, WaitingSince};
use crate::{
    address::Peer,
    limit::{BucketKey, key_of_address},
    metrics::{HTTP_CONNECTIONS_EVICTED, HTTP_CONNECTIONS_REFUSED},
};

/// Time from accepting a connection to its first complete request head.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Time from one response to the next complete request head. Longer than the minute after which proxies close idle
/// connections, so that no proxy sends a request into a connection that the server is closing.
const NEXT_REQUEST_TIMEOUT: Duration = Duration::from_secs(75);
/// Limit on a request line with its headers. hyper responds with 431 without a body, and limits the headers to 100.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// Minimum interval between two warnings about refused connections.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// Limits on the open connections of a listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Maximum number of connections.
    pub total: usize,
    /// Maximum number of connections from one address. An IPv6 /64 network counts as one address.
    pub per_address: usize,
    /// Reverse proxies (`TRUSTED_PROXIES`), which have no limit per address.
    pub proxies: Vec<IpNet>,
    /// Time from accepting a connection to its first complete request head.
    pub first_request_timeout: Duration,
}

impl ConnectionLimits {
    /// A total limit, half of it for each address, and the default timeout.
    pub fn new(total: usize, proxies: Vec<IpNet>) -> ConnectionLimits {
        let per_address = total.div_ceil(2);
        ConnectionLimits { total, per_address, proxies, first_request_timeout: FIRST_REQUEST_TIMEOUT }
    }

    fn has_own_limit(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        !self.proxies.iter().any(|net| net.contains(&address))
    }
}

/// The open connections. Dropping it closes all of them.
pub(super) struct Connections {
    router: Router,
    limits: ConnectionLimits,
    graceful: GracefulShutdown,
    tasks: JoinSet<()>,
    /// Exactly the connections whose task has not ended: each holds a file until then.
    open: HashMap<task::Id, OpenConnection>,
    warned_at: Option<Instant>,
}

struct OpenConnection {
    address: BucketKey,
    activity: Arc<Activity>,
    task: AbortHandle,
}

impl Connections {
    pub fn new(router: Router, limits: ConnectionLimits) -> Connections {
        Connections {
            router,
            limits,
            graceful: GracefulShutdown::new(),
            tasks: JoinSet::new(),
            open: HashMap::new(),
            warned_at: None,
        }
    }

    /// Serves a new connection, or closes it if there is no room and every other one is answering a request.
    pub async fn add(&mut self, stream: TcpStream, peer: SocketAddr) {
        if !self.make_room(peer.ip()).await {
            self.refuse(peer);
            return;
        }
        let activity = Activity::new();
        let task = self.tasks.spawn(self.serve(stream, peer, Arc::clone(&activity)));
        self.open.insert(task.id(), OpenConnection { address: key_of_address(peer.ip()), activity, task });
    }

    /// Waits until a connection has ended; `None` if none is open.
    pub async fn reap(&mut self) -> Option<()> {
        let id = match self.tasks.join_next_with_id().await? {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        self.open.remove(&id);
        Some(())
    }

    /// Waits until all connections have finished, `grace` at the longest.
    pub async fn finish(self, grace: Duration) {
        if tokio::time::timeout(grace, self.graceful.shutdown()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "closed connections that did not finish in time");
        }
    }

    /// Closes waiting connections until one more fits; false if there is none to close.
    async fn make_room(&mut self, address: IpAddr) -> bool {
        let key = key_of_address(address);
        let has_own_limit = self.limits.has_own_limit(address);
        loop {
            let among = if has_own_limit && self.count(key) >= self.limits.per_address {
                Some(key)
            } else if self.open.len() >= self.limits.total {
                None
            } else {
                return true;
            };
            let Some(id) = self.first_to_close(among) else { return false };
            self.close(id).await;
        }
    }

    fn count(&self, address: BucketKey) -> usize {
        self.open.values().filter(|open| open.address == address).count()
    }

    /// The oldest connection without a request, else the one that has been idle longest.
    fn first_to_close(&self, among: Option<BucketKey>) -> Option<task::Id> {
        let candidates = self.open.iter().filter(|(_, open)| among.is_none_or(|address| open.address == address));
        let waiting = candidates.filter_map(|(id, open)| Some((open.activity.waiting()?, *id)));
        waiting.min_by_key(|(waiting, _): &(WaitingSince, _)| *waiting).map(|(_, id)| id)
    }

    /// Closes a connection, unless it has a request by now, and waits until its file is closed.
    async fn close(&mut self, id: task::Id) {
        let Some(open) = self.open.get(&id).filter(|open| open.activity.close()) else { return };
        open.task.abort();
        counter!(HTTP_CONNECTIONS_EVICTED).increment(1);
        while self.open.contains_key(&id) && self.reap().await.is_some() {}
    }

    fn refuse(&mut self, peer: SocketAddr) {
        counter!(HTTP_CONNECTIONS_REFUSED).increment(1);
        if self.warned_at.is_none_or(|at| at.elapsed() >= WARNING_INTERVAL) {
            self.warned_at = Some(Instant::now());
            tracing::warn!(
                address = %peer.ip(),
                open = self.open.len(),
                "refused a connection: the limit is reached, and every open connection is answering a request"
            );
        }
    }

    fn serve(&self, stream: TcpStream, peer: SocketAddr, activity: Arc<Activity>) -> impl Future<Output = ()> + use<> {
        // Responses are written at once; Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let router = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(NEXT_REQUEST_TIMEOUT)
            .max_header_size(MAX_HEAD_BYTES)
            .serve_connection(
                TokioIo::new(TrackedSocket { stream, activity: Arc::clone(&activity) }),
                Handler { peer, router, activity: Arc::clone(&activity) },
            );
        let connection = self.graceful.watch(connection);
        let first_request_timeout = self.limits.first_request_timeout;
        async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = tokio::time::sleep(first_request_timeout) => {
                    if activity.close_silent() {
                        return;
                    }
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(error = &error as &dyn std::error::Error, "connection ended early");
            }
        }
    }
}

/// The router, with the address of the peer in each request.
struct Handler {
    peer: SocketAddr,
    router: TowerToHyperService<Router>,
    activity: Arc<Activity>,
}

impl Service<Request<Incoming>> for Handler {
    type Response = Response<TrackedBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<TrackedBody>, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let activity = Arc::clone(&self.activity);
        if !activity.begin() {
            // The task of this connection is about to be aborted.
            return Box::pin(std::future::pending());
        }
        request.extensions_mut().insert(Peer(self.peer));
        let response = self.router.call(request);
        Box::pin(async move { Ok(response.await?.map(|body| TrackedBody { body, activity })) })
    }
}
