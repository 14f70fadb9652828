//! The settings of the reader.

use read::{HatebuSettings, ReaderSettings};

use crate::config::Config;

/// The reader's part of the configuration.
pub fn from_config(config: &Config) -> ReaderSettings {
    ReaderSettings {
        subscription_limit: Some(config.subscription_limit).filter(|limit| *limit > 0),
        max_concurrent: config.fetch_max_concurrent,
        host_concurrency: config.fetch_host_concurrency,
        longest_sleep: config.fetch_interval,
        fetch_timeout: config.fetch_timeout,
        lease: config.job_lease,
        item_retention_days: config.item_retention_days,
        orphan_feed_days: config.orphan_feed_days,
        hatebu: (config.hatebu_enabled != Some(false)).then(|| HatebuSettings {
            for_all: config.hatebu_enabled == Some(true),
            api_url: config.hatebu_api_url.clone(),
            ttl: config.hatebu_ttl,
            batch_interval: config.hatebu_batch_interval,
            api_interval: config.hatebu_api_interval,
            max_calls_per_cycle: config.hatebu_max_calls_per_cycle,
            max_calls_per_day: config.hatebu_max_calls_per_day,
        }),
        ..ReaderSettings::default()
    }
}
