//! An entry while it is being parsed: the values for each field, with their ranks.

use std::{borrow::Cow, cmp::Ordering, rc::Rc};

use chrono::{DateTime, Utc};
use percent_encoding::percent_decode_str;
use url::Url;

use super::{address, feed_parser::FeedParser, person, plain_text, relative};
use crate::{Enclosure, Entry};

/// The rank of a summary from `description`.
pub(super) const DESCRIPTION: u8 = 4;

/// The maximum number of categories and of enclosures of an entry.
const MAX_VALUES: usize = 64;

/// HTML and the base of its relative addresses.
#[derive(Debug)]
pub(super) struct HtmlBody<'a> {
    pub(super) html: Cow<'a, str>,
    pub(super) base: Option<Rc<Url>>,
}

/// The value with the highest rank so far; the first one wins among equals.
#[derive(Debug)]
pub(super) struct Ranked<T> {
    rank: u8,
    value: Option<T>,
}

impl<T> Default for Ranked<T> {
    fn default() -> Self {
        Ranked { rank: 0, value: None }
    }
}

impl<T> Ranked<T> {
    /// Replaces the value if the rank, which is above zero, is higher.
    pub(super) fn offer(&mut self, rank: u8, value: Option<T>) {
        if value.is_some() && (rank > self.rank || self.value.is_none()) {
            self.rank = rank;
            self.value = value;
        }
    }

    /// Whether there is a value of this rank or higher.
    pub(super) fn has(&self, rank: u8) -> bool {
        self.value.is_some() && self.rank >= rank
    }
}

#[derive(Debug)]
pub(super) struct EntryDraft<'a> {
    pub(super) about: Option<String>,
    pub(super) id: Option<String>,
    pub(super) id_is_permalink: bool,
    pub(super) link: Ranked<String>,
    pub(super) title: Ranked<String>,
    pub(super) content: Ranked<HtmlBody<'a>>,
    pub(super) summary: Ranked<HtmlBody<'a>>,
    pub(super) podcast_summary: Ranked<HtmlBody<'a>>,
    pub(super) authors: Vec<String>,
    pub(super) podcast_author: Option<String>,
    pub(super) published: Ranked<DateTime<Utc>>,
    pub(super) updated: Ranked<DateTime<Utc>>,
    pub(super) categories: Vec<String>,
    pub(super) enclosures: Vec<Enclosure>,
    pub(super) thumbnail: Ranked<String>,
    pub(super) comments: Ranked<String>,
    base: Option<Rc<Url>>,
}

impl<'a> EntryDraft<'a> {
    pub(super) fn new(base: Option<Rc<Url>>) -> Self {
        EntryDraft {
            about: None,
            id: None,
            id_is_permalink: false,
            link: Ranked::default(),
            title: Ranked::default(),
            content: Ranked::default(),
            summary: Ranked::default(),
            podcast_summary: Ranked::default(),
            authors: Vec::new(),
            podcast_author: None,
            published: Ranked::default(),
            updated: Ranked::default(),
            categories: Vec::new(),
            enclosures: Vec::new(),
            thumbnail: Ranked::default(),
            comments: Ranked::default(),
            base,
        }
    }

    /// Adds a category once.
    pub(super) fn add_category(&mut self, text: &str) {
        let text = plain_text::title(text);
        if !text.is_empty() && self.categories.len() < MAX_VALUES && !self.categories.contains(&text) {
            self.categories.push(text);
        }
    }

    /// Adds a file once.
    pub(super) fn add_enclosure(&mut self, enclosure: Enclosure) {
        if let Some(known) = self.enclosures.iter_mut().find(|known| known.url == enclosure.url) {
            known.media_type = known.media_type.take().or(enclosure.media_type);
            known.length = known.length.or(enclosure.length);
        } else if self.enclosures.len() < MAX_VALUES {
            self.enclosures.push(enclosure);
        }
    }

    /// Assigns `itunes:summary`: the longer one of it and `description` becomes the content of the entry.
    fn assign_podcast_summary(&mut self) {
        let Some(podcast) = self.podcast_summary.value.take() else { return };
        let length = |body: &HtmlBody<'_>| plain_text::strip(&body.html).chars().count();
        match self.summary.value.take_if(|_| self.summary.rank == DESCRIPTION) {
            None => self.summary.offer(2, Some(podcast)),
            Some(description) if self.content.value.is_some() => self.summary.value = Some(description),
            Some(description) => {
                let (text, summary) = match length(&podcast).cmp(&length(&description)) {
                    Ordering::Greater => (Some(podcast), description),
                    Ordering::Less => (Some(description), podcast),
                    Ordering::Equal => (None, description),
                };
                self.content.offer(1, text);
                self.summary.value = Some(summary);
            }
        }
    }

    /// The finished entry.
    pub(super) fn finish(mut self, document: &FeedParser<'a, '_>) -> Entry {
        self.assign_podcast_summary();
        if self.id.is_none() {
            self.id = self.about.take();
        }
        let base = self.base.as_deref();
        let from_id = self.id.as_deref().filter(|id| self.id_is_permalink || address::is_web(id));
        self.link.offer(1, from_id.and_then(|id| document.address(id, base)));
        let link = self.link.value;
        let whole = |body: Option<HtmlBody<'a>>| {
            let body = body.filter(|body| !body.html.trim().is_empty())?;
            let page = || link.as_deref().filter(|link| address::is_web(link)).and_then(|link| Url::parse(link).ok());
            let explicit = body.base.as_deref().cloned();
            let base = || explicit.or_else(page).or_else(|| document.document_base.as_deref().cloned());
            Some(relative::resolve_in(trimmed(body.html), base).into_owned())
        };
        let content = whole(self.content.value);
        let summary = whole(self.summary.value);
        let title = self.title.value.filter(|title| !title.is_empty());
        let title = title.or_else(|| summary.as_deref().and_then(plain_text::first_words));
        let title = title.or_else(|| content.as_deref().and_then(plain_text::first_words));
        let title = title.or_else(|| link.as_deref().and_then(words_of_address)).unwrap_or_default();
        if self.authors.is_empty() {
            self.authors.extend(self.podcast_author);
        }
        person::settle(&mut self.authors);
        let picture = self.enclosures.iter().find(|file| is_picture(file)).map(|file| file.url.clone());
        self.thumbnail.offer(1, picture);
        Entry {
            id: self.id,
            id_is_permalink: self.id_is_permalink,
            link,
            title,
            content,
            summary,
            authors: self.authors,
            published: self.published.value,
            updated: self.updated.value,
            categories: self.categories,
            enclosures: self.enclosures,
            thumbnail: self.thumbnail.value,
            comments: self.comments.value,
        }
    }
}

fn trimmed(html: Cow<'_, str>) -> Cow<'_, str> {
    match html {
        Cow::Borrowed(html) => Cow::Borrowed(html.trim()),
        Cow::Owned(html) if html.trim().len() < html.len() => Cow::Owned(html.trim().to_owned()),
        html => html,
    }
}

fn is_picture(file: &Enclosure) -> bool {
    file.media_type.as_deref().is_some_and(|kind| kind.starts_with("image/"))
}

/// The last segment of an address as words: "new bridge" for `/2026/11/new-bridge.html`.
pub(super) fn words_of_address(link: &str) -> Option<String> {
    let url = Url::parse(link).ok()?;
    let last = url.path_segments().and_then(|parts| parts.rev().find(|part| !part.is_empty()));
    let Some(last) = last else { return url.host_str().map(str::to_owned) };
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let words = percent_decode_str(stem).decode_utf8_lossy().replace(['-', '_', '+'], " ");
    Some(plain_text::collapse(&words)).filter(|words| !words.is_empty())
}
