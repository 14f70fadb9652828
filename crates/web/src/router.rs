//! The whole table of routes, and the layers that each request passes, the outermost last.

use std::time::Duration;

use accounts::{Accounts, openid::Provider};
use axum::{
    Extension, Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::{any, get},
};
use http::HeaderValue;
use read::Reader;
use store::Db;
use tokio_util::sync::CancellationToken;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{DefaultPredicate, SizeAbove},
    },
};
use utoipa::OpenApi;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt},
    routes,
};

use crate::{
    Limiter, Measurements, MetricsToken, Site, Streams, admin,
    admit::{admit, admit_stranger},
    auth,
    cors::allow_origin,
    error::envelope,
    events, feeds, folders,
    guard::guard,
    headers::{SecurityHeaders, add_headers},
    health::{get_healthz, get_readyz},
    identities, items, jobs,
    metrics::{get_metrics, get_metrics_openly},
    observe::observe,
    openapi::{self, Document, Head},
    opml,
    pages::{Pages, get_page},
    people, search, sessions, states, subscriptions, tokens, user_settings, users,
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
    /// The rules of Read.
    pub reader: Reader,
    /// Who gets in.
    pub accounts: Accounts,
    /// The providers to sign in with, each once.
    pub providers: Vec<Provider>,
    /// Where this is on the web, and whom it believes.
    pub site: Site,
    /// How often somebody may ask.
    pub limiter: Limiter,
    /// The open event streams.
    pub streams: Streams,
    /// The measurements of this process.
    pub measurements: Measurements,
    /// What to show to see the metrics on the main port; without it they are not there.
    pub metrics_token: Option<MetricsToken>,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
}

/// Everything on the main port.
pub fn main_router(app: App) -> Router {
    router_with(app, Pages::built_in())
}

/// The same with these pages.
pub(crate) fn router_with(app: App, pages: Pages) -> Router {
    let (api, _) = api_routes().split_for_parts();
    let (auth, _) = auth_routes().split_for_parts();
    let (headers, allowed_origin) = (app.site.security_headers(), app.site.allowed_origin().cloned());
    let routes = Router::new()
        .route("/healthz", get(get_healthz))
        .route("/readyz", get(get_readyz))
        .route("/metrics", get(get_metrics))
        .merge(api.route_layer(from_fn_with_state(app.clone(), admit)))
        .merge(auth.route_layer(from_fn_with_state(app.clone(), admit_stranger)))
        .layer(Extension(Document::default()))
        .with_state(app)
        .fallback_service(any(get_page).with_state(pages));
    with_layers(routes, REQUEST_TIMEOUT, headers, allowed_origin)
}

/// The document of everything that people and programs ask for: exactly these handlers make it up.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    api_routes().merge(auth_routes()).into_openapi()
}

/// Where people sign in; nobody needs to be known.
pub(crate) fn auth_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(auth::list_providers))
        .routes(routes!(auth::local::sign_in))
        .routes(routes!(auth::local::create_account))
        .routes(routes!(auth::local::create_owner))
        .routes(routes!(auth::sign_out))
        .routes(routes!(auth::openid::begin_sign_in))
        .routes(routes!(auth::openid::finish_sign_in))
}

/// The API, for people who are known.
pub(crate) fn api_routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Head::openapi())
        .routes(routes!(openapi::get_openapi))
        .routes(routes!(feeds::create_feed))
        .routes(routes!(feeds::discover_feeds))
        .routes(routes!(feeds::get_feed, feeds::update_feed, feeds::delete_feed))
        .routes(routes!(feeds::get_feed_favicon))
        .routes(routes!(feeds::refresh_feed))
        .routes(routes!(opml::export_opml, opml::import_opml).layer(DefaultBodyLimit::max(opml::MOST_BYTES)))
        .routes(routes!(opml::list_imports))
        .routes(routes!(opml::get_import))
        .routes(routes!(items::list_feed_items))
        .routes(routes!(items::list_items))
        .routes(routes!(items::get_item))
        .routes(routes!(search::search_items))
        .routes(routes!(states::update_item_state))
        .routes(routes!(states::update_item_states))
        .routes(routes!(states::mark_items_read))
        .routes(routes!(states::mark_feed_read))
        .routes(routes!(states::undo_mark))
        .routes(routes!(subscriptions::list_subscriptions))
        .routes(routes!(subscriptions::list_unread_counts))
        .routes(routes!(subscriptions::get_subscription, subscriptions::delete_subscription))
        .routes(routes!(subscriptions::update_subscription_settings))
        .routes(routes!(subscriptions::resume_subscription))
        .routes(routes!(folders::list_folders, folders::create_folder))
        .routes(routes!(folders::update_folder, folders::delete_folder))
        .routes(routes!(events::follow_events))
        .routes(routes!(users::get_me, users::update_me, users::delete_me))
        .routes(routes!(users::update_password))
        .routes(routes!(users::export_me))
        .routes(routes!(user_settings::get_settings, user_settings::replace_settings))
        .routes(routes!(sessions::list_sessions, sessions::delete_sessions))
        .routes(routes!(sessions::delete_session))
        .routes(routes!(tokens::list_tokens, tokens::create_token))
        .routes(routes!(tokens::delete_token))
        .routes(routes!(identities::list_identities))
        .routes(routes!(identities::link_identity, identities::delete_identity))
        .routes(routes!(people::list_users))
        .routes(routes!(admin::list_feed_health))
        .routes(routes!(admin::get_activity))
        .routes(routes!(jobs::list_jobs))
        .routes(routes!(jobs::retry_job))
        .routes(routes!(jobs::cancel_job))
}

/// Everything on the port of the metrics, which needs no token because only monitors reach it.
pub fn metrics_router(measurements: Measurements) -> Router {
    with_layers(
        Router::new().route("/metrics", get(get_metrics_openly)).with_state(measurements),
        REQUEST_TIMEOUT,
        SecurityHeaders::new(false, false),
        None,
    )
}

/// The last layer added is the first to see a request.
pub(crate) fn with_layers(
    routes: Router,
    timeout: Duration,
    headers: SecurityHeaders,
    allowed_origin: Option<HeaderValue>,
) -> Router {
    let worth_compressing = DefaultPredicate::new().and(SizeAbove::new(COMPRESS_FROM));
    let routes = routes
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn_with_state(timeout, guard))
        .layer(from_fn(envelope));
    let routes = match allowed_origin {
        Some(origin) => routes.layer(from_fn_with_state(origin, allow_origin)),
        None => routes,
    };
    routes
        .layer(from_fn_with_state(headers, add_headers))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_compressing))
        .layer(from_fn(observe))
}
