//! HTTP requests to a provider, and their errors.

use net::{Redirected, Request, Response, Trust, Urgency, Url};
use serde::de::DeserializeOwned;

use super::OpenIdError;

/// A hundred times the usual size.
const MAX_BODY_BYTES: usize = 512 * 1024;

/// Limit of a provider's text in an error message.
const MAX_QUOTED_CHARS: usize = 200;

/// Sends requests to one provider.
pub(super) struct ProviderClient {
    pub(super) net: net::Client,
    pub(super) issuer: Url,
}

impl ProviderClient {
    /// Fetches a JSON document. Error messages call it `what`.
    pub(super) async fn fetch<T: DeserializeOwned>(&self, what: &str, url: &Url) -> Result<T, OpenIdError> {
        let response = self.send(what, url, Request::get).await?;
        let status = response.status;
        if status.is_client_error() {
            return Err(OpenIdError::misconfigured(format!("it answers {status} when asked for {what}")));
        }
        parse(what, &response)
    }

    /// Sends a request. A redirect is an error.
    ///
    /// The operator chose the issuer, so its origin may be in a private network. The provider chose all other origins (Google
    /// has tokens and issuer on different hosts), so those must be public.
    pub(super) async fn send(
        &self,
        what: &str,
        url: &Url,
        request: impl FnOnce(Url) -> Request,
    ) -> Result<Response, OpenIdError> {
        let trust = if url.origin() == self.issuer.origin() { Trust::Operator } else { Trust::Public };
        let request = request(url.clone()).trust(trust).urgency(Urgency::Interactive).max_body_bytes(MAX_BODY_BYTES);
        let response = self.net.send(request).await.map_err(|error| network_error(what, error))?;
        if response.redirected == Redirected::No {
            Ok(response)
        } else {
            Err(OpenIdError::misconfigured(format!("it redirects when asked for {what}")))
        }
    }
}

/// Parses a successful response.
pub(super) fn parse<T: DeserializeOwned>(what: &str, response: &Response) -> Result<T, OpenIdError> {
    let status = response.status;
    if !status.is_success() {
        return Err(OpenIdError::failed(format!("it answered {status} when asked for {what}")));
    }
    // The message of the parser is left out: it quotes the document, which may contain a token.
    serde_json::from_slice(&response.body)
        .map_err(|_| OpenIdError::failed(format!("its answer is not valid when asked for {what}")))
}

/// A text of the provider without control characters and the given secrets, for a log.
pub(super) fn quote(text: &str, secrets: &[&str]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "(hidden)");
    }
    text.chars().filter(|character| !character.is_control()).take(MAX_QUOTED_CHARS).collect()
}

fn network_error(what: &str, error: net::Error) -> OpenIdError {
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
