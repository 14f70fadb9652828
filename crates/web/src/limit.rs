//! How often somebody may ask: a bucket of tokens for each person, filled evenly over a minute.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use store::UserId;

use crate::ApiError;

/// More buckets than this, and those that are full again are thrown away.
const MOST_BUCKETS: usize = 10_000;
const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Limited {
    /// Requests of any kind.
    Requests,
    /// Requests that make us ask somebody else's server at once.
    Registrations,
}

/// How many in a minute; no limit without a number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Requests of any kind (`RATE_LIMIT_GENERAL`).
    pub requests: Option<NonZeroU32>,
    /// Feeds registered, looked for or moved (`RATE_LIMIT_FEED_REG`).
    pub registrations: Option<NonZeroU32>,
}

type Buckets = HashMap<(Limited, UserId), DateTime<Utc>>;

/// The buckets of everybody. Cheap to clone.
#[derive(Clone)]
pub struct Limiter {
    limits: Limits,
    /// When each bucket will be full again; one that is full needs no entry.
    full_at: Arc<Mutex<Buckets>>,
}

impl Limiter {
    /// Full buckets for everybody.
    pub fn new(limits: Limits) -> Limiter {
        Limiter { limits, full_at: Arc::default() }
    }

    /// Takes a token, or tells how long it takes until there is one.
    pub(crate) fn take(&self, what: Limited, user: UserId, now: DateTime<Utc>) -> Result<(), ApiError> {
        let limit = match what {
            Limited::Requests => self.limits.requests,
            Limited::Registrations => self.limits.registrations,
        };
        let Some(limit) = limit.and_then(|limit| i32::try_from(limit.get()).ok()) else { return Ok(()) };
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if full_at.len() >= MOST_BUCKETS {
            full_at.retain(|_, at| *at > now);
        }
        let bucket = full_at.entry((what, user)).or_insert(now);
        // A clock that was set back must not shut anybody out for longer than a minute.
        *bucket = (*bucket).clamp(now, now + MINUTE);
        let then = *bucket + MINUTE / limit;
        let too_early = then - (now + MINUTE);
        if too_early > TimeDelta::zero() {
            return Err(ApiError::TooManyRequests { retry_after_seconds: whole_seconds(too_early) });
        }
        *bucket = then;
        Ok(())
    }
}

/// Rounded up: whoever comes back after that many seconds is let in.
pub(crate) fn whole_seconds(duration: TimeDelta) -> u64 {
    let milliseconds = u64::try_from(duration.num_milliseconds()).unwrap_or(0) + 1;
    milliseconds.div_ceil(1_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(requests: u32) -> Limiter {
        Limiter::new(Limits { requests: NonZeroU32::new(requests), registrations: None })
    }

    fn wait(taken: Result<(), ApiError>) -> Option<u64> {
        match taken {
            Ok(()) => None,
            Err(ApiError::TooManyRequests { retry_after_seconds }) => Some(retry_after_seconds),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_bucket_empties_fills_evenly_and_belongs_to_one_person() {
        let (limiter, now) = (limiter(6), DateTime::UNIX_EPOCH);
        let (one, other) = (UserId::new(), UserId::new());
        let take = |user, seconds| wait(limiter.take(Limited::Requests, user, now + TimeDelta::seconds(seconds)));
        assert_eq!([0; 6].map(|at| take(one, at)), [None; 6]);
        assert_eq!(take(one, 0), Some(11), "rounded up, never too early");
        assert_eq!(take(one, 4), Some(7));
        assert_eq!(take(other, 4), None, "another person's bucket is full");
        assert_eq!(wait(limiter.take(Limited::Registrations, one, now)), None, "another bucket, without a limit");
        assert_eq!(take(one, 10), None, "one token in ten seconds");
        assert_eq!(take(one, 10), Some(11));
        assert_eq!([100; 7].map(|at| take(one, at).is_some()), [false, false, false, false, false, false, true]);
    }

    #[test]
    fn a_clock_set_back_costs_a_minute_at_the_most() {
        let (limiter, now, user) = (limiter(1), DateTime::UNIX_EPOCH, UserId::new());
        assert_eq!(wait(limiter.take(Limited::Requests, user, now + TimeDelta::days(1))), None);
        assert_eq!(wait(limiter.take(Limited::Requests, user, now)), Some(61));
        assert_eq!(wait(limiter.take(Limited::Requests, user, now + MINUTE)), None);
    }

    #[test]
    fn buckets_of_people_who_left_are_thrown_away() {
        let (limiter, now) = (limiter(60), DateTime::UNIX_EPOCH);
        (0..MOST_BUCKETS).for_each(|_| drop(limiter.take(Limited::Requests, UserId::new(), now)));
        assert_eq!(limiter.full_at.lock().unwrap().len(), MOST_BUCKETS);
        assert_eq!(wait(limiter.take(Limited::Requests, UserId::new(), now + MINUTE)), None);
        assert_eq!(limiter.full_at.lock().unwrap().len(), 1);
    }
}
