//! Signing in and out: which ways there are, and the end of a session.

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

/// The ways to sign in.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProvidersView {
    /// Whether people sign in with a password.
    local: bool,
    /// Whether anybody may make an account with a password.
    registration: bool,
    /// Whether nobody can sign in yet: the set-up link makes the first account.
    setup_required: bool,
    /// Providers to sign in with.
    providers: Vec<ProviderView>,
}

/// A provider to sign in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderView {
    /// Which one.
    #[schema(value_type = String, pattern = "^(google|oidc)$")]
    id: ProviderId,
    /// What people know it by.
    name: String,
    /// Where to send the browser, on this server.
    login_url: String,
}

impl From<&Provider> for ProviderView {
    fn from(provider: &Provider) -> Self {
        let id = provider.id();
        ProviderView { id, name: provider.name().to_owned(), login_url: format!("/auth/{id}/login") }
    }
}

/// The configured provider of this name.
pub(crate) fn find_provider<'a>(app: &'a ApiState, name: &str) -> Result<&'a Provider, ApiError> {
    app.providers.iter().find(|provider| provider.id().as_str() == name).ok_or_else(|| Error::NotFound.into())
}

/// List the ways to sign in
///
/// For the sign-in page; nobody needs to be signed in.
#[utoipa::path(get, path = "/auth/providers", tag = "sign-in", responses(
    (status = 200, description = "The ways to sign in", body = ProvidersView),
))]
pub(crate) async fn list_providers(State(app): State<ApiState>) -> Result<Json<ProvidersView>, ApiError> {
    let policy = app.accounts.settings();
    Ok(Json(ProvidersView {
        local: policy.local_accounts,
        registration: policy.local_accounts && policy.local_registration,
        setup_required: app.accounts.needs_setup().await?,
        providers: app.providers.iter().map(ProviderView::from).collect(),
    }))
}

/// Sign out
///
/// Ends the session on the server and takes the cookie back. Whoever is not signed in gets the same answer.
#[utoipa::path(post, path = "/auth/logout", tag = "sign-in", responses(
    (status = 204, description = "Nobody is signed in any more"),
))]
pub(crate) async fn sign_out(State(app): State<ApiState>, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(secret) = session_secret(&app, &headers) {
        app.accounts.sign_out(&secret).await?;
    }
    clear_session_cookies(&app, StatusCode::NO_CONTENT)
}
