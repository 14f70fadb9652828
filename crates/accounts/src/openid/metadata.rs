//! The provider metadata (OpenID Connect Discovery) and its validation against the settings.

use net::Url;
use serde::Deserialize;

use super::provider_client::{ProviderClient, quote};
use super::{OpenIdError, ProviderSettings, SignInAttempt};

/// Google's issuer identifier.
const GOOGLE: &str = "https://accounts.google.com";

/// The issuer that Google still writes into some id tokens.
const GOOGLE_LEGACY: &str = "accounts.google.com";

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// Validated provider metadata.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) keys_url: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    /// Whether callbacks always have the parameter `iss` (RFC 9207).
    pub(super) sends_issuer: bool,
    scopes: Option<Vec<String>>,
    auth_methods: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct MetadataDocument {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    scopes_supported: Option<Vec<String>>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Metadata {
    /// Fetches the metadata of the provider.
    pub(super) async fn fetch(client: &ProviderClient) -> Result<Self, OpenIdError> {
        let document: MetadataDocument = client.fetch("its metadata", &well_known(&client.issuer)?).await?;
        Self::validate(document, &client.issuer)
    }

    fn validate(document: MetadataDocument, configured: &Url) -> Result<Self, OpenIdError> {
        if !is_configured_issuer(configured, &document.issuer) {
            let name = quote(&document.issuer, &[]);
            return Err(OpenIdError::misconfigured(format!("its issuer is {name}, but the setting says {configured}")));
        }
        let endpoint = |text: &str| endpoint(configured, text);
        Ok(Self {
            authorization_endpoint: endpoint(&document.authorization_endpoint)?,
            token_endpoint: endpoint(&document.token_endpoint)?,
            keys_url: endpoint(&document.jwks_uri)?,
            userinfo_endpoint: document.userinfo_endpoint.as_deref().map(endpoint).transpose()?,
            issuer: document.issuer,
            sends_issuer: document.authorization_response_iss_parameter_supported,
            scopes: document.scopes_supported,
            auth_methods: document.token_endpoint_auth_methods_supported,
        })
    }

    /// Whether this issuer identifier is the provider's.
    pub(super) fn is_issuer(&self, issuer: &str) -> bool {
        issuer == self.issuer || (self.is_google() && issuer == GOOGLE_LEGACY)
    }

    /// The address to send the browser to.
    pub(super) fn authorization_url(&self, settings: &ProviderSettings, attempt: &SignInAttempt) -> Url {
        let mut url = self.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &settings.client_id)
            .append_pair("redirect_uri", settings.redirect_url.as_str())
            .append_pair("scope", &self.scope())
            .append_pair("state", attempt.state.expose())
            .append_pair("nonce", attempt.nonce.expose())
            .append_pair("code_challenge", &attempt.challenge())
            .append_pair("code_challenge_method", "S256");
        if self.is_google() {
            // Lets a user who is signed in to one Google account choose another.
            url.query_pairs_mut().append_pair("prompt", "select_account");
        }
        url
    }

    /// Whether the token endpoint supports this client authentication method. The default is `client_secret_basic`.
    pub(super) fn supports_client_auth(&self, method: &str) -> bool {
        match &self.auth_methods {
            Some(methods) => methods.iter().any(|known| known == method),
            None => method == "client_secret_basic",
        }
    }

    fn is_google(&self) -> bool {
        self.issuer == GOOGLE
    }

    /// Requests only supported scopes: a provider may reject unknown ones.
    fn scope(&self) -> String {
        let known = |scope: &&str| self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|known| known == scope));
        ["openid"].into_iter().chain(["email", "profile"].into_iter().filter(known)).collect::<Vec<_>>().join(" ")
    }
}

/// Compares issuers exactly. `Url` adds the slash of an empty path, so that one may be missing.
fn is_configured_issuer(configured: &Url, text: &str) -> bool {
    let configured_text = configured.as_str();
    let without_slash = configured_text.strip_suffix('/').filter(|_| configured.path() == "/");
    text == configured_text || without_slash == Some(text)
}

fn well_known(issuer: &Url) -> Result<Url, OpenIdError> {
    let text = issuer.as_str().trim_end_matches('/');
    net::parse_url(&format!("{text}{WELL_KNOWN}")).map_err(|error| OpenIdError::misconfigured(error.to_string()))
}

/// Parses an endpoint address. Plain HTTP is accepted only if the configured issuer uses it.
fn endpoint(issuer: &Url, text: &str) -> Result<Url, OpenIdError> {
    let url = net::parse_url(text).ok().filter(|url| match url.scheme() {
        "https" => true,
        "http" => issuer.scheme() == "http",
        _ => false,
    });
    url.ok_or_else(|| OpenIdError::misconfigured(format!("{} is not a valid endpoint", quote(text, &[]))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openid::{OpenIdSecret, ProviderId};

    fn validate(configured: &str, issuer: &str, endpoint: &str) -> Result<Metadata, OpenIdError> {
        let document = serde_json::json!({
            "issuer": issuer, "authorization_endpoint": endpoint, "token_endpoint": endpoint, "jwks_uri": endpoint,
        });
        Metadata::validate(serde_json::from_value(document).unwrap(), &configured.parse().unwrap())
    }

    #[test]
    fn issuers_are_compared_exactly() {
        for (configured, issuer, same) in [
            ("https://sso.test", "https://sso.test", true),
            ("https://sso.test/", "https://sso.test", true),
            ("https://sso.test", "https://sso.test/", true),
            ("https://sso.test/realms/a", "https://sso.test/realms/a", true),
            ("https://sso.test/realms/a/", "https://sso.test/realms/a/", true),
            ("https://sso.test/realms/a", "https://sso.test/realms/a/", false),
            ("https://sso.test/realms/a/", "https://sso.test/realms/a", false),
            ("https://sso.test", "https://sso.test//", false),
            ("https://sso.test", "https://SSO.test", false),
            ("https://sso.test", "http://sso.test", false),
            ("https://sso.test", "https://sso.test:443", false),
            ("https://sso.test", "", false),
        ] {
            let outcome = validate(configured, issuer, "https://sso.test/x");
            assert_eq!(outcome.is_ok(), same, "{configured} {issuer}: {outcome:?}");
        }
    }

    #[test]
    fn metadata_is_at_the_well_known_address() {
        for (issuer, expected) in [
            ("https://sso.test", "https://sso.test/.well-known/openid-configuration"),
            ("https://sso.test/a/", "https://sso.test/a/.well-known/openid-configuration"),
        ] {
            assert_eq!(well_known(&issuer.parse().unwrap()).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn https_provider_has_no_http_endpoint() {
        assert!(validate("https://sso.test", "https://sso.test", "http://sso.test/x").is_err());
        assert!(validate("http://sso.test", "http://sso.test", "http://sso.test/x").is_ok());
        assert!(validate("http://sso.test", "http://sso.test", "https://sso.test/x").is_ok());
    }

    #[test]
    fn google_has_two_issuers_and_account_choice() {
        let google = validate(GOOGLE, GOOGLE, "https://accounts.google.com/o/oauth2/v2/auth").unwrap();
        assert!(google.is_issuer(GOOGLE) && google.is_issuer("accounts.google.com"));
        assert!(
            !google.is_issuer("http://accounts.google.com")
                && !google.is_issuer("https://accounts.google.com.evil.test")
        );
        let other = validate("https://sso.test", "https://sso.test", "https://sso.test/auth").unwrap();
        assert!(!other.is_issuer("sso.test") && !other.is_issuer("accounts.google.com"));

        let settings = ProviderSettings {
            id: ProviderId::Google,
            name: "Google".to_owned(),
            issuer: GOOGLE.parse().unwrap(),
            client_id: "me".to_owned(),
            client_secret: OpenIdSecret::new("hunter2"),
            redirect_url: "https://news.test/auth/google/callback".parse().unwrap(),
        };
        let attempt = SignInAttempt::new(ProviderId::Google, chrono::DateTime::UNIX_EPOCH);
        assert!(google.authorization_url(&settings, &attempt).as_str().contains("prompt=select_account"));
        assert!(!other.authorization_url(&settings, &attempt).as_str().contains("prompt="));
    }
}
