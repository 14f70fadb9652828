//! Redirects: the target, the method, and the headers that may be sent along.

#[cfg(test)]
mod tests;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, Method, StatusCode};
use percent_encoding::{AsciiSet, percent_encode};
use url::{Origin, Url};

use crate::error::Error;
use crate::request::{MAX_URL_BYTES, Request, Trust, is_harmless};
use crate::response::Redirected;

/// How many redirects are followed.
pub(crate) const MAX_REDIRECTS: usize = 5;

/// One request of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Hop {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) trust: Trust,
    pub(crate) body: Option<Bytes>,
    /// After a redirect within the same origin: the server may be closing the reused connection.
    pub(crate) reuses_connection: bool,
    headers: HeaderMap,
    validators: HeaderMap,
    validated_at: Origin,
}

impl Hop {
    pub(crate) fn first(request: &Request) -> Self {
        Self {
            method: request.method.clone(),
            url: request.url.clone(),
            trust: request.trust,
            body: request.body.clone(),
            reuses_connection: false,
            headers: request.headers.clone(),
            validators: request.validators.clone(),
            validated_at: request.validated_at.as_ref().unwrap_or(&request.url).origin(),
        }
    }

    /// The headers to send. Validators go only to the origin that issued them.
    pub(crate) fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if self.url.origin() == self.validated_at {
            headers.extend(self.validators.clone());
        }
        headers
    }

    /// The next request of the chain.
    pub(crate) fn follow(mut self, status: StatusCode, answer: &HeaderMap) -> Result<Self, Error> {
        let url = target(&self.url, answer)?;
        if turns_into_get(status, &self.method) {
            self.method = Method::GET;
            self.body = None;
            self.headers.remove(CONTENT_TYPE);
        }
        self.reuses_connection = url.origin() == self.url.origin();
        if !may_share_secrets(&self.url, &url) {
            // Browsers send the body again. Here bodies are for APIs and may contain a secret, and no API needs this.
            if self.body.is_some() {
                return Err(refused("it would send the request body to another origin"));
            }
            // An allow-list, because any header can be a key: x-api-key, x-goog-api-key, private-token…
            let secret: Vec<_> = self.headers.keys().filter(|name| !is_harmless(name)).cloned().collect();
            secret.iter().for_each(|name| drop(self.headers.remove(name)));
            self.trust = Trust::Public;
        }
        self.url = url;
        Ok(self)
    }
}

/// The redirects so far.
#[derive(Debug, Default)]
pub(crate) struct RedirectChain {
    pub(crate) redirected: Redirected,
    pub(crate) moved_to: Option<Url>,
    pub(crate) followed: usize,
}

impl RedirectChain {
    /// Adds a redirect. Fails after [`MAX_REDIRECTS`].
    pub(crate) fn add(&mut self, status: StatusCode, to: &Url) -> Result<(), Error> {
        if self.followed == MAX_REDIRECTS {
            return Err(Error::TooManyRedirects { limit: MAX_REDIRECTS });
        }
        self.followed += 1;
        let permanent = matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::PERMANENT_REDIRECT);
        if !permanent || self.redirected == Redirected::Temporary {
            self.redirected = Redirected::Temporary;
        } else {
            self.redirected = Redirected::Permanent;
            self.moved_to = Some(to.clone());
        }
        Ok(())
    }
}

/// Whether a status is a redirect that is followed.
pub(crate) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// As browsers do: 301 and 302 change POST, 303 changes everything but HEAD, 307 and 308 change nothing.
fn turns_into_get(status: StatusCode, method: &Method) -> bool {
    match status.as_u16() {
        301 | 302 => *method == Method::POST,
        303 => *method != Method::HEAD,
        _ => false,
    }
}

/// Whether secrets may follow the redirect: within the same origin, or from http to https.
fn may_share_secrets(from: &Url, to: &Url) -> bool {
    let upgraded = || {
        let ports = (from.port_or_known_default(), to.port_or_known_default());
        from.host() == to.host() && (from.scheme(), to.scheme()) == ("http", "https") && ports == (Some(80), Some(443))
    };
    from.origin() == to.origin() || upgraded()
}

/// Resolves `Location` against the URL of the response.
fn target(from: &Url, answer: &HeaderMap) -> Result<Url, Error> {
    let mut locations = answer.get_all(LOCATION).iter();
    let location = locations.next().ok_or_else(|| refused("it has no address"))?;
    if locations.any(|other| other != location) {
        return Err(refused("it has several addresses"));
    }
    if location.len() > MAX_URL_BYTES {
        return Err(refused("its address is too long"));
    }
    // Encodes bytes outside ASCII, as browsers do.
    let location = percent_encode(location.as_bytes(), &AsciiSet::EMPTY).to_string();
    let location = location.trim();
    if location.is_empty() {
        return Err(refused("its address is empty"));
    }
    let mut url = from.join(location).map_err(|error| refused(&format!("its address is not valid: {error}")))?;
    // A redirect without a fragment inherits the old one (Fetch standard, "location URL").
    if url.fragment().is_none() {
        url.set_fragment(from.fragment());
    }
    if url.as_str().len() > MAX_URL_BYTES {
        return Err(refused("its address is too long"));
    }
    Ok(url)
}

fn refused(reason: &str) -> Error {
    Error::Redirect { reason: reason.to_owned() }
}
