//! The handlers of the registered kinds, behind one type.

use std::{collections::HashMap, fmt::Display, future::Future, pin::Pin, sync::Arc, time::Duration};

use store::JobId;
use tokio_util::sync::CancellationToken;

use crate::{Job, JobKind};

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The work is done.
    Done,
    /// It failed, and a later attempt may succeed.
    Retry {
        error: String,
        /// The delay; the kind's backoff by default.
        after: Option<Duration>,
    },
    /// It can never succeed. It can still be retried by hand.
    GiveUp { reason: String },
}

impl Outcome {
    /// Another attempt after the kind's backoff.
    pub fn retry(error: impl Display) -> Outcome {
        Outcome::Retry { error: error.to_string(), after: None }
    }

    /// No further attempt.
    pub fn give_up(reason: impl Display) -> Outcome {
        Outcome::GiveUp { reason: reason.to_string() }
    }
}

/// The attempt that a handler runs.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub id: JobId,
    /// 1 for the first.
    pub number: u32,
    /// Whether this is the last attempt.
    pub is_last: bool,
    /// Cancelled when the worker stops: finish soon, or the job returns to the queue.
    pub stopping: CancellationToken,
}

pub(crate) type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;
pub(crate) type Run = dyn Fn(&str, Attempt) -> Running + Send + Sync;

/// A kind with its handler.
#[derive(Clone)]
pub(crate) struct Registered {
    pub kind: JobKind,
    pub run: Arc<Run>,
}

/// The kinds that a worker runs.
pub(crate) type Registry = HashMap<&'static str, Registered>;

impl Registered {
    pub fn new<J: Job>(context: Arc<J::Context>) -> Registered {
        let run = move |payload: &str, attempt: Attempt| -> Running {
            match serde_json::from_str::<J>(payload) {
                Ok(job) => {
                    let context = Arc::clone(&context);
                    Box::pin(async move { job.run(&context, attempt).await })
                }
                // Not retried: the payload does not change.
                Err(error) => {
                    Box::pin(std::future::ready(Outcome::give_up(format!("the payload cannot be read: {error}"))))
                }
            }
        };
        Registered { kind: J::KIND, run: Arc::new(run) }
    }
}
