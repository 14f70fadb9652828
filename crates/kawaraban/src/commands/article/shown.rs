//! How articles are printed.

use std::fmt::Write;

use article::Article;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

use crate::output::on_one_line;

/// An article as one line of JSON.
#[derive(Serialize)]
pub struct Line<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    title: Option<&'a str>,
    byline: Option<&'a str>,
    published_at: Option<String>,
    lang: Option<&'a str>,
    site_name: Option<&'a str>,
    image: Option<&'a str>,
    canonical_url: Option<&'a str>,
    excerpt: &'a str,
    text: &'a str,
    html: &'a str,
}

impl<'a> Line<'a> {
    /// The line for one file.
    pub fn of(file: &'a str, found: &'a Result<Article, String>) -> Line<'a> {
        let article = found.as_ref().ok();
        Line {
            file,
            ok: found.is_ok(),
            error: found.as_ref().err().map(String::as_str),
            title: article.and_then(|article| article.title.as_deref()),
            byline: article.and_then(|article| article.byline.as_deref()),
            published_at: article.and_then(|article| article.published_at).map(written),
            lang: article.and_then(|article| article.lang.as_deref()),
            site_name: article.and_then(|article| article.site_name.as_deref()),
            image: article.and_then(|article| article.image.as_ref()).map(AsRef::as_ref),
            canonical_url: article.and_then(|article| article.canonical_url.as_ref()).map(AsRef::as_ref),
            excerpt: article.map_or("", |article| &article.excerpt),
            text: article.map_or("", |article| &article.text),
            html: article.map_or("", |article| &article.html),
        }
    }
}

/// An article for people: what is known about it, then its text.
pub fn readable(file: &str, found: &Result<Article, String>) -> String {
    let article = match found {
        Ok(article) => article,
        Err(error) => return format!("{}: {}\n", on_one_line(file), on_one_line(error)),
    };
    let date = article.published_at.map(written);
    let fields = [
        ("title", article.title.as_deref()),
        ("byline", article.byline.as_deref()),
        ("published", date.as_deref()),
        ("language", article.lang.as_deref()),
        ("site", article.site_name.as_deref()),
    ];
    let mut out = format!("{}\n", on_one_line(file));
    for (name, value) in fields {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:<10} {}", on_one_line(value));
        }
    }
    out.push('\n');
    out.extend(article.text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
    out.push_str("\n\n");
    out
}

/// A time as in the API.
fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
