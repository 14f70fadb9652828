//! How the posts of a page are printed.

use std::fmt::Write;

use chrono::{DateTime, Utc};
use posts::{Post, Rejected};
use serde::Serialize;
use store::watch::Source;
use url::Url;

use super::written;
use crate::output::on_one_line;

/// What was found at an address or in a file.
#[derive(Debug)]
pub struct Finding {
    pub source: Source,
    /// The address of a feed or sitemap, if it is known.
    pub source_url: Option<Url>,
    pub posts: Vec<Post>,
    pub rejected: Vec<Rejected>,
    /// The number of other lists on the page that could be meant.
    pub other_lists: usize,
    /// Why there are no posts.
    pub absence: &'static str,
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
            source: finding.map(|finding| finding.source.as_str()),
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
        let address = finding.source_url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
        let _ = writeln!(out, "source: {}{address}", finding.source.as_str());
        if finding.other_lists > 0 {
            let _ = writeln!(out, "other lists: {}", finding.other_lists);
        }
    }
    if let Some(error) = error(found) {
        let _ = writeln!(out, "no posts: {}", on_one_line(error));
    }
    let Ok(finding) = found else { return out + "\n" };
    for post in &finding.posts {
        out.push_str(&post_line('+', post.url.as_str(), &post.title, post.published_at));
    }
    finding.rejected.iter().for_each(|rejected| out.push_str(&rejected_line(rejected)));
    out + "\n"
}

/// A post for people.
pub fn post_line(sign: char, url: &str, title: &str, published_at: Option<DateTime<Utc>>) -> String {
    let day = published_at.map_or("-".to_owned(), |at| at.format("%Y-%m-%d").to_string());
    format!("{sign} {day:<10} {} {}\n", on_one_line(url), on_one_line(title))
}

/// A link that is not a post, with the reason.
pub fn rejected_line(rejected: &Rejected) -> String {
    format!("- {} ({})\n", rejected.url, rejected.reason.text())
}

/// Why there are no posts.
fn error(found: &Result<Finding, String>) -> Option<&str> {
    match found {
        Err(error) => Some(error),
        Ok(finding) if !finding.posts.is_empty() => None,
        Ok(finding) => Some(finding.absence),
    }
}
