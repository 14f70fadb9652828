//! A configured provider: where an attempt begins and where it ends.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use net::Url;
use serde::{Deserialize, Serialize};
use store::Clock;

use super::cache::Cached;
use super::exchange::{Exchange, Tokens, fetch_person};
use super::id_token::{Expected, IdToken, Person};
use super::keys::Keys;
use super::metadata::Metadata;
use super::wire::{Wire, quote};
use super::{Attempt, Callback, Claims, Forgery, OpenIdError, Secret};

/// Which of the configured providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderId {
    /// Google (`GOOGLE_CLIENT_ID`).
    Google,
    /// Any other (`OIDC_ISSUER`).
    Oidc,
}

impl ProviderId {
    /// As it is stored and as it stands in addresses.
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

/// There is no provider of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such provider")]
pub struct UnknownProvider;

impl FromStr for ProviderId {
    type Err = UnknownProvider;

    fn from_str(text: &str) -> Result<Self, UnknownProvider> {
        [Self::Google, Self::Oidc].into_iter().find(|id| id.as_str() == text).ok_or(UnknownProvider)
    }
}

/// What the operator says about a provider.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    pub id: ProviderId,
    /// What people know it by ("Google").
    pub name: String,
    /// Where its description is found, and what it must call itself.
    pub issuer: Url,
    pub client_id: String,
    pub client_secret: Secret,
    /// Where the browser comes back to.
    pub redirect_url: Url,
}

/// A provider that people can sign in with. Clones share what it said about itself.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

struct Inner {
    settings: ProviderSettings,
    wire: Wire,
    clock: Clock,
    metadata: Cached<Metadata>,
    keys: Cached<Keys>,
}

impl Provider {
    /// Sets a provider up; it is asked for nothing until somebody wants to sign in.
    pub fn new(settings: ProviderSettings, net: net::Client, clock: Clock) -> Self {
        let wire = Wire { net, issuer: settings.issuer.clone() };
        Self(Arc::new(Inner { settings, wire, clock, metadata: Cached::default(), keys: Cached::default() }))
    }

    /// Which of the configured providers it is.
    pub fn id(&self) -> ProviderId {
        self.0.settings.id
    }

    /// What people know it by.
    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    /// Begins an attempt: where to send the browser, and what the browser must bring back.
    pub async fn begin(&self) -> Result<(Url, Attempt), OpenIdError> {
        let metadata = self.0.metadata().await?;
        let attempt = Attempt::new(self.id(), self.0.clock.now());
        Ok((metadata.authorization_url(&self.0.settings, &attempt), attempt))
    }

    /// Ends an attempt: who the person is, if all of it can be trusted.
    ///
    /// An attempt may be finished once; that the same answer is not brought twice is for the provider, which redeems a
    /// code once, and for the caller, who takes the attempt from the browser when it comes back.
    pub async fn finish(&self, attempt: &Attempt, callback: &Callback) -> Result<Claims, OpenIdError> {
        let inner = &*self.0;
        attempt.judge(inner.settings.id, callback.state.as_deref(), inner.clock.now())?;
        let metadata = inner.metadata().await?;
        let code = code_of(callback, &metadata)?;
        let exchange = Exchange { wire: &inner.wire, metadata: &metadata, settings: &inner.settings, attempt, code };
        let tokens = exchange.redeem().await?;
        let person = inner.judge(&tokens, &metadata, attempt).await?;
        let access_token = tokens.access_token.as_deref().filter(|_| person.email().is_none());
        let details = match access_token {
            Some(token) => fetch_person(&inner.wire, &metadata, token).await?,
            None => None,
        };
        if details.as_ref().is_some_and(|details| details.subject != person.subject) {
            return Err(Forgery::Userinfo.into());
        }
        Ok(inner.claims(&metadata, person, details))
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Provider").field(&self.0.settings).finish()
    }
}

impl Inner {
    async fn metadata(&self) -> Result<Arc<Metadata>, OpenIdError> {
        self.metadata.get(self.clock.now(), async || Metadata::fetch(&self.wire).await).await
    }

    /// Who the id token is about, after its signature and everything it says was checked.
    async fn judge(&self, tokens: &Tokens, metadata: &Metadata, attempt: &Attempt) -> Result<Person, OpenIdError> {
        let id_token = tokens.id_token.as_deref().ok_or_else(|| OpenIdError::failed("it gave no id token"))?;
        let id_token = IdToken::parse(id_token)?;
        self.verify(&id_token, metadata).await?;
        let expected = Expected {
            metadata,
            client_id: &self.settings.client_id,
            nonce: &attempt.nonce,
            access_token: tokens.access_token.as_deref(),
            now: self.clock.now(),
        };
        Ok(id_token.judge(&expected)?)
    }

    /// Checks the signature, with newer keys if the known ones do not have the right one: providers change them.
    async fn verify(&self, id_token: &IdToken<'_>, metadata: &Metadata) -> Result<(), OpenIdError> {
        let fetch = async || Keys::fetch(&self.wire, &metadata.keys_url).await;
        let keys = self.keys.get(self.clock.now(), fetch).await?;
        let outcome = keys.verify(&id_token.signed());
        let may_be_new = match outcome {
            Err(Forgery::UnknownKey) => true,
            Err(_) => !id_token.names_its_key(),
            Ok(()) => false,
        };
        if !may_be_new {
            return Ok(outcome?);
        }
        let keys = self.keys.newer(keys, self.clock.now(), fetch).await?;
        Ok(keys.verify(&id_token.signed())?)
    }

    fn claims(&self, metadata: &Metadata, person: Person, details: Option<Person>) -> Claims {
        let name = person.name().or_else(|| details.as_ref().and_then(Person::name));
        let source = details.as_ref().unwrap_or(&person);
        Claims {
            provider: self.settings.id,
            issuer: metadata.issuer.clone(),
            email: source.email(),
            email_verified: source.email().is_some() && source.email_verified(),
            name,
            subject: person.subject,
        }
    }
}

/// The code that the browser brings, if it comes from this provider and not with a refusal.
fn code_of<'a>(callback: &'a Callback, metadata: &Metadata) -> Result<&'a str, OpenIdError> {
    let from_here = match &callback.iss {
        Some(issuer) => metadata.is_named(issuer),
        None => !metadata.promises_issuer || callback.error.is_some(),
    };
    if !from_here {
        return Err(Forgery::CallbackIssuer.into());
    }
    match callback.error.as_deref() {
        None => callback.code.as_deref().ok_or_else(|| OpenIdError::failed("it sent the browser back without a code")),
        Some("access_denied") => Err(OpenIdError::SignInRefused),
        Some(error) => {
            let words = quote(callback.error_description.as_deref().unwrap_or_default(), &[]);
            let reason = format!("it sent the browser back with {}: {words}", quote(error, &[]));
            Err(match error {
                "invalid_request" | "invalid_scope" | "unauthorized_client" | "unsupported_response_type" => {
                    OpenIdError::misconfigured(reason)
                }
                _ => OpenIdError::failed(reason),
            })
        }
    }
}
