//! Sitemaps: the addresses that a site names for search engines.

mod reader;

#[cfg(test)]
mod tests;

use std::{borrow::Cow, collections::HashSet, io::Read};

use chrono::{DateTime, Utc};
use flate2::read::MultiGzDecoder;
use url::Url;

use crate::{
    address::{Address, Role},
    find::Post,
    links::{MAX_ADDRESS_BYTES, role},
    when::midnight,
};

/// The limits of the protocol: the rest of a larger sitemap is ignored.
const MAX_BYTES: usize = 50 << 20;
const MAX_ADDRESSES: usize = 50_000;
/// Further sitemaps in a `robots.txt` are ignored.
const MAX_IN_ROBOTS: usize = 20;

/// Where sites have their sitemap if `robots.txt` names none, the usual ones first.
pub const USUAL_PLACES: &[&str] = &[
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/wp-sitemap.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/news-sitemap.xml",
    "/sitemap-news.xml",
    "/sitemap_news.xml",
    "/sitemap.txt",
];

/// What a sitemap names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sitemap {
    pub urls: Vec<SitemapUrl>,
    /// Further sitemaps, of an index.
    pub sitemaps: Vec<SitemapUrl>,
}

/// An address in a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapUrl {
    pub url: Url,
    pub changed_at: Option<DateTime<Utc>>,
    /// Of Google's news extension.
    pub title: Option<String>,
    /// Of Google's news extension.
    pub published_at: Option<DateTime<Utc>>,
}

/// Reads a sitemap in XML or plain text, also packed by gzip or truncated. None for other documents.
///
/// `url` is the address of the sitemap.
pub fn parse_sitemap(body: &[u8], url: &Url) -> Option<Sitemap> {
    let body = unpacked(body);
    let body = body.get(..MAX_BYTES).unwrap_or(&body);
    let path = url.path().to_ascii_lowercase();
    if path.ends_with(".txt") || path.ends_with(".txt.gz") {
        return plain(body).or_else(|| reader::xml(body, url));
    }
    reader::xml(body, url)
}

/// The sitemaps that a `robots.txt` names. `url` is its address.
pub fn sitemaps_in_robots(robots_txt: &str, url: &Url) -> Vec<Url> {
    let mut found: Vec<Url> = Vec::new();
    for line in robots_txt.trim_start_matches('\u{feff}').lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        if !name.trim().eq_ignore_ascii_case("sitemap") {
            continue;
        }
        // An address has no space: a comment may follow.
        let Some(named) = value.split_whitespace().next().and_then(|value| web_address(value, url)) else { continue };
        if !found.contains(&named) {
            found.push(named);
        }
        if found.len() == MAX_IN_ROBOTS {
            break;
        }
    }
    found
}

/// The addresses of a sitemap that can be posts of the site that `page` belongs to, in the order of the sitemap.
///
/// The time of the last change is not used: a change of an old post does not make a new one.
pub fn posts_in_sitemap(sitemap: &Sitemap, page: &Url) -> Vec<Post> {
    let here = Address::of(page);
    let mut known = HashSet::new();
    let post = |entry: &SitemapUrl| {
        let address = Address::of(&entry.url);
        let is_post = match role(&entry.url, &address, page, &here) {
            Role::Page => true,
            // `/news/2021/07` is a post on some sites, and then the sitemap says so.
            Role::Period => entry.title.is_some() || entry.published_at.is_some(),
            _ => false,
        };
        if !is_post || !known.insert(feed::link::normalise(entry.url.as_str())) {
            return None;
        }
        Some(Post {
            url: entry.url.clone(),
            title: entry.title.clone().unwrap_or_default(),
            published_at: entry.published_at.or_else(|| address.date().and_then(midnight)),
        })
    };
    sitemap.urls.iter().filter_map(post).collect()
}

/// The content of a body that is packed by gzip. A truncated one gives what it has.
fn unpacked(body: &[u8]) -> Cow<'_, [u8]> {
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Cow::Borrowed(body);
    }
    let mut content = Vec::new();
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    // An error leaves what came before it.
    let _ = MultiGzDecoder::new(body).take(limit).read_to_end(&mut content);
    Cow::Owned(content)
}

/// Reads one address a line. Few lines may be something else.
fn plain(body: &[u8]) -> Option<Sitemap> {
    let text = String::from_utf8_lossy(body);
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut sitemap, mut others) = (Sitemap::default(), 0);
    for line in lines {
        match Url::parse(line).ok().filter(|_| line.len() <= MAX_ADDRESS_BYTES).filter(is_web) {
            Some(url) => {
                sitemap.urls.push(SitemapUrl { url, changed_at: None, title: None, published_at: None });
            }
            None => others += 1,
        }
        if sitemap.urls.len() == MAX_ADDRESSES {
            break;
        }
    }
    (!sitemap.urls.is_empty() && others * 10 <= sitemap.urls.len()).then_some(sitemap)
}

/// An address on the web, without a fragment.
fn web_address(written: &str, base: &Url) -> Option<Url> {
    if written.is_empty() || written.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    let mut url = base.join(written).ok().filter(is_web)?;
    url.set_fragment(None);
    Some(url)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())
}
