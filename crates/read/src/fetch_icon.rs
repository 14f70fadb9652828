//! The job that looks for the icon of a feed which came without one, at most once a week.

use chrono::{DateTime, TimeDelta, Utc};
use net::{Urgency, Url};
use queue::{Attempt, EnqueueError, Enqueued, Job, JobKind, Outcome, Priority, Timing};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::{FeedId, Tx, icons};
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
    pub feed: FeedId,
    /// The picture that the feed names.
    pub named: Option<String>,
    /// The pictures that the page of the site names, if that page was read before.
    #[serde(default)]
    pub on_page: Option<Vec<String>>,
    /// The host of the site: its feeds are looked after one by one, so that they can share what is found.
    #[serde(default)]
    pub host: Option<String>,
}

impl FetchIcon {
    /// A search that begins at the site of the feed.
    pub fn new(feed: FeedId, site: Option<&Url>) -> FetchIcon {
        let host = site.and_then(Url::host_str).filter(|host| host.len() <= 255).map(str::to_owned);
        FetchIcon { feed, named: None, on_page: None, host }
    }

    /// A search in these places.
    pub(crate) fn in_places(feed: FeedId, places: &IconPlaces) -> FetchIcon {
        let on_page = places.on_page.as_ref().map(|urls| urls.iter().map(ToString::to_string).collect());
        let named = places.named.as_ref().map(ToString::to_string);
        FetchIcon { named, on_page, ..FetchIcon::new(feed, places.site.as_ref()) }
    }
}

impl Job for FetchIcon {
    const KIND: JobKind = JobKind {
        max_attempts: 2,
        limit: Some(4),
        lane_limit: Some(1),
        timeout: Duration::from_secs(2 * 60),
        priority: Priority::Low,
        ..JobKind::new("fetch_icon")
    };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some(self.feed.to_string())
    }

    fn lane(&self) -> Option<String> {
        self.host.clone()
    }

    async fn run(self, reader: &Reader, _attempt: Attempt) -> Outcome {
        match reader.look_for_icon(&self).await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::retry(error),
        }
    }
}

impl Reader {
    /// Puts the job on the queue.
    pub(crate) async fn ask_for_icon(&self, job: FetchIcon) -> store::Result<()> {
        store_error_of(queue::enqueue_alone(&self.db, &self.clock, &job, Timing::default()).await)
    }

    /// Puts the job on the queue in the transaction that makes it necessary.
    pub(crate) async fn ask_for_icon_in(&self, tx: &mut Tx, job: &FetchIcon) -> store::Result<()> {
        store_error_of(queue::enqueue(tx, &self.clock, job, Timing::default()).await)
    }

    /// Writes down what was found.
    pub(crate) async fn store_icon(&self, feed: FeedId, icon: Option<&icons::Icon>) -> store::Result<()> {
        icons::mark_checked(&self.db, feed, icon, self.clock.now()).await
    }

    /// Gives a feed the icon of another feed of the same site, or that feed's lack of one. False if no other feed of the site
    /// was looked after within a week.
    pub(crate) async fn copy_icon(&self, feed: FeedId) -> store::Result<bool> {
        icons::copy_from_site(&self.db, feed, self.clock.now() - AGAIN_AFTER).await
    }

    async fn look_for_icon(&self, job: &FetchIcon) -> store::Result<()> {
        let Some(notes) = icons::get_status(&self.db, job.feed).await? else { return Ok(()) };
        // A time far ahead was written by a clock that was wrong.
        let is_recent = |at: DateTime<Utc>| (self.clock.now() - at).abs() < AGAIN_AFTER;
        if notes.has_favicon || notes.favicon_checked_at.is_some_and(is_recent) || self.copy_icon(job.feed).await? {
            return Ok(());
        }
        let address = |text: &str| net::parse_url(text).ok();
        let mut places = IconPlaces {
            page: None,
            on_page: job.on_page.as_ref().map(|urls| urls.iter().filter_map(|url| address(url)).collect()),
            named: job.named.as_deref().and_then(address),
            site: site_of(notes.site_url.as_deref(), &notes.feed_url),
        };
        match self.find_icon(&mut places, Urgency::Background, Instant::now() + SEARCH).await {
            IconSearch::Found(icon) => self.store_icon(job.feed, Some(&icon)).await,
            IconSearch::Nothing | IconSearch::Unfinished => self.store_icon(job.feed, None).await,
        }
    }
}

fn store_error_of(enqueued: Result<Enqueued, EnqueueError>) -> store::Result<()> {
    match enqueued {
        Ok(_) => Ok(()),
        Err(EnqueueError::Store(error)) => Err(error),
        // Neither its JSON nor its key can be wrong.
        Err(error) => {
            tracing::error!(%error, "a job could not be enqueued");
            Ok(())
        }
    }
}

/// The site of a feed, or the front page beside it.
pub(crate) fn site_of(site_url: Option<&str>, feed_url: &str) -> Option<Url> {
    let address = |text: &str| net::parse_url(text).ok();
    site_url.and_then(address).or_else(|| home_of(&address(feed_url)?))
}

/// The front page of the site that a feed is on.
pub(crate) fn home_of(feed_url: &Url) -> Option<Url> {
    feed_url.join("/").ok()
}
