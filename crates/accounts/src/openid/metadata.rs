//! How a provider describes itself (OpenID Connect Discovery), and whether it is the one that was configured.

use net::Url;
use serde::Deserialize;

use super::wire::{Wire, quote};
use super::{Attempt, OpenIdError, ProviderSettings};

/// Google, by its own name.
const GOOGLE: &str = "https://accounts.google.com";

/// The name that Google still writes into some id tokens.
const GOOGLE_LEGACY: &str = "accounts.google.com";

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// What a provider says about itself, checked.
#[derive(Debug)]
pub(super) struct Metadata {
    /// Its name for itself, to the letter.
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) keys_url: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    /// Whether it promises to say who it is when it sends the browser back (RFC 9207).
    pub(super) promises_issuer: bool,
    scopes: Option<Vec<String>>,
    auth_methods: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Document {
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
    /// Asks the provider for its description.
    pub(super) async fn fetch(wire: &Wire) -> Result<Self, OpenIdError> {
        let document: Document = wire.fetch("its description", &well_known(&wire.issuer)?).await?;
        Self::judge(document, &wire.issuer)
    }

    fn judge(document: Document, configured: &Url) -> Result<Self, OpenIdError> {
        if !is_issuer(configured, &document.issuer) {
            let name = quote(&document.issuer, &[]);
            return Err(OpenIdError::misconfigured(format!(
                "it calls itself {name}, and the setting says {configured}"
            )));
        }
        let endpoint = |text: &str| endpoint(configured, text);
        Ok(Self {
            authorization_endpoint: endpoint(&document.authorization_endpoint)?,
            token_endpoint: endpoint(&document.token_endpoint)?,
            keys_url: endpoint(&document.jwks_uri)?,
            userinfo_endpoint: document.userinfo_endpoint.as_deref().map(endpoint).transpose()?,
            issuer: document.issuer,
            promises_issuer: document.authorization_response_iss_parameter_supported,
            scopes: document.scopes_supported,
            auth_methods: document.token_endpoint_auth_methods_supported,
        })
    }

    /// Whether a name in an answer is this provider's.
    pub(super) fn is_named(&self, issuer: &str) -> bool {
        issuer == self.issuer || (self.is_google() && issuer == GOOGLE_LEGACY)
    }

    /// Where the browser is sent.
    pub(super) fn authorization_url(&self, settings: &ProviderSettings, attempt: &Attempt) -> Url {
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
            // Without it, whoever is signed in to one account there can never choose another.
            url.query_pairs_mut().append_pair("prompt", "select_account");
        }
        url
    }

    /// Whether the provider takes the client's secret in this way; the first way is the one when it does not say.
    pub(super) fn takes_secret_by(&self, method: &str) -> bool {
        match &self.auth_methods {
            Some(methods) => methods.iter().any(|known| known == method),
            None => method == "client_secret_basic",
        }
    }

    fn is_google(&self) -> bool {
        self.issuer == GOOGLE
    }

    /// A provider may refuse a scope that it does not know.
    fn scope(&self) -> String {
        let known = |scope: &&str| self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|known| known == scope));
        ["openid"].into_iter().chain(["email", "profile"].into_iter().filter(known)).collect::<Vec<_>>().join(" ")
    }
}

/// An issuer is a text, compared to the letter; only the slash of an empty path is the URL library's own.
fn is_issuer(configured: &Url, text: &str) -> bool {
    let configured_text = configured.as_str();
    let without_slash = configured_text.strip_suffix('/').filter(|_| configured.path() == "/");
    text == configured_text || without_slash == Some(text)
}

fn well_known(issuer: &Url) -> Result<Url, OpenIdError> {
    let text = issuer.as_str().trim_end_matches('/');
    net::parse_url(&format!("{text}{WELL_KNOWN}")).map_err(|error| OpenIdError::misconfigured(error.to_string()))
}

/// An address out of the description; one without TLS only if the operator asked for a provider without.
fn endpoint(issuer: &Url, text: &str) -> Result<Url, OpenIdError> {
    let url = net::parse_url(text).ok().filter(|url| match url.scheme() {
        "https" => true,
        "http" => issuer.scheme() == "http",
        _ => false,
    });
    url.ok_or_else(|| OpenIdError::misconfigured(format!("it names {} as an address of its own", quote(text, &[]))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openid::{ProviderId, Secret};

    fn judge(configured: &str, issuer: &str, endpoint: &str) -> Result<Metadata, OpenIdError> {
        let document = serde_json::json!({
            "issuer": issuer, "authorization_endpoint": endpoint, "token_endpoint": endpoint, "jwks_uri": endpoint,
        });
        Metadata::judge(serde_json::from_value(document).unwrap(), &configured.parse().unwrap())
    }

    #[test]
    fn an_issuer_is_compared_to_the_letter() {
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
            let outcome = judge(configured, issuer, "https://sso.test/x");
            assert_eq!(outcome.is_ok(), same, "{configured} {issuer}: {outcome:?}");
        }
    }

    #[test]
    fn the_description_is_where_the_standard_says() {
        for (issuer, expected) in [
            ("https://sso.test", "https://sso.test/.well-known/openid-configuration"),
            ("https://sso.test/a/", "https://sso.test/a/.well-known/openid-configuration"),
        ] {
            assert_eq!(well_known(&issuer.parse().unwrap()).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn a_provider_with_tls_has_no_address_without() {
        assert!(judge("https://sso.test", "https://sso.test", "http://sso.test/x").is_err());
        assert!(judge("http://sso.test", "http://sso.test", "http://sso.test/x").is_ok());
        assert!(judge("http://sso.test", "http://sso.test", "https://sso.test/x").is_ok());
    }

    #[test]
    fn google_has_two_names_and_lets_people_choose() {
        let google = judge(GOOGLE, GOOGLE, "https://accounts.google.com/o/oauth2/v2/auth").unwrap();
        assert!(google.is_named(GOOGLE) && google.is_named("accounts.google.com"));
        assert!(
            !google.is_named("http://accounts.google.com") && !google.is_named("https://accounts.google.com.evil.test")
        );
        let other = judge("https://sso.test", "https://sso.test", "https://sso.test/auth").unwrap();
        assert!(!other.is_named("sso.test") && !other.is_named("accounts.google.com"));

        let settings = ProviderSettings {
            id: ProviderId::Google,
            name: "Google".to_owned(),
            issuer: GOOGLE.parse().unwrap(),
            client_id: "me".to_owned(),
            client_secret: Secret::new("hunter2"),
            redirect_url: "https://news.test/auth/google/callback".parse().unwrap(),
        };
        let attempt = Attempt::new(ProviderId::Google, chrono::DateTime::UNIX_EPOCH);
        assert!(google.authorization_url(&settings, &attempt).as_str().contains("prompt=select_account"));
        assert!(!other.authorization_url(&settings, &attempt).as_str().contains("prompt="));
    }
}
