//! Signing in with a provider: away to it, and back.

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

/// Where to go after signing in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LoginQuery {
    /// A path on this site, beginning with `/`; anything else is the front page.
    return_to: Option<String>,
}

/// What the provider sends the browser back with.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CallbackQuery {
    /// To be exchanged for who the person is.
    code: Option<String>,
    /// Which attempt it belongs to.
    state: Option<String>,
    /// Which provider it comes from.
    iss: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// The same in words.
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
/// Sends the browser to the provider. A failure sends it to the sign-in page with `?error=` and the error's code, unless
/// the client asks for JSON.
#[utoipa::path(get, path = "/auth/{provider}/login", tag = "sign-in",
    params(("provider" = String, Path, description = "`google` or `oidc`"), LoginQuery), responses(
    (status = 302, description = "To the provider, or to the sign-in page"),
    (status = 502, description = "The provider cannot be asked"),
))]
pub(crate) async fn begin_sign_in(
    State(app): State<ApiState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    _: SignInPermit,
    QueryString(query): QueryString<LoginQuery>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    match attempt::begin(&app, provider, ReturnTo::asked_for(query.return_to.as_deref()), None).await {
        Ok((url, cookie)) => go_to(&url, [cookie]),
        Err(error) => fail(&app, &headers, "/sign-in", error, None),
    }
}

/// Come back from a provider
///
/// Where the provider sends the browser. Sets the session cookie and goes to the page that was asked for; a failure goes to
/// the sign-in page with `?error=` and the error's code, unless the client asks for JSON.
#[utoipa::path(get, path = "/auth/{provider}/callback", tag = "sign-in",
    params(("provider" = String, Path, description = "`google` or `oidc`"), CallbackQuery), responses(
    (status = 302, description = "To the page that was asked for, or to the sign-in page"),
    (status = 403, description = "The person is not let in"),
    (status = 409, description = "Another account signs in with this"),
    (status = 502, description = "The provider's answer is of no use"),
))]
pub(crate) async fn finish_sign_in(
    State(app): State<ApiState>,
    Path(name): Path<String>,
    headers: HeaderMap,
    SignInPermit(client): SignInPermit,
    QueryString(query): QueryString<CallbackQuery>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    // Whatever comes of it, the attempt is over.
    let over = app.site.cookies().clear(CookiePurpose::Attempt)?;
    let kept = attempt::kept(&app.site, &headers);
    let is_link = kept.as_ref().is_some_and(|kept| kept.link.is_some());
    let mut response = match finish(&app, provider, kept, query.into(), &headers, &client).await {
        Ok(response) => response,
        Err(error) => {
            let page = if is_link { "/settings" } else { "/sign-in" };
            return fail(&app, &headers, page, error, Some(over));
        }
    };
    response.headers_mut().append(header::SET_COOKIE, over);
    Ok(response)
}

async fn finish(
    app: &ApiState,
    provider: &Provider,
    kept: Option<PendingSignIn>,
    callback: Callback,
    headers: &HeaderMap,
    client: &RemoteClient,
) -> Result<Response, ApiError> {
    let kept = kept.ok_or(Error::SignInMismatch)?;
    let claims = provider
        .finish(&kept.attempt, &callback)
        .await
        .map_err(|error| ApiError::of_provider(&error, provider.id()))?;
    let page = app.site.page(&kept.return_to);
    let Some(link) = kept.link else {
        let signed_in = app.accounts.sign_in_with_provider(&claims, client).await?;
        return set_session_cookies(app, headers, &signed_in, go_to(&page, [])?).await;
    };
    must_still_be_here(app, headers, &link).await?;
    app.accounts.link_identity(link.user_id, &claims).await?;
    go_to(&page, [])
}

/// Only the person who began to link, in the session in which they did.
async fn must_still_be_here(app: &ApiState, headers: &HeaderMap, link: &PendingLink) -> Result<(), ApiError> {
    let secret = session_secret(app, headers).ok_or(Error::SignInRequired)?;
    let session = app.accounts.find_session(&secret).await?.ok_or(Error::SignInRequired)?;
    if session.user.id == link.user_id && session.public_id == link.session {
        return Ok(());
    }
    Err(Error::SignInMismatch.into())
}

fn go_to(url: &Url, cookies: impl IntoIterator<Item = HeaderValue>) -> Result<Response, ApiError> {
    let location = HeaderValue::try_from(url.as_str()).map_err(ApiError::internal)?;
    let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// A person is taken to a page that says it in words; a program gets the one body.
fn fail(
    app: &ApiState,
    headers: &HeaderMap,
    page: &str,
    error: ApiError,
    over: Option<HeaderValue>,
) -> Result<Response, ApiError> {
    let mut response = match wants_json(headers) {
        true => error.into_response(),
        false => {
            if let Some(cause) = error.cause() {
                tracing::error!(error_kind = error.code(), error = %cause, "a sign-in failed");
            }
            let mut response = go_to(&app.site.page(&ReturnTo::to(format!("{page}?error={}", error.code()))), [])?;
            response.extensions_mut().insert(FailedAttempt { reason: error.code(), user: None });
            response
        }
    };
    if let Some(cookie) = over {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.contains("application/json") && !accepted.contains("text/html")
}
