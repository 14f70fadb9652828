//! What the operator can set.

use std::time::Duration;

use net::Url;

/// The limits and manners of the reader.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The most subscriptions of one member; owners have no limit (`SUBSCRIPTION_LIMIT`).
    pub subscription_limit: Option<u32>,
    /// How many feeds are fetched at once by this process (`FETCH_MAX_CONCURRENT`).
    pub max_concurrent: usize,
    /// How many of them from one host, over all processes (`FETCH_HOST_CONCURRENCY`).
    pub host_concurrency: usize,
    /// How long the scheduler sleeps at the most (`FETCH_INTERVAL`).
    pub longest_sleep: Duration,
    /// How long one fetch may take (`FETCH_TIMEOUT`).
    pub fetch_timeout: Duration,
    /// How long somebody who subscribes waits at the most, however many candidates there are.
    pub subscribe_timeout: Duration,
    /// The same for a feed of a file. Its requests wait for their turn at the host, and a page may name several feeds.
    pub import_timeout: Duration,
    /// How long a part of a fetch may be silent before the feed counts as abandoned (`JOB_LEASE`).
    pub lease: Duration,
    /// For how many days items are kept (`ITEM_RETENTION_DAYS`).
    pub item_retention_days: u32,
    /// For how many days a feed without subscribers is kept; 0 for ever (`ORPHAN_FEED_DAYS`).
    pub orphan_feed_days: u32,
    /// How bookmark counts are asked for; not at all without.
    pub hatebu: Option<HatebuSettings>,
}

/// How Hatena is asked for bookmark counts (`HATEBU_…`).
#[derive(Debug, Clone)]
pub struct HatebuSettings {
    /// The API; `/count/entries` is appended.
    pub api_url: Url,
    /// How long a count is good for.
    pub ttl: Duration,
    /// How far apart rounds start.
    pub batch_interval: Duration,
    /// How far apart the calls of a round start.
    pub api_interval: Duration,
    /// The most calls in a round.
    pub max_calls_per_cycle: u32,
    /// The most calls in a day (UTC), of all workers together.
    pub max_calls_per_day: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            subscription_limit: Some(100),
            max_concurrent: 10,
            host_concurrency: 2,
            longest_sleep: Duration::from_secs(5 * 60),
            fetch_timeout: Duration::from_secs(10),
            subscribe_timeout: Duration::from_secs(20),
            import_timeout: Duration::from_secs(30),
            lease: Duration::from_secs(60),
            item_retention_days: 180,
            orphan_feed_days: 90,
            hatebu: None,
        }
    }
}
