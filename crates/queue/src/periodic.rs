//! Schedules of periodic jobs.

use std::time::Duration;

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};

/// When a periodic job is due. Due times do not depend on the worker or its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// At every multiple of this since 1970.
    Every(Duration),
    /// Each day at this time in UTC.
    Daily {
        /// 0 to 23.
        hour: u32,
        /// 0 to 59.
        minute: u32,
    },
}

impl Schedule {
    /// The latest due time that is not after `now`.
    pub(crate) fn last_due(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        match *self {
            Schedule::Every(period) => {
                let period = i64::try_from(period.as_micros()).unwrap_or(i64::MAX).max(1);
                let micros = now.timestamp_micros();
                DateTime::from_timestamp_micros(micros - micros.rem_euclid(period)).unwrap_or(now)
            }
            Schedule::Daily { hour, minute } => {
                let time = NaiveTime::from_hms_opt(hour.min(23), minute.min(59), 0).unwrap_or(NaiveTime::MIN);
                let today = now.date_naive().and_time(time).and_utc();
                if today <= now { today } else { today - TimeDelta::days(1) }
            }
        }
    }

    /// The first due time after `now`.
    pub(crate) fn next_due(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let step = match *self {
            Schedule::Every(period) => TimeDelta::from_std(period).unwrap_or(TimeDelta::MAX),
            Schedule::Daily { .. } => TimeDelta::days(1),
        };
        self.last_due(now).checked_add_signed(step).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn due_times_are_aligned() {
        let hourly = Schedule::Every(Duration::from_secs(3600));
        assert_eq!(hourly.last_due(at("2026-03-01T10:59:59Z")), at("2026-03-01T10:00:00Z"));
        assert_eq!(hourly.last_due(at("2026-03-01T10:00:00Z")), at("2026-03-01T10:00:00Z"));
        assert_eq!(hourly.next_due(at("2026-03-01T10:00:00Z")), at("2026-03-01T11:00:00Z"));
        let daily = Schedule::Daily { hour: 3, minute: 0 };
        assert_eq!(daily.last_due(at("2026-03-01T02:59:59Z")), at("2026-02-28T03:00:00Z"));
        assert_eq!(daily.last_due(at("2026-03-01T03:00:00Z")), at("2026-03-01T03:00:00Z"));
        assert_eq!(daily.next_due(at("2026-03-01T02:59:59Z")), at("2026-03-01T03:00:00Z"));
    }

    #[test]
    fn extreme_schedules_do_not_panic() {
        let now = at("2026-03-01T02:59:59Z");
        assert!(Schedule::Every(Duration::ZERO).last_due(now) <= now);
        assert!(Schedule::Every(Duration::MAX).next_due(now) > now);
        assert!(Schedule::Daily { hour: 99, minute: 99 }.last_due(now) <= now);
    }
}
