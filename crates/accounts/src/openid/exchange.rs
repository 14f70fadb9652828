//! From the code that the browser brings to the tokens, and on to the page about the person.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use net::{HeaderValue, Request, Response, header};
use serde::Deserialize;
use url::form_urlencoded;

use super::id_token::Person;
use super::metadata::Metadata;
use super::wire::{Wire, quote, read};
use super::{Attempt, OpenIdError, ProviderSettings};

const TOKENS: &str = "the tokens";

/// What a code is exchanged for.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: Option<String>,
    pub(super) access_token: Option<String>,
}

#[derive(Default, Deserialize)]
struct Failure {
    error: Option<String>,
    error_description: Option<String>,
}

/// How the client proves who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SecretBy {
    Header,
    Body,
}

/// Everything that an exchange needs.
pub(super) struct Exchange<'a> {
    pub(super) wire: &'a Wire,
    pub(super) metadata: &'a Metadata,
    pub(super) settings: &'a ProviderSettings,
    pub(super) attempt: &'a Attempt,
    pub(super) code: &'a str,
}

impl Exchange<'_> {
    /// Exchanges the code.
    ///
    /// Most providers that list both ways of showing the secret take either, but some hold each client to one of the
    /// two. The refusal of a client comes before the code is looked at, so the other way can still be tried.
    pub(super) async fn redeem(&self) -> Result<Tokens, OpenIdError> {
        let ways = [(SecretBy::Header, "client_secret_basic"), (SecretBy::Body, "client_secret_post")];
        let ways: Vec<_> = ways.into_iter().filter(|(_, name)| self.metadata.takes_secret_by(name)).collect();
        let mut refusal = OpenIdError::misconfigured("it takes a client's secret in no way that is known here");
        for (way, _) in ways {
            let response = self.ask(way).await?;
            if response.status.is_success() {
                return read(TOKENS, &response);
            }
            match self.refused(&response) {
                error @ OpenIdError::ProviderMisconfigured { .. } => refusal = error,
                error => return Err(error),
            }
        }
        Err(refusal)
    }

    async fn ask(&self, way: SecretBy) -> Result<Response, OpenIdError> {
        let (form, basic) = (self.form(way), self.basic()?);
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        let json = HeaderValue::from_static("application/json");
        let request = |url| {
            let request = Request::post(url, form_type, form).header(header::ACCEPT, json);
            if way == SecretBy::Header { request.header(header::AUTHORIZATION, basic) } else { request }
        };
        self.wire.send(TOKENS, &self.metadata.token_endpoint, request).await
    }

    fn form(&self, way: SecretBy) -> String {
        let settings = self.settings;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", self.code)
            .append_pair("redirect_uri", settings.redirect_url.as_str())
            .append_pair("code_verifier", self.attempt.verifier.expose());
        if way == SecretBy::Body {
            form.append_pair("client_id", &settings.client_id)
                .append_pair("client_secret", settings.client_secret.expose());
        }
        form.finish()
    }

    /// Each half is escaped like a form's before it is encoded (RFC 6749, section 2.3.1).
    fn basic(&self) -> Result<HeaderValue, OpenIdError> {
        let escape = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let pair = format!("{}:{}", escape(&self.settings.client_id), escape(self.settings.client_secret.expose()));
        HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair)))
            .map_err(|_| OpenIdError::misconfigured("the client's secret cannot be sent"))
    }

    fn refused(&self, response: &Response) -> OpenIdError {
        let status = response.status;
        let failure: Failure = serde_json::from_slice(&response.body).unwrap_or_default();
        let secrets = [self.settings.client_secret.expose(), self.code, self.attempt.verifier.expose()];
        let said = [failure.error.as_deref(), failure.error_description.as_deref()];
        let said: Vec<String> = said.into_iter().flatten().map(|text| quote(text, &secrets)).collect();
        let reason = format!("it answered {status} when asked for {TOKENS} ({})", said.join(": "));
        match failure.error.as_deref() {
            Some("invalid_client" | "unauthorized_client") => OpenIdError::misconfigured(reason),
            None if status == net::StatusCode::UNAUTHORIZED => OpenIdError::misconfigured(reason),
            _ => OpenIdError::failed(reason),
        }
    }
}

/// Asks for the page about the person whom the access token belongs to.
pub(super) async fn fetch_person(
    wire: &Wire,
    metadata: &Metadata,
    access_token: &str,
) -> Result<Option<Person>, OpenIdError> {
    let (Some(url), Ok(bearer)) =
        (&metadata.userinfo_endpoint, HeaderValue::from_str(&format!("Bearer {access_token}")))
    else {
        return Ok(None);
    };
    let what = "the person's details";
    let request = |url| Request::get(url).header(header::AUTHORIZATION, bearer);
    read(what, &wire.send(what, url, request).await?).map(Some)
}
