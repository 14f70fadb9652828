//! The public address of this instance, and checks of origins and proxies.

mod return_to;

use std::{
    fmt,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use http::{HeaderMap, HeaderValue, Method, Uri, header, request::Parts};
use ipnet::IpNet;
use net::Url;

pub(crate) use self::return_to::ReturnTo;
use crate::{
    address::{client_address, is_likely_proxied},
    cookies::Cookies,
    headers::SecurityHeaders,
};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The operator's settings of the site.
#[derive(Clone)]
pub struct SiteSettings {
    /// The public address (`BASE_URL`). With https, cookies are `Secure`.
    pub base_url: Url,
    /// The address of the pages, where sign-in returns to (`FRONTEND_URL`).
    pub frontend_url: Url,
    /// The other origin whose pages may use the API (`CORS_ALLOWED_ORIGIN`).
    pub allowed_origin: Option<Url>,
    /// Proxies whose `X-Forwarded-For` is trusted (`TRUSTED_PROXIES`).
    pub trusted_proxies: Vec<IpNet>,
    /// The secret for the encryption of cookies (`SESSION_SECRET`).
    pub session_secret: String,
}

impl fmt::Debug for SiteSettings {
    /// Leaves out the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteSettings").field("base_url", &self.base_url.as_str()).finish_non_exhaustive()
    }
}

/// The site. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    own_origin: String,
    is_https: bool,
    frontend_url: Url,
    allowed_origin: Option<HeaderValue>,
    trusted_proxies: Vec<IpNet>,
    /// Whether the warning about an unknown proxy was logged.
    has_warned: AtomicBool,
    cookies: Cookies,
}

impl Site {
    /// Creates the site from the settings.
    pub fn new(settings: SiteSettings) -> Site {
        let is_https = settings.base_url.scheme() == "https";
        let origin = |url: &Url| url.origin().ascii_serialization();
        Site(Arc::new(Inner {
            own_origin: origin(&settings.base_url),
            is_https,
            frontend_url: settings.frontend_url,
            allowed_origin: settings.allowed_origin.and_then(|url| HeaderValue::try_from(origin(&url)).ok()),
            trusted_proxies: settings.trusted_proxies,
            has_warned: AtomicBool::new(false),
            cookies: Cookies::new(&settings.session_secret, is_https),
        }))
    }

    /// Encrypts and decrypts the cookies of this site.
    pub(crate) fn cookies(&self) -> &Cookies {
        &self.0.cookies
    }

    /// The other origin whose pages may use the API.
    pub(crate) fn allowed_origin(&self) -> Option<&HeaderValue> {
        self.0.allowed_origin.as_ref()
    }

    /// The security headers of every response.
    pub(crate) fn security_headers(&self) -> SecurityHeaders {
        SecurityHeaders::new(self.0.is_https, self.0.allowed_origin.is_some())
    }

    /// The client address of a request.
    pub(crate) fn client_address(&self, parts: &Parts) -> IpAddr {
        if is_likely_proxied(parts, &self.0.trusted_proxies) && !self.0.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "a proxy sends X-Forwarded-For, but TRUSTED_PROXIES does not include it: all its clients share one address"
            );
        }
        client_address(parts, &self.0.trusted_proxies)
    }

    /// The absolute address of a page.
    pub(crate) fn page(&self, path: &ReturnTo) -> Url {
        path.on(&self.0.frontend_url)
    }

    /// Whether this is an unsafe request that a page of another site has sent.
    pub(crate) fn is_cross_site(&self, method: &Method, headers: &HeaderMap) -> bool {
        if method.is_safe() {
            return false;
        }
        let (Ok(site), Ok(origin)) = (only(headers, SEC_FETCH_SITE), only(headers, header::ORIGIN.as_str())) else {
            return true;
        };
        if origin.is_some() && origin == self.allowed_origin() {
            return false;
        }
        match (site.map(HeaderValue::as_bytes), origin) {
            (Some(site), _) => !matches!(site, b"same-origin" | b"none"),
            (None, Some(origin)) => !self.is_own(origin, headers.get(header::HOST)),
            (None, None) => false,
        }
    }

    /// Whether this is our own origin: that of `BASE_URL`, or the host of the request.
    fn is_own(&self, origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
        if origin.as_bytes() == self.0.own_origin.as_bytes() {
            return true;
        }
        let Some(uri) = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok()) else { return false };
        let authority = uri.authority().map(|authority| authority.as_str().as_bytes());
        let is_safe = !self.0.is_https || uri.scheme_str() == Some("https");
        is_safe && authority.is_some() && authority == host.map(HeaderValue::as_bytes)
    }
}

/// The only value of a header. Several values are an error; no browser sends them.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a HeaderValue>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(base_url: &str, allowed_origin: Option<&str>) -> Site {
        Site::new(SiteSettings {
            base_url: base_url.parse().unwrap(),
            frontend_url: base_url.parse().unwrap(),
            allowed_origin: allowed_origin.map(|url| url.parse().unwrap()),
            trusted_proxies: Vec::new(),
            session_secret: "x".repeat(32),
        })
    }

    fn cross_site(site: &Site, method: Method, headers: &[(&'static str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        site.is_cross_site(&method, &map)
    }

    #[test]
    fn unsafe_cross_site_requests_are_detected() {
        let site = site("http://localhost:80", None);
        let cross_site = |method, headers: &[(&'static str, &str)]| cross_site(&site, method, headers);
        assert!(!cross_site(Method::POST, &[]));
        assert!(!cross_site(Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(cross_site(Method::POST, &[("sec-fetch-site", "cross-site")]));
        assert!(cross_site(Method::DELETE, &[("sec-fetch-site", "same-site")]));
        assert!(!cross_site(Method::PUT, &[("sec-fetch-site", "same-origin"), ("origin", "http://a.example")]));
        assert!(!cross_site(Method::POST, &[("sec-fetch-site", "none")]));
        assert!(!cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "http://localhost:80")]));
        assert!(cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "http://localhost:81")]));
        assert!(cross_site(Method::POST, &[("host", "localhost:80"), ("origin", "null")]));
        assert!(cross_site(Method::POST, &[("origin", "http://")]));
        assert!(cross_site(Method::POST, &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]));
        let twice = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://evil.example")];
        assert!(cross_site(Method::POST, &twice));
    }

    #[test]
    fn base_url_is_own_origin_behind_a_proxy() {
        let site = site("https://reader.example", None);
        let cross_site = |headers: &[(&'static str, &str)]| cross_site(&site, Method::POST, headers);
        assert!(!cross_site(&[("host", "backend:8080"), ("origin", "https://reader.example")]));
        assert!(cross_site(&[("host", "backend:8080"), ("origin", "https://reader.example.evil.example")]));
        assert!(!cross_site(&[("host", "other.example"), ("origin", "https://other.example")]));
        assert!(cross_site(&[("host", "reader.example"), ("origin", "http://reader.example")]));
    }

    #[test]
    fn allowed_origin_must_match_exactly() {
        let site = site("https://api.example", Some("https://ui.example"));
        let cross_site = |site_header, origin| {
            cross_site(&site, Method::POST, &[("sec-fetch-site", site_header), ("origin", origin)])
        };
        assert!(!cross_site("cross-site", "https://ui.example"));
        assert!(!cross_site("same-site", "https://ui.example"));
        for origin in
            ["http://ui.example", "https://ui.example:444", "https://UI.example", "https://ui.example.", "null"]
        {
            assert!(cross_site("cross-site", origin), "{origin}");
        }
    }
}
