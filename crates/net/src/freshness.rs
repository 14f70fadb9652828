//! How long an answer may be kept and when to come back: `Cache-Control`, `Expires`, `Age`, `Date`, `Retry-After`.
//!
//! Pure functions of headers and of the time that is passed in (RFC 9111, RFC 9110 section 10.2.3). Servers write
//! anything here, so nothing is an error: what makes no sense reads as "already stale" or as absent.

#[cfg(test)]
mod tests;

use std::time::Duration;

use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::{AGE, CACHE_CONTROL, DATE, EXPIRES, HeaderName, RETRY_AFTER};

/// The longest time that is believed: RFC 9111 section 1.2.2 names 2^31 seconds as "for ever".
const LONGEST: Duration = Duration::from_secs(1 << 31);

/// What the server says about keeping its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Freshness {
    /// `max-age`: how long the answer is fresh from the moment it was made; zero when the value makes no sense.
    pub max_age: Option<Duration>,
    /// `no-store`: do not keep it.
    pub no_store: bool,
    /// `no-cache`: ask again before each use.
    pub no_cache: bool,
    /// `must-revalidate`: never use it once stale.
    pub must_revalidate: bool,
    /// `Expires`; the epoch when the header is there and is no date, which means "already stale".
    pub expires_at: Option<DateTime<Utc>>,
    /// `Date`: when the server made the answer, by its own clock.
    pub dated_at: Option<DateTime<Utc>>,
    /// `Age`: how long a cache on the way has had it.
    pub age: Duration,
}

impl Freshness {
    /// Reads the headers of an answer.
    pub fn from_headers(headers: &HeaderMap) -> Self {
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

    /// How much longer the answer is fresh; `None` when the server does not say.
    pub fn fresh_for(&self, now: DateTime<Utc>) -> Option<Duration> {
        if self.no_store || self.no_cache {
            return Some(Duration::ZERO);
        }
        // Counted from the server's own `Date`, so that a wrong clock at either end cancels out.
        let lifetime = self.max_age.or_else(|| Some(between(self.dated_at.unwrap_or(now), self.expires_at?)))?;
        Some(lifetime.saturating_sub(self.age).min(LONGEST))
    }

    fn apply(&mut self, name: &str, value: Option<&str>) {
        match name {
            // Of two, the first counts (RFC 9111 section 4.2.1).
            "max-age" if self.max_age.is_none() => self.max_age = Some(value.and_then(seconds).unwrap_or_default()),
            "no-store" => self.no_store = true,
            // With a value it speaks of single headers only.
            "no-cache" if value.is_none() => self.no_cache = true,
            "must-revalidate" => self.must_revalidate = true,
            _ => {}
        }
    }
}

/// When the server wants to be asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// After this long.
    In(Duration),
    /// At this time.
    At(DateTime<Utc>),
}

impl RetryAfter {
    /// Reads the header; `None` when it is absent or makes no sense.
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let value = text(headers, &RETRY_AFTER)?;
        seconds(&value).map(Self::In).or_else(|| http_date(&value).map(Self::At))
    }

    /// How long to wait from now.
    pub fn wait(self, now: DateTime<Utc>) -> Duration {
        match self {
            Self::In(wait) => wait,
            Self::At(at) => between(now, at).min(LONGEST),
        }
    }
}

/// Reads an HTTP date in any of its three forms (RFC 9110 section 5.6.7).
fn http_date(text: &str) -> Option<DateTime<Utc>> {
    httpdate::parse_http_date(text.trim()).ok().map(DateTime::from)
}

fn between(from: DateTime<Utc>, to: DateTime<Utc>) -> Duration {
    (to - from).to_std().unwrap_or_default()
}

/// Whole seconds; more than can be believed becomes "for ever", anything else is not a number.
fn seconds(text: &str) -> Option<Duration> {
    let digits = text.trim();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().map_or(LONGEST, Duration::from_secs).min(LONGEST))
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
