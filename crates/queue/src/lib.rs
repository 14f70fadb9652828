//! The durable job queue.
//!
//! A job is a row. The caller enqueues it in its transaction ([`enqueue()`]). A [`Worker`] claims jobs in batches under a lease, runs
//! the handler of their kind, and stores the results in batches. It renews its leases; when it dies, any other worker rescues its
//! jobs after the lease has lapsed. Every write names the lease token, so a worker that was only suspended cannot overwrite the
//! result of another. A job runs at least once, so handlers must be idempotent.
//!
//! No transaction is open while a job runs, and there is no leader among workers. Each capability crate has its own jobs and a
//! function `register_jobs`, which the binary calls. All SQL is in [`store::jobs`].
//!
//! Start reading at [`Job`] and [`JobKind`], then [`Worker`], then `worker/claimer.rs`.

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
pub use kind::{Job, JobKind, Priority};
pub use periodic::Schedule;
pub use store::jobs::KeyScope;
pub use worker::{Worker, WorkerError, WorkerSettings};
