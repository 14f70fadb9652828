//! Caching headers: `Cache-Control`, `Expires`, `Age`, `Date`, `Retry-After`.
//!
//! Pure functions of the headers and a given time (RFC 9111, RFC 9110 section 10.2.3). Servers send invalid values, so nothing is
//! an error: an invalid value means "already stale" or absent.

#[cfg(test)]
mod tests;

use std::time::Duration;

use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::{AGE, CACHE_CONTROL, DATE, EXPIRES, HeaderName, RETRY_AFTER};

/// Longer times are cut: RFC 9111 section 1.2.2 treats 2^31 seconds as infinity.
const MAX_AGE: Duration = Duration::from_secs(1 << 31);

/// The caching headers of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Freshness {
    /// `max-age`; zero when the value is invalid.
    pub max_age: Option<Duration>,
    pub no_store: bool,
    pub no_cache: bool,
    pub must_revalidate: bool,
    /// `Expires`; the epoch, "already stale", when the header is not a date.
    pub expires_at: Option<DateTime<Utc>>,
    /// `Date`, by the server's clock.
    pub dated_at: Option<DateTime<Utc>>,
    /// `Age`: the time in caches.
    pub age: Duration,
}

impl Freshness {
    /// Parses the headers of a response.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let mut freshness = Self {
            expires_at: text(headers, &EXPIRES).map(|value| http_date(&value).unwrap_or(DateTime::UNIX_EPOCH)),
            dated_at: text(headers, &DATE).and_then(|value| http_date(&value)),
            age: text(headers, &AGE).and_then(|value| seconds(&value)).unwrap_or_default(),
            ..Self::default()
        };
        for line in headers.get_all(CACHE_CONTROL) {
            for (name, value) in directives(&String::from_utf8_lossy(line.as_bytes())) {
                freshness.apply(&name, value.as_deref());
            }
        }
        freshness
    }

    /// How much longer the response is fresh. `None` without such headers.
    pub fn fresh_for(&self, now: DateTime<Utc>) -> Option<Duration> {
        if self.no_store || self.no_cache {
            return Some(Duration::ZERO);
        }
        // Counted from the server's `Date`, so that a wrong clock on either side cancels out.
        let lifetime = self.max_age.or_else(|| Some(between(self.dated_at.unwrap_or(now), self.expires_at?)))?;
        Some(lifetime.saturating_sub(self.age).min(MAX_AGE))
    }

    fn apply(&mut self, name: &str, value: Option<&str>) {
        match name {
            // The first one counts (RFC 9111 section 4.2.1).
            "max-age" if self.max_age.is_none() => self.max_age = Some(value.and_then(seconds).unwrap_or_default()),
            "no-store" => self.no_store = true,
            // With a value it applies to single headers only.
            "no-cache" if value.is_none() => self.no_cache = true,
            "must-revalidate" => self.must_revalidate = true,
            _ => {}
        }
    }
}

/// The value of `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// After this long.
    In(Duration),
    /// At this time.
    At(DateTime<Utc>),
}

impl RetryAfter {
    /// Parses the header. `None` when it is absent or invalid.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let value = text(headers, &RETRY_AFTER)?;
        seconds(&value).map(Self::In).or_else(|| http_date(&value).map(Self::At))
    }

    /// How long to wait from now.
    pub fn wait(self, now: DateTime<Utc>) -> Duration {
        match self {
            Self::In(wait) => wait,
            Self::At(at) => between(now, at).min(MAX_AGE),
        }
    }
}

/// Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7).
fn http_date(text: &str) -> Option<DateTime<Utc>> {
    httpdate::parse_http_date(text.trim()).ok().map(DateTime::from)
}

fn between(from: DateTime<Utc>, to: DateTime<Utc>) -> Duration {
    (to - from).to_std().unwrap_or_default()
}

/// Parses whole seconds, at most [`MAX_AGE`].
fn seconds(text: &str) -> Option<Duration> {
    let digits = text.trim();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().map_or(MAX_AGE, Duration::from_secs).min(MAX_AGE))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

/// Splits `a, b=1, c="x, y"` into names in lower case and values without their quotes.
fn directives(line: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut piece = String::new();
    let (mut quoted, mut escaped) = (false, false);
    // The last comma closes the last directive.
    for character in line.chars().chain([',']) {
        match character {
            _ if escaped => {
                piece.push(character);
                escaped = false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => found.extend(directive(&std::mem::take(&mut piece))),
            _ => piece.push(character),
        }
    }
    found
}

fn directive(piece: &str) -> Option<(String, Option<String>)> {
    let (name, value) = match piece.split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (piece, None),
    };
    let name = name.trim().to_ascii_lowercase();
    (!name.is_empty()).then_some((name, value))
}
