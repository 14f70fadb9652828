//! The icons of feeds: found on the site, told by their content, kept small.
//!
//! A feed without an icon is a feed all the same: nothing here fails what it belongs to.

mod sniff;

use std::time::Duration;

use net::{Request, Urgency, Url};
use sha2::{Digest, Sha256};
use store::{FeedId, UserId, icons};
use tokio::time::Instant;

use crate::{Reader, fetch_icon::home_of, subscribe::Fetched};

/// A larger picture is no icon; it would be read with every list.
const MOST_BYTES: usize = 100_000;
/// The head of a page is in its first part; the rest is not needed.
const MOST_PAGE_BYTES: usize = 2_000_000;
/// How many places are asked before the feed stays without one.
const MOST_TRIES: usize = 6;
/// A longer address is not asked for, and not kept in a job.
const LONGEST_URL: usize = 2_048;
/// What one place may take.
const LONGEST_TRY: Duration = Duration::from_secs(5);

/// An icon as it is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// What it is, by its content.
    pub mime: String,
    /// Its bytes.
    pub data: Vec<u8>,
    pub etag: String,
}

/// A page that was read on the way to the feed.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub url: Url,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
}

/// Where the icon of a feed may be.
#[derive(Debug, Clone, Default)]
pub(crate) struct IconPlaces {
    /// The page that led to the feed; saves a request.
    pub page: Option<Page>,
    /// What the page of the site names, if it was read before.
    pub on_page: Option<Vec<Url>>,
    pub named: Option<Url>,
    /// The site, or where the feed is.
    pub site: Option<Url>,
}

/// How a search for an icon ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IconSearch {
    Found(icons::Icon),
    /// Every place was asked.
    Nothing,
    /// The time was up.
    Unfinished,
}

impl Reader {
    /// The icon of a feed that this person subscribes to.
    pub async fn icon(&self, user: UserId, feed: FeedId) -> store::Result<Option<Icon>> {
        let icon = icons::get(&self.db, user, feed).await?;
        Ok(icon.map(|icon| Icon { etag: etag(&icon.data), mime: icon.mime, data: icon.data }))
    }

    /// Looks for an icon until `deadline`. What the page of the site names is noted in `places`, so that a later search need
    /// not fetch the page again.
    pub(crate) async fn find_icon(&self, places: &mut IconPlaces, urgency: Urgency, deadline: Instant) -> IconSearch {
        places.read_page().await;
        let search = async {
            let candidates = self.icon_candidates(places, urgency).await;
            for url in candidates.into_iter().take(MOST_TRIES) {
                if let Some(icon) = self.try_icon(url, urgency).await {
                    return IconSearch::Found(icon);
                }
            }
            IconSearch::Nothing
        };
        tokio::time::timeout_at(deadline, search).await.unwrap_or(IconSearch::Unfinished)
    }

    async fn icon_candidates(&self, places: &mut IconPlaces, urgency: Urgency) -> Vec<Url> {
        if let (None, Some(site)) = (&places.on_page, &places.site) {
            let page = self.get_page(site.clone(), urgency).await;
            places.on_page = Some(page.unwrap_or_else(|| Page::nothing(site.clone())).icons().await);
        }
        let mut urls = places.on_page.clone().unwrap_or_default();
        // Before the last resort, `/favicon.ico`: what the feed names is often a large picture.
        let before_last = urls.len().min(MOST_TRIES).saturating_sub(1);
        urls.truncate(before_last + 1);
        if let Some(named) = places.named.as_ref().filter(|named| !urls.contains(named)) {
            urls.insert(before_last, named.clone());
        }
        urls
    }

    async fn get_page(&self, url: Url, urgency: Urgency) -> Option<Page> {
        let request = Request::get(url).urgency(urgency).max_wait(LONGEST_TRY).timeout(LONGEST_TRY);
        let response = self.net.send(request.max_body_bytes(MOST_PAGE_BYTES)).await.ok()?;
        let is_page = response.status.is_success();
        is_page.then(|| Page { url: response.url, content_type: response.content_type, body: response.body.to_vec() })
    }

    async fn try_icon(&self, url: Url, urgency: Urgency) -> Option<icons::Icon> {
        let request = Request::get(url).urgency(urgency).max_wait(LONGEST_TRY).timeout(LONGEST_TRY);
        let response = self.net.send(request.max_body_bytes(MOST_BYTES)).await.ok()?;
        if !response.status.is_success() {
            return None;
        }
        let mime = sniff::image_type(&response.body)?;
        Some(icons::Icon { mime: mime.to_owned(), data: response.body.to_vec() })
    }
}

impl IconPlaces {
    /// What a fetch has shown.
    pub fn of(fetched: Fetched) -> IconPlaces {
        let address = |text: &str| net::parse_url(text).ok();
        let site = fetched.document.site_url().as_deref().and_then(address);
        IconPlaces {
            named: fetched.document.icon().and_then(address),
            site: site.or_else(|| home_of(&fetched.response.url)),
            on_page: None,
            page: fetched.page,
        }
    }

    /// Notes what the page that led to the feed names.
    pub async fn read_page(&mut self) {
        if let Some(page) = self.page.take() {
            self.on_page = Some(page.icons().await);
        }
    }
}

impl Page {
    /// A page that could not be read still has a `/favicon.ico` beside it.
    fn nothing(url: Url) -> Page {
        Page { url, content_type: None, body: Vec::new() }
    }

    /// The pictures that it names, the best first, then the usual place.
    pub async fn icons(self) -> Vec<Url> {
        // Off the threads that answer requests, like every reading of a page.
        let read = move || feed::discover::icons(&self.body, self.content_type.as_deref(), &self.url);
        let found = tokio::task::spawn_blocking(read).await.unwrap_or_default();
        found.into_iter().map(|icon| icon.url).filter(|url| url.as_str().len() <= LONGEST_URL).collect()
    }
}

fn etag(data: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(data)[..16]))
}
