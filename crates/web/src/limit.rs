//! Rate limits: a token bucket for each user and each address, filled evenly over a minute.

mod table;

use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use store::UserId;

pub(crate) use self::table::BucketKey;
use self::table::Table;
use crate::{ApiError, Error};

/// The limit that applies to a request, and the owner of the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateLimit {
    /// Any authenticated request.
    Request(UserId),
    /// A request that sends requests to other servers.
    Registration(UserId),
    /// A request without authentication.
    Anonymous(IpAddr),
    /// A sign-in or registration.
    SignIn(IpAddr),
}

/// Requests per minute. `None` means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct RateLimits {
    /// All requests of one user (`RATE_LIMIT_GENERAL`).
    pub requests: Option<NonZeroU32>,
    /// Requests of one user that subscribe to, find or move feeds (`RATE_LIMIT_FEED_REG`).
    pub registrations: Option<NonZeroU32>,
    /// Requests without authentication from one address.
    pub anonymous: Option<NonZeroU32>,
    /// Sign-ins and registrations from one address. `accounts` limits wrong passwords separately.
    pub sign_ins: Option<NonZeroU32>,
}

/// All buckets, in tables of a fixed maximum size. Cheap to clone.
#[derive(Clone)]
pub struct RateLimiter {
    limits: RateLimits,
    tables: Arc<Tables>,
}

/// One table for each limit, so that a flood of anonymous requests does not evict the buckets of users.
struct Tables {
    requests: Mutex<Table>,
    registrations: Mutex<Table>,
    anonymous: Mutex<Table>,
    sign_ins: Mutex<Table>,
}

impl RateLimiter {
    /// Starts with full buckets.
    pub fn new(limits: RateLimits) -> RateLimiter {
        let table = || Mutex::new(Table::new());
        let tables = Tables { requests: table(), registrations: table(), anonymous: table(), sign_ins: table() };
        RateLimiter { limits, tables: Arc::new(tables) }
    }

    /// Takes a token, or fails with the time until the next one.
    pub(crate) fn take(&self, what: RateLimit, now: DateTime<Utc>) -> Result<(), ApiError> {
        let (size, table, key) = match what {
            RateLimit::Request(user) => (self.limits.requests, &self.tables.requests, key_of_user(user)),
            RateLimit::Registration(user) => (self.limits.registrations, &self.tables.registrations, key_of_user(user)),
            RateLimit::Anonymous(address) => (self.limits.anonymous, &self.tables.anonymous, key_of_address(address)),
            RateLimit::SignIn(address) => (self.limits.sign_ins, &self.tables.sign_ins, key_of_address(address)),
        };
        let Some(size) = size else { return Ok(()) };
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        table.take(key, size, now).map_err(|wait| Error::TooManyRequests { seconds: whole_seconds(wait) }.into())
    }
}

#[cfg(test)]
impl RateLimiter {
    /// The number of buckets in all tables.
    pub(crate) fn buckets(&self) -> usize {
        let Tables { requests, registrations, anonymous, sign_ins } = &*self.tables;
        [requests, registrations, anonymous, sign_ins].map(|table| table.lock().unwrap().len()).iter().sum()
    }
}

fn key_of_user(user: UserId) -> BucketKey {
    user.0.into_bytes()
}

/// The key of an address. An IPv6 /64 network has one key, because one machine can use all its addresses.
pub(crate) fn key_of_address(address: IpAddr) -> BucketKey {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => (u128::from(address) >> 64 << 64).to_be_bytes(),
    }
}

/// Rounds up, so that a request after this many seconds succeeds.
pub(crate) fn whole_seconds(duration: TimeDelta) -> u64 {
    let milliseconds = u64::try_from(duration.num_milliseconds()).unwrap_or(0) + 1;
    milliseconds.div_ceil(1_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: TimeDelta = TimeDelta::minutes(1);

    fn limiter(size: u32) -> RateLimiter {
        let size = NonZeroU32::new(size);
        RateLimiter::new(RateLimits { requests: size, registrations: None, anonymous: size, sign_ins: size })
    }

    fn wait(taken: Result<(), ApiError>) -> Option<u64> {
        taken.err().map(|error| error.retry_after_seconds().unwrap())
    }

    #[test]
    fn bucket_fills_evenly_and_belongs_to_one_user() {
        let (limiter, now) = (limiter(6), DateTime::UNIX_EPOCH);
        let (one, other) = (UserId::new(), UserId::new());
        let take = |user, seconds| wait(limiter.take(RateLimit::Request(user), now + TimeDelta::seconds(seconds)));
        assert_eq!([0; 6].map(|at| take(one, at)), [None; 6]);
        assert_eq!(take(one, 0), Some(11), "rounded up, never too early");
        assert_eq!(take(one, 4), Some(7));
        assert_eq!(take(other, 4), None, "another user's bucket is full");
        assert_eq!(wait(limiter.take(RateLimit::Registration(one), now)), None, "another bucket, without a limit");
        assert_eq!(take(one, 10), None, "one token in ten seconds");
        assert_eq!(take(one, 10), Some(11));
        assert_eq!([100; 7].map(|at| take(one, at).is_some()), [false, false, false, false, false, false, true]);
    }

    #[test]
    fn clock_set_back_costs_at_most_a_minute() {
        let (limiter, now, user) = (limiter(1), DateTime::UNIX_EPOCH, UserId::new());
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now + TimeDelta::days(1))), None);
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now)), Some(61));
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now + MINUTE)), None);
    }

    #[test]
    fn addresses_of_one_network_share_a_bucket() {
        let cases = [
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8::ffff:0:0:1", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
            ("::ffff:192.0.2.1", "::1", false),
        ];
        for (one, other, shared) in cases {
            let (limiter, now) = (limiter(1), DateTime::UNIX_EPOCH);
            let take = |address: &str| wait(limiter.take(RateLimit::Anonymous(address.parse().unwrap()), now));
            assert_eq!(take(one), None);
            assert_eq!(take(other).is_some(), shared, "{one} {other}");
            let sign_in = limiter.take(RateLimit::SignIn(one.parse().unwrap()), now);
            assert_eq!(wait(sign_in), None, "its own bucket");
        }
    }
}
