//! A configured provider: begins and finishes sign-in attempts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use net::Url;
use serde::{Deserialize, Serialize};
use store::Clock;

use super::cache::Cached;
use super::exchange::{Exchange, Tokens, fetch_user_claims};
use super::id_token::{ExpectedClaims, IdToken, UserClaims};
use super::keys::SigningKeys;
use super::metadata::Metadata;
use super::provider_client::{ProviderClient, quote};
use super::{Callback, Claims, Forgery, OpenIdError, OpenIdSecret, SignInAttempt};

/// The id of a configured provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderId {
    /// Google (`GOOGLE_CLIENT_ID`).
    Google,
    /// Any other (`OIDC_ISSUER`).
    Oidc,
}

impl ProviderId {
    /// The name in the database and in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Oidc => "oidc",
        }
    }
}

impl fmt::Display for ProviderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of parsing a [`ProviderId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such provider")]
pub struct UnknownProvider;

impl FromStr for ProviderId {
    type Err = UnknownProvider;

    fn from_str(text: &str) -> Result<Self, UnknownProvider> {
        [Self::Google, Self::Oidc].into_iter().find(|id| id.as_str() == text).ok_or(UnknownProvider)
    }
}

/// The operator's settings of a provider.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    pub id: ProviderId,
    /// The display name, such as "Google".
    pub name: String,
    pub issuer: Url,
    pub client_id: String,
    pub client_secret: OpenIdSecret,
    /// The address of the callback.
    pub redirect_url: Url,
}

/// A provider that users can sign in with. Clones share the cached metadata and keys.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

struct Inner {
    settings: ProviderSettings,
    client: ProviderClient,
    clock: Clock,
    metadata: Cached<Metadata>,
    keys: Cached<SigningKeys>,
}

impl Provider {
    /// Creates a provider. It sends no request before the first sign-in.
    pub fn new(settings: ProviderSettings, net: net::Client, clock: Clock) -> Self {
        let client = ProviderClient { net, issuer: settings.issuer.clone() };
        Self(Arc::new(Inner { settings, client, clock, metadata: Cached::default(), keys: Cached::default() }))
    }

    /// The id of the provider.
    pub fn id(&self) -> ProviderId {
        self.0.settings.id
    }

    /// The display name.
    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    /// Begins an attempt: returns the address to send the browser to, and the attempt for its cookie.
    pub async fn begin(&self) -> Result<(Url, SignInAttempt), OpenIdError> {
        let metadata = self.0.metadata().await?;
        let attempt = SignInAttempt::new(self.id(), self.0.clock.now());
        Ok((metadata.authorization_url(&self.0.settings, &attempt), attempt))
    }

    /// Finishes an attempt and returns the verified claims.
    ///
    /// An attempt must be finished only once: the provider redeems a code once, and the caller clears the cookie of the
    /// attempt.
    pub async fn finish(&self, attempt: &SignInAttempt, callback: &Callback) -> Result<Claims, OpenIdError> {
        let inner = &*self.0;
        attempt.check(inner.settings.id, callback.state.as_deref(), inner.clock.now())?;
        let metadata = inner.metadata().await?;
        let code = code_of(callback, &metadata)?;
        let exchange =
            Exchange { client: &inner.client, metadata: &metadata, settings: &inner.settings, attempt, code };
        let tokens = exchange.redeem().await?;
        let user = inner.verify_id_token(&tokens, &metadata, attempt).await?;
        let access_token = tokens.access_token.as_deref().filter(|_| user.email().is_none());
        let details = match access_token {
            Some(token) => fetch_user_claims(&inner.client, &metadata, token).await?,
            None => None,
        };
        if details.as_ref().is_some_and(|details| details.subject != user.subject) {
            return Err(Forgery::Userinfo.into());
        }
        Ok(inner.claims(&metadata, user, details))
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Provider").field(&self.0.settings).finish()
    }
}

impl Inner {
    async fn metadata(&self) -> Result<Arc<Metadata>, OpenIdError> {
        self.metadata.get(self.clock.now(), async || Metadata::fetch(&self.client).await).await
    }

    /// Verifies the signature and the claims of the id token.
    async fn verify_id_token(
        &self,
        tokens: &Tokens,
        metadata: &Metadata,
        attempt: &SignInAttempt,
    ) -> Result<UserClaims, OpenIdError> {
        let id_token = tokens.id_token.as_deref().ok_or_else(|| OpenIdError::failed("it gave no id token"))?;
        let id_token = IdToken::parse(id_token)?;
        self.verify_signature(&id_token, metadata).await?;
        let expected = ExpectedClaims {
            metadata,
            client_id: &self.settings.client_id,
            nonce: &attempt.nonce,
            access_token: tokens.access_token.as_deref(),
            now: self.clock.now(),
        };
        Ok(id_token.validate(&expected)?)
    }

    /// Verifies the signature. If no cached key matches, it fetches the keys again: providers rotate them.
    async fn verify_signature(&self, id_token: &IdToken<'_>, metadata: &Metadata) -> Result<(), OpenIdError> {
        let fetch = async || SigningKeys::fetch(&self.client, &metadata.keys_url).await;
        let keys = self.keys.get(self.clock.now(), fetch).await?;
        let outcome = keys.verify(&id_token.signed());
        let may_be_new = match outcome {
            Err(Forgery::UnknownKey) => true,
            Err(_) => !id_token.has_key_id(),
            Ok(()) => false,
        };
        if !may_be_new {
            return Ok(outcome?);
        }
        let keys = self.keys.newer(keys, self.clock.now(), fetch).await?;
        Ok(keys.verify(&id_token.signed())?)
    }

    fn claims(&self, metadata: &Metadata, user: UserClaims, details: Option<UserClaims>) -> Claims {
        let name = user.name().or_else(|| details.as_ref().and_then(UserClaims::name));
        let source = details.as_ref().unwrap_or(&user);
        Claims {
            provider: self.settings.id,
            issuer: metadata.issuer.clone(),
            email: source.email(),
            email_verified: source.email().is_some() && source.email_verified(),
            name,
            subject: user.subject,
        }
    }
}

/// The code in a callback, if the callback is from this provider and not an error.
fn code_of<'a>(callback: &'a Callback, metadata: &Metadata) -> Result<&'a str, OpenIdError> {
    let from_here = match &callback.iss {
        Some(issuer) => metadata.is_issuer(issuer),
        None => !metadata.sends_issuer || callback.error.is_some(),
    };
    if !from_here {
        return Err(Forgery::CallbackIssuer.into());
    }
    match callback.error.as_deref() {
        None => callback.code.as_deref().ok_or_else(|| OpenIdError::failed("its callback has no code")),
        Some("access_denied") => Err(OpenIdError::SignInRefused),
        Some(error) => {
            let description = quote(callback.error_description.as_deref().unwrap_or_default(), &[]);
            let reason = format!("its callback has the error {}: {description}", quote(error, &[]));
            Err(match error {
                "invalid_request" | "invalid_scope" | "unauthorized_client" | "unsupported_response_type" => {
                    OpenIdError::misconfigured(reason)
                }
                _ => OpenIdError::failed(reason),
            })
        }
    }
}
