//! Dates in the text of a page.
//!
//! [`mentions`] finds them in any text. Numbers without a year are kept as they are: the year may be in a heading above.

mod tokens;

use std::ops::Range;

use chrono::NaiveDate;

use crate::text::width;
use tokens::{DateToken, Kind, tokenize};

/// Years outside of these are other numbers.
const YEARS: std::ops::RangeInclusive<u32> = 1990..=2100;

/// A date as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Day(NaiveDate),
    /// `03/04/2026`: the order of day and month is unknown.
    Unclear {
        first: u32,
        second: u32,
        year: i32,
    },
    /// No year.
    DayOfYear {
        month: u32,
        day: u32,
    },
    Month {
        year: i32,
        month: u32,
    },
    Year(i32),
    /// `3 days ago`, or a date that is missing.
    Relative,
}

/// A date in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) written: Written,
    /// Its place in the text, in bytes.
    pub(crate) range: Range<usize>,
}

/// The dates in a text, in their order.
pub(crate) fn mentions(text: &str) -> Vec<Mention> {
    // Most texts have no digit, and every date has one.
    if !text.contains(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c)) {
        return Vec::new();
    }
    let tokens = tokenize(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        match at_start(&tokens, at) {
            Some((written, next)) => {
                let start = tokens.get(at).map_or(0, |token| token.range.start);
                let end = tokens.get(next - 1).map_or(start, |token| token.range.end);
                found.push(Mention { written, range: start..end });
                at = next;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a text is a date and nothing else. A year or a number of days can be a title.
pub(crate) fn is_date(text: &str) -> bool {
    // No date is longer.
    if text.len() > 100 {
        return false;
    }
    let found = mentions(text);
    let dates: usize = found.iter().map(|mention| text.get(mention.range.clone()).map_or(0, width)).sum();
    dates >= 5 && width(text).saturating_sub(dates) <= 6
}

/// The date that starts at a token, and the token after it.
fn at_start(tokens: &[DateToken], at: usize) -> Option<(Written, usize)> {
    let first = part(tokens, at)?;
    if let (Value::Number(whole, 8), true) = (first.value, first.is_clean) {
        return day(whole / 10_000, whole / 100 % 100, whole % 100).map(|written| (written, first.next));
    }
    let second = next_part(tokens, &first);
    let third = second.as_ref().and_then(|second| next_part(tokens, second));
    if let (Some(second), Some(third)) = (&second, &third)
        && let Some(written) = three(&first, second, third)
    {
        return Some((written, third.next));
    }
    // Templates write "Jan 1, 0001" for a date that is missing: no date, but no title either.
    if let Some(third) = third.as_ref().filter(|third| matches!(third.value, Value::Number(0..100, 4))) {
        return Some((Written::Relative, third.next));
    }
    if let Some(second) = &second
        && let Some(written) = two(&first, second, third.is_some())
    {
        return Some((written, second.next));
    }
    if let Some(next) = relative(tokens, &first) {
        return Some((Written::Relative, next));
    }
    match first.value {
        Value::Number(year, 4) if first.is_clean && YEARS.contains(&year) => {
            Some((Written::Year(i32::try_from(year).ok()?), first.next))
        }
        _ => None,
    }
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Number(u32, usize),
    Month(u32),
}

/// A number or the name of a month, with the separator after it.
struct Part {
    value: Value,
    /// The first separator: a mark, a unit such as `年`, or a space.
    separator: Option<char>,
    /// Whether no letter or digit touches it.
    is_clean: bool,
    /// The token after the value and its unit.
    next: usize,
    /// The token after the separator.
    after: usize,
}

fn part(tokens: &[DateToken], at: usize) -> Option<Part> {
    let value = match tokens.get(at)?.kind {
        Kind::Number(value, digits) => Value::Number(value, digits),
        Kind::Month(month) => Value::Month(month),
        _ => return None,
    };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
    let is_clean = !matches!(before, Some(Kind::Word | Kind::Number(..) | Kind::Mark('.' | '-' | '/' | ':' | '#')));
    let (mut separator, mut next, mut after) = (None, at + 1, at + 1);
    while let Some(token) = tokens.get(after).filter(|_| after < at + 5) {
        match token.kind {
            Kind::Ordinal if after == at + 1 => next = after + 1,
            Kind::Unit(unit) if separator.is_none() => {
                separator = Some(unit);
                next = after + 1;
            }
            Kind::Mark(mark @ ('-' | '/' | '.' | ',' | '·')) if separator.is_none_or(|known| known == ' ') => {
                separator = Some(mark);
            }
            Kind::Space => separator = separator.or(Some(' ')),
            Kind::Of => {}
            _ => break,
        }
        after += 1;
    }
    Some(Part { value, separator, is_clean, next, after })
}

fn next_part(tokens: &[DateToken], part_before: &Part) -> Option<Part> {
    part(tokens, part_before.after)
}

fn three(first: &Part, second: &Part, third: &Part) -> Option<Written> {
    use Value::{Month, Number};
    match (first.value, second.value, third.value) {
        (Number(year, 4), Number(month, 1..=2), Number(date, 1..=2)) if joins(first) && joins(second) => {
            day(year, month, date)
        }
        (Number(year, 4), Month(month), Number(date, 1..=2)) => day(year, month, date),
        (Month(month), Number(date, 1..=2), Number(year, 4)) | (Number(date, 1..=2), Month(month), Number(year, 4)) => {
            day(year, month, date)
        }
        (Number(date, 1..=2), Month(month), Number(year, 2))
            if first.is_clean && second.separator == first.separator =>
        {
            day(2000 + year, month, date)
        }
        (Number(a, 1..=2), Number(b, 1..=2), Number(year, 4))
            if first.separator == second.separator && matches!(first.separator, Some('-' | '/' | '.')) =>
        {
            unclear(a, b, year)
        }
        _ => None,
    }
}

fn two(first: &Part, second: &Part, has_third: bool) -> Option<Written> {
    use Value::{Month, Number};
    match (first.value, second.value) {
        (Month(month), Number(year, 4)) | (Number(year, 4), Month(month)) => month_of(year, month),
        (Number(year, 4), Number(month, 1..=2)) if first.is_clean && joins(first) && first.separator != Some(' ') => {
            month_of(year, month)
        }
        (Month(month), Number(date, 1..=2)) | (Number(date, 1..=2), Month(month)) => day_of_year(month, date),
        (Number(month, 1..=2), Number(date, 1..=2)) if matches!(first.separator, Some('月' | '월')) => {
            day_of_year(month, date)
        }
        // Numbers such as 1.5, 3/4 and 10.20.30 are no dates; 03-04 is.
        (Number(..), Number(..)) if has_third && matches!(second.separator, Some('-' | '/' | '.')) => None,
        (Number(month, 2), Number(date, 2)) if first.is_clean && matches!(first.separator, Some('-' | '/' | '.')) => {
            day_of_year(month, date).or_else(|| day_of_year(date, month))
        }
        _ => None,
    }
}

fn joins(part: &Part) -> bool {
    matches!(part.separator, Some('-' | '/' | '.' | ' ' | '年' | '月' | '년' | '월'))
}

/// `3 days ago`, `3日前`, `3 giorni fa` are not dates, but say that there is one.
fn relative(tokens: &[DateToken], first: &Part) -> Option<usize> {
    let Value::Number(..) = first.value else { return None };
    (first.next..first.next + 4)
        .find(|at| tokens.get(*at).is_some_and(|token| token.kind == Kind::Ago))
        .map(|at| at + 1)
}

fn day(year: u32, month: u32, date: u32) -> Option<Written> {
    if !YEARS.contains(&year) {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, date).map(Written::Day)
}

fn unclear(first: u32, second: u32, year: u32) -> Option<Written> {
    match (first > 12, second > 12) {
        (true, true) => None,
        (true, false) => day(year, second, first),
        (false, true) => day(year, first, second),
        (false, false) if first == second => day(year, first, second),
        (false, false) if first == 0 || second == 0 || !YEARS.contains(&year) => None,
        (false, false) => Some(Written::Unclear { first, second, year: i32::try_from(year).ok()? }),
    }
}

fn month_of(year: u32, month: u32) -> Option<Written> {
    ((1..=12).contains(&month) && YEARS.contains(&year))
        .then(|| i32::try_from(year).ok().map(|year| Written::Month { year, month }))
        .flatten()
}

fn day_of_year(month: u32, date: u32) -> Option<Written> {
    // A leap year has every day.
    NaiveDate::from_ymd_opt(2024, month, date).map(|_| Written::DayOfYear { month, day: date })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Written>) {
        assert_eq!(mentions(text).first().map(|mention| mention.written), expected, "{text}");
    }

    fn ymd(year: i32, month: u32, date: u32) -> Option<Written> {
        NaiveDate::from_ymd_opt(year, month, date).map(Written::Day)
    }

    #[test]
    fn days_in_many_spellings() {
        for text in [
            "2026-03-04",
            "Posted on 2026/3/4 by us",
            "2026.03.04",
            "2026. 3. 4.",
            "2026年3月4日（水）",
            "２０２６年３月４日",
            "2026년 3월 4일",
            "4 March 2026",
            "4. März 2026",
            "4 de marzo de 2026",
            "Mar 4, 2026",
            "March 4th, 2026",
            "Wed, 04 Mar 2026",
            "20260304",
            "04-Mar-2026",
            "2026-03-04T10:00:00Z",
        ] {
            check(text, ymd(2026, 3, 4));
        }
    }

    #[test]
    fn unclear_dates_stay_unclear() {
        check("03/04/2026", Some(Written::Unclear { first: 3, second: 4, year: 2026 }));
        check("13/04/2026", ymd(2026, 4, 13));
        check("04/13/2026", ymd(2026, 4, 13));
        check("3月4日", Some(Written::DayOfYear { month: 3, day: 4 }));
        check("Mar 04", Some(Written::DayOfYear { month: 3, day: 4 }));
        check("03-04", Some(Written::DayOfYear { month: 3, day: 4 }));
        check("March 2026", Some(Written::Month { year: 2026, month: 3 }));
        check("2026年3月", Some(Written::Month { year: 2026, month: 3 }));
        check("2026", Some(Written::Year(2026)));
        check("3 days ago", Some(Written::Relative));
        check("3日前", Some(Written::Relative));
        check("Mon, Jan 1, 0001", Some(Written::Relative));
        assert!(is_date("Mon, Jan 1, 0001"));
    }

    #[test]
    fn other_numbers_are_no_dates() {
        for text in ["1.5", "version 10.20.30", "3/4 of it", "2026-13-40x", "¥12,800", "99999999", "tel 03-1234-5678"]
        {
            let found = mentions(text);
            let is_day = found.iter().any(|found| matches!(found.written, Written::Day(_) | Written::DayOfYear { .. }));
            assert!(!is_day, "{text}: {found:?}");
        }
    }
}
