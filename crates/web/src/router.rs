//! The whole table of routes, and the layers that each request passes, the outermost last.

use std::time::Duration;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use store::Db;
use tokio_util::sync::CancellationToken;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{DefaultPredicate, SizeAbove},
    },
};

use crate::{
    Measurements, MetricsToken,
    error::envelope,
    guard::guard,
    headers::add_headers,
    health::{get_healthz, get_readyz},
    metrics::{get_metrics, get_metrics_openly},
    observe::observe,
};

/// Longer than any handler should need; what takes longer is a job.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest body a route takes unless it says otherwise.
const BODY_LIMIT: usize = 1024 * 1024;
/// Below this, compressing costs more than the one packet that is sent anyway.
const COMPRESS_FROM: u16 = 1024;

/// What handlers work with. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub db: Db,
    /// The measurements of this process.
    pub measurements: Measurements,
    /// What to show to see the metrics on the main port; without it they are not there.
    pub metrics_token: Option<MetricsToken>,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
}

/// Everything on the main port.
pub fn main_router(app: App) -> Router {
    let routes = Router::new()
        .route("/healthz", get(get_healthz))
        .route("/readyz", get(get_readyz))
        .route("/metrics", get(get_metrics))
        .with_state(app);
    with_layers(routes, REQUEST_TIMEOUT)
}

/// Everything on the port of the metrics, which needs no token because only monitors reach it.
pub fn metrics_router(measurements: Measurements) -> Router {
    with_layers(Router::new().route("/metrics", get(get_metrics_openly)).with_state(measurements), REQUEST_TIMEOUT)
}

/// The last layer added is the first to see a request.
pub(crate) fn with_layers(routes: Router, timeout: Duration) -> Router {
    let worth_compressing = DefaultPredicate::new().and(SizeAbove::new(COMPRESS_FROM));
    routes
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn_with_state(timeout, guard))
        .layer(from_fn(envelope))
        .layer(from_fn(add_headers))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_compressing))
        .layer(from_fn(observe))
}
