//! The routes of `lib.rs` and the layers around them, the outermost last.

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
    metrics_page::{get_metrics, get_metrics_without_token},
    openapi::OpenApiJson,
    request_log::log_request,
    static_files::{StaticFiles, get_page},
    timeouts::limit_time,
};

/// Work that takes longer belongs into a job.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The default limit of a request body.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Smaller responses fit into one packet and are not compressed.
const MIN_COMPRESSED_BYTES: u16 = 1024;

/// The router of the main port.
pub fn main_router(app: ApiState) -> Router {
    router_with(app, StaticFiles::built_in())
}

/// [`main_router`] with these static files.
pub(crate) fn router_with(app: ApiState, files: StaticFiles) -> Router {
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
        .fallback_service(any(get_page).with_state(files));
    with_layers(routes, REQUEST_TIMEOUT, Some(&site))
}

/// The OpenAPI document of all routes, before [`openapi`](crate::openapi) completes it.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    api_routes().merge(auth_routes()).into_openapi()
}

/// The router of the metrics port. It needs no token, because the operator restricts access to the port.
pub fn metrics_router(measurements: Measurements) -> Router {
    let routes = Router::new().route("/metrics", get(get_metrics_without_token)).with_state(measurements);
    with_layers(routes, REQUEST_TIMEOUT, None)
}

/// Adds the layers. The last one added sees a request first. Without a site there are no pages and no sign-in.
pub(crate) fn with_layers(routes: Router, timeout: Duration, site: Option<&Site>) -> Router {
    let is_compressed = DefaultPredicate::new().and(SizeAbove::new(MIN_COMPRESSED_BYTES));
    let headers = site.map_or_else(|| SecurityHeaders::new(false, false), Site::security_headers);
    let mut routes = routes.layer(DefaultBodyLimit::max(MAX_BODY_BYTES)).layer(from_fn_with_state(timeout, limit_time));
    if let Some(site) = site {
        routes = routes.layer(from_fn_with_state(site.clone(), audit_sign_ins));
    }
    routes = routes.layer(from_fn(envelope));
    if let Some(origin) = site.and_then(Site::allowed_origin) {
        routes = routes.layer(from_fn_with_state(origin.clone(), allow_origin));
    }
    routes
        .layer(from_fn_with_state(headers, add_headers))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(is_compressed))
        .layer(from_fn(log_request))
}
