//! All dates on a page with their places, found in one pass.

use std::ops::Range;

use article::dom::{Document, NodeId, Tag};
use chrono::{DateTime, Datelike, NaiveDate, Utc};

use crate::{
    dates::{Mention, Written, mentions},
    frame::Place,
    text::width,
};

/// Longer texts are not searched to their end.
const MAX_TEXT_BYTES: usize = 2_000;
/// A text with a date that is at most this wide is about the date.
const LABEL_COLUMNS: usize = 48;

/// A date at its place.
#[derive(Debug, Clone)]
pub(crate) struct Dated {
    pub(crate) node: usize,
    pub(crate) written: Written,
    pub(crate) exact: Option<DateTime<Utc>>,
    /// The date is nearly all of its text.
    pub(crate) is_alone: bool,
    /// The date is in a short text, as below a title.
    pub(crate) is_label: bool,
    /// The text says that it is the time of a change.
    pub(crate) is_update: bool,
}

/// The dates of a page, in document order.
#[derive(Debug, Default)]
pub(crate) struct PageDates {
    all: Vec<Dated>,
    is_day_first: bool,
    /// The days of the dates are wrong.
    has_misprints: bool,
}

impl PageDates {
    pub(crate) fn of(document: &Document<'_>, places: &[Place], now: DateTime<Utc>) -> PageDates {
        let mut dates = PageDates::default();
        let is_hidden = |id: NodeId| places.get(id.index()).is_some_and(|place| place.is_hidden);
        for id in document.nodes().filter(|id| !is_hidden(*id)) {
            match document.tag(id) {
                Tag::Text => dates.add_text(id, document.text(id)),
                Tag::Time | Tag::Abbr | Tag::Meta | Tag::Span | Tag::Div => dates.add_attribute(document, id, now),
                _ => {}
            }
        }
        dates.is_day_first = is_day_first(document, &dates.all);
        dates.drop_misprints();
        dates
    }

    fn add_text(&mut self, id: NodeId, text: &str) {
        let end = (0..=text.len().min(MAX_TEXT_BYTES)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let text = text.get(..end).unwrap_or_default();
        let found = mentions(text);
        if found.is_empty() {
            return;
        }
        let columns = width(text);
        for Mention { written, range } in found {
            let rest = columns.saturating_sub(text.get(range.clone()).map_or(0, width));
            let before = text.get(..range.start).unwrap_or_default();
            self.all.push(Dated {
                node: id.index(),
                written,
                exact: None,
                is_alone: rest <= 12,
                is_label: columns <= LABEL_COLUMNS,
                is_update: says_update(before),
            });
        }
    }

    fn add_attribute(&mut self, document: &Document<'_>, id: NodeId, now: DateTime<Utc>) {
        let property = document.raw_attribute(id, "itemprop").unwrap_or_default();
        let value = match document.tag(id) {
            Tag::Time => document.attribute(id, "datetime"),
            Tag::Abbr => document.attribute(id, "title"),
            _ if property == "datePublished" || property == "dateModified" => {
                document.attribute(id, "content").or_else(|| document.attribute(id, "datetime"))
            }
            _ => document.attribute(id, "datetime"),
        };
        let Some(value) = value else { return };
        // A month alone is not a day.
        if !mentions(&value).first().is_some_and(|mention| matches!(mention.written, Written::Day(_))) {
            return;
        }
        let Some(exact) = feed::parse_date(&value, now) else { return };
        let class = document.raw_attribute(id, "class").unwrap_or_default();
        self.all.push(Dated {
            node: id.index(),
            written: Written::Day(exact.date_naive()),
            exact: Some(exact),
            is_alone: true,
            is_label: true,
            is_update: says_update(class) || property == "dateModified",
        });
    }

    /// Drops days where every date has the number of its month as its day: a common mistake in templates.
    fn drop_misprints(&mut self) {
        let in_text = self.all.iter().filter(|dated| dated.exact.is_none() && dated.is_alone);
        let days = in_text.filter_map(|dated| self.day(dated));
        let (wrong, right): (Vec<_>, Vec<_>) = days.partition(|day| day.day() == day.month());
        if wrong.len() < 4 || right.len() * 10 > wrong.len() || wrong.iter().all(|day| Some(day) == wrong.first()) {
            return;
        }
        self.has_misprints = true;
        for dated in self.all.iter_mut().filter(|dated| dated.exact.is_none()) {
            if let Written::Day(day) = dated.written {
                dated.written = Written::Month { year: day.year(), month: day.month() };
            }
        }
    }

    pub(crate) fn has_misprints(&self) -> bool {
        self.has_misprints
    }

    /// The dates in a range of nodes.
    pub(crate) fn within(&self, nodes: Range<usize>) -> &[Dated] {
        let start = self.all.partition_point(|dated| dated.node < nodes.start);
        let end = self.all.partition_point(|dated| dated.node < nodes.end);
        self.all.get(start..end.max(start)).unwrap_or_default()
    }

    /// All dates.
    pub(crate) fn all(&self) -> &[Dated] {
        &self.all
    }

    /// The day of a date that has all its parts.
    pub(crate) fn day(&self, dated: &Dated) -> Option<NaiveDate> {
        match dated.written {
            Written::Day(day) => Some(day),
            Written::Unclear { first, second, year } => {
                let (month, day) = if self.is_day_first { (second, first) } else { (first, second) };
                NaiveDate::from_ymd_opt(year, month, day)
            }
            _ => None,
        }
    }
}

fn says_update(before: &str) -> bool {
    let lower = before.to_lowercase();
    ["updat", "更新", "modif", "编辑", "修改", "최종", "改訂", "edited"].iter().any(|word| lower.contains(word))
}

/// Whether 03/04 is the third of April. Other dates on the page tell, else its language.
fn is_day_first(document: &Document<'_>, all: &[Dated]) -> bool {
    if all.iter().any(|dated| matches!(dated.written, Written::Unclear { .. })) {
        let lang = document.first(Tag::Html).and_then(|html| document.raw_attribute(html, "lang")).unwrap_or_default();
        let lang = lang.to_ascii_lowercase();
        return !(lang.is_empty()
            || lang == "en"
            || lang.starts_with("en-us")
            || lang.starts_with("ja")
            || lang.starts_with("zh"));
    }
    false
}
