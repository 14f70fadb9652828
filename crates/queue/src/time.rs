//! Adding to a time without a panic on overflow: durations come from settings.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

pub(crate) fn later(now: DateTime<Utc>, by: Duration) -> DateTime<Utc> {
    delta(by).and_then(|by| now.checked_add_signed(by)).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

pub(crate) fn earlier(now: DateTime<Utc>, by: Duration) -> DateTime<Utc> {
    delta(by).and_then(|by| now.checked_sub_signed(by)).unwrap_or(DateTime::UNIX_EPOCH).max(DateTime::UNIX_EPOCH)
}

/// At most a thousand years, because the year 9999 is the last that both databases support.
fn delta(by: Duration) -> Option<TimeDelta> {
    TimeDelta::from_std(by.min(Duration::from_secs(1_000 * 365 * 86_400))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_clamped() {
        let now: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().unwrap();
        assert_eq!(later(now, Duration::from_secs(60)), now + TimeDelta::seconds(60));
        assert_eq!(earlier(now, Duration::from_secs(60)), now - TimeDelta::seconds(60));
        assert!(later(now, Duration::MAX) > now);
        assert_eq!(earlier(now, Duration::MAX), DateTime::UNIX_EPOCH);
    }
}
