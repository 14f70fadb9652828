//! What a job is, and what all jobs of a kind have in common.

use std::{future::Future, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use store::jobs::{KeyScope, Limits};

use crate::{Attempt, Backoff, Outcome, Schedule};

/// A piece of work: its payload, stored as JSON, and how it runs. [`crate::Worker::register`] takes it with its context.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What it has in common with its like.
    const KIND: Kind;

    /// What its runs share: usually the rules of the crate that the job belongs to.
    type Context: Send + Sync + 'static;

    /// What makes it one of its kind; a second one with the same key is left out. Without a key there is no uniqueness.
    fn key(&self) -> Option<String> {
        None
    }

    /// The lane whose limit it shares with others: a host, a bot, a provider.
    fn lane(&self) -> Option<String> {
        None
    }

    /// For a periodic job: its schedule, and the job to enqueue at each due time. Other jobs are enqueued by their callers.
    fn periodic(_context: &Self::Context) -> Option<(Schedule, Self)> {
        None
    }

    /// Makes one attempt. It may run twice for one job, so it must be idempotent, and it holds no transaction while it
    /// waits for the network.
    fn run(self, context: &Self::Context, attempt: Attempt) -> impl Future<Output = Outcome> + Send;
}

/// The rules for all jobs of a kind. Write `Kind { limit: Some(2), ..Kind::new("fetch_article") }`.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The stored name, the same word as the job's file.
    pub name: &'static str,
    /// How often a job may be started; a worker's death counts.
    pub max_attempts: u32,
    /// How long to wait between attempts.
    pub backoff: Backoff,
    /// How long a key is taken.
    pub key_scope: KeyScope,
    /// How many may run at once, over all workers.
    pub limit: Option<u32>,
    /// How many of one lane may run at once, over all workers.
    pub lane_limit: Option<u32>,
    /// An attempt that takes longer is stopped and counts as failed.
    pub timeout: Duration,
    pub priority: Priority,
}

impl Kind {
    /// The usual rules: three attempts, doubling delays, no limits, ten minutes.
    pub const fn new(name: &'static str) -> Kind {
        Kind {
            name,
            max_attempts: 3,
            backoff: Backoff { first: Duration::from_secs(10), most: Duration::from_secs(60 * 60) },
            key_scope: KeyScope::Active,
            limit: None,
            lane_limit: None,
            timeout: Duration::from_secs(10 * 60),
            priority: Priority::Normal,
        }
    }

    pub(crate) fn limits(&self) -> Option<Limits> {
        let limits = Limits { per_kind: self.limit.map(i64::from), per_lane: self.lane_limit.map(i64::from) };
        (limits != Limits::default()).then_some(limits)
    }
}

/// What goes first among jobs that are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A person waits for it.
    High = 1,
    /// The usual.
    Normal = 2,
    /// Whenever there is time.
    Low = 3,
    /// After everything else.
    Lowest = 4,
}
