//! The page to return to after signing in. It is always a page of this site.

use net::Url;
use serde::{Deserialize, Deserializer, Serialize};

/// It is stored in a cookie, which browsers limit to 4,096 bytes.
const MAX_BYTES: usize = 1_024;

/// A path on this site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct ReturnTo(String);

impl ReturnTo {
    /// The requested path, or the front page if it is not a local path.
    pub(crate) fn parse(path: Option<&str>) -> Self {
        ReturnTo(path.filter(|path| is_local(path)).unwrap_or("/").to_owned())
    }

    /// A trusted path.
    pub(crate) fn to(path: impl Into<String>) -> Self {
        ReturnTo(path.into())
    }

    /// The absolute address of the path.
    pub(super) fn on(&self, frontend: &Url) -> Url {
        let text = format!("{}{}", frontend.as_str().trim_end_matches('/'), self.0);
        // The parser may find another origin in the text.
        match Url::parse(&text) {
            Ok(url) if url.origin() == frontend.origin() => url,
            _ => frontend.clone(),
        }
    }
}

/// Checks the path again: an older version may have written the cookie.
impl<'de> Deserialize<'de> for ReturnTo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|path| ReturnTo::parse(Some(&path)))
    }
}

/// Browsers treat `\` as `/`, remove tabs and line breaks, and parse a host after `//`.
fn is_local(path: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
    path.starts_with('/') && !path.starts_with("//") && path.len() <= MAX_BYTES && path.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn return_address_is_always_local() {
        let frontend: Url = "https://reader.example/".parse().unwrap();
        let goes_to = |path: &str| ReturnTo::parse(Some(path)).on(&frontend).to_string();
        assert_eq!(goes_to("/feeds/1?unread=true#item"), "https://reader.example/feeds/1?unread=true#item");
        assert_eq!(goes_to("/検索?q=日本"), "https://reader.example/%E6%A4%9C%E7%B4%A2?q=%E6%97%A5%E6%9C%AC");
        let long = format!("/{}", "x".repeat(MAX_BYTES));
        for path in [
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "\\/evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "\t//evil.example",
            " //evil.example",
            "/\r\nset-cookie: a=b",
            "/\0",
            "/\u{85}x",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "evil.example",
            "@evil.example",
            ".evil.example",
            ":80@evil.example",
            "?x",
            "",
            &long,
        ] {
            assert_eq!(goes_to(path), "https://reader.example/", "{path:?}");
        }
        for path in ["/@evil.example", "/./\u{2f}/evil.example", "/..//evil.example", "/%5Cevil.example", "/%2f%2fevil"]
        {
            assert!(goes_to(path).starts_with("https://reader.example/"), "{path:?}");
        }
        assert_eq!(ReturnTo::parse(None).on(&frontend), frontend);
    }

    #[test]
    fn base_path_is_kept_and_cookie_is_checked() {
        let frontend: Url = "https://example.com/reader/".parse().unwrap();
        assert_eq!(
            ReturnTo::to("/sign-in?error=x").on(&frontend).as_str(),
            "https://example.com/reader/sign-in?error=x"
        );
        let kept: ReturnTo = serde_json::from_str("\"//evil.example\"").unwrap();
        assert_eq!(kept, ReturnTo::to("/"));
    }
}
