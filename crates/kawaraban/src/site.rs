//! The site and its limits from the configuration.

use std::num::NonZeroU32;

use web::{RateLimits, SiteSettings};

use crate::{
    accounts::with_port,
    config::{Config, Secret},
};

/// The addresses of the site and its session secret. `port` is the port of the listener.
pub fn settings(config: &Config, secret: &Secret, port: u16) -> SiteSettings {
    SiteSettings {
        base_url: with_port(&config.base_url, port),
        frontend_url: with_port(&config.frontend_url, port),
        allowed_origin: config.cors_allowed_origin.clone(),
        trusted_proxies: config.trusted_proxies.clone(),
        session_secret: secret.expose().to_owned(),
    }
}

/// The limits on requests.
pub fn limits(config: &Config) -> RateLimits {
    RateLimits {
        requests: NonZeroU32::new(config.rate_limit_general),
        registrations: NonZeroU32::new(config.rate_limit_feed_reg),
        anonymous: NonZeroU32::new(config.rate_limit_general),
        sign_ins: NonZeroU32::new(config.rate_limit_sign_in),
    }
}
