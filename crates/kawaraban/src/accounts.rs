//! Accounts and sign-in providers, as the settings want them.

use accounts::{
    Accounts, Settings,
    openid::{OpenIdSecret, Provider, ProviderId, ProviderSettings},
};
use store::{Clock, Db};
use url::Url;

use crate::config::Config;

/// The accounts in this database.
pub fn accounts(config: &Config, db: Db, clock: Clock) -> Accounts {
    let settings = Settings {
        session_max_age: config.session_max_age,
        local_accounts: config.local_accounts,
        local_registration: config.local_registration,
        signup_allowed: config.signup_allowed.clone(),
        owner_email: config.owner_email.clone(),
        ..Settings::default()
    };
    Accounts::new(db, clock, settings)
}

/// The providers that people may sign in with, in the order in which they are offered. `port` is the one that we listen on.
pub fn providers(config: &Config, port: u16, net: &net::Client, clock: &Clock) -> Vec<Provider> {
    let settings = [google(config), openid(config)].into_iter().flatten();
    let settings =
        settings.map(|settings| ProviderSettings { redirect_url: with_port(&settings.redirect_url, port), ..settings });
    settings.map(|settings| Provider::new(settings, net.clone(), clock.clone())).collect()
}

/// An address with the port that we listen on, if it names the one that was asked for: 0 is any, known only now.
pub fn with_port(url: &Url, port: u16) -> Url {
    let mut url = url.clone();
    if url.port() == Some(0) {
        // An http address takes any port.
        let _ = url.set_port(Some(port));
    }
    url
}

/// Google, if all of it is configured; `config` refuses a part of it.
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

/// Any other provider, if all of it is configured.
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
