//! The settings of the operator.

use std::time::Duration;

use net::Url;

/// Limits of subscribing, fetching and retention.
#[derive(Debug, Clone)]
pub struct ReaderSettings {
    /// The maximum number of subscriptions of one member; owners have no limit (`SUBSCRIPTION_LIMIT`).
    pub subscription_limit: Option<u32>,
    /// The maximum number of concurrent fetches of this process (`FETCH_MAX_CONCURRENT`).
    pub max_concurrent: usize,
    /// The maximum number of concurrent fetches from one host, over all processes (`FETCH_HOST_CONCURRENCY`).
    pub host_concurrency: usize,
    /// The longest sleep of the scheduler (`FETCH_INTERVAL`).
    pub longest_sleep: Duration,
    /// The deadline of one fetch (`FETCH_TIMEOUT`).
    pub fetch_timeout: Duration,
    /// The deadline for subscribing, whatever the number of candidates.
    pub subscribe_timeout: Duration,
    /// The deadline for one feed of an OPML file. Its requests are paced per host, and a page may name several feeds.
    pub import_timeout: Duration,
    /// The lease of a claimed feed (`JOB_LEASE`).
    pub lease: Duration,
    /// The number of days for which items are kept (`ITEM_RETENTION_DAYS`).
    pub item_retention_days: u32,
    /// The number of days for which a feed without subscribers is kept; 0 means for ever (`ORPHAN_FEED_DAYS`).
    pub orphan_feed_days: u32,
    /// `None` turns bookmark counts off for all users.
    pub hatebu: Option<HatebuSettings>,
}

/// Requests to Hatena for bookmark counts (`HATEBU_…`).
#[derive(Debug, Clone)]
pub struct HatebuSettings {
    /// Whether counts are on for all users without a choice of their own; otherwise only for those who read in Japanese.
    pub for_all: bool,
    /// The API; `/count/entries` is appended.
    pub api_url: Url,
    /// How long a count stays fresh.
    pub ttl: Duration,
    /// Time between the starts of two rounds.
    pub batch_interval: Duration,
    /// Time between the starts of two calls.
    pub api_interval: Duration,
    pub max_calls_per_cycle: u32,
    /// The maximum per day (UTC), over all workers.
    pub max_calls_per_day: u32,
}

impl Default for ReaderSettings {
    fn default() -> Self {
        ReaderSettings {
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
