//! The arguments of `watch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use url::Url;

use super::{examples, web_address};

/// The commands of `watch`.
#[derive(Subcommand)]
pub enum WatchCommand {
    /// List the blogs of the configuration file
    #[command(after_help = examples::WATCH_LIST)]
    List {
        /// Also list the sites that users have added
        #[arg(long)]
        all: bool,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Check one blog or all blogs now, in this process
    #[command(after_help = examples::WATCH_CHECK)]
    Check {
        /// The blog's id in the configuration file, or the id of a user's site; by default all blogs of the file
        id: Option<String>,
        /// Store nothing, and show all links with the reason why they are posts or not
        #[arg(long)]
        dry_run: bool,
    },
    /// List the checks of a blog, newest first
    #[command(after_help = examples::WATCH_HISTORY)]
    History {
        /// The blog's id in the configuration file, or the id of a user's site
        id: String,
        /// The maximum number of checks
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Write an example of the configuration file
    #[command(after_help = examples::WATCH_INIT)]
    Init {
        /// Replace a file that exists
        #[arg(long)]
        force: bool,
    },
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
