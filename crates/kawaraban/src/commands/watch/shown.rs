//! How the posts of a page are printed.

use std::fmt::Write;

use chrono::{DateTime, SecondsFormat, Utc};
use posts::{Absence, Post, Rejected};
use serde::Serialize;
use url::Url;

use crate::output::on_one_line;

/// Where posts come from.
#[derive(Debug, Default)]
pub enum Source {
    #[default]
    Page,
    /// The address of the feed, if it is known.
    Feed(Option<Url>),
}

impl Source {
    fn name(&self) -> &'static str {
        match self {
            Source::Page => "page",
            Source::Feed(_) => "feed",
        }
    }
}

/// What was found at an address or in a file.
#[derive(Debug, Default)]
pub struct Finding {
    pub source: Source,
    pub posts: Vec<Post>,
    pub rejected: Vec<Rejected>,
    pub absence: Option<Absence>,
}

/// The posts of a file as one line of JSON.
#[derive(Serialize)]
pub struct Line<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    source: Option<&'static str>,
    posts: Vec<PostLine<'a>>,
    rejected: Vec<RejectedLine<'a>>,
}

#[derive(Serialize)]
struct PostLine<'a> {
    url: &'a str,
    title: &'a str,
    published_at: Option<String>,
}

#[derive(Serialize)]
struct RejectedLine<'a> {
    url: &'a str,
    reason: &'static str,
}

impl<'a> Line<'a> {
    /// The line for one file.
    pub fn of(file: &'a str, found: &'a Result<Finding, String>) -> Line<'a> {
        let finding = found.as_ref().ok();
        let (posts, rejected) = finding.map_or((&[][..], &[][..]), |finding| (&finding.posts, &finding.rejected));
        let post = |post: &'a Post| PostLine {
            url: post.url.as_str(),
            title: &post.title,
            published_at: post.published_at.map(written),
        };
        Line {
            file,
            ok: !posts.is_empty(),
            error: error(found),
            source: finding.map(|finding| finding.source.name()),
            posts: posts.iter().map(post).collect(),
            rejected: rejected
                .iter()
                .map(|rejected| RejectedLine { url: rejected.url.as_str(), reason: rejected.reason.text() })
                .collect(),
        }
    }
}

/// The posts of a file for people: source, posts, then the other links with the reason.
pub fn readable(file: &str, found: &Result<Finding, String>) -> String {
    let mut out = format!("{}\n", on_one_line(file));
    if let Ok(finding) = found {
        let address = match &finding.source {
            Source::Feed(Some(url)) => format!(" {url}"),
            _ => String::new(),
        };
        let _ = writeln!(out, "source: {}{address}", finding.source.name());
    }
    if let Some(error) = error(found) {
        let _ = writeln!(out, "no posts: {}", on_one_line(error));
    }
    let Ok(finding) = found else { return out + "\n" };
    for post in &finding.posts {
        let day = post.published_at.map_or("-".to_owned(), |at| at.format("%Y-%m-%d").to_string());
        let _ = writeln!(out, "+ {day:<10} {} {}", post.url, on_one_line(&post.title));
    }
    for rejected in &finding.rejected {
        let _ = writeln!(out, "- {} ({})", rejected.url, rejected.reason.text());
    }
    out + "\n"
}

/// Why there are no posts.
fn error(found: &Result<Finding, String>) -> Option<&str> {
    match found {
        Err(error) => Some(error),
        Ok(finding) if !finding.posts.is_empty() => None,
        Ok(finding) => Some(finding.absence.map_or("the feed has no entries", Absence::text)),
    }
}

/// A time as in the API.
fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
