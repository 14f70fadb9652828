//! `article`: shows the article that the extraction finds in pages. Nothing is stored.

mod shown;

use std::path::Path;

use ::article::{Article, PageContext, Rules, pdf};
use chrono::{DateTime, Utc};
use store::Clock;

use super::feed::{
    Pipe, json_line,
    source::{DocumentHints, Opener},
    write,
};
use crate::{cli::ArticleArgs, config::Environment, failure::Failure};

/// Shows the article of each file. A failure does not stop the others.
pub fn show(environment: &Environment, what: &ArticleArgs) -> Result<(), Failure> {
    let hints = DocumentHints { url: what.base_url.clone(), content_type: None };
    let mut opener = Opener::new(environment);
    let (now, mut failed) = (Clock::system().now(), 0);
    for file in &what.files {
        let name = file.to_string_lossy();
        let found = read(&mut opener, file, &hints, now);
        failed += usize::from(found.is_err());
        let text = if what.json { json_line(&shown::Line::of(&name, &found))? } else { shown::readable(&name, &found) };
        if write(&text)? == Pipe::Closed {
            return Ok(());
        }
    }
    match (failed, what.files.len()) {
        (0, _) => Ok(()),
        (1, 1) => Err(Failure::new("no article was found")),
        (failed, all) => Err(Failure::new(format!("no article was found in {failed} of {all} files"))),
    }
}

fn read(opener: &mut Opener<'_>, file: &Path, hints: &DocumentHints, now: DateTime<Utc>) -> Result<Article, String> {
    let document = opener.open(file, hints).map_err(|failure| failure.to_string())?;
    if pdf::is_pdf(&document.bytes) {
        return pdf::article(&document.bytes).map_err(|error| error.to_string());
    }
    let context = PageContext { base_url: document.hints.url.as_ref(), rules: &Rules::default(), now };
    let page = ::article::decode(&document.bytes, document.hints.content_type.as_deref());
    ::article::extract(&page, &context).map_err(|error| error.to_string())
}
