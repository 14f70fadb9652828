//! Statistics of fetches, for metrics and for the owner's pages. [`Reader::record`] is the only place that counts: scheduled
//! fetches and the first fetch of a subscription alike. The names of the metrics are those of the reader document.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use metrics::{counter, histogram};
use net::StatusCode;
use store::{Db, FeedId, activity::HourStats};
use tokio_util::sync::CancellationToken;

use super::Ended;
use crate::{Problem, Reader, problem::printable_address};

/// How often the statistics are stored.
const FLUSH_EVERY: Duration = Duration::from_secs(10);

/// A fetch that has ended.
pub(crate) struct Recorded<'a> {
    /// The feed, if it is stored.
    pub feed: Option<FeedId>,
    /// The requested address.
    pub url: &'a str,
    /// The status of the answer, if there was one.
    pub status: Option<StatusCode>,
    /// The start of the fetch; the hour that it counts for.
    pub started_at: DateTime<Utc>,
    /// The duration of the request.
    pub took: Duration,
    pub ended: Ended,
}

impl Reader {
    /// Counts a fetch and logs it.
    pub(crate) fn record(&self, fetch: &Recorded<'_>) {
        self.fetch_stats.count(fetch);
        log(fetch);
    }

    /// Stores the statistics every ten seconds, until `stop`. The scheduler calls it.
    pub async fn write_fetch_stats(&self, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(FLUSH_EVERY)).await.is_some() {
            self.flush_fetch_stats().await;
        }
    }

    /// Stores the statistics now. Call it before the process ends.
    pub async fn flush_fetch_stats(&self) {
        self.fetch_stats.flush(&self.db).await;
    }
}

/// Minimum interval between two warnings about a lack of resources.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// Statistics that are not stored yet. Writing each fetch to the row of its hour would make the fetches wait for each other.
#[derive(Default)]
pub(crate) struct FetchStats {
    hours: Mutex<BTreeMap<DateTime<Utc>, HourStats>>,
    /// When the last warning about a lack of resources was logged.
    warned_at: Mutex<Option<Instant>>,
}

impl FetchStats {
    /// Counts a fetch.
    pub fn count(&self, fetch: &Recorded<'_>) {
        let Recorded { status, started_at: at, took, ended, .. } = *fetch;
        if let Some(status) = status {
            counter!("http_status_count", "status_code" => status.as_str().to_owned()).increment(1);
        }
        let (new, upserted) = match ended {
            Ended::Changed { new, changed } => (new, new + changed),
            Ended::Unchanged | Ended::Failed(_) => (0, 0),
            // No request was sent, or another worker counts it.
            Ended::NoTurn | Ended::LostLease | Ended::OutOfResources => return,
        };
        match ended {
            Ended::Failed(problem) => {
                counter!("fetch_fail_count").increment(1);
                counter!("parse_fail_count").increment(u64::from(problem == Problem::NotAFeed));
            }
            _ => counter!("fetch_success_count").increment(1),
        }
        histogram!("fetch_latency").record(took.as_secs_f64());
        counter!("items_upserted_count").increment(upserted as u64);
        let hour = at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at);
        let latency_ms = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
        self.add(HourStats {
            hour,
            fetches: 1,
            failures: i64::from(matches!(ended, Ended::Failed(_))),
            unchanged: i64::from(ended == Ended::Unchanged),
            new_items: i64::try_from(new).unwrap_or_default(),
            latency_ms_total: latency_ms,
            latency_ms_max: latency_ms,
        });
    }

    fn add(&self, added: HourStats) {
        let mut hours = self.lock();
        let figures = hours.entry(added.hour).or_insert_with(|| HourStats { hour: added.hour, ..HourStats::default() });
        figures.fetches += added.fetches;
        figures.failures += added.failures;
        figures.unchanged += added.unchanged;
        figures.new_items += added.new_items;
        figures.latency_ms_total += added.latency_ms_total;
        figures.latency_ms_max = figures.latency_ms_max.max(added.latency_ms_max);
    }

    /// Logs that this machine lacks files or memory: one line for all the feeds of a minute.
    pub fn warn_of_lack(&self, error: &net::Error) {
        let mut warned_at = self.warned_at.lock().unwrap_or_else(PoisonError::into_inner);
        if warned_at.is_none_or(|at| at.elapsed() >= WARNING_INTERVAL) {
            *warned_at = Some(Instant::now());
            let error = error as &dyn std::error::Error;
            tracing::warn!(error, "feeds cannot be fetched at the moment; they are tried again soon");
        }
    }

    /// Stores the statistics. If that fails, they are stored the next time.
    pub async fn flush(&self, db: &Db) {
        let gathered: Vec<HourStats> = mem::take(&mut *self.lock()).into_values().collect();
        if gathered.is_empty() {
            return;
        }
        if let Err(error) = store::activity::upsert(db, &gathered).await {
            tracing::warn!(%error, "could not store the statistics of the last fetches; they are stored later");
            gathered.into_iter().for_each(|stats| self.add(stats));
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<DateTime<Utc>, HourStats>> {
        self.hours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn log(fetch: &Recorded<'_>) {
    let (feed_id, url) = (fetch.feed.map(tracing::field::display), printable_address(fetch.url));
    let status = fetch.status.map(|status| status.as_u16());
    let (duration_ms, ended) = (fetch.took.as_micros() as f64 / 1_000.0, fetch.ended);
    match ended {
        Ended::Failed(problem) => {
            let error_kind = problem.code();
            tracing::info!(feed_id, url, status, duration_ms, error_kind, "a feed could not be fetched");
        }
        Ended::Changed { new, changed } => {
            tracing::debug!(feed_id, url, status, duration_ms, new, changed, "fetched a feed");
        }
        Ended::LostLease => {
            tracing::warn!(feed_id, url, duration_ms, "a fetch took too long; another has the feed now");
        }
        Ended::Unchanged | Ended::NoTurn | Ended::OutOfResources => {
            tracing::debug!(feed_id, url, status, duration_ms, ?ended, "fetched a feed");
        }
    }
}
