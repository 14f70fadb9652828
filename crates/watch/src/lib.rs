//! The rules of Watch: checks of sites over time, with or without a feed.
//!
//! A site is a feed of the kind `site`: the scheduler of `read` checks it, and its new posts are items. [`SiteChecker`] is the
//! fetcher of that kind. It asks the source of the site (`look.rs`), tells new posts from known ones (`compare.rs`), confirms
//! them by their pages (`confirm.rs`), and writes down every check in the transaction that stores the items (`check.rs`).
//!
//! It deliberately has no scheduler and no items of its own, and does not know how a list is found in a page: that is `posts`.
//!
//! Start reading at `check.rs`.

mod blogs;
mod check;
mod clean_checks;
mod commands;
mod compare;
mod confirm;
mod entries;
mod look;
mod new_state;
mod rhythm;
mod send_webhook;
mod site_post;
mod subscribe;
mod views;
mod watcher;
mod words;

pub use check::{CheckReport, SiteChecker};
pub use clean_checks::CleanChecks;
pub use send_webhook::SendWebhook;
pub use site_post::SitePost;
pub use subscribe::{PostChoice, Preview};
pub use views::{Blog, DayOfChecks, WatchState};
pub use watcher::{SITE_KIND, WatchSettings, Watcher, Webhook, register_jobs};
