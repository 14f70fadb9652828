//! Cookies, encrypted and authenticated. A cookie for one purpose cannot be used for another.

mod seal;

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use self::seal::Sealer;
use crate::ApiError;

/// Browsers may send several cookies of one name. Further ones are ignored.
const MAX_SAME_NAME: usize = 8;

/// The purpose of a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CookiePurpose {
    /// The secret of a session.
    Session,
    /// A sign-in attempt with a provider.
    Attempt,
    /// The user who has signed in with this browser before.
    Device,
}

impl CookiePurpose {
    fn name(self) -> &'static str {
        match self {
            CookiePurpose::Session => "kawaraban_session",
            CookiePurpose::Attempt => "kawaraban_attempt",
            CookiePurpose::Device => "kawaraban_device",
        }
    }
}

/// Encrypts and decrypts cookies.
pub(crate) struct Cookies {
    sealer: Sealer,
    is_https: bool,
}

impl Cookies {
    /// Derives the keys from this secret. With `is_https`, cookies are `Secure`.
    pub(crate) fn new(secret: &str, is_https: bool) -> Self {
        Cookies { sealer: Sealer::new(secret), is_https }
    }

    /// The content of the cookie; `None` if it is missing or not valid.
    pub(crate) fn open(&self, purpose: CookiePurpose, headers: &HeaderMap) -> Option<Vec<u8>> {
        let mut values = self.values(purpose, headers).take(MAX_SAME_NAME);
        values.find_map(|value| self.sealer.open(purpose.name(), value))
    }

    /// Whether the request has such a cookie, valid or not.
    pub(crate) fn is_sent(&self, purpose: CookiePurpose, headers: &HeaderMap) -> bool {
        self.values(purpose, headers).next().is_some()
    }

    /// A `Set-Cookie` header for this content.
    pub(crate) fn set(
        &self,
        purpose: CookiePurpose,
        content: &[u8],
        max_age: Duration,
    ) -> Result<HeaderValue, ApiError> {
        let value = self.sealer.seal(purpose.name(), content).map_err(ApiError::internal)?;
        self.header(purpose, &value, max_age)
    }

    /// A `Set-Cookie` header that deletes the cookie.
    pub(crate) fn clear(&self, purpose: CookiePurpose) -> Result<HeaderValue, ApiError> {
        self.header(purpose, "", Duration::ZERO)
    }

    fn header(&self, purpose: CookiePurpose, value: &str, max_age: Duration) -> Result<HeaderValue, ApiError> {
        let (name, seconds) = (self.name(purpose), max_age.as_millis().div_ceil(1_000));
        let secure = if self.is_https { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        HeaderValue::try_from(text).map_err(ApiError::internal)
    }

    /// Browsers accept a cookie with the prefix `__Host-` only over TLS and from this host.
    fn name(&self, purpose: CookiePurpose) -> String {
        format!("{}{}", if self.is_https { "__Host-" } else { "" }, purpose.name())
    }

    fn values<'a>(&self, purpose: CookiePurpose, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let name = self.name(purpose);
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(move |(found, _)| *found == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "a secret of thirty-two bytes or more";

    /// The cookie as a browser sends it.
    fn sent(set: &HeaderValue) -> String {
        set.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    fn with(cookies: &[&str]) -> HeaderMap {
        cookies.iter().map(|cookie| (header::COOKIE, cookie.parse().unwrap())).collect()
    }

    #[test]
    fn cookie_round_trips_with_safe_attributes() {
        for (is_https, start, end) in [
            (false, "kawaraban_session=", "; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"),
            (true, "__Host-kawaraban_session=", "; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure"),
        ] {
            let cookies = Cookies::new(SECRET, is_https);
            let set = cookies.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap();
            let text = set.to_str().unwrap();
            assert!(text.starts_with(start) && text.ends_with(end) && !text.contains("content"), "{text}");
            let headers = with(&[&format!("a=b; {}; c", sent(&set))]);
            assert_eq!(cookies.open(CookiePurpose::Session, &headers).as_deref(), Some(&b"content"[..]));
            let again = cookies.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap();
            assert_ne!(sent(&set), sent(&again), "another salt");
            let other = Cookies::new(SECRET, !is_https);
            assert_eq!(other.open(CookiePurpose::Session, &headers), None, "another name");
        }
    }

    #[test]
    fn forged_and_misused_cookies_are_rejected() {
        let cookies = Cookies::new(SECRET, false);
        let good = sent(&cookies.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap());
        let (name, value) = good.split_once('=').unwrap();
        let opens = |text: &str| cookies.open(CookiePurpose::Session, &with(&[text])).is_some();
        assert!(opens(&good));
        for index in 0..value.len() {
            let mut changed = value.as_bytes().to_vec();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(!opens(&format!("{name}={changed}")), "a letter changed at {index}");
            assert!(!opens(&format!("{name}={}", &value[..index])), "cut off at {index}");
        }
        let device = sent(&cookies.set(CookiePurpose::Device, b"content", Duration::from_secs(60)).unwrap());
        assert!(!opens(&device.replace("device", "session")), "made for another purpose");
        let foreign = Cookies::new("another secret of thirty-two bytes", false);
        let foreign = sent(&foreign.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap());
        assert!(!opens(&foreign), "made with another secret");
        for text in [format!("{name}="), format!("{name}={value}A"), format!("{name}=\"{value}\""), name.to_owned()] {
            assert!(!opens(&text), "{text}");
        }
        let headers = with(&["kawaraban_session=x", &good]);
        assert!(cookies.open(CookiePurpose::Session, &headers).is_some(), "after an invalid one");
    }
}
