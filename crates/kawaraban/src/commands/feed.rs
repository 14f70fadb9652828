//! `feed`: shows what the feed engine makes of a feed, a page or HTML. Nothing is stored.

mod discover;
mod parse;
mod sanitize;
mod shown;
mod source;

use std::io::{self, Write};

use crate::{cli::FeedCommand, config::Environment, failure::Failure};

/// Runs one of the commands.
pub fn run(environment: &Environment, command: FeedCommand) -> Result<(), Failure> {
    match command {
        FeedCommand::Parse(what) => parse::parse(environment, &what),
        FeedCommand::Sanitize { jsonl: true, url } => sanitize::lines(url.as_ref()),
        FeedCommand::Sanitize { jsonl: false, url } => sanitize::whole(url.as_ref()),
        FeedCommand::Discover { file, url, content_type, json } => {
            let hints = source::Hints { url, content_type };
            discover::discover(environment, &file, hints, json)
        }
    }
}

/// Whether anybody reads on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    There,
    Gone,
}

/// Writes a part of the answer at once, so that a program at the other end need not wait for the rest.
fn write(text: &str) -> Result<Reader, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::because("cannot write the answer", &error)),
    }
}

/// A value as JSON on a line of its own.
fn json_line(value: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::because("cannot write the answer", &error))?;
    Ok(text + "\n")
}
