//! The client: sends one request, from the guard to the last byte.

mod build;
mod dial;
#[cfg(test)]
mod tests;

pub use build::ClientBuilder;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, timeout};
use url::{Host, Url};

use crate::decode::{Coding, Decoder};
use crate::error::{Error, ResponsePart};
use crate::guard::{self, Guard, Refusal};
use crate::pace::{Pace, Turn};
use crate::redirect::{Hop, RedirectChain, is_redirect};
use crate::request::{Budget, MAX_URL_BYTES, Request, Trust, Urgency};
use crate::resolve::GuardedResolver;
use crate::response::Response;
use crate::settings::ClientSettings;

/// The only HTTP client of the process. Clones share connections and pacing.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    timeout: Duration,
    max_body_bytes: usize,
    guard: Guard,
    pace: Pace,
    public: TrustLevel,
    operator: TrustLevel,
}

/// Connections and DNS answers of one level of trust. Not shared between levels: a connection that a trusted request opened to
/// an internal address must not serve another request for the same name.
struct TrustLevel {
    http: reqwest::Client,
    resolver: Arc<GuardedResolver>,
}

/// The result of a hop.
enum HopResult {
    Response(Box<Response>),
    Redirect(StatusCode, HeaderMap),
}

impl Client {
    /// A client with the system's resolver.
    pub fn new(settings: ClientSettings) -> Result<Self, Error> {
        Self::builder(settings).build()
    }

    /// Builds a client with another resolver.
    pub fn builder(settings: ClientSettings) -> ClientBuilder {
        ClientBuilder::new(settings)
    }

    /// Sends a request, follows redirects and reads the whole response, with any status.
    ///
    /// The deadline covers look-ups, connections, every redirect and the body. It does not cover the wait for a turn at
    /// the host: see [`Request::max_wait`]. Dropping the future cancels the request.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        let begin = Instant::now();
        let result = self.follow(&request).await;
        let host = request.url.host_str().unwrap_or_default();
        let elapsed_ms = begin.elapsed().as_millis();
        match &result {
            Ok(response) => tracing::debug!(host, status = response.status.as_u16(), elapsed_ms, "response"),
            Err(error) => tracing::debug!(host, error_kind = error.kind(), %error, elapsed_ms, "request failed"),
        }
        result
    }

    async fn follow(&self, request: &Request) -> Result<Response, Error> {
        if request.url.as_str().len() > MAX_URL_BYTES {
            return Err(Error::InvalidUrl { reason: format!("longer than {MAX_URL_BYTES} bytes") });
        }
        let after = request.timeout.unwrap_or(self.inner.timeout);
        let cap_bytes = request.max_body_bytes.unwrap_or(self.inner.max_body_bytes);
        let mut left = after;
        let mut hop = Hop::first(request);
        let mut chain = RedirectChain::default();
        loop {
            self.check(&hop).await?;
            // Each hop waits for its own turn at its host.
            let turn = self.turn(request, &hop.url).await?;
            if request.budget.as_ref().is_some_and(|budget| !budget.take()) {
                return Err(Error::TooManyRedirects { limit: chain.followed.saturating_sub(1) });
            }
            let begin = Instant::now();
            let step = timeout(left, self.visit(&hop, cap_bytes, request.budget.as_ref())).await;
            let step = step.unwrap_or(Err(None)).map_err(|error| error.unwrap_or(Error::Timeout { after }))?;
            left = left.saturating_sub(begin.elapsed());
            drop(turn);
            match step {
                HopResult::Response(mut response) => {
                    response.redirected = chain.redirected;
                    response.moved_to = chain.moved_to;
                    return Ok(*response);
                }
                HopResult::Redirect(status, headers) => {
                    hop = hop.follow(status, &headers)?;
                    chain.add(status, &hop.url)?;
                }
            }
        }
    }

    async fn check(&self, hop: &Hop) -> Result<(), Error> {
        if hop.trust == Trust::Operator {
            return Ok(guard::check_form(&hop.url)?);
        }
        if let Some(Host::Ipv6(literal)) = hop.url.host() {
            self.inner.public.resolver.discover_nat64(&[literal.into()]).await?;
        }
        Ok(self.inner.guard.check_url(&hop.url)?)
    }

    async fn turn(&self, request: &Request, url: &Url) -> Result<Option<Turn>, Error> {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        match (request.urgency, request.max_wait) {
            (Urgency::Interactive, _) => Ok(None),
            (Urgency::Background, None) => Ok(Some(self.inner.pace.turn(host).await)),
            (Urgency::Background, Some(longest)) => {
                let turn = timeout(longest, self.inner.pace.turn(host)).await;
                turn.map(Some).map_err(|_| Error::Busy { host: host.to_owned() })
            }
        }
    }

    /// Sends one request and reads its response. An error of `None` means the deadline.
    async fn visit(&self, hop: &Hop, cap_bytes: usize, budget: Option<&Budget>) -> Result<HopResult, Option<Error>> {
        let level = self.trust_level(hop.trust);
        if let (Trust::Public, Some(name)) = (hop.trust, hop.url.domain()) {
            // Resolved and checked first; the connector then gets the same addresses.
            level.resolver.resolve(name).await?;
        }
        let response = match level.execute(hop).await {
            // RFC 9112 section 9.3.1: a server may close a connection just when it is reused.
            Err(Some(error))
                if error.is_cut()
                    && hop.reuses_connection
                    && is_repeatable(&hop.method)
                    && budget.is_none_or(Budget::take) =>
            {
                level.execute(hop).await?
            }
            result => result?,
        };
        let remote_addr = response.remote_addr();
        if hop.trust == Trust::Public {
            self.check_peer(remote_addr).map_err(Error::from)?;
        }
        let (status, headers) = (response.status(), response.headers().clone());
        if is_redirect(status) {
            return Ok(HopResult::Redirect(status, headers));
        }
        let body = read_body(response, &headers, &hop.method, cap_bytes).await?;
        let mut response = Response::new(status, hop.url.clone(), headers, body);
        response.remote_addr = remote_addr;
        Ok(HopResult::Response(Box::new(response)))
    }

    /// The last check: no body is read from an address that the guard rejects.
    fn check_peer(&self, peer: Option<SocketAddr>) -> Result<(), Refusal> {
        self.inner.guard.check_address(peer.ok_or(Refusal::UnknownPeer)?.ip())
    }

    fn trust_level(&self, trust: Trust) -> &TrustLevel {
        match trust {
            Trust::Public => &self.inner.public,
            Trust::Operator => &self.inner.operator,
        }
    }
}

impl TrustLevel {
    async fn execute(&self, hop: &Hop) -> Result<reqwest::Response, Option<Error>> {
        let mut request = reqwest::Request::new(hop.method.clone(), hop.url.clone());
        *request.headers_mut() = hop.headers();
        *request.body_mut() = hop.body.clone().map(Into::into);
        self.http.execute(request).await.map_err(Error::from_transport)
    }
}

fn is_repeatable(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

async fn read_body(
    mut response: reqwest::Response,
    headers: &HeaderMap,
    method: &Method,
    cap_bytes: usize,
) -> Result<Bytes, Option<Error>> {
    let coding = Coding::from_headers(headers)?;
    if coding == Coding::Identity && *method != Method::HEAD && announced_bytes(headers) > cap_bytes {
        return Err(Some(Error::TooLarge { what: ResponsePart::Body, limit_bytes: cap_bytes }));
    }
    let mut decoder = Decoder::new(coding, cap_bytes)?;
    while let Some(piece) = response.chunk().await.map_err(Error::from_transport)? {
        decoder.push(&piece)?;
    }
    Ok(decoder.finish()?)
}

fn announced_bytes(headers: &HeaderMap) -> usize {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|text| text.parse().ok()).unwrap_or(0)
}
