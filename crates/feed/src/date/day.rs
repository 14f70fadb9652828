//! Parses the day of a date, after the time of day is removed.

use chrono::{DateTime, Datelike, NaiveDate, Utc, Weekday};

use super::{
    names,
    tokens::DateToken::{self, Mark, Number, Unit, Word},
};

/// Parses the rest of a date as a day.
pub(super) fn read(list: &[DateToken], now: DateTime<Utc>) -> Option<NaiveDate> {
    with_units(list, now).or_else(|| week(list)).or_else(|| with_name(list, now)).or_else(|| numbers(list, now))
}

/// `2026年11月15日`, `令和8年11月15日`, `2026년 11월 15일`, `11月15日`.
fn with_units(list: &[DateToken], now: DateTime<Utc>) -> Option<NaiveDate> {
    let count = |units: [char; 2]| {
        let at = list.iter().position(|token| matches!(token, Unit(unit) if units.contains(unit)))?;
        match at.checked_sub(1).map(|before| (before, list.get(before))) {
            Some((before, Some(Number(value, digits)))) => Some((before, *value, *digits)),
            // 元年, the first year of an era.
            Some((before, Some(Word(word)))) if word.ends_with('元') => Some((before + 1, 1, 0)),
            _ => None,
        }
    };
    let (_, month, _) = count(['月', '월'])?;
    let day = count(['日', '일']).map_or(1, |(_, day, _)| day);
    let year = match count(['年', '년']) {
        None => return day_near(month, day, now),
        Some((before, value, digits)) => {
            let name = before.checked_sub(1).and_then(|at| list.get(at));
            let era = match name {
                Some(Word(word)) => names::era(word.trim_end_matches('元')),
                _ => None,
            };
            let value = i32::try_from(value).ok()?;
            era.map_or_else(|| full_year(value, digits), |start| start + value)
        }
    };
    NaiveDate::from_ymd_opt(year, month, day)
}

/// `2026-W46-7`, `2026W467`, `2026-W46`.
fn week(list: &[DateToken]) -> Option<NaiveDate> {
    let at = list.iter().position(|token| matches!(token, Word(word) if word == "w"))?;
    let back = if list.get(at.checked_sub(1)?) == Some(&Mark('-')) { 2 } else { 1 };
    let (Some(Number(year, 4)), Some(Number(week, digits))) = (list.get(at.checked_sub(back)?), list.get(at + 1))
    else {
        return None;
    };
    let (week, day) = match (digits, list.get(at + 2..at + 4)) {
        (3, _) => (week / 10, week % 10),
        (2, Some([Mark('-'), Number(day, 1)])) => (*week, *day),
        _ => (*week, 1),
    };
    let weekday = Weekday::try_from(u8::try_from(day.checked_sub(1)?).ok()?).ok()?;
    NaiveDate::from_isoywd_opt(i32::try_from(*year).ok()?, week, weekday)
}

/// A month by name, with a day and a year in any order.
fn with_name(list: &[DateToken], now: DateTime<Utc>) -> Option<NaiveDate> {
    let named = |token: &DateToken| match token {
        Word(word) => names::month(word),
        _ => None,
    };
    // The last one: `mar. 15 nov.` starts with a weekday.
    let at = list.iter().rposition(|token| named(token).is_some())?;
    let month = named(list.get(at)?)?;
    let mut found = list.iter().filter_map(|token| match token {
        Number(value, digits) => Some((*value, *digits)),
        _ => None,
    });
    let is_year = |(value, digits): (u32, usize)| digits == 4 || value > 31;
    let first = found.next()?;
    let (day, year) = match found.next() {
        Some(second) if is_year(first) => (second.0, Some(first)),
        Some(second) => (first.0, Some(second)),
        None if is_year(first) => (1, Some(first)),
        None => (first.0, None),
    };
    let Some((year, digits)) = year else { return day_near(month, day, now) };
    clamped(full_year(i32::try_from(year).ok()?, digits), month, day)
}

/// Numbers only: their lengths and separators determine the order.
fn numbers(list: &[DateToken], now: DateTime<Utc>) -> Option<NaiveDate> {
    let found: Vec<(u32, usize)> = list
        .iter()
        .filter_map(|token| match token {
            Number(value, digits) => Some((*value, *digits)),
            _ => None,
        })
        .collect();
    let mark = list.iter().find_map(|token| match token {
        Mark(mark @ ('-' | '/' | '.')) => Some(*mark),
        _ => None,
    });
    let year = |(value, digits): (u32, usize)| i32::try_from(value).map_or(0, |value| full_year(value, digits));
    match *found.as_slice() {
        [(whole, 8), ..] => {
            NaiveDate::from_ymd_opt(i32::try_from(whole / 10_000).ok()?, whole / 100 % 100, whole % 100)
        }
        [(whole, 7)] => NaiveDate::from_yo_opt(i32::try_from(whole / 1000).ok()?, whole % 1000),
        [first @ (_, 4), (day, 3), ..] => NaiveDate::from_yo_opt(year(first), day),
        [first @ (_, 4), (month, _), (day, _), ..] => clamped(year(first), month, day),
        [first @ (_, 4), (month, 1..=2)] => NaiveDate::from_ymd_opt(year(first), month, 1),
        [first @ (_, 4)] => NaiveDate::from_ymd_opt(year(first), 1, 1),
        [(first, _), (second, _), last @ (_, 4), ..] => {
            // 15.11.2026 is German, 11/15/2026 American; a number above twelve is not a month.
            let day_first = mark != Some('/') || first > 12;
            let (day, month) = if day_first && second <= 12 { (first, second) } else { (second, first) };
            clamped(year(last), month, day)
        }
        [first @ (_, 1..=2), (month, 1..=2), (day, 1..=2), ..] if mark != Some('/') => clamped(year(first), month, day),
        [(month, 1..=2), (day, 1..=2), last @ (_, 2), ..] => clamped(year(last), month, day),
        [(month, 1..=2), (day, 1..=2)] if mark.is_some() => day_near(month, day, now),
        _ => None,
    }
}

/// Two digits up to 68 mean this century, as in POSIX.
fn full_year(value: i32, digits: usize) -> i32 {
    match (digits, value) {
        (1..=2, 0..=68) => 2000 + value,
        (1..=2, _) => 1900 + value,
        // 103 and the like: years since 1900.
        (3, 100..=199) => 1900 + value,
        _ => value,
    }
}

/// The date, where the 31st of a shorter month is its last day.
fn clamped(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    if !(1..=31).contains(&day) {
        return None;
    }
    (0..4).find_map(|less| NaiveDate::from_ymd_opt(year, month, day.saturating_sub(less)))
}

/// A day without a year: the latest one that is at most a day in the future.
fn day_near(month: u32, day: u32, now: DateTime<Utc>) -> Option<NaiveDate> {
    let tomorrow = now.date_naive().succ_opt()?;
    let this_year = NaiveDate::from_ymd_opt(now.year(), month, day);
    this_year.filter(|date| *date <= tomorrow).or_else(|| NaiveDate::from_ymd_opt(now.year() - 1, month, day))
}
