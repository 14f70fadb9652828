//! The door of the API: nobody gets in without a name, too often, or sent by a page of somebody else.

use axum::{
    extract::{FromRequestParts, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderValue, Method, Uri, header, request::Parts};

use crate::{
    ApiError, App,
    caller::{Caller, identify},
    limit::Limited,
};

/// Lets the request in as its caller's, and keeps its answer out of caches unless the answer says otherwise.
pub(crate) async fn admit(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    if is_cross_site(&parts.method, &parts.headers) {
        return Err(ApiError::CrossSite);
    }
    let caller = identify(&app, &parts)?;
    tracing::Span::current().record("user_id", tracing::field::display(caller.user_id));
    app.limiter.take(Limited::Requests, caller.user_id, app.reader.clock().now())?;
    parts.extensions.insert(caller);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Leave to ask somebody else's server on behalf of the caller; a handler that does so takes it before it begins.
pub(crate) struct MayRegister;

impl FromRequestParts<App> for MayRegister {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        app.limiter.take(Limited::Registrations, caller.user_id, app.reader.clock().now())?;
        Ok(MayRegister)
    }
}

/// Whether a browser sends this for a page of another site, and it would change something.
fn is_cross_site(method: &Method, headers: &HeaderMap) -> bool {
    if method.is_safe() {
        return false;
    }
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => !matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let uri = origin.parse::<Uri>().ok();
            let authority = uri.as_ref().and_then(Uri::authority).map(|authority| authority.as_str());
            authority.is_none() || authority != text("host")
        }
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cross_site(method: Method, headers: &[(&'static str, &str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        is_cross_site(&method, &headers)
    }

    #[test]
    fn a_page_of_another_site_changes_nothing() {
        assert!(!cross_site(Method::POST, &[]));
        assert!(!cross_site(Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(cross_site(Method::POST, &[("sec-fetch-site", "cross-site")]));
        assert!(cross_site(Method::DELETE, &[("sec-fetch-site", "same-site")]));
        assert!(!cross_site(Method::PUT, &[("sec-fetch-site", "same-origin"), ("origin", "http://a.example")]));
        assert!(!cross_site(Method::POST, &[("sec-fetch-site", "none")]));
        assert!(!cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "http://localhost:80")]));
        assert!(cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "http://localhost:81")]));
        assert!(cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "null")]));
    }
}
