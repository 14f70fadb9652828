//! The durable job queue: work that must happen, later, once, whatever dies in between.
//!
//! A job is a row. It is enqueued in the caller's transaction ([`enqueue()`]), taken in batches by a [`Worker`] under a
//! lease, run by the handler registered for its kind, and its end written back in batches. The lease is renewed by
//! heartbeat; when a worker dies, any other takes its jobs back once the lease has lapsed. Every write names the token
//! of the lease, so a worker that was only asleep cannot overwrite its successor. At least once, therefore: handlers
//! must be idempotent.
//!
//! It deliberately keeps no transaction open while a job runs, needs no leader, and knows nothing about what jobs do:
//! each capability crate brings its own with a function `register_jobs`, which the binary calls. All SQL is in [`store::jobs`].
//!
//! Start reading at [`Job`] and [`Kind`], then [`Worker`], then `worker/claimer.rs`.

mod backoff;
mod enqueue;
mod handler;
mod kind;
mod metrics;
mod periodic;
mod prune_jobs;
mod time;
mod worker;

pub use backoff::Backoff;
pub use enqueue::{EnqueueError, Enqueued, Timing, enqueue, enqueue_alone, enqueue_many};
pub use handler::{Attempt, Outcome};
pub use kind::{Job, Kind, Priority};
pub use periodic::Schedule;
pub use store::jobs::KeyScope;
pub use worker::{Broken, Settings, Worker};
