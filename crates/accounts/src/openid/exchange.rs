//! Exchanges the authorization code for tokens, and fetches the userinfo response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use net::{HeaderValue, Request, Response, header};
use serde::Deserialize;
use url::form_urlencoded;

use super::id_token::UserClaims;
use super::metadata::Metadata;
use super::provider_client::{ProviderClient, parse, quote};
use super::{OpenIdError, ProviderSettings, SignInAttempt};

const TOKENS: &str = "the tokens";

/// The response of the token endpoint.
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

/// Where the request has the client's secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClientSecretIn {
    Header,
    Body,
}

/// The input of an exchange.
pub(super) struct Exchange<'a> {
    pub(super) client: &'a ProviderClient,
    pub(super) metadata: &'a Metadata,
    pub(super) settings: &'a ProviderSettings,
    pub(super) attempt: &'a SignInAttempt,
    pub(super) code: &'a str,
}

impl Exchange<'_> {
    /// Exchanges the code for tokens.
    ///
    /// Most providers that list both client authentication methods accept either, but some restrict each client to one.
    /// They reject the client before they redeem the code, so the other method can still be tried.
    pub(super) async fn redeem(&self) -> Result<Tokens, OpenIdError> {
        let methods = [(ClientSecretIn::Header, "client_secret_basic"), (ClientSecretIn::Body, "client_secret_post")];
        let methods: Vec<_> =
            methods.into_iter().filter(|(_, name)| self.metadata.supports_client_auth(name)).collect();
        let mut refusal = OpenIdError::misconfigured("it supports neither client_secret_basic nor client_secret_post");
        for (secret_in, _) in methods {
            let response = self.send(secret_in).await?;
            if response.status.is_success() {
                return parse(TOKENS, &response);
            }
            match self.refused(&response) {
                error @ OpenIdError::ProviderMisconfigured { .. } => refusal = error,
                error => return Err(error),
            }
        }
        Err(refusal)
    }

    async fn send(&self, secret_in: ClientSecretIn) -> Result<Response, OpenIdError> {
        let (form, basic) = (self.form(secret_in), self.basic()?);
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        let json = HeaderValue::from_static("application/json");
        let request = |url| {
            let request = Request::post(url, form_type, form).header(header::ACCEPT, json);
            if secret_in == ClientSecretIn::Header { request.header(header::AUTHORIZATION, basic) } else { request }
        };
        self.client.send(TOKENS, &self.metadata.token_endpoint, request).await
    }

    fn form(&self, secret_in: ClientSecretIn) -> String {
        let settings = self.settings;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", self.code)
            .append_pair("redirect_uri", settings.redirect_url.as_str())
            .append_pair("code_verifier", self.attempt.verifier.expose());
        if secret_in == ClientSecretIn::Body {
            form.append_pair("client_id", &settings.client_id)
                .append_pair("client_secret", settings.client_secret.expose());
        }
        form.finish()
    }

    /// Both halves are form-encoded first (RFC 6749, section 2.3.1).
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
        let details = [failure.error.as_deref(), failure.error_description.as_deref()];
        let details: Vec<String> = details.into_iter().flatten().map(|text| quote(text, &secrets)).collect();
        let reason = format!("it answered {status} when asked for {TOKENS} ({})", details.join(": "));
        match failure.error.as_deref() {
            Some("invalid_client" | "unauthorized_client") => OpenIdError::misconfigured(reason),
            None if status == net::StatusCode::UNAUTHORIZED => OpenIdError::misconfigured(reason),
            _ => OpenIdError::failed(reason),
        }
    }
}

/// Fetches the userinfo response for an access token; `None` if the provider has no userinfo endpoint.
pub(super) async fn fetch_user_claims(
    client: &ProviderClient,
    metadata: &Metadata,
    access_token: &str,
) -> Result<Option<UserClaims>, OpenIdError> {
    let (Some(url), Ok(bearer)) =
        (&metadata.userinfo_endpoint, HeaderValue::from_str(&format!("Bearer {access_token}")))
    else {
        return Ok(None);
    };
    let what = "the userinfo response";
    let request = |url| Request::get(url).header(header::AUTHORIZATION, bearer);
    parse(what, &client.send(what, url, request).await?).map(Some)
}
