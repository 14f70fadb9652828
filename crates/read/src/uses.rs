//! Feeds that a configuration file names: in use without a subscriber.

use net::Url;
use store::{
    FeedId,
    feeds::{self, FeedUse, NewFeed},
};

use crate::Reader;

/// A feed in a configuration file.
#[derive(Debug, Clone)]
pub struct NamedFeed {
    pub url: Url,
    /// Which fetcher it needs, if it is not known yet.
    pub kind: &'static str,
    /// The interval that the file gives to it. Without one, that of its subscribers counts.
    pub interval_minutes: Option<i64>,
}

impl Reader {
    /// Replaces the feeds that the file of `used_by` names, at the start and whenever the file is read again. Returns their
    /// ids in the same order.
    ///
    /// Named feeds are fetched and not collected, even without a subscriber. Feeds that the file no longer names rest, unless
    /// they have a subscriber or another file names them.
    pub async fn sync_named_feeds(&self, used_by: &'static str, named: &[NamedFeed]) -> store::Result<Vec<FeedId>> {
        let now = self.clock.now();
        let uses = named.iter().map(|feed| {
            let host = feed.url.host_str().unwrap_or_default().to_owned();
            let new = NewFeed {
                feed_url: feed.url.to_string(),
                title: host.clone(),
                host,
                site_url: None,
                kind: feed.kind,
                next_fetch_at: now,
            };
            FeedUse { feed: new, interval_minutes: feed.interval_minutes }
        });
        feeds::sync_uses(&self.db, used_by, &uses.collect::<Vec<_>>(), now).await
    }
}
