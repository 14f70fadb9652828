//! What to ask for, on whose behalf, and how far to trust it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Method};
use url::Url;

use crate::error::Error;

/// The longest URL that is asked for; browsers and servers agree on about this much.
pub(crate) const MAX_URL_BYTES: usize = 8192;

/// Who is waiting for the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Urgency {
    /// Nobody in particular: the request takes its turn at the host.
    #[default]
    Background,
    /// A person, or an API with limits of its own: the request goes out at once.
    Interactive,
}

/// Who chose the address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trust {
    /// Anyone: only public addresses are dialled.
    #[default]
    Public,
    /// The operator, in the configuration: any address is dialled. A redirect to another origin is not trusted.
    Operator,
}

/// How many requests may still be sent, redirects and repetitions included. Clones share the number.
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

    /// Takes one request out of the budget; false if none is left.
    pub(crate) fn take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

/// A request, to be given to [`Client::send`](crate::Client::send).
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
    /// Asks for a document.
    pub fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    /// Asks for the headers of a document.
    pub fn head(url: Url) -> Self {
        Self::new(Method::HEAD, url)
    }

    /// Sends a body to an API.
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

    /// Adds a header; all but the harmless ones are taken for secrets, kept out of logs and from other origins.
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(!is_harmless(&name));
        self.headers.insert(name, value);
        self
    }

    /// Wants the document only if its `ETag` is another one; a text that is no header value is left out.
    pub fn if_none_match(self, etag: &str) -> Self {
        self.validator(http::header::IF_NONE_MATCH, etag)
    }

    /// Wants the document only if it changed since this `Last-Modified`; a text that is no header value is left out.
    pub fn if_modified_since(self, last_modified: &str) -> Self {
        self.validator(http::header::IF_MODIFIED_SINCE, last_modified)
    }

    /// Says which URL issued the validators, if a redirect led there: they are sent to the origin that issued them only.
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

    /// Says who is waiting.
    pub fn urgency(mut self, urgency: Urgency) -> Self {
        self.urgency = urgency;
        self
    }

    /// Says who chose the address.
    pub fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// Replaces the deadline of the settings.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Replaces the largest body of the settings.
    pub fn max_body_bytes(mut self, max_body_bytes: usize) -> Self {
        self.max_body_bytes = Some(max_body_bytes);
        self
    }

    /// Limits the wait for each turn at a host, which no deadline covers; without it the wait is as long as the queue.
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    /// Takes this request and its redirects out of a budget. When it is used up, redirects are no longer followed.
    pub fn budget(mut self, budget: &Budget) -> Self {
        self.budget = Some(budget.clone());
        self
    }
}

impl fmt::Debug for Request {
    /// Leaves out the query and the body: both may hold keys.
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

/// Reads a URL that somebody typed; only absolute ones make sense here.
pub fn parse_url(text: &str) -> Result<Url, Error> {
    if text.len() > MAX_URL_BYTES {
        return Err(Error::InvalidUrl { reason: format!("longer than {MAX_URL_BYTES} bytes") });
    }
    Url::parse(text).map_err(|error| Error::InvalidUrl { reason: error.to_string() })
}

/// Headers that tell nothing about who asks: they may cross to another origin.
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
    fn what_is_no_url_says_so() {
        let long = format!("https://a.test/{}", "x".repeat(MAX_URL_BYTES));
        for text in ["", "example.com/feed", "/feed", "http://", "http://256.0.0.1/", "http://a b/", &long] {
            let result = parse_url(text);
            assert!(matches!(&result, Err(Error::InvalidUrl { reason }) if !reason.is_empty()), "{text}: {result:?}");
        }
    }

    #[test]
    fn a_validator_that_cannot_be_sent_is_left_out() -> Result<(), Error> {
        let request = Request::get(parse_url("https://a.test/")?).if_none_match("\"a\r\nx: y\"").if_modified_since("x");
        assert_eq!(request.validators.len(), 1);
        Ok(())
    }
}
