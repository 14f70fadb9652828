//! The job that looks for the icon of a feed which came without one, at most once a week.

use chrono::TimeDelta;
use net::{Asker, Url};
use queue::{Attempt, Job, Kind, Outcome, Priority, Timing};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::{FeedId, icons};
use tokio::time::Instant;

use crate::{
    Reader,
    icon::{IconPlaces, IconSearch},
};

/// How often a site is asked for an icon that it did not have.
const AGAIN_AFTER: TimeDelta = TimeDelta::weeks(1);
/// Six places, each with its turn at the host.
const SEARCH: Duration = Duration::from_secs(60);

/// Looks for the icon of a feed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FetchIcon {
    /// The feed.
    pub feed: FeedId,
    /// The picture that the feed names.
    pub named: Option<String>,
    /// The pictures that the page of the site names, if that page was read on the way to the feed.
    #[serde(default)]
    pub on_page: Option<Vec<String>>,
}

impl FetchIcon {
    /// A search that begins at the site of the feed.
    pub fn new(feed: FeedId) -> FetchIcon {
        FetchIcon { feed, named: None, on_page: None }
    }
}

impl Job for FetchIcon {
    const KIND: Kind = Kind {
        max_attempts: 2,
        limit: Some(4),
        timeout: Duration::from_secs(2 * 60),
        priority: Priority::Low,
        ..Kind::new("fetch_icon")
    };

    fn key(&self) -> Option<String> {
        Some(self.feed.to_string())
    }
}

impl Reader {
    /// Runs the job.
    pub async fn fetch_icon(&self, job: FetchIcon, _attempt: Attempt) -> Outcome {
        match self.look_for_icon(&job).await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::retry(error),
        }
    }

    /// Puts the job on the queue.
    pub(crate) async fn ask_for_icon(&self, job: FetchIcon) -> store::Result<()> {
        let enqueued = self.db.transact(async |tx| queue::enqueue(tx, &self.clock, &job, Timing::default()).await);
        match enqueued.await {
            Ok(_) => Ok(()),
            Err(queue::EnqueueError::Store(error)) => Err(error),
            // Neither its JSON nor its key can be wrong.
            Err(error) => {
                tracing::error!(%error, "a job could not be enqueued");
                Ok(())
            }
        }
    }

    /// Writes down what was found.
    pub(crate) async fn keep_icon(&self, feed: FeedId, icon: Option<&icons::Icon>) -> store::Result<()> {
        icons::mark_checked(&self.db, feed, icon, self.clock.now()).await
    }

    async fn look_for_icon(&self, job: &FetchIcon) -> store::Result<()> {
        let Some(notes) = icons::get_notes(&self.db, job.feed).await? else { return Ok(()) };
        let is_recent = |at| self.clock.now() - at < AGAIN_AFTER;
        if notes.has_favicon || notes.favicon_checked_at.is_some_and(is_recent) {
            return Ok(());
        }
        let address = |text: &str| net::parse_url(text).ok();
        let places = IconPlaces {
            page: None,
            on_page: job.on_page.as_ref().map(|urls| urls.iter().filter_map(|url| address(url)).collect()),
            named: job.named.as_deref().and_then(address),
            site: notes.site_url.as_deref().and_then(address).or_else(|| home_of(&address(&notes.feed_url)?)),
        };
        match self.find_icon(places, Asker::Background, Instant::now() + SEARCH).await {
            IconSearch::Found(icon) => self.keep_icon(job.feed, Some(&icon)).await,
            IconSearch::Nothing | IconSearch::Unfinished => self.keep_icon(job.feed, None).await,
        }
    }
}

/// The front page of the site that a feed is on.
pub(crate) fn home_of(feed_url: &Url) -> Option<Url> {
    feed_url.join("/").ok()
}
