//! The clock, passed in as a value: no other code reads the system time.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

/// Periodic work is planned at most this far ahead. A later time comes from a clock that has been set back since.
pub const MAX_AHEAD: TimeDelta = TimeDelta::hours(48);

/// A source of the current time. Clones share it.
///
/// The system clock can be synchronised with the database server's, so that several machines agree on what is due or lapsed. A
/// manual clock stands still until a test moves it.
#[derive(Clone)]
pub struct Clock(Arc<Source>);

enum Source {
    /// The system clock, with the offset of the database's clock in microseconds.
    System { ahead: AtomicI64 },
    /// Microseconds since 1970, for tests.
    Manual { now: AtomicI64 },
}

impl Clock {
    /// The system clock.
    pub fn system() -> Self {
        Clock(Arc::new(Source::System { ahead: AtomicI64::new(0) }))
    }

    /// A clock that stands still at `now` until it is moved.
    pub fn manual(now: DateTime<Utc>) -> Self {
        Clock(Arc::new(Source::Manual { now: AtomicI64::new(now.timestamp_micros()) }))
    }

    /// The current time in whole microseconds, the precision of both databases.
    pub fn now(&self) -> DateTime<Utc> {
        match &*self.0 {
            Source::System { ahead } => machine_time() + TimeDelta::microseconds(ahead.load(Ordering::Relaxed)),
            Source::Manual { now } => {
                DateTime::from_timestamp_micros(now.load(Ordering::Relaxed)).unwrap_or(DateTime::UNIX_EPOCH)
            }
        }
    }

    /// Moves a manual clock. Does nothing to the system clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual { now } = &*self.0 {
            now.fetch_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }

    /// Sets a manual clock, also back. Does nothing to the system clock.
    pub fn set(&self, to: DateTime<Utc>) {
        if let Source::Manual { now } = &*self.0 {
            now.store(to.timestamp_micros(), Ordering::Relaxed);
        }
    }

    /// Adopts the time that a database server reported between `asked` and now. Returns how far it is ahead.
    pub(crate) fn sync(&self, asked: DateTime<Utc>, reported: DateTime<Utc>) -> TimeDelta {
        match &*self.0 {
            Source::System { ahead } => {
                let before = TimeDelta::microseconds(ahead.load(Ordering::Relaxed));
                let halfway = asked - before + (machine_time() - (asked - before)) / 2;
                let skew = reported - halfway;
                ahead.store(skew.num_microseconds().unwrap_or(0), Ordering::Relaxed);
                skew
            }
            Source::Manual { .. } => TimeDelta::zero(),
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system time")]
fn machine_time() -> DateTime<Utc> {
    let now = Utc::now();
    now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_clock_moves_only_when_told() {
        let clock = Clock::manual(DateTime::UNIX_EPOCH);
        assert_eq!(clock.now(), DateTime::UNIX_EPOCH);
        clock.clone().advance(Duration::from_secs(90));
        assert_eq!(clock.now().timestamp(), 90);
        clock.set(DateTime::UNIX_EPOCH);
        assert_eq!(clock.now(), DateTime::UNIX_EPOCH);
    }

    #[test]
    fn system_clock_follows_the_database() {
        let clock = Clock::system();
        let reported = clock.now() + TimeDelta::hours(1);
        let skew = clock.sync(clock.now(), reported);
        assert!((skew - TimeDelta::hours(1)).abs() < TimeDelta::minutes(1));
        assert!((clock.now() - reported).abs() < TimeDelta::minutes(1));
        // A second measurement starts from the system clock, not from the first correction.
        let again = clock.sync(clock.now(), clock.now());
        assert!((again - TimeDelta::hours(1)).abs() < TimeDelta::minutes(1));
    }
}
