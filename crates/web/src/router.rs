//! The routes of `lib.rs` with the layers that each request passes, the outermost last.

use std::time::Duration;

use axum::{
    Extension, Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::{any, get},
};
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{DefaultPredicate, SizeAbove},
    },
};

use crate::{
    ApiState, Measurements, Site,
    access::{allow_anonymous, require_caller},
    api_routes,
    auth::audit::audit_sign_ins,
    auth_routes,
    cors::allow_origin,
    error::envelope,
    headers::{SecurityHeaders, add_headers},
    health::{get_healthz, get_readyz},
    metrics_page::{get_metrics, get_metrics_openly},
    openapi::OpenApiJson,
    request_log::log_request,
    static_files::{StaticFiles, get_page},
    timeouts::limit_time,
};

/// Longer than any handler should need; what takes longer is a job.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest body a route takes unless it says otherwise.
const BODY_LIMIT: usize = 1024 * 1024;
/// Below this, compressing costs more than the one packet that is sent anyway.
const COMPRESS_FROM: u16 = 1024;

/// Everything on the main port.
pub fn main_router(app: ApiState) -> Router {
    router_with(app, StaticFiles::built_in())
}

/// The same with these pages.
pub(crate) fn router_with(app: ApiState, pages: StaticFiles) -> Router {
    let (api, _) = api_routes().split_for_parts();
    let (auth, _) = auth_routes().split_for_parts();
    let site = app.site.clone();
    let routes = Router::new()
        .route("/healthz", get(get_healthz))
        .route("/readyz", get(get_readyz))
        .route("/metrics", get(get_metrics))
        .merge(api.route_layer(from_fn_with_state(app.clone(), require_caller)))
        .merge(auth.route_layer(from_fn_with_state(app.clone(), allow_anonymous)))
        .layer(Extension(OpenApiJson::default()))
        .with_state(app)
        .fallback_service(any(get_page).with_state(pages));
    with_layers(routes, REQUEST_TIMEOUT, Some(&site))
}

/// The document of everything that people and programs ask for: exactly these handlers make it up.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    api_routes().merge(auth_routes()).into_openapi()
}

/// Everything on the port of the metrics, which needs no token because only monitors reach it.
pub fn metrics_router(measurements: Measurements) -> Router {
    let routes = Router::new().route("/metrics", get(get_metrics_openly)).with_state(measurements);
    with_layers(routes, REQUEST_TIMEOUT, None)
}

/// The last layer added is the first to see a request. Routes without a site have no pages and no sign-in.
pub(crate) fn with_layers(routes: Router, timeout: Duration, site: Option<&Site>) -> Router {
    let worth_compressing = DefaultPredicate::new().and(SizeAbove::new(COMPRESS_FROM));
    let headers = site.map_or_else(|| SecurityHeaders::new(false, false), Site::security_headers);
    let mut routes = routes.layer(DefaultBodyLimit::max(BODY_LIMIT)).layer(from_fn_with_state(timeout, limit_time));
    if let Some(site) = site {
        routes = routes.layer(from_fn_with_state(site.clone(), audit_sign_ins));
    }
    routes = routes.layer(from_fn(envelope));
    if let Some(origin) = site.and_then(Site::allowed_origin) {
        routes = routes.layer(from_fn_with_state(origin.clone(), allow_origin));
    }
    routes
        .layer(from_fn_with_state(headers, add_headers))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_compressing))
        .layer(from_fn(log_request))
}
