//! What the API is made of, as the settings want it.

use std::num::NonZeroU32;

use accounts::Accounts;
use read::Reader;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use web::{App, Limiter, Limits, Measurements, MetricsToken, Site, SiteSettings, Streams};

use crate::{
    accounts::{providers, with_port},
    commands::licenses,
    config::{Config, Secret},
    failure::Failure,
};

/// The API, before anybody is let in.
pub(super) struct Api {
    /// What cookies are sealed with.
    pub secret: Secret,
    /// Where it listens.
    pub listener: TcpListener,
}

impl Api {
    /// What the handlers work with.
    pub(super) fn app(
        &self,
        config: &Config,
        accounts: Accounts,
        reader: Reader,
        measurements: Measurements,
        stop: &CancellationToken,
    ) -> Result<App, Failure> {
        let address = self.listener.local_addr();
        let port = address.map_err(|error| Failure::because("cannot tell the address of a listener", &error))?.port();
        Ok(App {
            db: accounts.db().clone(),
            providers: providers(config, port, reader.client(), accounts.clock()),
            site: Site::new(site(config, &self.secret, port)),
            accounts,
            reader,
            limiter: Limiter::new(limits(config)),
            streams: Streams::default(),
            measurements,
            licenses: licenses::built_in(),
            metrics_token: config.metrics_token.as_ref().map(|token| MetricsToken::new(token.expose().to_owned())),
            stopping: stop.clone(),
        })
    }
}

fn site(config: &Config, secret: &Secret, port: u16) -> SiteSettings {
    SiteSettings {
        base_url: with_port(&config.base_url, port),
        frontend_url: with_port(&config.frontend_url, port),
        allowed_origin: config.cors_allowed_origin.clone(),
        trusted_proxies: config.trusted_proxies.clone(),
        session_secret: secret.expose().to_owned(),
    }
}

fn limits(config: &Config) -> Limits {
    Limits {
        requests: NonZeroU32::new(config.rate_limit_general),
        registrations: NonZeroU32::new(config.rate_limit_feed_reg),
        strangers: NonZeroU32::new(config.rate_limit_general),
        sign_ins: NonZeroU32::new(config.rate_limit_sign_in),
    }
}
