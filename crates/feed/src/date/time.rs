//! Finds the time of day and the zone in a date by their form.

use super::{
    names,
    tokens::DateToken::{self, Blank, Mark, Number, Unit, Word},
};

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Time {
    /// Seconds since midnight.
    pub(super) seconds: i64,
    /// Seconds east of UTC, if given.
    pub(super) offset: Option<i64>,
}

/// Removes the time and the zone from a date.
pub(super) fn take(list: &mut Vec<DateToken>) -> Option<Time> {
    let (start, end, hour, minute, second) =
        find_clock(list).or_else(|| find_units(list)).or_else(|| find_basic(list))?;
    let (mut after, offset) = zone(list, end);
    let mut hour = hour;
    for at in (start.saturating_sub(2)..after.min(list.len())).chain(after..list.len().min(after + 3)) {
        let Some(Word(word)) = list.get(at) else { continue };
        match word.as_str() {
            "pm" | "午後" | "下午" | "오후" | "μμ" if hour < 12 => hour += 12,
            "am" | "午前" | "上午" | "오전" | "πμ" if hour == 12 => hour = 0,
            _ => continue,
        }
        after = after.max(at + 1);
        break;
    }
    let offset = offset.or_else(|| zone(list, after).1);
    let mut start = start;
    // The `T` between date and time, and 午前 before the time, are not part of the date.
    while start > 0 && matches!(list.get(start - 1), Some(Blank)) {
        start -= 1;
    }
    if let Some(Word(word)) = start.checked_sub(1).and_then(|at| list.get(at))
        && (matches!(word.as_str(), "t" | "午前" | "午後" | "上午" | "下午" | "오전" | "오후" | "at" | "um"))
    {
        start -= 1;
    }
    list.drain(start..after.min(list.len()).max(start));
    // An invalid time is ignored; the date still counts.
    if hour > 24 || minute > 59 || second > 61 {
        return Some(Time { seconds: 0, offset });
    }
    let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second.min(59));
    Some(Time { seconds, offset })
}

type Clock = (usize, usize, u32, u32, u32);

/// `H:MM`, `H:MM:SS`, `H:MM:SS.fff`.
fn find_clock(list: &[DateToken]) -> Option<Clock> {
    let at = (0..list.len())
        .find(|&at| matches!(list.get(at..at + 3), Some([Number(_, 1..=2), Mark(':'), Number(_, 1..=2)])))?;
    let (Some(Number(hour, _)), Some(Number(minute, _))) = (list.get(at), list.get(at + 2)) else { return None };
    let mut end = at + 3;
    let mut second = 0;
    if let Some([Mark(':' | '.'), Number(value, 1..=2)]) = list.get(end..end + 2) {
        second = *value;
        end += 2;
    }
    if let Some([Mark('.' | ',' | ':'), Number(..)]) = list.get(end..end + 2) {
        end += 2;
    }
    Some((at, end, *hour, *minute, second))
}

/// `10時30分15秒`, `10시 30분`, and a bare `10時`.
fn find_units(list: &[DateToken]) -> Option<Clock> {
    let at =
        (0..list.len()).find(|&at| matches!(list.get(at..at + 2), Some([Number(..), Unit('時' | '时' | '시')])))?;
    let Some(Number(hour, _)) = list.get(at) else { return None };
    let (mut end, mut rest) = (at + 2, [0, 0]);
    for (value, units) in rest.iter_mut().zip([['分', '분'], ['秒', '초']]) {
        let next = if list.get(end) == Some(&Blank) { end + 1 } else { end };
        if let Some([Number(number, _), Unit(unit)]) = list.get(next..next + 2)
            && units.contains(unit)
        {
            *value = *number;
            end = next + 2;
        }
    }
    Some((at, end, *hour, rest[0], rest[1]))
}

/// `T101530`, `T1015`, `T10`.
fn find_basic(list: &[DateToken]) -> Option<Clock> {
    let at = list.windows(2).position(|pair| matches!(pair, [Word(t), Number(_, 2 | 4 | 6)] if t == "t"))? + 1;
    let Some(Number(value, digits)) = list.get(at) else { return None };
    let (hour, minute, second) = match digits {
        2 => (*value, 0, 0),
        4 => (value / 100, value % 100, 0),
        _ => (value / 10_000, value / 100 % 100, value % 100),
    };
    Some((at, at + 1, hour, minute, second))
}

/// The zone at this position, perhaps after white space, and its end.
fn zone(list: &[DateToken], from: usize) -> (usize, Option<i64>) {
    let mut at = from;
    while matches!(list.get(at), Some(Blank | Mark('(' | ','))) {
        at += 1;
    }
    let mut named = None;
    if let Some(Word(word)) = list.get(at) {
        let Some(seconds) = names::zone(word) else { return (from, None) };
        named = Some(seconds);
        at += 1;
    }
    let next = if list.get(at) == Some(&Blank) && named.is_none() { at + 1 } else { at };
    if let Some([Mark(sign @ ('+' | '-')), Number(value, digits)]) = list.get(next..next + 2) {
        let (hours, minutes, end) = match (digits, list.get(next + 2..next + 4)) {
            (1..=2, Some([Mark(':'), Number(minutes, 2)])) => (*value, *minutes, next + 4),
            (1..=2, _) => (*value, 0, next + 2),
            (3..=4, _) => (value / 100, value % 100, next + 2),
            // `-2026` after a zone is a year, not an offset.
            _ => return (at, named),
        };
        if hours <= 15 && minutes <= 59 {
            let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
            let offset = if *sign == '-' { -seconds } else { seconds };
            return (skip_comment(list, end), Some(offset));
        }
    }
    match named {
        Some(_) => (skip_comment(list, at), named),
        None => (from, None),
    }
}

/// `(JST)` after an offset.
fn skip_comment(list: &[DateToken], at: usize) -> usize {
    let open = if list.get(at) == Some(&Blank) { at + 1 } else { at };
    if list.get(open) != Some(&Mark('(')) {
        return if list.get(at) == Some(&Mark(')')) { at + 1 } else { at };
    }
    list.iter().skip(open).position(|token| *token == Mark(')')).map_or(list.len(), |length| open + length + 1)
}
