//! What can go wrong, named for what can be done about it.

mod classify;
mod resources;

use std::error::Error as StdError;
use std::time::Duration;

use http::StatusCode;

pub(crate) use self::resources::of_lookup;
use crate::freshness::RetryAfter;
use crate::guard::Refusal;

/// The cause of an error, as the layer below reported it.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is no URL that can be asked for: correct it.
    #[error("this is not a usable address: {reason}")]
    InvalidUrl {
        /// What is wrong with it.
        reason: String,
    },
    /// The settings make no client: correct them.
    #[error("the client cannot be set up")]
    Setup {
        /// What is wrong with them.
        #[source]
        source: Cause,
    },
    /// The guard refused it: ask for something else, or open the network with `FETCH_ALLOW_NETS`.
    #[error("refused: {reason}")]
    Blocked {
        /// What the guard objects to.
        #[source]
        reason: Refusal,
    },
    /// The name has no address: check the spelling, or retry when the resolver is back.
    #[error("the name {host} could not be resolved")]
    Dns {
        /// The name that was looked up.
        host: String,
        #[source]
        source: std::io::Error,
    },
    /// This machine has no file, memory or buffer left for the request: retry later. The host is not at fault.
    #[error("this machine has run out of files, memory or disk space")]
    OutOfResources {
        /// What the operating system reported.
        #[source]
        source: std::io::Error,
    },
    /// The connection could not be made, or was lost before the answer was complete: retry later.
    #[error("the connection failed or was cut")]
    Connect {
        #[source]
        source: Cause,
    },
    /// No secure connection: the certificate or the protocol is wrong at the other end.
    #[error("no secure connection could be made")]
    Tls {
        /// What the TLS library reported.
        #[source]
        source: Cause,
    },
    /// The answer is not HTTP that can be understood: the other end is broken.
    #[error("the answer is not valid HTTP")]
    Protocol {
        /// What the HTTP library reported.
        #[source]
        source: Cause,
    },
    /// The deadline passed: retry later.
    #[error("no complete answer within {} ms", after.as_millis())]
    Timeout {
        /// How long the request was allowed to take.
        after: Duration,
    },
    /// The wait for a turn at this host was longer than the caller allowed: retry later, the host is not at fault.
    #[error("too many requests are waiting for {host}")]
    Busy {
        /// The host whose queue is long.
        host: String,
    },
    /// More was sent than is accepted: do not retry.
    #[error("the {what} is larger than {limit_bytes} bytes")]
    TooLarge {
        /// Which part of the answer.
        what: Part,
        /// The limit that was passed.
        limit_bytes: usize,
    },
    /// A chain of redirects that does not end.
    #[error("more than {limit} redirects")]
    TooManyRedirects { limit: usize },
    /// A redirect that leads nowhere.
    #[error("the redirect cannot be followed: {reason}")]
    Redirect {
        /// What is wrong with it.
        reason: String,
    },
    /// The body is not what its `Content-Encoding` says.
    #[error("the body cannot be decoded from {coding}")]
    Decode {
        /// The encoding as the server named it.
        coding: String,
        /// What the decoder reported, when there is a decoder for it.
        #[source]
        source: Option<std::io::Error>,
    },
    /// The server answered with an error status.
    #[error("the server answered {status}")]
    Status {
        status: StatusCode,
        /// When the server wants to be asked again.
        retry_after: Option<RetryAfter>,
    },
}

/// The part of an answer that was too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The status line and the headers.
    Head,
    /// The body, decoded.
    Body,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Head => "head of the answer",
            Self::Body => "body",
        })
    }
}

impl Error {
    /// A stable word for logs and metrics.
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
