//! The command line.

mod examples;
mod user;
mod watch;

pub use user::{UserAdd, UserCommand};
pub use watch::{WatchCommand, WatchFind};

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

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Run everything in one process: API and worker
    #[command(after_help = examples::SERVE)]
    Serve,
    /// Run the API alone; on PostgreSQL, in any number of processes
    #[command(after_help = examples::API)]
    Api,
    /// Run a worker alone; on PostgreSQL, in any number of processes
    #[command(after_help = examples::WORKER)]
    Worker,
    /// Migrate the database to the version this program needs
    #[command(after_help = examples::MIGRATE)]
    Migrate,
    /// Show the settings in effect and where they come from, secrets hidden
    #[command(after_help = examples::CONFIG)]
    Config {
        /// Print docs/configuration.md instead
        #[arg(long)]
        markdown: bool,
    },
    /// Check whether the API on this machine is ready, or whether a worker on it is alive
    #[command(after_help = examples::HEALTHCHECK)]
    Healthcheck {
        /// Check for a worker's heartbeat in the database instead
        #[arg(long)]
        worker: bool,
        /// Check the API, or a worker if nothing listens on the API's port: for a container that runs either
        #[arg(long, conflicts_with = "worker")]
        any: bool,
    },
    /// Create, list and delete accounts, and set passwords
    #[command(after_help = examples::USER)]
    User {
        #[command(subcommand)]
        command: UserCommand,
    },
    /// Fetch feeds now, without waiting for their next scheduled time
    #[command(after_help = examples::REFRESH)]
    Refresh(RefreshArgs),
    /// Import subscriptions from an OPML file, or export them
    #[command(after_help = examples::OPML)]
    Opml {
        #[command(subcommand)]
        command: OpmlCommand,
    },
    /// List background jobs, retry failed ones, cancel queued ones
    #[command(after_help = examples::JOBS)]
    Jobs {
        #[command(subcommand)]
        command: JobsCommand,
    },
    /// Show how the feed engine parses a feed, a page or HTML
    #[command(after_help = examples::FEED)]
    Feed {
        #[command(subcommand)]
        command: FeedCommand,
    },
    /// Show the article that is found in a page
    #[command(after_help = examples::ARTICLE)]
    Article(ArticleArgs),
    /// Watch sites with or without a feed for new posts
    #[command(after_help = examples::WATCH)]
    Watch {
        #[command(subcommand)]
        command: WatchCommand,
    },
    /// Print the description of the API, docs/openapi.json
    #[command(hide = true, after_help = examples::OPENAPI)]
    Openapi,
    /// Print the licences of Kawaraban and of the packages in it
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
pub struct RefreshArgs {
    /// The feed with this address
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// Every feed that has a subscriber and is not stopped
    #[arg(long)]
    pub all: bool,
}

/// The commands of `opml`.
#[derive(Subcommand)]
pub enum OpmlCommand {
    /// Subscribe to the feeds of a file, with its folders and titles
    #[command(after_help = examples::OPML_IMPORT)]
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// The user's e-mail address; by default the only user or the only owner
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// Print all subscriptions as OPML
    #[command(after_help = examples::OPML_EXPORT)]
    Export {
        /// The user's e-mail address; by default the only user or the only owner
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
}

/// The commands of `jobs`.
#[derive(Subcommand)]
pub enum JobsCommand {
    /// List jobs, newest first; queued jobs in the order of their start time
    #[command(after_help = examples::JOBS_LIST)]
    List {
        /// Only jobs in this state
        #[arg(long, value_enum)]
        status: Option<Status>,
        /// Only jobs of this kind
        #[arg(long)]
        kind: Option<String>,
        /// The maximum number of jobs
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Show all details of a job
    #[command(after_help = examples::JOBS_SHOW)]
    Show {
        /// The job
        #[arg(value_parser = job_id)]
        id: JobId,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Queue failed jobs again and reset their attempts
    #[command(after_help = examples::JOBS_RETRY)]
    Retry(RetryArgs),
    /// Cancel a queued job, which marks it as failed
    #[command(after_help = examples::JOBS_CANCEL)]
    Cancel {
        /// The job
        #[arg(value_parser = job_id)]
        id: JobId,
        /// The reason, stored as the job's error
        #[arg(long, default_value = "cancelled by hand")]
        reason: String,
    },
}

/// The commands of `feed`.
#[derive(Subcommand)]
pub enum FeedCommand {
    /// Parse feeds and show their content
    #[command(after_help = examples::FEED_PARSE)]
    Parse(FeedParse),
    /// Sanitise HTML from standard input
    #[command(after_help = examples::FEED_SANITIZE)]
    Sanitize {
        /// Read and write one JSON string per line
        #[arg(long)]
        jsonl: bool,
        /// The base of relative addresses in the HTML
        #[arg(long, value_name = "BASE", value_parser = web_address)]
        url: Option<Url>,
    },
    /// List the candidate feeds of a page, in the order to try them
    #[command(after_help = examples::FEED_DISCOVER)]
    Discover {
        /// A file, an http(s) address, or - for standard input
        file: PathBuf,
        /// The address of the page; required unless FILE is an address
        #[arg(long, value_name = "BASE", value_parser = web_address)]
        url: Option<Url>,
        /// The Content-Type of the page
        #[arg(long, value_name = "T")]
        content_type: Option<String>,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
}

/// The arguments of `feed parse`.
#[derive(Args)]
pub struct FeedParse {
    /// Files, http(s) addresses, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The address of the feed, the base of relative addresses in it
    #[arg(long, value_name = "BASE", value_parser = web_address)]
    pub url: Option<Url>,
    /// The Content-Type of the feed
    #[arg(long, value_name = "T")]
    pub content_type: Option<String>,
    /// Print one JSON object per line and file
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `article`.
#[derive(Args)]
pub struct ArticleArgs {
    /// Files, http(s) addresses, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The address of the page, the base of relative addresses in it
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub base_url: Option<Url>,
    /// Print one JSON object per line and file
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
pub struct RetryArgs {
    /// The job to retry
    #[arg(value_parser = job_id, conflicts_with_all = ["kind", "error", "all"])]
    pub id: Option<JobId>,
    /// All failed jobs of this kind
    #[arg(long)]
    pub kind: Option<String>,
    /// All failed jobs whose last error contains this text
    #[arg(long, value_name = "TEXT")]
    pub error: Option<String>,
    /// All failed jobs
    #[arg(long, conflicts_with_all = ["kind", "error"])]
    pub all: bool,
}

fn job_id(text: &str) -> Result<JobId, &'static str> {
    text.parse().map_err(|_| "write a job's id as `kawaraban jobs list` shows it")
}

/// A job's status as an argument.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Status {
    /// Waiting for its start time or for a worker
    Queued,
    /// Claimed by a worker
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
    fn command_line_is_valid() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
