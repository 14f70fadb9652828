//! Parses dates in all formats that occur in feeds.
//!
//! A text is split into numbers, words and marks. The time of day and the zone are removed by their form, and the rest must
//! be a date. So RFC 822, RFC 3339, ISO 8601, asctime, Japanese and other formats need no separate parsers.

mod day;
mod names;
mod time;
mod tokens;

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};

pub use names::month as month_named;
use tokens::DateToken;

const MAX_CHARS: usize = 160;
/// Dates outside these years are invalid.
const YEARS: std::ops::RangeInclusive<i32> = 1990..=2200;

/// Parses a date; `None` if it is invalid or implausible, such as the year 1.
pub fn read(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    // The two standard formats that most feeds use.
    if let Ok(found) = DateTime::parse_from_rfc3339(text).or_else(|_| DateTime::parse_from_rfc2822(text)) {
        return sensible(found.to_utc());
    }
    if let Some(found) = number(text) {
        return sensible(found);
    }
    let mut list = tokens::tokenize(&text.chars().take(MAX_CHARS).collect::<String>());
    let zone_hint =
        list.iter().any(|token| matches!(token, DateToken::Unit('年' | '년' | '月' | '월'))).then_some(9 * 3600);
    let time = time::take(&mut list);
    let day = day::read(&list, now)?;
    let mut moment = day.and_hms_opt(0, 0, 0)?;
    let mut offset = zone_hint.unwrap_or(0);
    if let Some(time) = time {
        moment = moment.checked_add_signed(Duration::seconds(time.seconds))?;
        offset = time.offset.unwrap_or(offset);
    }
    sensible(moment.checked_sub_signed(Duration::seconds(offset))?.and_utc())
}

/// Digits only: seconds, milliseconds, or a date without separators.
fn number(text: &str) -> Option<DateTime<Utc>> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i64 = text.parse().ok()?;
    match text.len() {
        9 | 10 => DateTime::from_timestamp(value, 0),
        13 => DateTime::from_timestamp_millis(value),
        12 | 14 => {
            let part = |from: usize| text.get(from..from + 2).and_then(|part| part.parse::<u32>().ok());
            let (year, seconds) = (text.get(..4)?.parse().ok()?, part(12).unwrap_or(0));
            let day = NaiveDate::from_ymd_opt(year, part(4)?, part(6)?)?;
            Some(day.and_hms_opt(part(8)?, part(10)?, seconds)?.and_utc())
        }
        _ => None,
    }
}

fn sensible(date: DateTime<Utc>) -> Option<DateTime<Utc>> {
    YEARS.contains(&date.year()).then_some(date)
}

#[cfg(test)]
mod tests;
