//! The HTTP side of Kawaraban: the whole table of routes, and what every route shares.
//!
//! Handlers translate between HTTP and the crates that hold the rules; they hold no rules themselves and no SQL.
//! Every error of every route leaves as the one envelope of [`ApiError`], in Japanese or English. This is the only crate
//! that names axum. It does not speak TLS or HTTP/2: a reverse proxy does.
//!
//! Start reading at [`main_router`], then [`ApiError`], then a resource's file, for example `health.rs`.

mod error;
mod guard;
mod headers;
mod health;
mod language;
mod measure;
mod metrics;
mod observe;
mod router;
mod serve;
#[cfg(test)]
mod tests;

pub use error::{ApiError, Category, InvalidField};
pub use language::{Language, Words};
pub use measure::{Build, Measurements, NotInstalled};
pub use metrics::MetricsToken;
pub use router::{App, main_router, metrics_router};
pub use serve::serve;
