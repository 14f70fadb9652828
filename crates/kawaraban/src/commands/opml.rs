//! `opml`: imports and exports subscriptions.

use std::{
    fs::File,
    io::{self, IsTerminal, Read, Write},
    path::Path,
    time::Duration,
};

use read::{ImportFeed, Reader};
use store::{
    ImportId, UserId,
    imports::{Import, ImportOutcome},
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    cli::OpmlCommand,
    config::Config,
    database,
    failure::Failure,
    output::{self, on_one_line},
    signals,
    users::find_user,
};

/// The same as over HTTP.
const MAX_FILE_BYTES: u64 = 5 * 1024 * 1024;
/// How long running jobs may continue after an interruption.
const GRACE: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Without progress for this time, the jobs have been cancelled.
const MAX_STALL: Duration = Duration::from_secs(10 * 60);
/// How often progress is printed without a terminal.
const PRINT_INTERVAL: Duration = Duration::from_secs(5);

/// Runs a command on a migrated database.
pub async fn run(config: &Config, command: OpmlCommand) -> Result<(), Failure> {
    let (db, clock) = database::open_ready(config).await?;
    let app = App::new(config, db.clone(), clock)?;
    let done = match command {
        OpmlCommand::Import { file, user } => import(&app, &file, user.as_deref()).await,
        OpmlCommand::Export { user } => export(&app.reader, user.as_deref()).await,
    };
    database::close(&db).await;
    done
}

async fn export(reader: &Reader, user: Option<&str>) -> Result<(), Failure> {
    let user = find_user(reader.db(), user).await?;
    output::print(&reader.export_opml(user).await?)
}

async fn import(app: &App<'_>, file: &Path, user: Option<&str>) -> Result<(), Failure> {
    let reader = &app.reader;
    let user = find_user(reader.db(), user).await?;
    let bytes = read(file).map_err(|error| Failure::because(format!("cannot read {}", file.display()), &error))?;
    let stop = signals::stop_on_signals().map_err(|error| Failure::because("cannot start", &error))?;
    let import = reader.import_opml(user, bytes, None).await;
    let import = import.map_err(|error| Failure::because(format!("cannot import {}", file.display()), &error))?;
    // Its own worker, so that the command works without a server. A running server shares the jobs.
    let working = stop.child_token();
    let mut worker = app.empty_worker(GRACE);
    worker.register::<ImportFeed>(reader.clone());
    let worker = tokio::spawn(worker.run(working.clone()));
    let ended = watch(reader, user, import, &stop).await;
    working.cancel();
    // Jobs that it could not return run again after their lease has lapsed.
    let _ = worker.await;
    reader.flush_fetch_stats().await;
    print_result(reader, user, import, &ended?).await
}

/// Shows the progress until no feed is waiting, or until `stop`.
async fn watch(reader: &Reader, user: UserId, import: ImportId, stop: &CancellationToken) -> Result<Import, Failure> {
    let mut progress = Progress { on_terminal: io::stderr().is_terminal(), printed_at: Instant::now() };
    let (mut left, mut changed_at) = (i64::MAX, Instant::now());
    loop {
        let now = reader.get_import(user, import).await?.ok_or(store::Error::NotFound)?;
        progress.show(&now);
        if now.waiting != left {
            (left, changed_at) = (now.waiting, Instant::now());
        }
        let is_over = left == 0 || changed_at.elapsed() > MAX_STALL;
        if is_over || stop.run_until_cancelled(tokio::time::sleep(POLL_INTERVAL)).await.is_none() {
            progress.end();
            return Ok(now);
        }
    }
}

/// Prints the result of the import.
async fn print_result(reader: &Reader, user: UserId, import: ImportId, ended: &Import) -> Result<(), Failure> {
    let Import { total, waiting, added, present, failed, .. } = ended;
    let feeds = reader.list_import_feeds(user, import).await?;
    let lines: String = feeds
        .iter()
        .filter(|feed| feed.outcome == ImportOutcome::Failed)
        .map(|feed| format!("{}\t{}\n", feed.error_code.as_deref().unwrap_or("-"), on_one_line(&feed.feed_url)))
        .collect();
    let words = format!("{total} feeds: {added} added, {present} already present, {failed} failed\n");
    output::print(&format!("{words}{lines}"))?;
    match (*waiting, *failed) {
        (0, 0) => Ok(()),
        (0, failed) => Err(Failure::new(format!("{failed} of {total} feeds could not be added"))),
        (waiting, _) => Err(Failure::new(format!(
            "interrupted: {waiting} of {total} feeds are waiting; a running `serve` or `worker` continues"
        ))),
    }
}

/// Prints the progress to the standard error.
struct Progress {
    on_terminal: bool,
    printed_at: Instant,
}

impl Progress {
    fn show(&mut self, now: &Import) {
        let done = now.total - now.waiting;
        if self.on_terminal {
            // Progress is not important enough to fail for.
            let _ = write!(io::stderr(), "\r{done} of {} feeds", now.total);
        } else if self.printed_at.elapsed() >= PRINT_INTERVAL {
            self.printed_at = Instant::now();
            let _ = writeln!(io::stderr(), "{done} of {} feeds", now.total);
        }
    }

    fn end(&self) {
        if self.on_terminal {
            let _ = writeln!(io::stderr());
        }
    }
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(file)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is larger than 5 MiB"));
    }
    Ok(bytes)
}
