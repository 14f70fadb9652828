//! The log: text or JSON to the standard error, and JSON to daily files.

mod json;
mod old_files;

pub use old_files::remove_old_files;

use std::{error::Error, io, panic, path::Path};

use rustix::fs::Access;
use tracing_appender::{
    non_blocking::WorkerGuard,
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt::format::JsonFields, layer::SubscriberExt, util::SubscriberInitExt,
};

use crate::{
    config::{Config, LogFormat},
    failure::Failure,
};

/// The names of log files: `kawaraban.2026-01-31.log`.
const PREFIX: &str = "kawaraban";
const SUFFIX: &str = "log";

/// Flushes the log when it is dropped.
pub struct LogGuard(#[expect(dead_code, reason = "flushes the log when dropped")] Option<WorkerGuard>);

/// Whether the log goes to files as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// To `LOG_DIR`, if it is set: for long-running commands.
    Too,
    /// To the standard error only: for one-shot commands.
    No,
}

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Starts the log, once in a process. Panics are logged in the same format.
pub fn start(config: &Config, in_colour: bool, files: Files) -> Result<LogGuard, Failure> {
    let stderr: BoxedLayer = match config.log_format {
        LogFormat::Text => tracing_subscriber::fmt::layer().with_ansi(in_colour).with_writer(io::stderr).boxed(),
        LogFormat::Json => json_layer(io::stderr),
    };
    let mut layers = vec![stderr];
    let mut guard = None;
    if let Some(folder) = config.log_dir.as_deref().filter(|_| files == Files::Too) {
        let (writer, kept) = tracing_appender::non_blocking(daily_files(folder)?);
        layers.push(json_layer(writer));
        guard = Some(kept);
    }
    let filter = EnvFilter::builder().parse_lossy(&config.log_level);
    let started = tracing_subscriber::registry().with(layers).with(filter).try_init();
    started.map_err(|error| Failure::because("cannot start the log", &error))?;
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        let words = panic.payload_as_str().unwrap_or("without words");
        tracing::error!(error_kind = "panic", location, "a task panicked: {words}");
    }));
    Ok(LogGuard(guard))
}

fn json_layer<W>(writer: W) -> BoxedLayer
where
    W: for<'w> tracing_subscriber::fmt::MakeWriter<'w> + Send + Sync + 'static,
{
    tracing_subscriber::fmt::layer()
        .fmt_fields(JsonFields::new())
        .event_format(json::FlatJson)
        .with_ansi(false)
        .with_writer(writer)
        .boxed()
}

fn daily_files(folder: &Path) -> Result<RollingFileAppender, Failure> {
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix(PREFIX)
        .filename_suffix(SUFFIX)
        .build(folder);
    files.map_err(|error| Failure::setting(unusable(folder, &error)))
}

/// Why log files cannot be created in this folder, checked without creating anything.
pub fn folder_problem(folder: &Path) -> Option<String> {
    let existing = folder.ancestors().find(|path| path.exists())?;
    // The trailing slash: only a folder has that name.
    let error = rustix::fs::access(existing.join(""), Access::WRITE_OK | Access::EXEC_OK).err()?;
    Some(unusable(folder, &error))
}

fn unusable(folder: &Path, error: &dyn Error) -> String {
    let why = crate::failure::chain(error);
    format!("LOG_DIR={}: {why}: write a folder in which files can be made", folder.display())
}
