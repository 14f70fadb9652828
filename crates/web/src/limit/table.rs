//! Buckets of tokens in a table that never grows beyond its size, whoever asks and however many they are.

use std::{
    hash::{BuildHasher, RandomState},
    num::NonZeroU32,
};

use chrono::{DateTime, TimeDelta, Utc};

/// Into how many rows the buckets are spread; nobody outside can tell which row is whose.
const ROWS: usize = 1_024;
/// How many buckets a row has at the most.
const ROW: usize = 16;
/// In which time an empty bucket fills.
const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// Whose bucket it is.
pub(crate) type BucketKey = [u8; 16];

/// When a bucket will be full again; one that is full needs no place.
#[derive(Clone, Copy)]
struct Bucket {
    key: BucketKey,
    full_at: DateTime<Utc>,
}

/// The buckets of everybody whose bucket is not full.
///
/// A flood of keys finds its row full and takes the place of the bucket that is nearest to being full: whoever has asked
/// a lot is remembered, whoever has asked once is forgotten. One row is looked at for a request, whatever happens.
pub(super) struct Table {
    rows: Vec<Vec<Bucket>>,
    hasher: RandomState,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { rows: vec![Vec::new(); ROWS], hasher: RandomState::new() }
    }

    /// Takes a token out of a bucket of `size`, or tells how long it takes until there is one.
    pub(super) fn take(&mut self, key: BucketKey, size: NonZeroU32, now: DateTime<Utc>) -> Result<(), TimeDelta> {
        let Ok(size) = i32::try_from(size.get()) else { return Ok(()) };
        let row = usize::try_from(self.hasher.hash_one(key) % ROWS as u64).unwrap_or(0);
        let Some(row) = self.rows.get_mut(row) else { return Ok(()) };
        let place = place_of(row, key, now);
        let Some(bucket) = row.get_mut(place) else { return Ok(()) };
        // A clock that was set back must not shut anybody out for longer than a minute.
        bucket.full_at = bucket.full_at.clamp(now, now + MINUTE);
        let then = bucket.full_at + MINUTE / size;
        let too_early = then - (now + MINUTE);
        if too_early > TimeDelta::zero() {
            return Err(too_early);
        }
        bucket.full_at = then;
        Ok(())
    }

    /// How many buckets there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }
}

/// The place of this key's bucket in its row: the one it has, or one made for it.
fn place_of(row: &mut Vec<Bucket>, key: BucketKey, now: DateTime<Utc>) -> usize {
    if let Some(place) = row.iter().position(|bucket| bucket.key == key) {
        return place;
    }
    row.retain(|bucket| bucket.full_at > now);
    let fresh = Bucket { key, full_at: now };
    if row.len() < ROW {
        row.push(fresh);
        return row.len() - 1;
    }
    let fullest = row.iter().enumerate().min_by_key(|(_, bucket)| bucket.full_at).map_or(0, |(place, _)| place);
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
    fn a_flood_of_keys_takes_no_more_room_than_there_is_and_whoever_asked_a_lot_is_remembered() {
        let (mut table, now) = (Table::new(), DateTime::UNIX_EPOCH);
        while table.take(key(0), SIX, now).is_ok() {}
        for n in 1..=200_000 {
            assert!(table.take(key(n), SIX, now).is_ok(), "strangers do not hold each other up");
        }
        assert!(table.len() <= ROWS * ROW, "{}", table.len());
        assert!(table.rows.iter().all(|row| row.capacity() <= 2 * ROW), "and no row keeps more than it needs");
        assert!(table.take(key(0), SIX, now).is_err(), "the flood does not wash away who asked too often");
    }

    #[test]
    fn buckets_that_are_full_again_leave_their_place() {
        let (mut table, now) = (Table::new(), DateTime::UNIX_EPOCH);
        assert!((0..50_000).all(|n| table.take(key(n), SIX, now).is_ok()));
        let before = table.len();
        assert!((0..50_000).all(|n| table.take(key(n), SIX, now + TimeDelta::hours(n as i64)).is_ok()));
        assert!(before > ROWS * ROW / 2 && table.len() <= ROWS, "{before}, then {}", table.len());
    }
}
