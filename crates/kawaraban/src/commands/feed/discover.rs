//! `feed discover`: lists the candidate feeds of a page.

use std::path::Path;

use clap::{CommandFactory, error::ErrorKind};
use feed::discover::{Candidate, CandidateKind, CandidateSource, from_page, is_feed};
use serde::Serialize;

use super::{
    json_line,
    source::{DocumentHints, Opener, address},
};
use crate::{cli::Cli, config::Environment, failure::Failure, output};

/// A candidate in the output of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    title: Option<&'a str>,
    kind: CandidateKind,
    source: &'static str,
}

/// Lists the candidates of a page in the order to try them.
pub fn discover(environment: &Environment, file: &Path, hints: DocumentHints, json: bool) -> Result<(), Failure> {
    if hints.url.is_none() && address(file).is_none() {
        Cli::command()
            .error(ErrorKind::MissingRequiredArgument, "the address of the page is required: --url <BASE>")
            .exit();
    }
    let document = Opener::new(environment).open(file, &hints).map_err(|failure| named(file, &failure))?;
    let Some(url) = document.hints.url else { return Ok(()) };
    let content_type = document.hints.content_type.as_deref();
    if let Some(kind) = is_feed(&document.bytes, content_type) {
        return print(&[Line { url: url.as_str(), title: None, kind, source: "itself" }], json);
    }
    let candidates = from_page(&document.bytes, content_type, &url);
    print(&candidates.iter().map(line).collect::<Vec<_>>(), json)
}

fn named(file: &Path, failure: &Failure) -> Failure {
    Failure::new(format!("{}: {failure}", output::on_one_line(&file.to_string_lossy())))
}

fn line(candidate: &Candidate) -> Line<'_> {
    let source = match candidate.source {
        CandidateSource::Link => "link",
        CandidateSource::Pattern => "pattern",
        CandidateSource::Anchor => "anchor",
        CandidateSource::Guess => "guess",
    };
    Line { url: candidate.url.as_str(), title: candidate.title.as_deref(), kind: candidate.kind, source }
}

fn print(lines: &[Line<'_>], json: bool) -> Result<(), Failure> {
    if json {
        let text: Result<String, Failure> = lines.iter().map(json_line).collect();
        return output::print(&text?);
    }
    let kind = |kind| match kind {
        CandidateKind::Atom => "atom",
        CandidateKind::Rss => "rss",
        CandidateKind::Json => "json",
        CandidateKind::Unknown => "unknown",
    };
    let row =
        |line: &Line<'_>| [line.url, kind(line.kind), line.source, line.title.unwrap_or_default()].map(str::to_owned);
    output::print_table(["URL", "KIND", "SOURCE", "TITLE"], &lines.iter().map(row).collect::<Vec<_>>())
}
