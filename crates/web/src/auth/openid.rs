//! Sign-in with a provider: the redirect to it, and the callback.

use accounts::{
    RemoteClient,
    openid::{Callback, Provider},
};
use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use net::Url;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    attempt::{self, PendingLink, PendingSignIn},
    audit::FailedAttempt,
    find_provider,
};
use crate::{
    ApiError, ApiState, Error, access::SignInPermit, caller::session_secret, cookies::CookiePurpose,
    extract::QueryString, session_cookies::set_session_cookies, site::ReturnTo,
};

/// Parameters of a sign-in with a provider.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LoginQuery {
    /// The path on this site to return to, starting with `/`. Other values return to the front page.
    return_to: Option<String>,
}

/// Parameters of the callback.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CallbackQuery {
    /// The authorization code.
    code: Option<String>,
    /// The state of the attempt.
    state: Option<String>,
    /// The issuer of the provider (RFC 9207).
    iss: Option<String>,
    /// The error code of the provider.
    error: Option<String>,
    /// The error message of the provider.
    error_description: Option<String>,
}

impl From<CallbackQuery> for Callback {
    fn from(query: CallbackQuery) -> Self {
        Callback {
            code: query.code,
            state: query.state,
            iss: query.iss,
            error: query.error,
            error_description: query.error_description,
        }
    }
}

/// Sign in with a provider
///
/// Redirects the browser to the provider. On failure it redirects to the sign-in page with the error code in `?error=`,
/// unless the client accepts only JSON.
#[utoipa::path(get, path = "/auth/{provider}/login", tag = "sign-in",
    params(("provider" = String, Path, description = "`google` or `oidc`"), LoginQuery), responses(
    (status = 302, description = "Redirect to the provider or the sign-in page"),
    (status = 502, description = "The provider cannot be reached"),
))]
pub(crate) async fn begin_sign_in(
    State(app): State<ApiState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    _: SignInPermit,
    QueryString(query): QueryString<LoginQuery>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    match attempt::begin(&app, provider, ReturnTo::parse(query.return_to.as_deref()), None).await {
        Ok((url, cookie)) => redirect(&url, [cookie]),
        Err(error) => fail(&app, &headers, "/sign-in", error, None),
    }
}

/// Finish a sign-in with a provider
///
/// The provider redirects the browser here. Sets the session cookie and redirects to the requested page. On failure it
/// redirects to the sign-in page with the error code in `?error=`, unless the client accepts only JSON.
#[utoipa::path(get, path = "/auth/{provider}/callback", tag = "sign-in",
    params(("provider" = String, Path, description = "`google` or `oidc`"), CallbackQuery), responses(
    (status = 302, description = "Redirect to the requested page or the sign-in page"),
    (status = 403, description = "The sign-in is not allowed"),
    (status = 409, description = "The identity is linked to another account"),
    (status = 502, description = "The provider's response cannot be used"),
))]
pub(crate) async fn finish_sign_in(
    State(app): State<ApiState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    SignInPermit(client): SignInPermit,
    QueryString(query): QueryString<CallbackQuery>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    // The attempt ends, whatever the result.
    let cleared = app.site.cookies().clear(CookiePurpose::Attempt)?;
    let pending = attempt::read_cookie(&app.site, &headers);
    let is_link = pending.as_ref().is_some_and(|pending| pending.link.is_some());
    let mut response = match finish(&app, provider, pending, query.into(), &headers, &client).await {
        Ok(response) => response,
        Err(error) => {
            let page = if is_link { "/settings" } else { "/sign-in" };
            return fail(&app, &headers, page, error, Some(cleared));
        }
    };
    response.headers_mut().append(header::SET_COOKIE, cleared);
    Ok(response)
}

async fn finish(
    app: &ApiState,
    provider: &Provider,
    pending: Option<PendingSignIn>,
    callback: Callback,
    headers: &HeaderMap,
    client: &RemoteClient,
) -> Result<Response, ApiError> {
    let pending = pending.ok_or(Error::SignInMismatch)?;
    let claims = provider
        .finish(&pending.attempt, &callback)
        .await
        .map_err(|error| ApiError::of_provider(&error, provider.id()))?;
    let page = app.site.page(&pending.return_to);
    let Some(link) = pending.link else {
        let signed_in = app.accounts.sign_in_with_provider(&claims, client).await?;
        return set_session_cookies(app, headers, &signed_in, redirect(&page, [])?).await;
    };
    require_same_session(app, headers, &link).await?;
    app.accounts.link_identity(link.user_id, &claims).await?;
    redirect(&page, [])
}

/// Fails unless the session that began to link is still signed in.
async fn require_same_session(app: &ApiState, headers: &HeaderMap, link: &PendingLink) -> Result<(), ApiError> {
    let secret = session_secret(app, headers).ok_or(Error::SignInRequired)?;
    let session = app.accounts.find_session(&secret).await?.ok_or(Error::SignInRequired)?;
    if session.user.id == link.user_id && session.public_id == link.session {
        return Ok(());
    }
    Err(Error::SignInMismatch.into())
}

fn redirect(url: &Url, cookies: impl IntoIterator<Item = HeaderValue>) -> Result<Response, ApiError> {
    let location = HeaderValue::try_from(url.as_str()).map_err(ApiError::internal)?;
    let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Redirects a browser to a page that shows the error; other clients get the error body.
fn fail(
    app: &ApiState,
    headers: &HeaderMap,
    page: &str,
    error: ApiError,
    cookie: Option<HeaderValue>,
) -> Result<Response, ApiError> {
    let mut response = match wants_json(headers) {
        true => error.into_response(),
        false => {
            if let Some(cause) = error.cause() {
                tracing::error!(error_kind = error.code(), error = %cause, "sign-in with a provider failed");
            }
            let mut response = redirect(&app.site.page(&ReturnTo::to(format!("{page}?error={}", error.code()))), [])?;
            response.extensions_mut().insert(FailedAttempt { reason: error.code(), user: None });
            response
        }
    };
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.contains("application/json") && !accepted.contains("text/html")
}
