//! Errors of requests, named for what the caller can do about them.

mod classify;
mod resources;

use std::error::Error as StdError;
use std::time::Duration;

use http::StatusCode;

pub(crate) use self::resources::of_lookup;
use crate::freshness::RetryAfter;
use crate::guard::Refusal;

/// The underlying error.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a usable URL.
    #[error("this is not a usable address: {reason}")]
    InvalidUrl { reason: String },
    /// The settings are invalid.
    #[error("the client cannot be set up")]
    Setup {
        #[source]
        source: Cause,
    },
    /// The guard rejected the address. The operator can allow its network with `FETCH_ALLOW_NETS`.
    #[error("refused: {reason}")]
    Blocked {
        #[source]
        reason: Refusal,
    },
    /// The name has no address. Check the spelling, or retry when the resolver works again.
    #[error("the name {host} could not be resolved")]
    Dns {
        host: String,
        #[source]
        source: std::io::Error,
    },
    /// This machine has no file, memory or buffer left for the request. Retry later; the host is not at fault.
    #[error("this machine has run out of files, memory or disk space")]
    OutOfResources {
        #[source]
        source: std::io::Error,
    },
    /// The connection failed, or was lost before the response was complete. Retry later.
    #[error("the connection failed or was cut")]
    Connect {
        #[source]
        source: Cause,
    },
    /// The TLS handshake failed: the server's certificate or protocol is wrong.
    #[error("no secure connection could be made")]
    Tls {
        #[source]
        source: Cause,
    },
    /// The response is not valid HTTP.
    #[error("the answer is not valid HTTP")]
    Protocol {
        #[source]
        source: Cause,
    },
    /// The deadline passed. Retry later.
    #[error("no complete answer within {} ms", after.as_millis())]
    Timeout {
        /// The time-out of the request.
        after: Duration,
    },
    /// The wait for a turn at this host was longer than [`Request::max_wait`](crate::Request::max_wait). Retry later; the host is
    /// not at fault.
    #[error("too many requests are waiting for {host}")]
    Busy { host: String },
    /// The response is larger than the limit. Do not retry.
    #[error("the {what} is larger than {limit_bytes} bytes")]
    TooLarge { what: ResponsePart, limit_bytes: usize },
    /// Too many redirects.
    #[error("more than {limit} redirects")]
    TooManyRedirects { limit: usize },
    /// A redirect without a usable address.
    #[error("the redirect cannot be followed: {reason}")]
    Redirect { reason: String },
    /// The body does not match its `Content-Encoding`.
    #[error("the body cannot be decoded from {coding}")]
    Decode {
        /// The server's name of the encoding.
        coding: String,
        /// None if the encoding is not supported.
        #[source]
        source: Option<std::io::Error>,
    },
    /// The server answered with an error status.
    #[error("the server answered {status}")]
    Status {
        status: StatusCode,
        /// From `Retry-After`.
        retry_after: Option<RetryAfter>,
    },
}

/// A part of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponsePart {
    /// The status line and the headers.
    Head,
    /// The body, decoded.
    Body,
}

impl std::fmt::Display for ResponsePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Head => "head of the answer",
            Self::Body => "body",
        })
    }
}

impl Error {
    /// A stable name for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::InvalidUrl { .. } => "invalid_url",
            Self::Setup { .. } => "setup",
            Self::Blocked { .. } => "blocked",
            Self::Dns { .. } => "dns",
            Self::OutOfResources { .. } => "out_of_resources",
            Self::Connect { .. } => "connect",
            Self::Tls { .. } => "tls",
            Self::Protocol { .. } => "protocol",
            Self::Timeout { .. } => "timeout",
            Self::Busy { .. } => "busy",
            Self::TooLarge { .. } => "too_large",
            Self::TooManyRedirects { .. } => "too_many_redirects",
            Self::Redirect { .. } => "redirect",
            Self::Decode { .. } => "decode",
            Self::Status { .. } => "status",
        }
    }
}

impl From<Refusal> for Error {
    fn from(reason: Refusal) -> Self {
        Self::Blocked { reason }
    }
}
