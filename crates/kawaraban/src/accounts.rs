//! Accounts and sign-in providers from the configuration.

use accounts::{
    AccountSettings, Accounts,
    openid::{OpenIdSecret, Provider, ProviderId, ProviderSettings},
};
use store::{Clock, Db};
use url::Url;

use crate::config::Config;

/// The account service on this database.
pub fn accounts(config: &Config, db: Db, clock: Clock) -> Accounts {
    let settings = AccountSettings {
        session_max_age: config.session_max_age,
        local_accounts: config.local_accounts,
        local_registration: config.local_registration,
        signup_allowed: config.signup_allowed.clone(),
        owner_email: config.owner_email.clone(),
        ..AccountSettings::default()
    };
    Accounts::new(db, clock, settings)
}

/// The configured sign-in providers, in display order. `port` is the port of the listener.
pub fn providers(config: &Config, port: u16, net: &net::Client, clock: &Clock) -> Vec<Provider> {
    let settings = [google(config), openid(config)].into_iter().flatten();
    let settings =
        settings.map(|settings| ProviderSettings { redirect_url: with_port(&settings.redirect_url, port), ..settings });
    settings.map(|settings| Provider::new(settings, net.clone(), clock.clone())).collect()
}

/// Replaces port 0, which means any free port, with the port of the listener.
pub fn with_port(url: &Url, port: u16) -> Url {
    let mut url = url.clone();
    if url.port() == Some(0) {
        // Cannot fail for an http address.
        let _ = url.set_port(Some(port));
    }
    url
}

/// Google, if it is configured. `config` rejects an incomplete configuration.
fn google(config: &Config) -> Option<ProviderSettings> {
    Some(ProviderSettings {
        id: ProviderId::Google,
        name: "Google".to_owned(),
        issuer: config.google_issuer.clone()?,
        client_id: config.google_client_id.clone()?,
        client_secret: OpenIdSecret::new(config.google_client_secret.as_ref()?.expose()),
        redirect_url: config.google_redirect_url.clone()?,
    })
}

/// Another OpenID provider, if it is configured.
fn openid(config: &Config) -> Option<ProviderSettings> {
    Some(ProviderSettings {
        id: ProviderId::Oidc,
        name: config.oidc_name.clone()?,
        issuer: config.oidc_issuer.clone()?,
        client_id: config.oidc_client_id.clone()?,
        client_secret: OpenIdSecret::new(config.oidc_client_secret.as_ref()?.expose()),
        redirect_url: config.oidc_redirect_url.clone()?,
    })
}
