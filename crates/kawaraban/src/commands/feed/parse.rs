//! `feed parse`: parses feeds and shows their content.

use std::path::Path;

use chrono::{DateTime, Utc};
use feed::{ParseOptions, Parsed};
use store::Clock;

use super::{
    Pipe, json_line, shown,
    source::{DocumentHints, Opener},
    write,
};
use crate::{cli::FeedParse, config::Environment, failure::Failure};

/// Parses and shows each file. A failure does not stop the others.
pub fn parse(environment: &Environment, what: &FeedParse) -> Result<(), Failure> {
    let hints = DocumentHints { url: what.url.clone(), content_type: what.content_type.clone() };
    let mut opener = Opener::new(environment);
    let (now, mut failed) = (Clock::system().now(), 0);
    for file in &what.files {
        let name = file.to_string_lossy();
        let read = read(&mut opener, file, &hints, now);
        failed += usize::from(read.is_err());
        let text = if what.json { json_line(&shown::Line::of(&name, read))? } else { shown::readable(&name, read) };
        if write(&text)? == Pipe::Closed {
            return Ok(());
        }
    }
    match (failed, what.files.len()) {
        (0, _) => Ok(()),
        (1, 1) => Err(Failure::new("the file could not be parsed as a feed")),
        (failed, all) => Err(Failure::new(format!("{failed} of {all} files could not be parsed as feeds"))),
    }
}

fn read(opener: &mut Opener<'_>, file: &Path, hints: &DocumentHints, now: DateTime<Utc>) -> Result<Parsed, String> {
    let document = opener.open(file, hints).map_err(|failure| failure.to_string())?;
    let options = ParseOptions { url: document.hints.url, content_type: document.hints.content_type, now };
    feed::parse(&document.bytes, &options).map_err(|error| error.to_string())
}
