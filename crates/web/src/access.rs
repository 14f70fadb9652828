//! The doors: nobody gets in without a name, too often, or sent by a page of somebody else.

use accounts::{RemoteClient, audit};
use axum::{
    extract::{FromRequestParts, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header, request::Parts};

use crate::{
    ApiError, ApiState, Category, Error,
    caller::{Caller, Credential},
    cookies::CookiePurpose,
    limit::RateLimit,
    session_cookies::session_cookie,
};

/// The door of the API: lets the request in as its caller's, and keeps its answer out of caches unless that says
/// otherwise.
pub(crate) async fn require_caller(
    State(app): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let shown = Credential::by(&app, &parts);
    if shown.is_sent_unasked() && app.site.is_cross_site(&parts.method, &parts.headers) {
        return Err(Error::CrossSite.into());
    }
    let now = app.reader.clock().now();
    let known = match shown.identify(&app).await {
        Ok(known) => known,
        Err(error) if error.category() == Category::Auth => {
            let address = app.site.client_address(&parts);
            app.limiter.take(RateLimit::Anonymous(address), now)?;
            if matches!(shown, Credential::Bearer(_)) {
                // After the limit, which bounds how many lines a client can cause.
                audit::log_failure(audit::SIGN_IN_FAILED, None, "token", error.code(), address);
            }
            return turn_away(&app, &shown, error);
        }
        Err(error) => return Err(error),
    };
    let caller = known.caller;
    tracing::Span::current().record("user_id", tracing::field::display(caller.user_id));
    app.limiter.take(RateLimit::Request(caller.user_id), now)?;
    caller.must_be_allowed(&parts.method)?;
    parts.extensions.insert(caller);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some((secret, expires_at)) = known.renewed
        && !headers.contains_key(header::SET_COOKIE)
    {
        headers.append(header::SET_COOKIE, session_cookie(&app, &secret, expires_at)?);
    }
    Ok(response)
}

/// A cookie that lets nobody in is taken back, so that the browser does not send it for ever.
fn turn_away(app: &ApiState, shown: &Credential, error: ApiError) -> Result<Response, ApiError> {
    if !shown.is_cookie() {
        return Err(error);
    }
    let mut response = error.into_response();
    response.headers_mut().append(header::SET_COOKIE, app.site.cookies().clear(CookiePurpose::Session)?);
    Ok(response)
}

/// The door to where people sign in: everybody may come, but not too often, and not sent by a page of somebody else.
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

/// Leave to ask somebody else's server on behalf of the caller; a handler that does so takes it before it begins.
pub(crate) struct OutboundPermit;

impl FromRequestParts<ApiState> for OutboundPermit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        app.limiter.take(RateLimit::Registration(caller.user_id), app.reader.clock().now())?;
        Ok(OutboundPermit)
    }
}

/// Leave to try to sign in, and who tries; a handler that lets people in takes it before it begins.
pub(crate) struct SignInPermit(pub RemoteClient);

impl FromRequestParts<ApiState> for SignInPermit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        let client = client(app, parts);
        app.limiter.take(RateLimit::SignIn(client.address), app.reader.clock().now())?;
        Ok(SignInPermit(client))
    }
}

/// Who is at the other end.
pub(crate) struct ClientInfo(pub RemoteClient);

impl FromRequestParts<ApiState> for ClientInfo {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &ApiState) -> Result<Self, ApiError> {
        Ok(ClientInfo(client(app, parts)))
    }
}

fn client(app: &ApiState, parts: &Parts) -> RemoteClient {
    RemoteClient { address: app.site.client_address(parts), user_agent: user_agent(&parts.headers) }
}

fn user_agent(headers: &HeaderMap) -> String {
    headers
        .get(header::USER_AGENT)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .unwrap_or_default()
}
