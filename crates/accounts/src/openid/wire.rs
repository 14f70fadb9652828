//! Questions to the provider, all through `net`, and what it says when something is wrong.

use net::{Redirected, Request, Response, Trust, Urgency, Url};
use serde::de::DeserializeOwned;

use super::OpenIdError;

/// The largest answer: a hundred times what providers send.
const MAX_BODY_BYTES: usize = 512 * 1024;

/// The longest quotation of a provider's own words.
const MAX_QUOTED_CHARS: usize = 200;

/// The line to one provider.
pub(super) struct Wire {
    pub(super) net: net::Client,
    pub(super) issuer: Url,
}

impl Wire {
    /// Fetches a document; `what` it is, for words about failures.
    pub(super) async fn fetch<T: DeserializeOwned>(&self, what: &str, url: &Url) -> Result<T, OpenIdError> {
        let response = self.send(what, url, Request::get).await?;
        let status = response.status;
        if status.is_client_error() {
            return Err(OpenIdError::misconfigured(format!("it answers {status} when asked for {what}")));
        }
        read(what, &response)
    }

    /// Sends a request and wants the answer from the very address that was asked.
    ///
    /// The operator chose the issuer, so its origin may be on a network of their own. Any other origin was chosen by the
    /// provider (Google's tokens come from another host than its issuer), and must be a public one.
    pub(super) async fn send(
        &self,
        what: &str,
        url: &Url,
        request: impl FnOnce(Url) -> Request,
    ) -> Result<Response, OpenIdError> {
        let trust = if url.origin() == self.issuer.origin() { Trust::Operator } else { Trust::Public };
        let request = request(url.clone()).trust(trust).urgency(Urgency::Interactive).max_body_bytes(MAX_BODY_BYTES);
        let response = self.net.send(request).await.map_err(|error| no_answer(what, error))?;
        if response.redirected == Redirected::No {
            Ok(response)
        } else {
            Err(OpenIdError::misconfigured(format!("it answers from another address when asked for {what}")))
        }
    }
}

/// Reads a successful answer.
pub(super) fn read<T: DeserializeOwned>(what: &str, response: &Response) -> Result<T, OpenIdError> {
    let status = response.status;
    if !status.is_success() {
        return Err(OpenIdError::failed(format!("it answered {status} when asked for {what}")));
    }
    // The parser's own words quote the document, which may hold a token.
    serde_json::from_slice(&response.body)
        .map_err(|_| OpenIdError::failed(format!("its answer makes no sense when asked for {what}")))
}

/// A provider's own words, made harmless for a log, without the given secrets.
pub(super) fn quote(text: &str, secrets: &[&str]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "(hidden)");
    }
    text.chars().filter(|character| !character.is_control()).take(MAX_QUOTED_CHARS).collect()
}

fn no_answer(what: &str, error: net::Error) -> OpenIdError {
    match error {
        net::Error::Blocked { .. } | net::Error::InvalidUrl { .. } => {
            OpenIdError::misconfigured(format!("its address for {what} is {error}"))
        }
        net::Error::TooLarge { .. }
        | net::Error::Decode { .. }
        | net::Error::Protocol { .. }
        | net::Error::Redirect { .. }
        | net::Error::TooManyRedirects { .. } => OpenIdError::failed(format!("{error} when asked for {what}")),
        _ => OpenIdError::ProviderUnreachable { source: error.into() },
    }
}
