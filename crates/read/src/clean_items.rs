//! The daily job that deletes old items, feeds without subscribers, undo data, hourly stats and finished imports.

use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use queue::{Attempt, Job, JobKind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};
use store::{FeedId, ItemId, retention, undos};
use tokio_util::sync::CancellationToken;

use crate::Reader;

/// Old items per query: enough that most items of one feed are deleted in one transaction.
const WINDOW: i64 = 20_000;
/// Retention of hourly stats: the health pages show thirty days.
const STATS_RETENTION: TimeDelta = TimeDelta::days(31);
const IMPORT_RETENTION: TimeDelta = TimeDelta::days(30);

/// Deletes data past its retention.
#[derive(Debug, Serialize, Deserialize)]
pub struct CleanItems {}

impl Job for CleanItems {
    const KIND: JobKind = JobKind {
        priority: Priority::Lowest,
        limit: Some(1),
        timeout: Duration::from_secs(6 * 60 * 60),
        ..JobKind::new("clean_items")
    };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    fn periodic(_: &Reader) -> Option<(Schedule, Self)> {
        Some((Schedule::Daily { hour: 3, minute: 0 }, CleanItems {}))
    }

    async fn run(self, reader: &Reader, attempt: Attempt) -> Outcome {
        match reader.clean(&attempt.stopping).await {
            Ok(Cleaned { items, feeds }) => {
                tracing::info!(items, feeds, "deleted old items and feeds");
                Outcome::Done
            }
            Err(error) => Outcome::retry(format!("could not delete old items and feeds: {error}")),
        }
    }
}

/// The numbers of deleted items and feeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cleaned {
    pub items: u64,
    pub feeds: u64,
}

impl Reader {
    /// Deletes data past its retention. It stops between two chunks when `stopping` is cancelled; the next run does the rest.
    pub async fn clean(&self, stopping: &CancellationToken) -> store::Result<Cleaned> {
        let now = self.clock.now();
        let mut cleaned = Cleaned { items: self.clean_old_items(now, stopping).await?, feeds: 0 };
        retention::rest_unused(&self.db, now).await?;
        if self.settings.orphan_feed_days > 0 {
            let before = days_before(now, self.settings.orphan_feed_days);
            for feed in retention::list_orphans(&self.db, before).await? {
                if stopping.is_cancelled() {
                    return Ok(cleaned);
                }
                cleaned.feeds += u64::from(retention::delete_orphan(&self.db, feed, before).await?);
            }
        }
        undos::prune(&self.db, now).await?;
        retention::delete_hours(&self.db, now - STATS_RETENTION).await?;
        retention::delete_imports(&self.db, now - IMPORT_RETENTION).await?;
        Ok(cleaned)
    }

    async fn clean_old_items(&self, now: DateTime<Utc>, stopping: &CancellationToken) -> store::Result<u64> {
        let before = days_before(now, self.settings.item_retention_days);
        let mut after = (DateTime::UNIX_EPOCH, ItemId(0));
        let mut removed = 0;
        loop {
            let window = retention::list_old(&self.db, before, after, WINDOW).await?;
            let Some(last) = window.last() else { return Ok(removed) };
            after = (last.created_at, last.id);
            let mut by_feed: BTreeMap<FeedId, Vec<ItemId>> = BTreeMap::new();
            for item in window.iter().filter(|item| !item.is_in_document()) {
                by_feed.entry(item.feed_id).or_default().push(item.id);
            }
            for (feed, items) in by_feed {
                if stopping.is_cancelled() {
                    return Ok(removed);
                }
                removed += retention::delete_items(&self.db, feed, &items).await?;
            }
        }
    }
}

fn days_before(now: DateTime<Utc>, days: u32) -> DateTime<Utc> {
    now.checked_sub_signed(TimeDelta::days(i64::from(days))).unwrap_or(DateTime::UNIX_EPOCH)
}
