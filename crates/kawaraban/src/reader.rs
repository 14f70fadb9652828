//! The reader and its door to the network, as the settings want them.

use read::{HatebuSettings, Reader, Settings};
use store::{Clock, Db};

use crate::{config::Config, failure::Failure};

/// A reader on this database.
pub fn reader(config: &Config, db: Db, clock: Clock) -> Result<Reader, Failure> {
    Ok(Reader::new(db, client(config)?, clock, settings(config)))
}

/// A door to the network.
pub fn client(config: &Config) -> Result<net::Client, Failure> {
    let settings = net::Settings {
        user_agent: config.fetch_user_agent.clone(),
        timeout: config.fetch_timeout,
        max_body_bytes: config.fetch_max_size,
        allow_nets: config.fetch_allow_nets.clone(),
        host_concurrency: config.fetch_host_concurrency,
        host_gap: config.fetch_host_gap,
        ..net::Settings::default()
    };
    net::Client::new(settings).map_err(|error| Failure::because("the network cannot be used", &error))
}

fn settings(config: &Config) -> Settings {
    Settings {
        subscription_limit: Some(config.subscription_limit).filter(|limit| *limit > 0),
        max_concurrent: config.fetch_max_concurrent,
        host_concurrency: config.fetch_host_concurrency,
        longest_sleep: config.fetch_interval,
        fetch_timeout: config.fetch_timeout,
        lease: config.job_lease,
        item_retention_days: config.item_retention_days,
        orphan_feed_days: config.orphan_feed_days,
        hatebu: config.hatebu_enabled.then(|| HatebuSettings {
            api_url: config.hatebu_api_url.clone(),
            ttl: config.hatebu_ttl,
            batch_interval: config.hatebu_batch_interval,
            api_interval: config.hatebu_api_interval,
            max_calls_per_cycle: config.hatebu_max_calls_per_cycle,
            max_calls_per_day: config.hatebu_max_calls_per_day,
        }),
        ..Settings::default()
    }
}
