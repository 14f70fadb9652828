//! When a post was published: the dates in its block, beside it, above it and in its address.

use article::dom::Document;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::{
    blocks::Blocks,
    dates::{Written, mentions},
    item::{DateSign, Item},
    links::Links,
    page_dates::{Dated, PageDates},
    text::width,
};

/// Gives each item its date.
pub(crate) fn set_dates(
    document: &Document<'_>,
    links: &Links,
    blocks: &Blocks<'_>,
    dates: &PageDates,
    items: &mut [Item],
) {
    let owned = owned(document, items);
    let is_heading = |dated: &&Dated| {
        let is_own = owned.get(dated.node).copied().unwrap_or(true);
        dated.is_alone && !is_own && (year(dated.written).is_some())
    };
    let headings = dates.all().iter().filter(is_heading).collect();
    let finder = Finder { document, blocks, dates, owned: &owned, headings };
    let before = items.iter().filter(|item| finder.beside(item, true).is_some()).count();
    let after = items.iter().filter(|item| finder.beside(item, false).is_some()).count();
    for item in items {
        let in_address = links.targets.get(item.target).and_then(|target| target.address.date());
        let (sign, day) = finder.date(item, before >= after);
        item.date_sign = sign;
        item.published = match (day, in_address) {
            (Some(_), Some(address)) if sign < DateSign::Own => midnight(address),
            (Some(shown), _) => Some(shown),
            (None, address) => address.and_then(midnight),
        };
    }
}

pub(crate) fn midnight(day: NaiveDate) -> Option<DateTime<Utc>> {
    Some(day.and_time(NaiveTime::MIN).and_utc())
}

/// Which nodes are in the block of an item: their dates are those of the item alone.
fn owned(document: &Document<'_>, items: &[Item]) -> Vec<bool> {
    let mut owned = vec![false; document.len()];
    for block in items.iter().flat_map(|item| &item.blocks) {
        if let Some(nodes) = owned.get_mut(document.range(*block)) {
            nodes.fill(true);
        }
    }
    owned
}

struct Finder<'d> {
    document: &'d Document<'d>,
    blocks: &'d Blocks<'d>,
    dates: &'d PageDates,
    owned: &'d [bool],
    /// Dates that stand alone and outside of all blocks.
    headings: Vec<&'d Dated>,
}

impl Finder<'_> {
    fn date(&self, item: &Item, is_before: bool) -> (DateSign, Option<DateTime<Utc>>) {
        if let Some(found) = item.blocks.iter().find_map(|block| self.best_in(item, self.document.range(*block))) {
            return (DateSign::Own, found);
        }
        let pieces =
            item.blocks.first().map(|block| self.pieces(item, self.document.range(*block))).unwrap_or_default();
        if let Some(found) = { &pieces }.iter().find_map(|written| whole(*written)) {
            return (DateSign::Own, Some(found));
        }
        let own = || item.blocks.iter().flat_map(|block| self.dates.within(self.document.range(*block)));
        let heading = self.heading(item);
        if let Some((month, day)) = own().map(|dated| dated.written).chain(pieces).find_map(day_of_year) {
            let years = own().filter(|dated| dated.is_alone).chain(heading).find_map(|dated| year(dated.written));
            let whole = years.and_then(|year| NaiveDate::from_ymd_opt(year, month, day)).and_then(midnight);
            return (if whole.is_some() { DateSign::Own } else { DateSign::Partial }, whole);
        }
        if let Some(found) = self.beside(item, is_before) {
            return (DateSign::Beside, self.time_of(found));
        }
        if own().any(|dated| matches!(dated.written, Written::Relative | Written::Month { .. }) && dated.is_label) {
            return (DateSign::Partial, None);
        }
        match heading.and_then(|heading| self.dates.day(heading)) {
            Some(day) => (DateSign::Far, midnight(day)),
            None => (DateSign::None, None),
        }
    }

    /// The best whole date among some nodes: in an attribute, then in a short text, then elsewhere.
    fn best_in(&self, item: &Item, nodes: std::ops::Range<usize>) -> Option<Option<DateTime<Utc>>> {
        let title = self.document.range(item.anchor);
        let rank = |dated: &&Dated| {
            let is_title = item.columns > 16 && title.contains(&dated.node) && !dated.is_alone;
            (!dated.is_update, !is_title, dated.exact.is_some(), dated.is_alone || dated.is_label)
        };
        let whole = self.dates.within(nodes).iter().filter(|dated| self.dates.day(dated).is_some());
        // `max_by_key` takes the last of equals.
        let best = { whole }.rev().max_by_key(rank)?;
        // When a post was changed says nothing about when it was published.
        Some(if best.is_update { None } else { self.time_of(best) })
    }

    /// A date in several elements: `<b>04</b><i>Mar</i><i>2026</i>`.
    fn pieces(&self, item: &Item, nodes: std::ops::Range<usize>) -> Vec<Written> {
        if self.dates.has_misprints() {
            return Vec::new();
        }
        let title = self.document.range(item.anchor);
        let short = nodes
            .map(article::dom::NodeId::at)
            .filter(|id| !title.contains(&id.index()) || item.columns > 60)
            .filter_map(|id| {
                let text = self.document.text(id).trim();
                (!text.is_empty() && text.len() <= 24 && width(text) <= 12).then_some(text)
            });
        let joined = short.take(6).collect::<Vec<_>>().join(" ");
        mentions(&joined).into_iter().map(|mention| mention.written).collect()
    }

    /// The date right before or after the block, and not in another's block.
    fn beside(&self, item: &Item, is_before: bool) -> Option<&Dated> {
        let block = *item.blocks.first()?;
        let around = self.document.range(self.document.parent(block)?);
        let (start, end) = self.blocks.gap(item.anchor);
        let range = self.document.range(block);
        let is_free = |dated: &&Dated| {
            !self.owned.get(dated.node).copied().unwrap_or(true) && dated.is_label && self.dates.day(dated).is_some()
        };
        if is_before {
            self.dates.within(start.max(around.start)..range.start).iter().rev().find(is_free)
        } else {
            self.dates.within(range.end..end.min(around.end)).iter().find(is_free)
        }
    }

    /// The nearest heading above the item that is a date.
    fn heading(&self, item: &Item) -> Option<&Dated> {
        let above = self.headings.partition_point(|dated| dated.node < item.anchor.index());
        above.checked_sub(1).and_then(|at| self.headings.get(at)).copied()
    }

    fn time_of(&self, dated: &Dated) -> Option<DateTime<Utc>> {
        dated.exact.or_else(|| self.dates.day(dated).and_then(midnight))
    }
}

fn whole(written: Written) -> Option<DateTime<Utc>> {
    match written {
        Written::Day(day) => midnight(day),
        _ => None,
    }
}

fn day_of_year(written: Written) -> Option<(u32, u32)> {
    match written {
        Written::DayOfYear { month, day } => Some((month, day)),
        _ => None,
    }
}

fn year(written: Written) -> Option<i32> {
    match written {
        Written::Year(year) | Written::Month { year, .. } | Written::Unclear { year, .. } => Some(year),
        Written::Day(day) => Some(chrono::Datelike::year(&day)),
        _ => None,
    }
}
