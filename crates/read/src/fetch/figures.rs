//! What monitors and the owner's pages are told about fetches. The names of the metrics are the reader document's.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use metrics::{counter, histogram};
use net::StatusCode;
use store::{Db, activity::HourFigures};

use super::Ended;
use crate::Problem;

/// Minimum interval between two warnings about a lack of resources.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// Figures that are not written down yet: a row for each fetch would make all fetches of an hour wait for each other.
#[derive(Default)]
pub(crate) struct Figures {
    hours: Mutex<BTreeMap<DateTime<Utc>, HourFigures>>,
    /// When the last warning about a lack of resources was logged.
    warned_at: Mutex<Option<Instant>>,
}

impl Figures {
    /// An answer came, whatever it is.
    pub fn answered(&self, status: StatusCode) {
        counter!("http_status_count", "status_code" => status.as_str().to_owned()).increment(1);
    }

    /// A fetch ended.
    pub fn ended(&self, at: DateTime<Utc>, ended: Ended, took: Duration) {
        let (new, upserted) = match ended {
            Ended::Changed { new, changed } => (new, new + changed),
            Ended::Unchanged | Ended::Failed(_) => (0, 0),
            // Nothing was asked, or another counts it.
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
        let mut hours = self.lock();
        let figures = hours.entry(hour).or_insert_with(|| HourFigures { hour, ..HourFigures::default() });
        figures.fetches += 1;
        figures.failures += i64::from(matches!(ended, Ended::Failed(_)));
        figures.unchanged += i64::from(ended == Ended::Unchanged);
        figures.new_items += i64::try_from(new).unwrap_or_default();
        figures.latency_ms_total += latency_ms;
        figures.latency_ms_max = figures.latency_ms_max.max(latency_ms);
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

    /// Writes down what has gathered.
    pub async fn flush(&self, db: &Db) {
        let gathered: Vec<HourFigures> = mem::take(&mut *self.lock()).into_values().collect();
        if gathered.is_empty() {
            return;
        }
        if let Err(error) = store::activity::record(db, &gathered).await {
            tracing::warn!(%error, "could not write down the figures of the last fetches");
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<DateTime<Utc>, HourFigures>> {
        self.hours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
