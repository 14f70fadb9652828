//! The trait of jobs, and the rules of a kind of jobs.

use std::{future::Future, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use store::jobs::{ConcurrencyLimits, KeyScope};

use crate::{Attempt, Backoff, Outcome, Schedule};

/// A unit of work: its payload, stored as JSON, and its handler. Register it with [`crate::Worker::register`].
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    const KIND: JobKind;

    /// Shared by all runs: usually the service of the crate that the job belongs to.
    type Context: Send + Sync + 'static;

    /// Unique within the kind: a second job with the same key is not enqueued.
    fn key(&self) -> Option<String> {
        None
    }

    /// Jobs of one lane share a concurrency limit, for example those of a host or a provider.
    fn lane(&self) -> Option<String> {
        None
    }

    /// For a periodic job: its schedule, and the job to enqueue at each due time.
    fn periodic(_context: &Self::Context) -> Option<(Schedule, Self)> {
        None
    }

    /// Runs one attempt. A job may run twice, so this must be idempotent. It must not hold a transaction while it waits for the
    /// network.
    fn run(self, context: &Self::Context, attempt: Attempt) -> impl Future<Output = Outcome> + Send;
}

/// The rules of a kind, for example `JobKind { limit: Some(2), ..JobKind::new("fetch_article") }`.
#[derive(Debug, Clone, Copy)]
pub struct JobKind {
    /// The stored name, the same as the job's file.
    pub name: &'static str,
    /// An attempt also counts when its worker dies.
    pub max_attempts: u32,
    pub backoff: Backoff,
    pub key_scope: KeyScope,
    /// The concurrency over all workers.
    pub limit: Option<u32>,
    /// The concurrency of one lane over all workers.
    pub lane_limit: Option<u32>,
    /// A longer attempt is stopped and has failed.
    pub timeout: Duration,
    pub priority: Priority,
}

impl JobKind {
    /// The default rules: three attempts, doubling delays, no limits, a time-out of ten minutes.
    pub const fn new(name: &'static str) -> JobKind {
        JobKind {
            name,
            max_attempts: 3,
            backoff: Backoff { first: Duration::from_secs(10), max: Duration::from_secs(60 * 60) },
            key_scope: KeyScope::Active,
            limit: None,
            lane_limit: None,
            timeout: Duration::from_secs(10 * 60),
            priority: Priority::Normal,
        }
    }

    pub(crate) fn limits(&self) -> Option<ConcurrencyLimits> {
        let limits =
            ConcurrencyLimits { per_kind: self.limit.map(i64::from), per_lane: self.lane_limit.map(i64::from) };
        (limits != ConcurrencyLimits::default()).then_some(limits)
    }
}

/// The order of due jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A user is waiting for the result.
    High = 1,
    /// The default.
    Normal = 2,
    /// Background work.
    Low = 3,
    /// After all other jobs.
    Lowest = 4,
}
