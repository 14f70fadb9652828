//! Resolves addresses.

use std::borrow::Cow;

use url::Url;

/// The maximum length of a base, so that a chain of relative bases cannot grow without limit.
const MAX_BASE_BYTES: usize = 4096;

/// An absolute address as published, a relative one resolved if there is a base.
pub(crate) fn resolve(raw: &str, base: Option<&Url>) -> Option<String> {
    let raw = tidy(raw);
    if raw.is_empty() {
        return None;
    }
    if is_absolute(&raw) {
        return Some(raw.into_owned());
    }
    let joined = match base {
        Some(base) => base.join(&raw).ok().map(String::from),
        None => raw.strip_prefix("//").map(|rest| format!("https://{rest}")),
    };
    Some(joined.unwrap_or_else(|| raw.into_owned()))
}

/// The base of an element with this `xml:base`.
pub(crate) fn rebase(raw: &str, around: Option<&Url>) -> Option<Url> {
    let raw = raw.trim();
    let joined = match around {
        Some(around) => around.join(raw).ok(),
        None => Url::parse(raw).ok(),
    };
    joined.filter(|url| url.as_str().len() <= MAX_BASE_BYTES && !url.cannot_be_a_base())
}

/// Whether an address starts with a scheme.
pub(crate) fn is_absolute(address: &str) -> bool {
    let Some(colon) = memchr::memchr(b':', address.as_bytes()) else { return false };
    let scheme = address.as_bytes().get(..colon).unwrap_or_default();
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Whether an address is `http` or `https`.
pub(crate) fn is_web(address: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        address.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    })
}

/// Removes white space around and line breaks inside.
fn tidy(raw: &str) -> Cow<'_, str> {
    let raw = raw.trim();
    if raw.bytes().any(|byte| matches!(byte, b'\n' | b'\t')) {
        Cow::Owned(raw.split(['\n', '\t']).map(str::trim).collect())
    } else {
        Cow::Borrowed(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, base: Option<&str>, expected: Option<&str>) {
        let base = base.map(|base| Url::parse(base).expect("a base"));
        assert_eq!(resolve(raw, base.as_ref()).as_deref(), expected, "{raw}");
    }

    #[test]
    fn addresses_become_absolute() {
        let base = Some("https://example.jp/blog/feed.xml");
        check("https://a.example/x y", base, Some("https://a.example/x y"));
        check("post.html", base, Some("https://example.jp/blog/post.html"));
        check("/a?b#c", base, Some("https://example.jp/a?b#c"));
        check("//cdn.example/x", base, Some("https://cdn.example/x"));
        check("//cdn.example/x", None, Some("https://cdn.example/x"));
        check(" \n ", base, None);
        check("post.html", None, Some("post.html"));
        check("https://a.example/long\n  er", base, Some("https://a.example/longer"));
        check("12:30.html", base, Some("https://example.jp/blog/12:30.html"));
        check("mailto:a@b.example", base, Some("mailto:a@b.example"));
    }
}
