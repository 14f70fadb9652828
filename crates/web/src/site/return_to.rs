//! Where a person goes after signing in: a page of ours, whatever was asked for.

use net::Url;
use serde::{Deserialize, Deserializer, Serialize};

/// It travels in a cookie, and browsers keep no more than 4,096 bytes of one.
const LONGEST: usize = 1_024;

/// A path on this site, never an address of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct ReturnTo(String);

impl ReturnTo {
    /// The path that was asked for, if it is one; else the front page.
    pub(crate) fn asked_for(path: Option<&str>) -> Self {
        ReturnTo(path.filter(|path| is_local(path)).unwrap_or("/").to_owned())
    }

    /// A path of our own making.
    pub(crate) fn to(path: impl Into<String>) -> Self {
        ReturnTo(path.into())
    }

    /// The path as an address below this one.
    pub(super) fn on(&self, frontend: &Url) -> Url {
        let text = format!("{}{}", frontend.as_str().trim_end_matches('/'), self.0);
        // A parser may see more in a text than was meant; whatever it sees, it stays with us.
        match Url::parse(&text) {
            Ok(url) if url.origin() == frontend.origin() => url,
            _ => frontend.clone(),
        }
    }
}

/// Judged again: a cookie of an older program may hold another idea of a path.
impl<'de> Deserialize<'de> for ReturnTo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|path| ReturnTo::asked_for(Some(&path)))
    }
}

/// Browsers read `\` as `/`, leave out tabs and line ends, and take `//` for the beginning of a host.
fn is_local(path: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
    path.starts_with('/') && !path.starts_with("//") && path.len() <= LONGEST && path.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        let frontend: Url = "https://reader.example/".parse().unwrap();
        let goes_to = |path: &str| ReturnTo::asked_for(Some(path)).on(&frontend).to_string();
        assert_eq!(goes_to("/feeds/1?unread=true#item"), "https://reader.example/feeds/1?unread=true#item");
        assert_eq!(goes_to("/検索?q=日本"), "https://reader.example/%E6%A4%9C%E7%B4%A2?q=%E6%97%A5%E6%9C%AC");
        let long = format!("/{}", "x".repeat(LONGEST));
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
        assert_eq!(ReturnTo::asked_for(None).on(&frontend), frontend);
    }

    #[test]
    fn a_page_below_a_path_and_a_path_from_a_cookie() {
        let frontend: Url = "https://example.com/reader/".parse().unwrap();
        assert_eq!(
            ReturnTo::to("/sign-in?error=x").on(&frontend).as_str(),
            "https://example.com/reader/sign-in?error=x"
        );
        let kept: ReturnTo = serde_json::from_str("\"//evil.example\"").unwrap();
        assert_eq!(kept, ReturnTo::to("/"));
    }
}
