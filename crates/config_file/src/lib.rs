//! `config.toml`: the operator's blogs.
//!
//! [`ConfigFile::parse`] checks a text as a whole and reports all problems together, each with line, column and what to
//! write. [`ConfigSource`] reads the file, and reads it again when it changes; a bad file keeps the last good
//! configuration in force.
//!
//! The crate deliberately knows neither the database nor the network. It does not read the environment: its user passes
//! the path.
//!
//! Start reading at `file.rs`, which has the table of sections. Each section has a module; `blogs.rs` is the model.

mod blogs;
mod duration;
mod file;
mod pattern;
mod problems;
mod reader;
mod source;
mod suggest;
mod syntax;

pub use blogs::{Blog, BlogKind};
pub use file::ConfigFile;
pub use pattern::UrlPattern;
pub use problems::{ConfigError, ConfigProblem};
pub use source::{ConfigSource, OpenError};
pub use url::Url;
