//! Token buckets in a table with a fixed maximum size.

use std::{
    hash::{BuildHasher, RandomState},
    num::NonZeroU32,
};

use chrono::{DateTime, TimeDelta, Utc};

/// Number of rows. The hash is keyed, so clients cannot choose a row.
const ROWS: usize = 1_024;
/// Buckets per row.
const MAX_ROW_BUCKETS: usize = 16;
/// The time in which an empty bucket fills.
const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// Identifies the user or network of a bucket.
pub(crate) type BucketKey = [u8; 16];

/// A bucket that is not full. Full buckets are not stored.
#[derive(Clone, Copy)]
struct Bucket {
    key: BucketKey,
    full_at: DateTime<Utc>,
}

/// The buckets that are not full.
///
/// A new key in a full row replaces the fullest bucket, so keys with many requests are kept during a flood. A request looks
/// at one row only.
pub(super) struct Table {
    rows: Vec<Vec<Bucket>>,
    hasher: RandomState,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { rows: vec![Vec::new(); ROWS], hasher: RandomState::new() }
    }

    /// Takes a token from a bucket of `size`, or returns the time until the next one.
    pub(super) fn take(&mut self, key: BucketKey, size: NonZeroU32, now: DateTime<Utc>) -> Result<(), TimeDelta> {
        let Ok(size) = i32::try_from(size.get()) else { return Ok(()) };
        let row = usize::try_from(self.hasher.hash_one(key) % ROWS as u64).unwrap_or(0);
        let Some(row) = self.rows.get_mut(row) else { return Ok(()) };
        let index = find_or_insert(row, key, now);
        let Some(bucket) = row.get_mut(index) else { return Ok(()) };
        // If the clock was set back, wait at most a minute.
        bucket.full_at = bucket.full_at.clamp(now, now + MINUTE);
        let then = bucket.full_at + MINUTE / size;
        let too_early = then - (now + MINUTE);
        if too_early > TimeDelta::zero() {
            return Err(too_early);
        }
        bucket.full_at = then;
        Ok(())
    }

    /// The number of buckets.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }
}

/// The index of this key's bucket in its row. Inserts a full bucket if there is none.
fn find_or_insert(row: &mut Vec<Bucket>, key: BucketKey, now: DateTime<Utc>) -> usize {
    if let Some(index) = row.iter().position(|bucket| bucket.key == key) {
        return index;
    }
    row.retain(|bucket| bucket.full_at > now);
    let fresh = Bucket { key, full_at: now };
    if row.len() < MAX_ROW_BUCKETS {
        row.push(fresh);
        return row.len() - 1;
    }
    let fullest = row.iter().enumerate().min_by_key(|(_, bucket)| bucket.full_at).map_or(0, |(index, _)| index);
    row[fullest] = fresh;
    fullest
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: NonZeroU32 = NonZeroU32::new(6).unwrap();

    fn key(n: u64) -> BucketKey {
        u128::from(n).to_be_bytes()
    }

    #[test]
    fn flood_stays_in_bounds_and_keeps_empty_buckets() {
        let (mut table, now) = (Table::new(), DateTime::UNIX_EPOCH);
        while table.take(key(0), SIX, now).is_ok() {}
        for n in 1..=200_000 {
            assert!(table.take(key(n), SIX, now).is_ok(), "each key has its own bucket");
        }
        assert!(table.len() <= ROWS * MAX_ROW_BUCKETS, "{}", table.len());
        assert!(table.rows.iter().all(|row| row.capacity() <= 2 * MAX_ROW_BUCKETS), "rows allocate little more");
        assert!(table.take(key(0), SIX, now).is_err(), "the flood does not evict an empty bucket");
    }

    #[test]
    fn full_buckets_are_removed() {
        let (mut table, now) = (Table::new(), DateTime::UNIX_EPOCH);
        assert!((0..50_000).all(|n| table.take(key(n), SIX, now).is_ok()));
        let before = table.len();
        assert!((0..50_000).all(|n| table.take(key(n), SIX, now + TimeDelta::hours(n as i64)).is_ok()));
        assert!(before > ROWS * MAX_ROW_BUCKETS / 2 && table.len() <= ROWS, "{before}, then {}", table.len());
    }
}
