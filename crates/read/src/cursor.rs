//! The opaque text for a position in a list, after which the next page begins.

use std::{fmt, str::FromStr};

use chrono::DateTime;
use store::{ItemId, item_lists::Position};

/// Changes with the format, so that an old cursor is rejected rather than misread.
const VERSION: &str = "1";
const DIGITS: usize = 16;

/// A position in a list, as clients store it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemCursor(pub Position);

/// The text is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor")]
pub struct NotACursor;

impl fmt::Display for ItemCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Hexadecimal digits need no escaping in URLs, JSON or logs.
        write!(f, "{VERSION}{:016x}{:016x}", self.0.published_at.timestamp_micros(), self.0.id.0)
    }
}

impl FromStr for ItemCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<ItemCursor, NotACursor> {
        let digits = text.strip_prefix(VERSION).filter(|digits| digits.len() == 2 * DIGITS).ok_or(NotACursor)?;
        let (micros, id) = digits.split_at_checked(DIGITS).ok_or(NotACursor)?;
        let published_at = DateTime::from_timestamp_micros(number(micros)?).ok_or(NotACursor)?;
        let position = Position { published_at, id: ItemId(number(id)?) };
        // The range of positions that both databases can compare. No item is outside it.
        let valid = Position::oldest()..=Position::newest();
        valid.contains(&position).then_some(ItemCursor(position)).ok_or(NotACursor)
    }
}

/// Parses sixteen lower-case hexadecimal digits.
fn number(digits: &str) -> Result<i64, NotACursor> {
    let plain = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let bits = u64::from_str_radix(digits, 16).ok().filter(|_| plain).ok_or(NotACursor)?;
    Ok(bits.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_survive_a_round_trip() {
        for (micros, id) in [(0, 1), (1_800_000_000_123_456, 42), (-5_000_000_000_000_001, i64::MAX)] {
            let published_at = DateTime::from_timestamp_micros(micros).unwrap();
            let cursor = ItemCursor(Position { published_at, id: ItemId(id) });
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        let good = ItemCursor(Position { published_at: DateTime::UNIX_EPOCH, id: ItemId(1) }).to_string();
        assert!(good.parse::<ItemCursor>().is_ok());
        let long = format!("{good}0");
        let other_version = good.replacen('1', "2", 1);
        let signed = good.replacen("10", "1+", 1);
        let capital = good.replacen("100", "10A", 1);
        let far = format!("17{}{:016x}", "f".repeat(15), 1);
        for text in ["", "1", "あ", &long, &good[1..], &other_version, &signed, &capital, &far, &"あ".repeat(11)] {
            assert_eq!(text.parse::<ItemCursor>(), Err(NotACursor), "{text}");
        }
    }
}
