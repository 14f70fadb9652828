//! Sign-in methods and sign-out.

pub(crate) mod attempt;
pub(crate) mod audit;
pub(crate) mod local;
pub(crate) mod openid;

use accounts::openid::{Provider, ProviderId};
use axum::{Json, extract::State, response::Response};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, Error, caller::session_secret, session_cookies::clear_session_cookies};

/// The sign-in methods of this server.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProvidersView {
    /// Whether users can sign in with a password.
    local: bool,
    /// Whether users can register with a password.
    registration: bool,
    /// Whether no account exists yet. The set-up link creates the first one.
    setup_required: bool,
    /// The configured sign-in providers.
    providers: Vec<ProviderView>,
}

/// A sign-in provider.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderView {
    /// `google` or `oidc`.
    #[schema(value_type = String, pattern = "^(google|oidc)$")]
    id: ProviderId,
    /// The display name.
    name: String,
    /// The path on this server that starts the sign-in.
    login_url: String,
}

impl From<&Provider> for ProviderView {
    fn from(provider: &Provider) -> Self {
        let id = provider.id();
        ProviderView { id, name: provider.name().to_owned(), login_url: format!("/auth/{id}/login") }
    }
}

/// The configured provider with this id.
pub(crate) fn find_provider<'a>(app: &'a ApiState, name: &str) -> Result<&'a Provider, ApiError> {
    app.providers.iter().find(|provider| provider.id().as_str() == name).ok_or_else(|| Error::NotFound.into())
}

/// List the sign-in methods
///
/// For the sign-in page. Needs no authentication.
#[utoipa::path(get, path = "/auth/providers", tag = "sign-in", responses(
    (status = 200, description = "The sign-in methods", body = ProvidersView),
))]
pub(crate) async fn list_providers(State(app): State<ApiState>) -> Result<Json<ProvidersView>, ApiError> {
    let settings = app.accounts.settings();
    Ok(Json(ProvidersView {
        local: settings.local_accounts,
        registration: settings.local_accounts && settings.local_registration,
        setup_required: app.accounts.needs_setup().await?,
        providers: app.providers.iter().map(ProviderView::from).collect(),
    }))
}

/// Sign out
///
/// Ends the session on the server and clears the cookie. Succeeds also without a session.
#[utoipa::path(post, path = "/auth/logout", tag = "sign-in", responses(
    (status = 204, description = "Signed out"),
))]
pub(crate) async fn sign_out(State(app): State<ApiState>, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(secret) = session_secret(&app, &headers) {
        app.accounts.sign_out(&secret).await?;
    }
    clear_session_cookies(&app, StatusCode::NO_CONTENT)
}
