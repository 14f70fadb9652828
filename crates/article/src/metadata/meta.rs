//! `meta` elements.

use std::borrow::Cow;

use crate::dom::{Document, Tag};

pub(super) const TITLE: &[&str] = &["og:title", "twitter:title", "dc.title", "dcterm:title", "parsely-title", "title"];
pub(super) const AUTHOR: &[&str] =
    &["author", "article:author", "dc.creator", "dcterm:creator", "parsely-author", "twitter:creator:name"];
pub(super) const DATE: &[&str] = &[
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "parsely-pub-date",
    "dc.date.issued",
    "dc.date",
    "dcterms.created",
    "date",
    "pubdate",
    "publishdate",
    "publish_date",
    "cxenseparse:recs:publishtime",
    "sailthru.date",
];
pub(super) const SITE: &[&str] = &["og:site_name", "application-name"];
pub(super) const IMAGE: &[&str] =
    &["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"];
pub(super) const DESCRIPTION: &[&str] =
    &["og:description", "description", "twitter:description", "dc.description", "dcterm:description"];
pub(super) const LANG: &[&str] = &["content-language", "dc.language", "og:locale", "inlanguage"];

/// The first elements are enough.
const MAX_TAGS: usize = 500;

/// Names and contents of `meta` elements.
#[derive(Debug)]
pub(super) struct MetaTags<'a> {
    tags: Vec<(String, Cow<'a, str>)>,
}

impl<'a> MetaTags<'a> {
    pub(super) fn of(document: &Document<'a>) -> MetaTags<'a> {
        let mut tags = Vec::new();
        for id in document.all(Tag::Meta).take(MAX_TAGS) {
            let Some(content) = document.attribute(id, "content").filter(|content| !content.trim().is_empty()) else {
                continue;
            };
            for attribute in ["property", "name", "itemprop", "http-equiv"] {
                let names = document.raw_attribute(id, attribute).unwrap_or_default();
                for name in names.split_ascii_whitespace() {
                    tags.push((name.to_ascii_lowercase(), content.clone()));
                }
            }
        }
        MetaTags { tags }
    }

    /// The content of the first of several names that the page has.
    pub(super) fn get(&self, names: &[&str]) -> Option<&str> {
        self.all(names).next()
    }

    /// The contents of several names, in the order of the names.
    pub(super) fn all(&self, names: &[&str]) -> impl Iterator<Item = &str> {
        names.iter().flat_map(|name| {
            self.tags.iter().filter(move |(known, _)| known == name).map(|(_, content)| content.as_ref())
        })
    }
}
