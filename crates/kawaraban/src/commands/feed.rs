//! `feed`: shows how the feed engine parses a feed, a page or HTML. Nothing is stored.

mod discover;
mod parse;
mod sanitize;
mod shown;
pub(super) mod source;

use std::io::{self, Write};

use crate::{cli::FeedCommand, config::Environment, failure::Failure};

/// Runs one of the commands.
pub fn run(environment: &Environment, command: FeedCommand) -> Result<(), Failure> {
    match command {
        FeedCommand::Parse(what) => parse::parse(environment, &what),
        FeedCommand::Sanitize { jsonl: true, url } => sanitize::lines(url.as_ref()),
        FeedCommand::Sanitize { jsonl: false, url } => sanitize::whole(url.as_ref()),
        FeedCommand::Discover { file, url, content_type, json } => {
            let hints = source::DocumentHints { url, content_type };
            discover::discover(environment, &file, hints, json)
        }
    }
}

/// Whether the standard output is still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pipe {
    Open,
    Closed,
}

/// Writes and flushes, so that a program at the other end need not wait.
pub(super) fn write(text: &str) -> Result<Pipe, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Pipe::Open),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Pipe::Closed),
        Err(error) => Err(Failure::because("cannot write the output", &error)),
    }
}

/// A value as one line of JSON.
pub(super) fn json_line(value: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::because("cannot write the output", &error))?;
    Ok(text + "\n")
}
