//! The arguments of `watch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use url::Url;

use super::{examples, web_address};

/// The commands of `watch`.
#[derive(Subcommand)]
pub enum WatchCommand {
    /// Show the posts that are found on pages, and why other links are none
    #[command(after_help = examples::WATCH_FIND)]
    Find(WatchFind),
}

/// The arguments of `watch find`.
#[derive(Args)]
pub struct WatchFind {
    /// Http(s) addresses, files, or - for standard input
    #[arg(value_name = "URL|FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The address of the page, the base of relative addresses in it
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub base_url: Option<Url>,
    /// Print one JSON object per line and file
    #[arg(long)]
    pub json: bool,
}
