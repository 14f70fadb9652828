//! The HTTP API of Kawaraban: the table of routes and the layers around them.
//!
//! Handlers translate between HTTP and the crates with the rules; they have no rules and no SQL of their own. Every error has
//! the same body, `ApiError`, in Japanese or English. This is the only crate that uses axum. It has no TLS and no HTTP/2:
//! a reverse proxy provides them.
//!
//! Start reading at the table of routes below, then [`main_router`], `access.rs`, `ApiError`, and the file of a resource,
//! for example `folders.rs`.

mod access;
mod address;
mod admin;
mod admin_users;
mod article_rules;
mod auth;
mod caller;
mod cookies;
mod cors;
mod error;
mod events;
mod extract;
mod feeds;
mod folders;
mod headers;
mod health;
mod identities;
mod items;
mod jobs;
mod language;
mod licenses;
mod limit;
mod metrics;
mod metrics_page;
mod openapi;
mod opml;
mod pagination;
mod request_log;
mod revision;
mod router;
mod search;
mod serve;
mod session_cookies;
mod sessions;
mod site;
mod states;
mod static_files;
mod subscriptions;
#[cfg(test)]
mod tests;
mod timeouts;
mod tokens;
mod user_settings;
mod users;
mod watch;

use ::watch::Watcher;
use accounts::{Accounts, openid::Provider};
use axum::extract::DefaultBodyLimit;
use read::Reader;
use store::Db;
use tokio_util::sync::CancellationToken;
use utoipa::OpenApi;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt},
    routes,
};

pub use caller::{AuthMethod, Caller};
pub(crate) use error::{ApiError, Category, Error};
pub use events::EventStreams;
pub(crate) use language::{Language, LocalizedText};
pub use licenses::{Licenses, LicensesView, NoticesView, PackageView};
pub use limit::{RateLimiter, RateLimits};
pub use metrics::{BuildInfo, Measurements, MetricsNotInstalled};
pub use metrics_page::MetricsToken;
pub use openapi::openapi_document;
pub use router::{main_router, metrics_router};
pub use serve::{ConnectionLimits, serve};
pub use site::{Site, SiteSettings};

/// The state that handlers share. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    pub db: Db,
    pub reader: Reader,
    pub watcher: Watcher,
    pub accounts: Accounts,
    /// The configured sign-in providers.
    pub providers: Vec<Provider>,
    pub site: Site,
    pub limiter: RateLimiter,
    pub streams: EventStreams,
    pub measurements: Measurements,
    pub licenses: Licenses,
    /// `None` turns the metrics off on the main port.
    pub metrics_token: Option<MetricsToken>,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
}

/// The routes for signing in, which need no authentication.
pub(crate) fn auth_routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(auth::list_providers))
        .routes(routes!(auth::local::sign_in))
        .routes(routes!(auth::local::create_account))
        .routes(routes!(auth::local::create_owner))
        .routes(routes!(auth::sign_out))
        .routes(routes!(auth::openid::begin_sign_in))
        .routes(routes!(auth::openid::finish_sign_in))
}

/// The API, which needs a session or an API token.
pub(crate) fn api_routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::with_openapi(openapi::ApiInfo::openapi())
        .routes(routes!(openapi::get_openapi))
        .routes(routes!(licenses::get_licenses))
        .routes(routes!(feeds::create_feed))
        .routes(routes!(feeds::discover_feeds))
        .routes(routes!(feeds::get_feed, feeds::update_feed, feeds::delete_feed))
        .routes(routes!(feeds::get_feed_favicon))
        .routes(routes!(feeds::refresh_feed))
        .routes(routes!(opml::export_opml, opml::import_opml).layer(DefaultBodyLimit::max(opml::MAX_FILE_BYTES)))
        .routes(routes!(opml::list_imports))
        .routes(routes!(opml::get_import))
        .routes(routes!(items::list_feed_items))
        .routes(routes!(items::list_items))
        .routes(routes!(items::get_item))
        .routes(routes!(items::get_full_text))
        .routes(routes!(article_rules::get_article_rules, article_rules::update_article_rules))
        .routes(routes!(article_rules::preview_article))
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
        .routes(routes!(watch::list_watched))
        .routes(routes!(watch::preview_site))
        .routes(routes!(watch::get_watched))
        .routes(routes!(watch::list_checks))
        .routes(routes!(watch::check_watched))
        .routes(routes!(watch::subscribe_to_watched))
        .routes(routes!(watch::update_words))
        .routes(routes!(events::stream_events))
        .routes(routes!(users::get_me, users::update_me, users::delete_me))
        .routes(routes!(users::update_password))
        .routes(routes!(users::export_me))
        .routes(routes!(user_settings::get_settings, user_settings::update_settings))
        .routes(routes!(sessions::list_sessions, sessions::delete_sessions))
        .routes(routes!(sessions::delete_session))
        .routes(routes!(tokens::list_tokens, tokens::create_token))
        .routes(routes!(tokens::delete_token))
        .routes(routes!(identities::list_identities))
        .routes(routes!(identities::link_identity, identities::delete_identity))
        .routes(routes!(admin_users::list_users))
        .routes(routes!(admin::list_feed_health))
        .routes(routes!(admin::get_activity))
        .routes(routes!(jobs::list_jobs))
        .routes(routes!(jobs::retry_job))
        .routes(routes!(jobs::cancel_job))
}
