//! The job that stores excerpts for items that arrived before excerpts were stored. Later runs find none.

use std::time::Duration;

use queue::{Attempt, Job, JobKind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};
use store::{ItemId, items};
use tokio_util::sync::CancellationToken;

use crate::{Reader, items::excerpt};

/// Items per transaction.
const CHUNK: i64 = 200;

/// Stores missing excerpts.
#[derive(Debug, Serialize, Deserialize)]
pub struct FillExcerpts {}

impl Job for FillExcerpts {
    const KIND: JobKind = JobKind {
        priority: Priority::Lowest,
        limit: Some(1),
        timeout: Duration::from_secs(6 * 60 * 60),
        ..JobKind::new("fill_excerpts")
    };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    /// At the first start, and then every night.
    fn periodic(_: &Reader) -> Option<(Schedule, Self)> {
        Some((Schedule::Daily { hour: 4, minute: 0 }, FillExcerpts {}))
    }

    async fn run(self, reader: &Reader, attempt: Attempt) -> Outcome {
        match reader.fill_missing_excerpts(&attempt.stopping).await {
            Ok(0) => Outcome::Done,
            Ok(items) => {
                tracing::info!(items, "stored missing excerpts");
                Outcome::Done
            }
            Err(error) => Outcome::retry(format!("could not store missing excerpts: {error}")),
        }
    }
}

impl Reader {
    /// Stores missing excerpts, newest items first, until done or `stopping` is cancelled. Returns the number of items. Items
    /// with an excerpt are skipped, so the next run continues where this one ended.
    async fn fill_missing_excerpts(&self, stopping: &CancellationToken) -> store::Result<usize> {
        let mut filled = 0;
        while !stopping.is_cancelled() {
            let items = items::list_without_excerpt(&self.db, CHUNK).await?;
            if items.is_empty() {
                break;
            }
            filled += items.len();
            let excerpts: Vec<(ItemId, String)> =
                items.iter().map(|item| (item.id, excerpt(item.beginning.as_deref()))).collect();
            items::fill_excerpts(&self.db, &excerpts).await?;
        }
        Ok(filled)
    }
}
