//! The response to a request.

use std::fmt;
use std::net::SocketAddr;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::error::Error;
use crate::freshness::{Freshness, RetryAfter};

/// A response with any status.
#[derive(Clone)]
pub struct Response {
    /// Never a redirect that is followed.
    pub status: StatusCode,
    /// The URL after all redirects.
    pub url: Url,
    pub redirected: Redirected,
    /// The new address of the document: the target of the permanent redirects before the first temporary one.
    pub moved_to: Option<Url>,
    pub validators: Validators,
    pub freshness: Freshness,
    pub retry_after: Option<RetryAfter>,
    pub content_type: Option<String>,
    /// As sent: `Content-Encoding` and `Content-Length` describe the encoded body.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub remote_addr: Option<SocketAddr>,
}

/// Whether the response came after redirects, and of which kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redirected {
    /// No redirect.
    #[default]
    No,
    /// At least one redirect was temporary, so the old address stays valid.
    Temporary,
    /// Every redirect was permanent: the document has moved.
    Permanent,
}

/// The `ETag` and `Last-Modified` of a response.
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

    /// Whether the document is unchanged.
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
    /// Shows the size of the body instead of its content.
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

/// A header as text. One that is empty or not ASCII counts as absent.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty()).map(str::to_owned)
}
