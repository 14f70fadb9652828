//! How often somebody may ask: a bucket of tokens for each person and each address, filled evenly over a minute.

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

/// What is limited, and whose bucket it comes out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateLimit {
    /// A request of any kind, of somebody who is signed in.
    Request(UserId),
    /// A request that makes us ask somebody else's server at once.
    Registration(UserId),
    /// A request of somebody who is not signed in.
    Anonymous(IpAddr),
    /// An attempt to sign in or to register, in whatever way.
    SignIn(IpAddr),
}

/// How many in a minute; no limit without a number.
#[derive(Debug, Clone, Copy, Default)]
pub struct RateLimits {
    /// Requests of any kind, for each person (`RATE_LIMIT_GENERAL`).
    pub requests: Option<NonZeroU32>,
    /// Feeds registered, looked for or moved, for each person (`RATE_LIMIT_FEED_REG`).
    pub registrations: Option<NonZeroU32>,
    /// Requests without a person behind them, for each address; usually as many as `requests`.
    pub anonymous: Option<NonZeroU32>,
    /// Requests that sign in or register, for each address. Wrong passwords are counted apart from it, in `accounts`.
    pub sign_ins: Option<NonZeroU32>,
}

/// The buckets of everybody, in tables of a fixed size. Cheap to clone.
#[derive(Clone)]
pub struct RateLimiter {
    limits: RateLimits,
    tables: Arc<Tables>,
}

/// One for each limit: a flood of strangers takes no place from people.
struct Tables {
    requests: Mutex<Table>,
    registrations: Mutex<Table>,
    anonymous: Mutex<Table>,
    sign_ins: Mutex<Table>,
}

impl RateLimiter {
    /// Full buckets for everybody.
    pub fn new(limits: RateLimits) -> RateLimiter {
        let table = || Mutex::new(Table::new());
        let tables = Tables { requests: table(), registrations: table(), anonymous: table(), sign_ins: table() };
        RateLimiter { limits, tables: Arc::new(tables) }
    }

    /// Takes a token, or tells how long it takes until there is one.
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
    /// How many buckets there are, of whatever kind.
    pub(crate) fn buckets(&self) -> usize {
        let Tables { requests, registrations, anonymous, sign_ins } = &*self.tables;
        [requests, registrations, anonymous, sign_ins].map(|table| table.lock().unwrap().len()).iter().sum()
    }
}

fn key_of_user(user: UserId) -> BucketKey {
    user.0.into_bytes()
}

/// The key of an address. An IPv6 network of 64 bits has one key: a single machine can use all of its addresses.
pub(crate) fn key_of_address(address: IpAddr) -> BucketKey {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => (u128::from(address) >> 64 << 64).to_be_bytes(),
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

    const MINUTE: TimeDelta = TimeDelta::minutes(1);

    fn limiter(size: u32) -> RateLimiter {
        let size = NonZeroU32::new(size);
        RateLimiter::new(RateLimits { requests: size, registrations: None, anonymous: size, sign_ins: size })
    }

    fn wait(taken: Result<(), ApiError>) -> Option<u64> {
        taken.err().map(|error| error.retry_after_seconds().unwrap())
    }

    #[test]
    fn a_bucket_empties_fills_evenly_and_belongs_to_one_person() {
        let (limiter, now) = (limiter(6), DateTime::UNIX_EPOCH);
        let (one, other) = (UserId::new(), UserId::new());
        let take = |user, seconds| wait(limiter.take(RateLimit::Request(user), now + TimeDelta::seconds(seconds)));
        assert_eq!([0; 6].map(|at| take(one, at)), [None; 6]);
        assert_eq!(take(one, 0), Some(11), "rounded up, never too early");
        assert_eq!(take(one, 4), Some(7));
        assert_eq!(take(other, 4), None, "another person's bucket is full");
        assert_eq!(wait(limiter.take(RateLimit::Registration(one), now)), None, "another bucket, without a limit");
        assert_eq!(take(one, 10), None, "one token in ten seconds");
        assert_eq!(take(one, 10), Some(11));
        assert_eq!([100; 7].map(|at| take(one, at).is_some()), [false, false, false, false, false, false, true]);
    }

    #[test]
    fn a_clock_set_back_costs_a_minute_at_the_most() {
        let (limiter, now, user) = (limiter(1), DateTime::UNIX_EPOCH, UserId::new());
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now + TimeDelta::days(1))), None);
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now)), Some(61));
        assert_eq!(wait(limiter.take(RateLimit::Request(user), now + MINUTE)), None);
    }

    #[test]
    fn addresses_of_one_network_share_a_bucket_and_so_do_the_spellings_of_one_address() {
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
            assert_eq!(wait(sign_in), None, "a bucket of its own");
        }
    }
}
