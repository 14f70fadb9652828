//! The queue's metrics. Dashboards use the names, so they do not change.

use std::time::Duration;

use chrono::{DateTime, Utc};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use store::jobs::{KindStats, TableHealth};

/// Registers the descriptions.
pub(crate) fn describe() {
    describe_gauge!("jobs_ready", "Jobs that are due, by kind");
    describe_gauge!("jobs_scheduled", "Jobs that are not due yet, by kind");
    describe_gauge!("jobs_running", "Jobs claimed by workers, by kind");
    describe_gauge!("jobs_oldest_ready_seconds", "How long the oldest ready job has been due, by kind");
    describe_gauge!("jobs_dead_rows", "Dead rows in the table jobs (PostgreSQL)");
    describe_gauge!("jobs_oldest_snapshot_seconds", "Age of the oldest transaction that keeps dead rows (PostgreSQL)");
    describe_counter!("jobs_attempts_total", "Attempts ended in this process, by kind and outcome");
    describe_counter!("jobs_rescued_total", "Jobs rescued from workers that did not renew their lease, by kind");
    describe_counter!("jobs_leases_lost_total", "Results dropped because the lease had been lost");
    describe_histogram!("jobs_run_seconds", metrics::Unit::Seconds, "Time an attempt took, by kind");
    describe_histogram!("jobs_wait_seconds", metrics::Unit::Seconds, "Time from due to claimed, by kind");
}

/// The metrics of one kind, looked up once: a look-up for each job would cost more than a short job.
pub(crate) struct KindMetrics {
    pub done: metrics::Counter,
    pub retried: metrics::Counter,
    pub failed: metrics::Counter,
    run: metrics::Histogram,
    wait: metrics::Histogram,
}

impl KindMetrics {
    pub fn new(kind: &'static str) -> Self {
        let attempts = |outcome: &'static str| counter!("jobs_attempts_total", "kind" => kind, "outcome" => outcome);
        KindMetrics {
            done: attempts("done"),
            retried: attempts("retry"),
            failed: attempts("failed"),
            run: histogram!("jobs_run_seconds", "kind" => kind),
            wait: histogram!("jobs_wait_seconds", "kind" => kind),
        }
    }

    pub fn ran(&self, time: Duration) {
        self.run.record(time.as_secs_f64());
    }

    pub fn waited(&self, due: DateTime<Utc>, claimed_at: DateTime<Utc>) {
        self.wait.record((claimed_at - due).to_std().unwrap_or_default().as_secs_f64());
    }
}

pub(crate) fn rescued(kind: &str) {
    counter!("jobs_rescued_total", "kind" => kind.to_owned()).increment(1);
}

pub(crate) fn leases_lost(count: u64) {
    counter!("jobs_leases_lost_total").increment(count);
}

/// Sets the gauges. Kinds in `gone` become zero.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float; there are fewer than 2^52 jobs")]
pub(crate) fn sampled(now: DateTime<Utc>, kinds: &[KindStats], gone: &[String]) {
    for stats in kinds {
        let age = stats.oldest_ready_at.and_then(|at| (now - at).to_std().ok()).unwrap_or_default();
        set(&stats.kind, [stats.ready as f64, stats.scheduled as f64, stats.running as f64, age.as_secs_f64()]);
    }
    for kind in gone {
        set(kind, [0.0; 4]);
    }
}

fn set(kind: &str, [ready, scheduled, running, oldest]: [f64; 4]) {
    gauge!("jobs_ready", "kind" => kind.to_owned()).set(ready);
    gauge!("jobs_scheduled", "kind" => kind.to_owned()).set(scheduled);
    gauge!("jobs_running", "kind" => kind.to_owned()).set(running);
    gauge!("jobs_oldest_ready_seconds", "kind" => kind.to_owned()).set(oldest);
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
pub(crate) fn table(health: &TableHealth) {
    gauge!("jobs_dead_rows").set(health.dead_rows as f64);
    gauge!("jobs_oldest_snapshot_seconds").set(health.oldest_snapshot_seconds as f64);
}
