//! The rules of Read: subscribing, fetching, states with undo, counts, search, retention.
//!
//! A handler in `web`, a command and a job call the same function of [`Reader`]. It has no SQL (that is `store`'s) and no
//! words for people (those are `web`'s): what went wrong is a value with a code, [`Problem`].
//!
//! Start reading at [`Reader`], then `fetch.rs` for the life of a fetch.

mod problem;
mod reader;
mod settings;

pub use problem::Problem;
pub use reader::Reader;
pub use settings::{HatebuSettings, Settings};
