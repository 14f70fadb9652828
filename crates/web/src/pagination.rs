//! Pagination with an opaque cursor, which names the last row of the previous page.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ApiError, Error};

/// Rows per page.
pub(crate) const PAGE_SIZE: i64 = 50;

/// The position where a page begins.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(transparent)]
pub(crate) struct Cursor(String);

impl Cursor {
    /// The time and id of the row that it names.
    pub(crate) fn position(self) -> Result<(DateTime<Utc>, Uuid), ApiError> {
        parse(&self.0).ok_or_else(|| Error::UnknownCursor.into())
    }
}

/// Splits `rows`, which may have one row more than a page, into the page and the cursor of the next one.
pub(crate) fn next_cursor<T>(
    mut rows: Vec<T>,
    position: impl Fn(&T) -> (DateTime<Utc>, Uuid),
) -> (Vec<T>, Option<String>) {
    let size = usize::try_from(PAGE_SIZE).unwrap_or(usize::MAX);
    if rows.len() <= size {
        return (rows, None);
    }
    rows.truncate(size);
    let cursor = rows.last().map(|row| format_cursor(position(row)));
    (rows, cursor)
}

fn format_cursor((at, id): (DateTime<Utc>, Uuid)) -> String {
    format!("{:016x}{}", at.timestamp_micros(), id.simple())
}

fn parse(text: &str) -> Option<(DateTime<Utc>, Uuid)> {
    let (at, id) = text.split_at_checked(16)?;
    let at = DateTime::from_timestamp_micros(i64::from_str_radix(at, 16).ok()?)?;
    let id = (id.len() == 32).then(|| id.parse().ok())??;
    // Rejects other spellings of the same position.
    (format_cursor((at, id)) == text).then_some((at, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_round_trips_and_other_texts_fail() {
        let position = (DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap(), Uuid::now_v7());
        let text = format_cursor(position);
        assert_eq!(parse(&text), Some(position));
        let damaged = [text[1..].to_owned(), format!("{text}0"), text.to_uppercase(), "é".repeat(24), String::new()];
        for text in damaged.iter().filter(|damaged| **damaged != text) {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&format!("7fffffffffffffff{}", position.1.simple())), None, "an impossible time");
    }

    #[test]
    fn only_a_full_page_with_more_rows_has_a_next_one() {
        let at = |n: &i64| (DateTime::from_timestamp_micros(*n).unwrap(), Uuid::nil());
        assert_eq!(next_cursor((0..PAGE_SIZE).collect(), at), ((0..PAGE_SIZE).collect(), None));
        let (rows, cursor) = next_cursor((0..=PAGE_SIZE).collect(), at);
        assert_eq!((rows.len(), cursor), (50, Some(format_cursor(at(&49)))));
    }
}
