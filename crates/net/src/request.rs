//! A request with its urgency and trust.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Method};
use url::Url;

use crate::error::Error;

/// The maximum length of a URL, about the limit of browsers and servers.
pub(crate) const MAX_URL_BYTES: usize = 8192;

/// Whether a user is waiting for the response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Urgency {
    /// The request waits for its turn at the host.
    #[default]
    Background,
    /// The request is sent at once: for a user, or for an API with its own limits.
    Interactive,
}

/// The source of the address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trust {
    /// A user or a document: only public addresses are allowed.
    #[default]
    Public,
    /// The operator's configuration: any address is allowed, but not after a redirect to another origin.
    Operator,
}

/// A shared limit on the number of requests, redirects and retries included.
#[derive(Debug, Clone)]
pub struct Budget(Arc<AtomicUsize>);

impl Budget {
    /// A budget of this many requests.
    pub fn new(requests: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(requests)))
    }

    /// How many requests are left.
    pub fn left(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Uses one request of the budget. False if none is left.
    pub(crate) fn take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// A request for [`Client::send`](crate::Client::send).
#[derive(Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) validators: HeaderMap,
    pub(crate) validated_at: Option<Url>,
    pub(crate) body: Option<Bytes>,
    pub(crate) urgency: Urgency,
    pub(crate) trust: Trust,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_body_bytes: Option<usize>,
    pub(crate) max_wait: Option<Duration>,
    pub(crate) budget: Option<Budget>,
}

impl Request {
    /// A GET request.
    pub fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    /// A HEAD request.
    pub fn head(url: Url) -> Self {
        Self::new(Method::HEAD, url)
    }

    /// A POST request.
    pub fn post(url: Url, content_type: HeaderValue, body: impl Into<Bytes>) -> Self {
        let mut request = Self::new(Method::POST, url);
        request.headers.insert(CONTENT_TYPE, content_type);
        request.body = Some(body.into());
        request
    }

    fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            validators: HeaderMap::new(),
            validated_at: None,
            body: None,
            urgency: Urgency::default(),
            trust: Trust::default(),
            timeout: None,
            max_body_bytes: None,
            max_wait: None,
            budget: None,
        }
    }

    /// Adds a header. All but the harmless ones are treated as secrets: not logged, not sent to other origins.
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(!is_harmless(&name));
        self.headers.insert(name, value);
        self
    }

    /// Sets `If-None-Match`. An invalid header value is ignored.
    pub fn if_none_match(self, etag: &str) -> Self {
        self.validator(http::header::IF_NONE_MATCH, etag)
    }

    /// Sets `If-Modified-Since`. An invalid header value is ignored.
    pub fn if_modified_since(self, last_modified: &str) -> Self {
        self.validator(http::header::IF_MODIFIED_SINCE, last_modified)
    }

    /// Sets the URL that issued the validators, if it is not the request's. They are sent only to its origin.
    pub fn validated_at(mut self, url: Url) -> Self {
        self.validated_at = Some(url);
        self
    }

    fn validator(mut self, name: HeaderName, text: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(text) {
            self.validators.insert(name, value);
        }
        self
    }

    /// Sets the urgency.
    pub fn urgency(mut self, urgency: Urgency) -> Self {
        self.urgency = urgency;
        self
    }

    /// Sets the trust in the address.
    pub fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// Overrides the time-out of the settings.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Overrides the maximum body size of the settings.
    pub fn max_body_bytes(mut self, max_body_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_body_bytes);
        self
    }

    /// Limits the wait for each turn at a host, which the time-out does not cover. Unlimited by default.
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    /// Counts this request and its redirects against a budget. Once it is used up, redirects are not followed.
    pub fn budget(mut self, budget: &Budget) -> Self {
        self.budget = Some(budget.clone());
        self
    }
}

impl fmt::Debug for Request {
    /// Leaves out the query and the body, which may contain keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.url.clone();
        url.set_query(None);
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &url.as_str())
            .field("headers", &self.headers)
            .field("urgency", &self.urgency)
            .field("trust", &self.trust)
            .finish_non_exhaustive()
    }
}

/// Parses an absolute URL.
pub fn parse_url(text: &str) -> Result<Url, Error> {
    if text.len() > MAX_URL_BYTES {
        return Err(Error::InvalidUrl { reason: format!("longer than {MAX_URL_BYTES} bytes") });
    }
    Url::parse(text).map_err(|error| Error::InvalidUrl { reason: error.to_string() })
}

/// Headers without secrets, which may be sent to another origin.
pub(crate) fn is_harmless(name: &HeaderName) -> bool {
    [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE].contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::header::AUTHORIZATION;

    #[test]
    fn secrets_stay_out_of_debug_output() -> Result<(), Error> {
        let url = parse_url("https://api.test/v1?key=hunter2")?;
        let request = Request::post(url, HeaderValue::from_static("application/json"), "{\"password\":\"hunter2\"}")
            .header(AUTHORIZATION, HeaderValue::from_static("Bearer hunter2"))
            .header(HeaderName::from_static("x-goog-api-key"), HeaderValue::from_static("hunter2"));
        let shown = format!("{request:?}");
        assert!(shown.contains("https://api.test/v1") && !shown.contains("hunter2"), "{shown}");
        Ok(())
    }

    #[test]
    fn invalid_urls_are_rejected_with_a_reason() {
        let long = format!("https://a.test/{}", "x".repeat(MAX_URL_BYTES));
        for text in ["", "example.com/feed", "/feed", "http://", "http://256.0.0.1/", "http://a b/", &long] {
            let result = parse_url(text);
            assert!(matches!(&result, Err(Error::InvalidUrl { reason }) if !reason.is_empty()), "{text}: {result:?}");
        }
    }

    #[test]
    fn invalid_validator_is_ignored() -> Result<(), Error> {
        let request = Request::get(parse_url("https://a.test/")?).if_none_match("\"a\r\nx: y\"").if_modified_since("x");
        assert_eq!(request.validators.len(), 1);
        Ok(())
    }
}
