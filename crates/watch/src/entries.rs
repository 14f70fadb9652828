//! From a list to the entries of a feed, as the reader stores them.

use std::collections::HashSet;

use feed::{Entry, Format, Hints, ParsedFeed};
use store::watch::{Source, UrlStatus};

use crate::{
    check::Before,
    compare::{Comparison, KeyedPost, Known, compare},
    look::FoundSource,
    rhythm,
    site_post::VolatileParameters,
};

/// Compares posts with earlier ones. Entries of a feed are new if they were not there before; only a feed that takes the place
/// of another source is compared like a list.
pub(crate) fn compare_source(posts: Vec<KeyedPost>, known: &Known, found: &FoundSource) -> Comparison {
    if found.feed.is_some() && known.is_first {
        return Comparison { first: posts, ..Comparison::default() };
    }
    if found.feed.is_none() || known.is_other_source {
        return compare(posts, known);
    }
    let is_unknown = |post: &KeyedPost| !known.urls.contains_key(&post.key);
    Comparison { fresh: posts.into_iter().filter(is_unknown).collect(), ..Comparison::default() }
}

/// The entries of the feed that are items, or become some.
pub(crate) fn feed_entries(
    found: &FoundSource,
    known: &Known,
    volatile: &VolatileParameters,
    accepted: &[KeyedPost],
    silent: &[String],
) -> Vec<Entry> {
    let accepted: HashSet<&str> = accepted.iter().map(|post| post.key.as_str()).collect();
    let silent: HashSet<&str> = silent.iter().map(String::as_str).collect();
    let is_wanted = |entry: &&Entry| {
        let url = entry.link.as_deref().and_then(|link| net::parse_url(link).ok());
        let Some(key) = url.map(|url| volatile.key(&url)) else { return true };
        let is_known = known.urls.get(&key).is_some_and(|status| *status == UrlStatus::Told);
        !silent.contains(key.as_str()) && (is_known || accepted.contains(key.as_str()))
    };
    found.feed.iter().flat_map(|feed| feed.entries.iter().filter(is_wanted).cloned()).collect()
}

/// The entries as a feed, with the site's own title.
pub(crate) fn site_feed(before: &Before<'_>, found: &FoundSource, entries: Vec<Entry>) -> ParsedFeed {
    let named = before.blog.and_then(|blog| blog.name.clone());
    let title = named.or_else(|| found.title.clone()).unwrap_or_else(|| before.title.to_owned());
    if let Some(feed) = &found.feed {
        return ParsedFeed { title, entries, ..feed.clone() };
    }
    let has_interval = before.blog.is_some_and(|blog| blog.interval.is_some());
    let ttl_minutes = if has_interval { None } else { rhythm::minutes_between_checks(&found.posts) };
    ParsedFeed {
        format: Format::Rss,
        version: String::new(),
        title,
        link: Some(found.source_url.to_string()).filter(|_| found.source == Source::Page),
        description: None,
        language: None,
        icon: None,
        hints: Hints { ttl_minutes, ..Hints::default() },
        hubs: Vec::new(),
        self_link: None,
        new_feed_url: None,
        updated: None,
        entries,
    }
}
