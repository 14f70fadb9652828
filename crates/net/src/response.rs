//! What came back.

use std::fmt;
use std::net::SocketAddr;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::error::Error;
use crate::freshness::{Freshness, RetryAfter};

/// The answer to a request, whatever its status.
#[derive(Clone)]
pub struct Response {
    /// The status of the last answer; never a redirect that could be followed.
    pub status: StatusCode,
    /// Where the answer came from, after all redirects.
    pub url: Url,
    pub redirected: Redirected,
    /// The new address of the document: where the permanent redirects lead, up to the first temporary one.
    pub moved_to: Option<Url>,
    /// What to send along next time.
    pub validators: Validators,
    /// How long the answer may be kept.
    pub freshness: Freshness,
    /// When the server wants to be asked again.
    pub retry_after: Option<RetryAfter>,
    /// `Content-Type`, as the server wrote it.
    pub content_type: Option<String>,
    /// All headers as sent: `Content-Encoding` and `Content-Length` speak of the body before it was decoded.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub remote_addr: Option<SocketAddr>,
}

/// Whether, and how, redirects led to the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redirected {
    /// The URL that was asked for answered itself.
    #[default]
    No,
    /// At least one redirect was temporary: keep the old address.
    Temporary,
    /// Every redirect was permanent: the document has moved.
    Permanent,
}

/// The `ETag` and `Last-Modified` of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// For [`Request::if_none_match`](crate::Request::if_none_match).
    pub etag: Option<String>,
    /// For [`Request::if_modified_since`](crate::Request::if_modified_since).
    pub last_modified: Option<String>,
}

impl Response {
    /// Turns a status from 400 up into an error.
    pub fn error_for_status(self) -> Result<Self, Error> {
        if self.status.is_client_error() || self.status.is_server_error() {
            Err(Error::Status { status: self.status, retry_after: self.retry_after })
        } else {
            Ok(self)
        }
    }

    /// Whether the document is the one that the validators describe.
    pub fn is_not_modified(&self) -> bool {
        self.status == StatusCode::NOT_MODIFIED
    }

    pub(crate) fn new(status: StatusCode, url: Url, headers: HeaderMap, body: Bytes) -> Self {
        Self {
            status,
            url,
            redirected: Redirected::No,
            moved_to: None,
            validators: Validators { etag: text(&headers, &ETAG), last_modified: text(&headers, &LAST_MODIFIED) },
            freshness: Freshness::from_headers(&headers),
            retry_after: RetryAfter::from_headers(&headers),
            content_type: text(&headers, &CONTENT_TYPE),
            headers,
            body,
            remote_addr: None,
        }
    }
}

impl fmt::Debug for Response {
    /// Tells the size of the body instead of showing megabytes of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("url", &self.url.as_str())
            .field("redirected", &self.redirected)
            .field("headers", &self.headers)
            .field("body_bytes", &self.body.len())
            .field("remote_addr", &self.remote_addr)
            .finish_non_exhaustive()
    }
}

/// A header as text; one that could not be sent back is as good as absent.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty()).map(str::to_owned)
}
