//! The HTTP side of Kawaraban: the whole table of routes, and what every route shares.
//!
//! Handlers translate between HTTP and the crates that hold the rules; they hold no rules themselves and no SQL.
//! Every error of every route leaves as the one envelope of [`ApiError`], in Japanese or English. This is the only crate
//! that names axum. It does not speak TLS or HTTP/2: a reverse proxy does.
//!
//! Start reading at [`main_router`], then the doors in `admit.rs`, then [`ApiError`], then a resource's file, for example
//! `folders.rs`.

mod address;
mod admin;
mod admit;
mod auth;
mod caller;
mod cookies;
mod cors;
mod error;
mod events;
mod extract;
mod feeds;
mod folders;
mod guard;
mod headers;
mod health;
mod identities;
mod items;
mod jobs;
mod language;
mod limit;
mod measure;
mod metrics;
mod observe;
mod openapi;
mod opml;
mod page;
mod pages;
mod people;
mod router;
mod search;
mod serve;
mod sessions;
mod signed_in;
mod site;
mod states;
mod subscriptions;
#[cfg(test)]
mod tests;
mod tokens;
mod user_settings;
mod users;

pub use caller::{Caller, Via};
pub use error::{ApiError, Category, Error};
pub use events::Streams;
pub use language::{Language, Words};
pub use limit::{Limiter, Limits};
pub use measure::{Build, Measurements, NotInstalled};
pub use metrics::MetricsToken;
pub use openapi::openapi_document;
pub use router::{App, main_router, metrics_router};
pub use serve::{ConnectionLimits, serve};
pub use site::{Site, SiteSettings};
