//! The cookies of ours: sealed, so that nobody reads, changes, exchanges or makes them.

mod seal;

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use self::seal::Sealer;
use crate::ApiError;

/// Browsers may keep several cookies of one name; more than these are not looked at.
const MOST_OF_ONE_NAME: usize = 8;

/// What a cookie is for. One that was made for another purpose cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CookiePurpose {
    /// The session's secret.
    Session,
    /// The sign-in that the browser is away for.
    Attempt,
    /// Which person has signed in with this browser before.
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

/// Writes cookies and reads them.
pub(crate) struct Cookies {
    sealer: Sealer,
    is_https: bool,
}

impl Cookies {
    /// Sealed with keys made from this secret; for TLS alone if the site has it.
    pub(crate) fn new(secret: &str, is_https: bool) -> Self {
        Cookies { sealer: Sealer::new(secret), is_https }
    }

    /// What the cookie holds, if it is one of ours.
    pub(crate) fn open(&self, purpose: CookiePurpose, headers: &HeaderMap) -> Option<Vec<u8>> {
        let mut values = self.values(purpose, headers).take(MOST_OF_ONE_NAME);
        values.find_map(|value| self.sealer.open(purpose.name(), value))
    }

    /// Whether the browser sends such a cookie, whatever it holds.
    pub(crate) fn is_sent(&self, purpose: CookiePurpose, headers: &HeaderMap) -> bool {
        self.values(purpose, headers).next().is_some()
    }

    /// The header that gives the browser this cookie.
    pub(crate) fn set(
        &self,
        purpose: CookiePurpose,
        content: &[u8],
        max_age: Duration,
    ) -> Result<HeaderValue, ApiError> {
        let value = self.sealer.seal(purpose.name(), content).map_err(ApiError::internal)?;
        self.header(purpose, &value, max_age)
    }

    /// The header that takes the cookie away.
    pub(crate) fn clear(&self, purpose: CookiePurpose) -> Result<HeaderValue, ApiError> {
        self.header(purpose, "", Duration::ZERO)
    }

    fn header(&self, purpose: CookiePurpose, value: &str, max_age: Duration) -> Result<HeaderValue, ApiError> {
        let (name, seconds) = (self.name(purpose), max_age.as_millis().div_ceil(1_000));
        let secure = if self.is_https { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        HeaderValue::try_from(text).map_err(ApiError::internal)
    }

    /// With the prefix, browsers take the cookie from this host alone, over TLS alone.
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

    /// The cookie as the browser sends it back.
    fn sent(set: &HeaderValue) -> String {
        set.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    fn with(cookies: &[&str]) -> HeaderMap {
        cookies.iter().map(|cookie| (header::COOKIE, cookie.parse().unwrap())).collect()
    }

    #[test]
    fn a_cookie_comes_back_and_has_the_attributes_that_keep_it_safe() {
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
            assert_ne!(sent(&set), sent(&again), "never the same twice");
            let other = Cookies::new(SECRET, !is_https);
            assert_eq!(other.open(CookiePurpose::Session, &headers), None, "another name");
        }
    }

    #[test]
    fn what_is_not_ours_or_not_for_this_is_not_opened() {
        let cookies = Cookies::new(SECRET, false);
        let good = sent(&cookies.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap());
        let (name, value) = good.split_once('=').unwrap();
        let opens = |text: &str| cookies.open(CookiePurpose::Session, &with(&[text])).is_some();
        assert!(opens(&good));
        for place in 0..value.len() {
            let mut changed = value.as_bytes().to_vec();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(!opens(&format!("{name}={changed}")), "a letter changed at {place}");
            assert!(!opens(&format!("{name}={}", &value[..place])), "cut off at {place}");
        }
        let device = sent(&cookies.set(CookiePurpose::Device, b"content", Duration::from_secs(60)).unwrap());
        assert!(!opens(&device.replace("device", "session")), "made for another purpose");
        let foreign = Cookies::new("another secret of thirty-two bytes", false);
        let foreign = sent(&foreign.set(CookiePurpose::Session, b"content", Duration::from_secs(60)).unwrap());
        assert!(!opens(&foreign), "made with another secret");
        for text in [format!("{name}="), format!("{name}={value}A"), format!("{name}=\"{value}\""), name.to_owned()] {
            assert!(!opens(&text), "{text}");
        }
        assert!(
            cookies.open(CookiePurpose::Session, &with(&["kawaraban_session=x", &good])).is_some(),
            "behind a false one"
        );
    }
}
