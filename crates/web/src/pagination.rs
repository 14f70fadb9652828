//! Pages of lists: an opaque cursor that names the last row of the page before.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ApiError, Error};

/// How many rows a page has.
pub(crate) const PAGE: i64 = 50;

/// Where a page begins, as clients see it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(transparent)]
pub(crate) struct Cursor(String);

impl Cursor {
    /// The row that it names: its time and its id.
    pub(crate) fn place(self) -> Result<(DateTime<Utc>, Uuid), ApiError> {
        read(&self.0).ok_or_else(|| Error::UnknownCursor.into())
    }
}

/// The page of `rows`, asked for with one more than fits, and where the next one begins.
pub(crate) fn next_cursor<T>(
    mut rows: Vec<T>,
    place: impl Fn(&T) -> (DateTime<Utc>, Uuid),
) -> (Vec<T>, Option<String>) {
    let size = usize::try_from(PAGE).unwrap_or(usize::MAX);
    if rows.len() <= size {
        return (rows, None);
    }
    rows.truncate(size);
    let cursor = rows.last().map(|row| write(place(row)));
    (rows, cursor)
}

fn write((at, id): (DateTime<Utc>, Uuid)) -> String {
    format!("{:016x}{}", at.timestamp_micros(), id.simple())
}

fn read(text: &str) -> Option<(DateTime<Utc>, Uuid)> {
    let (at, id) = text.split_at_checked(16)?;
    let at = DateTime::from_timestamp_micros(i64::from_str_radix(at, 16).ok()?)?;
    let id = (id.len() == 32).then(|| id.parse().ok())??;
    // Only what was handed out comes back; other spellings of the same are not understood.
    (write((at, id)) == text).then_some((at, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_the_place_it_was_made_of_and_nothing_else_does() {
        let place = (DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap(), Uuid::now_v7());
        let text = write(place);
        assert_eq!(read(&text), Some(place));
        let damaged = [text[1..].to_owned(), format!("{text}0"), text.to_uppercase(), "é".repeat(24), String::new()];
        for text in damaged.iter().filter(|damaged| **damaged != text) {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&format!("7fffffffffffffff{}", place.1.simple())), None, "a time that cannot be");
    }

    #[test]
    fn only_a_page_with_more_behind_it_has_a_next_one() {
        let at = |n: &i64| (DateTime::from_timestamp_micros(*n).unwrap(), Uuid::nil());
        assert_eq!(next_cursor((0..PAGE).collect(), at), ((0..PAGE).collect(), None));
        let (rows, cursor) = next_cursor((0..=PAGE).collect(), at);
        assert_eq!((rows.len(), cursor), (50, Some(write(at(&49)))));
    }
}
