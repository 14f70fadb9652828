//! Security headers of every response.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, header};

/// No content of other origins except images over https, no inline scripts and styles, no framing, and no text that becomes
/// markup or a script's address but through the policy of `ui/src/shared/lib/trusted.ts`.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' https: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; \
    require-trusted-types-for 'script'; trusted-types kawaraban";

/// Turns off browser features that are not used.
const PERMISSIONS_POLICY: &str = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), \
    display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), \
    idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
    publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), \
    usb=(), window-management=(), xr-spatial-tracking=()";

/// One year, without `includeSubDomains`: subdomains may belong to other services.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

/// The headers, built once.
#[derive(Clone)]
pub(crate) struct SecurityHeaders(Arc<[(HeaderName, HeaderValue)]>);

impl SecurityHeaders {
    /// The headers of a site, with or without TLS and another allowed origin.
    pub(crate) fn new(is_https: bool, has_other_origin: bool) -> Self {
        let resource_policy = if has_other_origin { "same-site" } else { "same-origin" };
        let mut headers = vec![
            (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-resource-policy"), resource_policy),
        ];
        if is_https {
            headers.push((header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY));
        }
        let headers = headers.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value)));
        SecurityHeaders(headers.collect())
    }
}

/// Adds the headers. A header that a handler has set is kept.
pub(crate) async fn add_headers(
    State(SecurityHeaders(headers)): State<SecurityHeaders>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in headers.iter() {
        response.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    response
}
