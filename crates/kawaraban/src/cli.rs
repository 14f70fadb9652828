//! The command line.

mod examples;
mod user;

pub use user::{UserAdd, UserCommand};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use store::{JobId, jobs::JobStatus};
use url::Url;

/// A self-hosted news desk: reads, watches, summarises, posts and illustrates.
#[derive(Parser)]
#[command(name = "kawaraban", version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("KAWARABAN_COMMIT"), ")"))]
#[command(arg_required_else_help = true, after_help = examples::ROOT)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Run everything in one process: API and worker
    #[command(after_help = examples::SERVE)]
    Serve,
    /// Run the API alone; on PostgreSQL, as many as wanted
    #[command(after_help = examples::API)]
    Api,
    /// Run a worker alone; on PostgreSQL, as many as wanted
    #[command(after_help = examples::WORKER)]
    Worker,
    /// Bring the database to the version this program needs, and end
    #[command(after_help = examples::MIGRATE)]
    Migrate,
    /// Show the settings in effect and where they come from, secrets hidden
    #[command(after_help = examples::CONFIG)]
    Config {
        /// Print docs/configuration.md instead
        #[arg(long)]
        markdown: bool,
    },
    /// Ask whether the API on this machine is ready, or whether a worker on it is alive
    #[command(after_help = examples::HEALTHCHECK)]
    Healthcheck {
        /// Look for a worker's sign of life in the database instead
        #[arg(long)]
        worker: bool,
        /// Ask the API; where nothing listens on its port, look for a worker: for a container that runs either
        #[arg(long, conflicts_with = "worker")]
        any: bool,
    },
    /// Make, list and delete accounts, and set passwords
    #[command(after_help = examples::USER)]
    User {
        #[command(subcommand)]
        command: UserCommand,
    },
    /// Have feeds fetched now, without waiting for their time
    #[command(after_help = examples::REFRESH)]
    Refresh(Refresh),
    /// Take subscriptions in from an OPML file, or write them out as one
    #[command(after_help = examples::OPML)]
    Opml {
        #[command(subcommand)]
        command: OpmlCommand,
    },
    /// Look at background jobs, retry failed ones, cancel waiting ones
    #[command(after_help = examples::JOBS)]
    Jobs {
        #[command(subcommand)]
        command: JobsCommand,
    },
    /// See what the feed engine makes of a feed, a page or HTML
    #[command(after_help = examples::FEED)]
    Feed {
        #[command(subcommand)]
        command: FeedCommand,
    },
    /// Print the description of the API, docs/openapi.json
    #[command(hide = true, after_help = examples::OPENAPI)]
    Openapi,
    /// Print the licence of Kawaraban and those of the packages in it
    #[command(after_help = examples::LICENSES)]
    Licenses,
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Which feeds to refresh.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Refresh {
    /// The feed with this address
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// Every feed that somebody subscribes to and that is not stopped
    #[arg(long)]
    pub all: bool,
}

/// What to do with lists of subscriptions.
#[derive(Subcommand)]
pub enum OpmlCommand {
    /// Subscribe to the feeds of a file, with its folders and titles
    #[command(after_help = examples::OPML_IMPORT)]
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// Whose subscriptions; those of the only user or the only owner if not said
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// Print all subscriptions as OPML
    #[command(after_help = examples::OPML_EXPORT)]
    Export {
        /// Whose subscriptions; those of the only user or the only owner if not said
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
}

/// What to do with jobs.
#[derive(Subcommand)]
pub enum JobsCommand {
    /// List jobs, the newest first; waiting ones in the order of their time
    #[command(after_help = examples::JOBS_LIST)]
    List {
        /// Only jobs in this state
        #[arg(long, value_enum)]
        status: Option<Status>,
        /// Only jobs of this kind
        #[arg(long)]
        kind: Option<String>,
        /// The most jobs to list
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
        /// Print a JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show all there is to know about a job
    #[command(after_help = examples::JOBS_SHOW)]
    Show {
        /// The job
        #[arg(value_parser = job_id)]
        id: JobId,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Put failed jobs back on the queue, with all their attempts before them
    #[command(after_help = examples::JOBS_RETRY)]
    Retry(Retry),
    /// Cancel a waiting job: it becomes a failed one
    #[command(after_help = examples::JOBS_CANCEL)]
    Cancel {
        /// The job
        #[arg(value_parser = job_id)]
        id: JobId,
        /// Why, kept as the job's error
        #[arg(long, default_value = "cancelled by hand")]
        reason: String,
    },
}

/// What to do with the feed engine.
#[derive(Subcommand)]
pub enum FeedCommand {
    /// Read feeds and show what is in them
    #[command(after_help = examples::FEED_PARSE)]
    Parse(FeedParse),
    /// Make HTML from standard input safe to show
    #[command(after_help = examples::FEED_SANITIZE)]
    Sanitize {
        /// Read a JSON string a line, and write one a line
        #[arg(long)]
        jsonl: bool,
        /// What relative addresses in the HTML are relative to
        #[arg(long, value_name = "BASE", value_parser = web_address)]
        url: Option<Url>,
    },
    /// List the feeds that a page may have, in the order to try them
    #[command(after_help = examples::FEED_DISCOVER)]
    Discover {
        /// A file, an http(s) address, or - for standard input
        file: PathBuf,
        /// Where the page is; needed unless FILE is an address
        #[arg(long, value_name = "BASE", value_parser = web_address)]
        url: Option<Url>,
        /// The Content-Type the page came with
        #[arg(long, value_name = "T")]
        content_type: Option<String>,
        /// Print a JSON object a line
        #[arg(long)]
        json: bool,
    },
}

/// Which feeds to read, and what is known about them.
#[derive(Args)]
pub struct FeedParse {
    /// Files, http(s) addresses, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Where the feed is: what relative addresses in it are relative to
    #[arg(long, value_name = "BASE", value_parser = web_address)]
    pub url: Option<Url>,
    /// The Content-Type the feed came with
    #[arg(long, value_name = "T")]
    pub content_type: Option<String>,
    /// Print a JSON object a line and file
    #[arg(long)]
    pub json: bool,
}

fn web_address(text: &str) -> Result<Url, &'static str> {
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    Url::parse(text).ok().filter(is_web).ok_or("write an address that begins with https:// or http://")
}

/// Which failed jobs to retry.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Retry {
    /// This one
    #[arg(value_parser = job_id, conflicts_with_all = ["kind", "error", "all"])]
    pub id: Option<JobId>,
    /// All of this kind
    #[arg(long)]
    pub kind: Option<String>,
    /// All whose last error contains this text
    #[arg(long, value_name = "TEXT")]
    pub error: Option<String>,
    /// All
    #[arg(long, conflicts_with_all = ["kind", "error"])]
    pub all: bool,
}

fn job_id(text: &str) -> Result<JobId, &'static str> {
    text.parse().map_err(|_| "write a job's id as `kawaraban jobs list` shows it")
}

/// A job's state, as it is written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Status {
    /// Waiting for its time or for a worker
    Queued,
    /// Held by a worker
    Processing,
    /// Done
    Succeeded,
    /// Given up or cancelled
    Failed,
}

impl From<Status> for JobStatus {
    fn from(status: Status) -> JobStatus {
        match status {
            Status::Queued => JobStatus::Queued,
            Status::Processing => JobStatus::Processing,
            Status::Succeeded => JobStatus::Succeeded,
            Status::Failed => JobStatus::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
