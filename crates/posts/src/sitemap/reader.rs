//! Reads the XML of a sitemap.

use std::ops::ControlFlow;

use chrono::{DateTime, Datelike, Utc};
use feed::{XmlPart, visit_xml};
use url::Url;

use super::{MAX_ADDRESSES, Sitemap, SitemapUrl, web_address};

/// The rest of a longer text is ignored.
const MAX_TEXT_BYTES: usize = 4_000;
const MAX_TITLE_CHARS: usize = 500;
/// Earlier dates are mistakes.
const FIRST_YEAR: i32 = 1990;

/// Reads the XML of a sitemap or of an index of sitemaps.
pub(super) fn xml(body: &[u8], url: &Url) -> Option<Sitemap> {
    let mut reader = SitemapReader { base: url, sitemap: None, open: Vec::new(), entry: None, text: None };
    visit_xml(body, &["url", "sitemap", "loc", "lastmod"], |part| reader.read(part));
    reader.sitemap
}

/// A text of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Address,
    ChangedAt,
    Title,
    PublishedAt,
}

/// An element that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Element {
    /// `url` or `sitemap`, with the prefix of its name.
    Entry(String),
    /// `news:news`.
    News,
    Field(Field),
    Other,
}

/// An entry that is being read.
#[derive(Default)]
struct Entry {
    is_sitemap: bool,
    url: Option<Url>,
    changed_at: Option<DateTime<Utc>>,
    title: Option<String>,
    published_at: Option<DateTime<Utc>>,
}

struct SitemapReader<'a> {
    base: &'a Url,
    /// None until the first element, if that is the right one.
    sitemap: Option<Sitemap>,
    open: Vec<Element>,
    entry: Option<Entry>,
    /// The text of the field that is open.
    text: Option<String>,
}

impl SitemapReader<'_> {
    fn read(&mut self, part: XmlPart<'_>) -> ControlFlow<()> {
        match part {
            XmlPart::Start { prefix, name } => self.start(prefix, name),
            XmlPart::Text(text) => {
                if let Some(known) = &mut self.text {
                    let rest = MAX_TEXT_BYTES.saturating_sub(known.len());
                    known.push_str(text.get(..text.floor_char_boundary(rest)).unwrap_or_default());
                }
                ControlFlow::Continue(())
            }
            XmlPart::End => self.end(),
        }
    }

    fn start(&mut self, prefix: &str, name: &str) -> ControlFlow<()> {
        if self.sitemap.is_none() {
            if !matches!(name, "urlset" | "sitemapindex") {
                return ControlFlow::Break(());
            }
            self.sitemap = Some(Sitemap::default());
        }
        let element = match (self.open.last(), name) {
            (Some(Element::Entry(of)), "loc") if of == prefix => Element::Field(Field::Address),
            (Some(Element::Entry(of)), "lastmod") if of == prefix => Element::Field(Field::ChangedAt),
            (Some(Element::Entry(_)), "news") => Element::News,
            (Some(Element::News), "title") => Element::Field(Field::Title),
            (Some(Element::News), "publication_date") => Element::Field(Field::PublishedAt),
            (_, "url" | "sitemap") if self.entry.is_none() => {
                self.entry = Some(Entry { is_sitemap: name == "sitemap", ..Entry::default() });
                Element::Entry(prefix.to_owned())
            }
            _ => Element::Other,
        };
        if matches!(element, Element::Field(_)) {
            self.text = Some(String::new());
        }
        self.open.push(element);
        ControlFlow::Continue(())
    }

    fn end(&mut self) -> ControlFlow<()> {
        match self.open.pop() {
            Some(Element::Field(field)) => {
                let text = self.text.take().unwrap_or_default();
                self.set(field, text.trim());
            }
            Some(Element::Entry(_)) => return self.finish_entry(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Sets a field that is not set.
    fn set(&mut self, field: Field, text: &str) {
        let Some(entry) = &mut self.entry else { return };
        match field {
            Field::Address => entry.url = entry.url.take().or_else(|| web_address(text, self.base)),
            Field::ChangedAt => entry.changed_at = entry.changed_at.or_else(|| date(text)),
            Field::PublishedAt => entry.published_at = entry.published_at.or_else(|| date(text)),
            Field::Title => {
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let title: String = words.chars().take(MAX_TITLE_CHARS).collect();
                entry.title = entry.title.take().or(Some(title).filter(|title| !title.is_empty()));
            }
        }
    }

    fn finish_entry(&mut self) -> ControlFlow<()> {
        let (Some(entry), Some(sitemap)) = (self.entry.take(), &mut self.sitemap) else {
            return ControlFlow::Continue(());
        };
        let Entry { is_sitemap, url: Some(url), changed_at, title, published_at } = entry else {
            return ControlFlow::Continue(());
        };
        let list = if is_sitemap { &mut sitemap.sitemaps } else { &mut sitemap.urls };
        list.push(SitemapUrl { url, changed_at, title, published_at });
        if sitemap.urls.len() + sitemap.sitemaps.len() < MAX_ADDRESSES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// A time with its year: those without one are from the epoch.
fn date(text: &str) -> Option<DateTime<Utc>> {
    feed::parse_date(text, DateTime::UNIX_EPOCH).filter(|at| at.year() >= FIRST_YEAR)
}
