//! The job that fetches the whole text of an item from its page.

use std::time::Duration;

use net::Urgency;
use queue::{Attempt, EnqueueError, Job, JobKind, Outcome, Priority, Timing};
use serde::{Deserialize, Serialize};
use store::{
    Clock, ItemId, Tx,
    full_texts::{self, ItemLink},
};

use crate::{
    EventHandler, Events, Reader,
    full_text::{PageOutcome, SHORT_TEXT},
};

/// Fetches the page of an item.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FetchArticle {
    pub item: i64,
    /// The host of the page: its pages are fetched one by one.
    pub host: Option<String>,
}

impl FetchArticle {
    pub(crate) fn of(item: &ItemLink) -> FetchArticle {
        let url = net::parse_url(&item.link).ok();
        let host = url.and_then(|url| url.host_str().filter(|host| host.len() <= 255).map(str::to_owned));
        FetchArticle { item: item.id.0, host }
    }
}

impl Job for FetchArticle {
    const KIND: JobKind = JobKind {
        max_attempts: 3,
        limit: Some(4),
        lane_limit: Some(1),
        timeout: Duration::from_secs(2 * 60),
        priority: Priority::Low,
        ..JobKind::new("fetch_article")
    };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some(self.item.to_string())
    }

    fn lane(&self) -> Option<String> {
        self.host.clone()
    }

    async fn run(self, reader: &Reader, _attempt: Attempt) -> Outcome {
        match reader.fetch_full_text(ItemId(self.item), Urgency::Background).await {
            Ok(PageOutcome::Failed(problem)) if problem.passes() => Outcome::retry(problem),
            Ok(PageOutcome::Stored | PageOutcome::Failed(_)) => Outcome::Done,
            Ok(PageOutcome::NotSent(error)) => Outcome::retry(error),
            Err(error) => Outcome::retry(error),
        }
    }
}

/// Enqueues the job for new items whose whole text a subscriber wants.
pub(crate) struct FullTexts(pub(crate) Clock);

impl EventHandler for FullTexts {
    async fn handle(&self, tx: &mut Tx, events: &Events) -> Result<(), EnqueueError> {
        let items = events.items_arrived.iter().map(|item| item.item);
        if items.clone().next().is_none() {
            return Ok(());
        }
        let wanted = full_texts::list_wanted(tx, items, SHORT_TEXT).await?;
        enqueue(tx, &self.0, &wanted).await
    }
}

/// Enqueues the job for each of these items.
pub(crate) async fn enqueue(tx: &mut Tx, clock: &Clock, items: &[ItemLink]) -> Result<(), EnqueueError> {
    let jobs: Vec<FetchArticle> = items.iter().map(FetchArticle::of).collect();
    queue::enqueue_many(tx, clock, &jobs, Timing::default()).await.map(drop)
}
