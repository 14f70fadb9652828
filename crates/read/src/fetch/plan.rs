//! When to fetch a feed again. Pure: time and random numbers are passed in.

use std::time::Duration;

use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
use feed::Hints;
use serde::{Deserialize, Serialize};

/// The longest wait that a publisher can ask for.
const MAX_REQUESTED: Duration = Duration::from_secs(24 * 60 * 60);
/// The first pause after a failure, and the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(30 * 60);
const LONGEST_PAUSE: Duration = Duration::from_secs(12 * 60 * 60);
/// The pause after this machine lacked files or memory.
const LACK_PAUSE: Duration = Duration::from_secs(30);
/// The shortest wait after `Retry-After`, which may be 0.
const SHORTEST_WAIT: Duration = Duration::from_secs(60);
/// The limit of the jitter, which is up to a tenth of the wait. It spreads feeds that were added together.
const MAX_JITTER: Duration = Duration::from_secs(5 * 60);
/// The interval of a feed that lost its last subscriber while it was fetched.
const NO_INTERVAL_MINUTES: i64 = 60;

/// What the publisher asks for, as it is stored with the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PublisherHints {
    /// The longer of `ttl` and `updatePeriod`.
    pub minutes: Option<u32>,
    /// Hours of the day without fetches, UTC.
    #[serde(default)]
    pub skip_hours: Vec<u8>,
    /// Days of the week without fetches, 0 for Monday.
    #[serde(default)]
    pub skip_days: Vec<u8>,
}

impl PublisherHints {
    /// The hints of a document.
    pub fn of(hints: &Hints) -> PublisherHints {
        PublisherHints {
            minutes: hints.ttl_minutes.max(hints.update_minutes),
            skip_hours: hints.skip_hours.clone(),
            skip_days: hints.skip_days.clone(),
        }
    }

    /// The stored hints, or none if they cannot be read.
    pub fn kept(json: Option<&str>) -> PublisherHints {
        json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }

    /// The hints as they are stored.
    pub fn to_keep(&self) -> Option<String> {
        (*self != PublisherHints::default()).then(|| serde_json::to_string(self).ok()).flatten()
    }

    fn skips(&self, at: DateTime<Utc>) -> bool {
        let day = u8::try_from(at.weekday().num_days_from_monday()).unwrap_or_default();
        let hour = u8::try_from(at.hour()).unwrap_or_default();
        self.skip_hours.contains(&hour) || self.skip_days.contains(&day)
    }
}

/// What decides when a feed is fetched again after a good answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered<'a> {
    /// The least interval among subscribers.
    pub interval_minutes: Option<i64>,
    /// What the publisher asks for.
    pub hints: &'a PublisherHints,
    /// How long the answer is fresh (`Cache-Control`, `Expires`).
    pub fresh_for: Option<Duration>,
    /// `Retry-After`.
    pub retry_after: Option<Duration>,
}

/// After an answer: the interval, but never sooner than the publisher asks for. `dice` from 0 to 1 gives the jitter.
pub(crate) fn after_success(now: DateTime<Utc>, answered: Answered<'_>, dice: f64) -> DateTime<Utc> {
    let minutes = answered.interval_minutes.unwrap_or(NO_INTERVAL_MINUTES);
    let interval = Duration::from_secs(60 * u64::try_from(minutes).unwrap_or_default());
    let ttl = answered.hints.minutes.map(|minutes| Duration::from_secs(60 * u64::from(minutes)));
    let bounds = [ttl, answered.fresh_for, answered.retry_after];
    let wait = bounds.into_iter().flatten().map(|bound| bound.min(MAX_REQUESTED)).fold(interval, Duration::max);
    outside_of_skipped(now, later(now, spread(wait, dice)), answered.hints)
}

/// After the `failures`-th failure in a row: doubling pauses, or what the site asks for, even if that is sooner.
pub(crate) fn after_failure(
    now: DateTime<Utc>,
    failures: i64,
    retry_after: Option<Duration>,
    dice: f64,
) -> DateTime<Utc> {
    let doublings = u32::try_from(failures.clamp(1, 16) - 1).unwrap_or_default();
    let pause = FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE);
    let wait = retry_after.map_or(pause, |wait| wait.clamp(SHORTEST_WAIT, MAX_REQUESTED));
    later(now, spread(wait, dice))
}

/// After a lack of local resources: soon, but not at once.
pub(crate) fn after_lack(now: DateTime<Utc>, dice: f64) -> DateTime<Utc> {
    later(now, spread(LACK_PAUSE, dice))
}

fn spread(wait: Duration, dice: f64) -> Duration {
    let dice = if (0.0..=1.0).contains(&dice) { dice } else { 0.0 };
    wait + (wait / 10).min(MAX_JITTER).mul_f64(dice)
}

fn later(now: DateTime<Utc>, wait: Duration) -> DateTime<Utc> {
    // In whole microseconds, as both databases store it.
    let wait = Duration::from_micros(u64::try_from(wait.as_micros()).unwrap_or(u64::MAX));
    TimeDelta::from_std(wait).ok().and_then(|wait| now.checked_add_signed(wait)).unwrap_or(now)
}

/// The first hour from `at` that is not skipped, up to a day from now. If all are skipped, `at`.
fn outside_of_skipped(now: DateTime<Utc>, at: DateTime<Utc>, hints: &PublisherHints) -> DateTime<Utc> {
    let latest = at.max(later(now, MAX_REQUESTED));
    let mut candidate = at;
    while hints.skips(candidate) {
        let next_hour = candidate + TimeDelta::hours(1);
        // The jitter within the hour stays.
        if next_hour > latest {
            return at;
        }
        candidate = next_hour;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn minutes_after(
        hints: &PublisherHints,
        interval: i64,
        fresh_for: Option<Duration>,
        retry_after: Option<Duration>,
    ) -> i64 {
        let now = at("2026-03-02T10:00:00Z");
        let answered = Answered { interval_minutes: Some(interval), hints, fresh_for, retry_after };
        (after_success(now, answered, 0.0) - now).num_minutes()
    }

    #[test]
    fn the_interval_counts_unless_the_publisher_asks_for_more() {
        let none = PublisherHints::default();
        let ttl = PublisherHints { minutes: Some(90), ..PublisherHints::default() };
        assert_eq!(minutes_after(&none, 60, None, None), 60);
        assert_eq!(minutes_after(&ttl, 60, None, None), 90);
        assert_eq!(minutes_after(&ttl, 120, None, None), 120, "a lower bound, not the interval");
        assert_eq!(minutes_after(&ttl, 60, Some(HOUR * 3), None), 180);
        assert_eq!(minutes_after(&none, 60, Some(Duration::ZERO), Some(HOUR * 2)), 120);
        assert_eq!(minutes_after(&none, 60, Some(HOUR * 24 * 365), None), 24 * 60, "believed up to a day");
        assert_eq!(minutes_after(&PublisherHints { minutes: Some(u32::MAX), ..none }, 60, None, None), 24 * 60);
    }

    #[test]
    fn skipped_hours_and_days_are_passed_over() {
        let night = PublisherHints { skip_hours: vec![11, 12, 13], ..PublisherHints::default() };
        assert_eq!(minutes_after(&night, 60, None, None), 240);
        let always = PublisherHints { skip_hours: (0..24).collect(), ..PublisherHints::default() };
        assert_eq!(minutes_after(&always, 60, None, None), 60, "skipping every hour is ignored");
        // 2026-03-02 is a Monday.
        let monday = PublisherHints { skip_days: vec![0], ..PublisherHints::default() };
        assert_eq!(minutes_after(&monday, 60, None, None), 14 * 60);
        let week = PublisherHints { skip_days: (0..7).collect(), ..PublisherHints::default() };
        assert_eq!(minutes_after(&week, 60, None, None), 60);
    }

    #[test]
    fn pauses_double_from_half_an_hour_to_twelve() {
        let now = at("2026-03-02T10:00:00Z");
        let minutes = |failures, retry_after| (after_failure(now, failures, retry_after, 0.0) - now).num_minutes();
        let pauses: Vec<i64> = (1..=7).map(|failures| minutes(failures, None)).collect();
        assert_eq!(pauses, [30, 60, 120, 240, 480, 720, 720]);
        assert_eq!(minutes(i64::MAX, None), 720);
        assert_eq!(minutes(0, None), 30);
        assert_eq!(minutes(5, Some(Duration::from_secs(120))), 2, "the site knows better, also when it is sooner");
        assert_eq!(minutes(1, Some(HOUR * 5)), 300);
        assert_eq!(minutes(1, Some(Duration::ZERO)), 1);
        assert_eq!(minutes(1, Some(HOUR * 1000)), 24 * 60);
    }

    #[test]
    fn the_spread_is_a_tenth_and_never_sooner() {
        let now = at("2026-03-02T10:00:00Z");
        let hints = PublisherHints::default();
        let answered =
            |minutes| Answered { interval_minutes: Some(minutes), hints: &hints, fresh_for: None, retry_after: None };
        assert_eq!((after_success(now, answered(30), 1.0) - now).num_seconds(), 33 * 60);
        assert_eq!((after_success(now, answered(720), 1.0) - now).num_minutes(), 725);
        assert_eq!((after_failure(now, 1, None, 1.0) - now).num_seconds(), 33 * 60);
        assert_eq!((after_success(now, answered(30), f64::NAN) - now).num_minutes(), 30);
    }

    #[test]
    fn hints_are_stored_and_invalid_ones_ignored() {
        let hints = PublisherHints { minutes: Some(5), skip_hours: vec![1], skip_days: vec![6] };
        assert_eq!(PublisherHints::kept(hints.to_keep().as_deref()), hints);
        assert_eq!(PublisherHints::default().to_keep(), None);
        assert_eq!(PublisherHints::kept(Some("{nonsense")), PublisherHints::default());
    }
}
