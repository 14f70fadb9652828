//! Access control in front of the handlers: authentication, rate limits, and protection against cross-site requests.

use accounts::{RemoteClient, audit};
use axum::{
    extract::{FromRequestParts, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use store::user_settings::DisplayLanguage;

use crate::{
    ApiError, ApiState, Category, Error,
    caller::{Caller, Credential},
    cookies::CookiePurpose,
    language::Language,
    limit::RateLimit,
    session_cookies::session_cookie,
};

/// The layer of the API: authenticates the caller and adds `Cache-Control: no-store`, unless the handler sets another value.
pub(crate) async fn require_caller(
    State(app): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let credential = Credential::of(&app, &parts);
    if credential.is_automatic() && app.site.is_cross_site(&parts.method, &parts.headers) {
        return Err(Error::CrossSite.into());
    }
    let now = app.reader.clock().now();
    let authenticated = match credential.authenticate(&app).await {
        Ok(authenticated) => authenticated,
        Err(error) if error.category() == Category::Auth => {
            let address = app.site.client_address(&parts);
            app.limiter.take(RateLimit::Anonymous(address), now)?;
            if matches!(credential, Credential::Bearer(_)) {
                // After the rate limit, which bounds the number of lines that a client can cause.
                audit::log_failure(audit::SIGN_IN_FAILED, None, "token", error.code(), address);
            }
            return reject(&app, &credential, error);
        }
        Err(error) => return Err(error),
    };
    let caller = authenticated.caller;
    tracing::Span::current().record("user_id", tracing::field::display(caller.user_id));
    app.limiter.take(RateLimit::Request(caller.user_id), now)?;
    caller.require_scope(&parts.method)?;
    parts.extensions.insert(caller);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some((secret, expires_at)) = authenticated.renewed
        && !headers.contains_key(header::SET_COOKIE)
    {
        headers.append(header::SET_COOKIE, session_cookie(&app, &secret, expires_at)?);
    }
    Ok(response)
}

/// The response to a failed authentication. It clears an invalid session cookie.
fn reject(app: &ApiState, credential: &Credential, error: ApiError) -> Result<Response, ApiError> {
    if !credential.is_cookie() {
        return Err(error);
    }
    let mut response = error.into_response();
    response.headers_mut().append(header::SET_COOKIE, app.site.cookies().clear(CookiePurpose::Session)?);
    Ok(response)
}

/// The layer of the sign-in routes: needs no authentication, but limits requests and rejects cross-site ones.
pub(crate) async fn allow_anonymous(
    State(app): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    if app.site.is_cross_site(&parts.method, &parts.headers) {
        return Err(Error::CrossSite.into());
    }
    app.limiter.take(RateLimit::Anonymous(app.site.client_address(&parts)), app.reader.clock().now())?;
    let mut response = next.run(Request::from_parts(parts, body)).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Permission to send requests to other servers for the caller. A handler that does so takes it as a parameter.
pub(crate) struct OutboundPermit;

impl FromRequestParts<ApiState> for OutboundPermit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        app.limiter.take(RateLimit::Registration(caller.user_id), app.reader.clock().now())?;
        Ok(OutboundPermit)
    }
}

/// Permission to try a sign-in. A handler that signs users in takes it as a parameter.
pub(crate) struct SignInPermit(pub RemoteClient);

impl FromRequestParts<ApiState> for SignInPermit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        let client = client(app, parts);
        app.limiter.take(RateLimit::SignIn(client.address), app.reader.clock().now())?;
        Ok(SignInPermit(client))
    }
}

/// The address, user agent and language of the client.
pub(crate) struct ClientInfo(pub RemoteClient);

impl FromRequestParts<ApiState> for ClientInfo {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        Ok(ClientInfo(client(app, parts)))
    }
}

fn client(app: &ApiState, parts: &Parts) -> RemoteClient {
    let language = parts.headers.contains_key(header::ACCEPT_LANGUAGE).then(|| match Language::of(&parts.headers) {
        Language::English => DisplayLanguage::En,
        Language::Japanese => DisplayLanguage::Ja,
    });
    RemoteClient { address: app.site.client_address(parts), user_agent: user_agent(&parts.headers), language }
}

fn user_agent(headers: &HeaderMap) -> String {
    headers
        .get(header::USER_AGENT)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .unwrap_or_default()
}
