//! A post in the list of a site, and the key that tells it from others.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

/// A post as its source shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePost {
    pub url: Url,
    /// Empty if the source shows none.
    pub title: String,
    pub published_at: Option<DateTime<Utc>>,
}

impl From<posts::Post> for SitePost {
    fn from(post: posts::Post) -> SitePost {
        let title = post.title.chars().take(MAX_TITLE).collect();
        SitePost { url: post.url, title, published_at: post.published_at }
    }
}

/// Parameters of addresses that change while the post stays the same, learned for one site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct VolatileParameters(pub BTreeSet<String>);

/// The longest title, in characters.
const MAX_TITLE: usize = 500;
/// A site has few of them. More would be a mistake.
const MAX_VOLATILE: usize = 8;
/// A change of parameters is believed if it is seen at this many posts.
const TIMES_TO_BELIEVE: usize = 2;

impl VolatileParameters {
    /// The key of an address: the first 16 bytes of the SHA-256 of its normalised form, in hexadecimal.
    pub fn key(&self, url: &Url) -> String {
        let hash = Sha256::digest(self.normalised(url));
        hex::encode(hash.get(..16).unwrap_or(&hash))
    }

    fn normalised(&self, url: &Url) -> String {
        if self.0.is_empty() || url.query().is_none() {
            return feed::link::normalise(url.as_str());
        }
        let mut url = url.clone();
        let kept: Vec<(String, String)> =
            url.query_pairs().into_owned().filter(|(name, _)| !self.0.contains(name)).collect();
        url.set_query(None);
        if !kept.is_empty() {
            url.query_pairs_mut().extend_pairs(kept);
        }
        feed::link::normalise(url.as_str())
    }

    /// SHA-256 of the keys' addresses, sorted.
    pub fn fingerprint(&self, posts: &[SitePost]) -> String {
        let addresses: BTreeSet<String> = posts.iter().map(|post| self.normalised(&post.url)).collect();
        let mut hash = Sha256::new();
        for address in addresses {
            hash.update(address.as_bytes());
            hash.update(b"\n");
        }
        hex::encode(hash.finalize())
    }

    /// Adds the parameters whose values differ between posts of two lists with the same title and path.
    pub fn learn(&mut self, before: &[SitePost], now: &[SitePost]) {
        let mut seen: Vec<(String, usize)> = Vec::new();
        for post in now.iter().filter(|post| post.url.query().is_some() && !post.title.is_empty()) {
            let is_same = |old: &&SitePost| {
                old.title == post.title && old.url.path() == post.url.path() && old.url.query() != post.url.query()
            };
            let is_listed_as_before = before.iter().any(|old| old.url == post.url);
            let Some(old) = before.iter().find(is_same).filter(|_| !is_listed_as_before) else { continue };
            for name in changed_parameters(&old.url, &post.url) {
                match seen.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, times)) => *times += 1,
                    None => seen.push((name, 1)),
                }
            }
        }
        let believed = seen.into_iter().filter(|(_, times)| *times >= TIMES_TO_BELIEVE).map(|(name, _)| name);
        for name in believed {
            if self.0.len() < MAX_VOLATILE {
                self.0.insert(name);
            }
        }
    }
}

fn changed_parameters(old: &Url, new: &Url) -> Vec<String> {
    let of = |url: &Url| url.query_pairs().into_owned().collect::<BTreeSet<(String, String)>>();
    let (old, new) = (of(old), of(new));
    let names: BTreeSet<String> = old.symmetric_difference(&new).map(|(name, _)| name.clone()).collect();
    names.into_iter().collect()
}

/// A title for an address without one: its last part, as words.
pub(crate) fn title_of_address(url: &Url) -> String {
    let part = url.path_segments().into_iter().flatten().rev().find(|part| !part.is_empty()).unwrap_or_default();
    let part = part.rsplit_once('.').map_or(part, |(name, _)| name);
    let words = percent_encoding::percent_decode_str(part).decode_utf8_lossy().replace(['-', '_'], " ");
    if words.trim().is_empty() { url.to_string() } else { words.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(address: &str, title: &str) -> SitePost {
        SitePost { url: Url::parse(address).unwrap(), title: title.to_owned(), published_at: None }
    }

    #[test]
    fn parameters_that_change_while_the_text_stays_are_learned() {
        let before = [post("https://e.example/a?id=1&t=11", "One"), post("https://e.example/a?id=2&t=12", "Two")];
        let now = [post("https://e.example/a?id=1&t=21", "One"), post("https://e.example/a?id=2&t=22", "Two")];
        let mut learned = VolatileParameters::default();
        learned.learn(&before, &now);
        assert_eq!(learned.0.iter().collect::<Vec<_>>(), ["t"]);
        assert_eq!(learned.key(&before[0].url), learned.key(&now[0].url));
        assert_ne!(learned.key(&now[0].url), learned.key(&now[1].url));
        assert_eq!(learned.fingerprint(&before), learned.fingerprint(&now));
    }

    #[test]
    fn parameters_that_tell_posts_apart_stay() {
        // The same title every week.
        let before = [post("https://e.example/a?id=1", "Weekly links"), post("https://e.example/a?id=9", "One")];
        let now = [
            post("https://e.example/a?id=2", "Weekly links"),
            post("https://e.example/a?id=1", "Weekly links"),
            post("https://e.example/a?id=9", "One"),
        ];
        let mut learned = VolatileParameters::default();
        learned.learn(&before, &now);
        assert!(learned.0.is_empty());
    }

    #[test]
    fn addresses_have_titles() {
        for (address, title) in [
            ("https://e.example/2026/my-first_post.html", "my first post"),
            ("https://e.example/%E6%96%B0%E3%81%97%E3%81%84/", "新しい"),
            ("https://e.example/", "https://e.example/"),
        ] {
            assert_eq!(title_of_address(&Url::parse(address).unwrap()), title);
        }
    }
}
