//! What the rules of Watch work with.

use std::{sync::Arc, time::Duration};

use config_file::ConfigFile;
use net::Url;
use queue::Worker;
use read::{NamedFeed, Reader};
use store::FeedId;

use crate::{CleanChecks, SendWebhook, SiteChecker, blogs::Blogs};

/// The kind of feeds that are sites.
pub const SITE_KIND: &str = "site";
/// Who uses the feeds that the file names, in `feed_uses`.
const USED_BY: &str = "watch";

/// Where changes are announced.
pub struct Webhook {
    pub url: Url,
    /// The key of the signature.
    pub secret: String,
}

/// The settings of Watch.
pub struct WatchSettings {
    /// How many days checks are kept; 0 for ever.
    pub history_days: u32,
    pub webhook: Option<Webhook>,
    /// How long a request waits for its turn at the host.
    pub max_wait: Duration,
}

impl Default for WatchSettings {
    fn default() -> Self {
        WatchSettings { history_days: 30, webhook: None, max_wait: Duration::from_secs(60) }
    }
}

/// The rules of Watch with what they need. Cheap to clone.
#[derive(Clone)]
pub struct Watcher {
    pub(crate) reader: Reader,
    pub(crate) checker: SiteChecker,
    pub(crate) history_days: u32,
}

impl Watcher {
    /// Registers the kind `site` with the reader. Clones of the reader that were made before do not know it.
    pub fn new(reader: &mut Reader, net: net::Client, settings: WatchSettings) -> Watcher {
        let checker = SiteChecker {
            reader: reader.clone(),
            net,
            blogs: Blogs::default(),
            webhook: settings.webhook.map(Arc::new),
            max_wait: settings.max_wait,
        };
        reader.register_fetcher(SITE_KIND, checker.clone());
        Watcher { reader: reader.clone(), checker, history_days: settings.history_days }
    }

    /// Makes the blogs of the file the ones that are watched, at the start and whenever the file is read again.
    pub async fn sync_blogs(&self, file: &ConfigFile) -> store::Result<()> {
        let named: Vec<NamedFeed> = file
            .blogs
            .iter()
            .map(|blog| NamedFeed {
                url: blog.url.clone(),
                kind: SITE_KIND,
                interval_minutes: blog.interval.map(|interval| i64::try_from(interval.as_secs() / 60).unwrap_or(60)),
            })
            .collect();
        // First, because the first check may begin before all feeds are stored.
        self.checker.blogs.set(&file.blogs);
        let feeds = self.reader.sync_named_feeds(USED_BY, &named).await?;
        self.checker.blogs.set_feeds(&file.blogs, &feeds);
        Ok(())
    }

    /// The feeds of the operator's blogs, in the order of the file.
    pub fn blog_feeds(&self) -> Vec<FeedId> {
        self.checker.blogs.feeds()
    }

    /// The part that checks sites.
    pub fn checker(&self) -> &SiteChecker {
        &self.checker
    }
}

/// Registers the jobs of Watch with a worker.
pub fn register_jobs(worker: &mut Worker, watcher: &Watcher) {
    worker.register::<CleanChecks>(watcher.clone());
    // A worker without a webhook leaves its jobs to workers with one.
    if watcher.checker.webhook.is_some() {
        worker.register::<SendWebhook>(watcher.clone());
    }
}
