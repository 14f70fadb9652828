//! `watch find`: finds the posts of pages, by their feed if there is one.

use std::path::Path;

use chrono::{DateTime, Utc};
use feed::{
    ParseOptions,
    discover::{CandidateSource, from_page, is_feed},
};
use posts::{Absence, Found, PageContext, Post, find_posts, parse_sitemap, posts_in_sitemap};
use store::{Clock, watch::Source};
use url::Url;

use super::shown::{self, Finding};
use crate::{
    cli::WatchFind,
    commands::feed::{
        Pipe, json_line,
        source::{DocumentHints, Opener, SourceDocument, address},
        write,
    },
    config::Environment,
    failure::Failure,
};

/// Of the feeds that a page names, only the first ones are tried.
const MAX_FEEDS: usize = 2;

/// Shows the posts of each file. A failure does not stop the others.
pub fn find(environment: &Environment, what: &WatchFind) -> Result<(), Failure> {
    let hints = DocumentHints { url: what.base_url.clone(), content_type: None };
    let mut finder = Finder { opener: Opener::new(environment), now: Clock::system().now() };
    let mut failed = 0;
    for file in &what.files {
        let name = file.to_string_lossy();
        let found = finder.find(file, &hints);
        failed += usize::from(!found.as_ref().is_ok_and(|found| !found.posts.is_empty()));
        let text = if what.json { json_line(&shown::Line::of(&name, &found))? } else { shown::readable(&name, &found) };
        if write(&text)? == Pipe::Closed {
            return Ok(());
        }
    }
    match (failed, what.files.len()) {
        (0, _) => Ok(()),
        (1, 1) => Err(Failure::new("no posts were found")),
        (failed, all) => Err(Failure::new(format!("no posts were found in {failed} of {all} files"))),
    }
}

struct Finder<'a> {
    opener: Opener<'a>,
    now: DateTime<Utc>,
}

impl Finder<'_> {
    fn find(&mut self, file: &Path, hints: &DocumentHints) -> Result<Finding, String> {
        let document = self.opener.open(file, hints).map_err(|failure| failure.to_string())?;
        if is_feed(&document.bytes, document.hints.content_type.as_deref()).is_some() {
            let url = document.hints.url.clone();
            return Ok(of_feed(self.entries(document)?, url));
        }
        if let Some(found) = of_sitemap(&document, hints.url.as_ref()) {
            return Ok(found);
        }
        if address(file).is_some()
            && let Some(found) = self.by_feed(&document)
        {
            return Ok(found);
        }
        let page = article::decode(&document.bytes, document.hints.content_type.as_deref());
        let context = PageContext { base_url: document.hints.url.as_ref(), now: self.now, list: None };
        let Found { posts, rejected, absence, others, .. } = find_posts(&page, &context);
        let absence = absence.map_or("nothing was found", Absence::text);
        Ok(Finding { source: Source::Page, source_url: None, posts, rejected, other_lists: others.len(), absence })
    }

    /// The posts of a feed that the page names. None if no feed can be read.
    fn by_feed(&mut self, page: &SourceDocument) -> Option<Finding> {
        let url = page.hints.url.as_ref()?;
        let named = from_page(&page.bytes, page.hints.content_type.as_deref(), url).into_iter();
        let named = named.filter(|candidate| candidate.source == CandidateSource::Link).take(MAX_FEEDS);
        { named }.find_map(|candidate| {
            let document = self.opener.open(Path::new(candidate.url.as_str()), &DocumentHints::default()).ok()?;
            let posts = self.entries(document).ok().filter(|posts| !posts.is_empty())?;
            Some(of_feed(posts, Some(candidate.url)))
        })
    }

    fn entries(&self, document: SourceDocument) -> Result<Vec<Post>, String> {
        let options =
            ParseOptions { url: document.hints.url, content_type: document.hints.content_type, now: self.now };
        let parsed = feed::parse(&document.bytes, &options).map_err(|error| error.to_string())?;
        let post = |entry: feed::Entry| {
            let url = Url::parse(entry.link.as_deref()?).ok()?;
            Some(Post { url, title: entry.title, published_at: entry.published.or(entry.updated) })
        };
        Ok(parsed.feed.entries.into_iter().filter_map(post).collect())
    }
}

fn of_feed(posts: Vec<Post>, source_url: Option<Url>) -> Finding {
    let absence = "the feed has no entries";
    Finding { source: Source::Feed, source_url, posts, rejected: Vec::new(), other_lists: 0, absence }
}

/// The posts of a sitemap, seen from `page`, else from the front page of its site. None if it is no sitemap.
fn of_sitemap(document: &SourceDocument, page: Option<&Url>) -> Option<Finding> {
    let source_url = document.hints.url.clone();
    // A sitemap names whole addresses, so that any base will do.
    let base = source_url.clone().or_else(|| Url::parse("https://sitemap.invalid/sitemap.xml").ok())?;
    let sitemap = parse_sitemap(&document.bytes, &base)?;
    let first = sitemap.urls.first().map_or(&base, |first| &first.url);
    let page = page.cloned().or_else(|| first.join("/").ok())?;
    let absence = if sitemap.sitemaps.is_empty() {
        "the sitemap has no posts"
    } else {
        "the sitemap only names other sitemaps: write the address of one of them"
    };
    let posts = posts_in_sitemap(&sitemap, &page);
    Some(Finding { source: Source::Sitemap, source_url, posts, rejected: Vec::new(), other_lists: 0, absence })
}
