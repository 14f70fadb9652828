//! The icons of feeds: found on the site, recognised by their content, limited in size.
//!
//! A failed search for an icon never fails the subscription or the job.

mod sniff;

use std::time::Duration;

use net::{Request, Urgency, Url};
use sha2::{Digest, Sha256};
use store::{FeedId, UserId, icons};
use tokio::time::Instant;

use crate::{Reader, fetch_icon::home_of, subscribe::Fetched};

const MAX_ICON_BYTES: usize = 100_000;
const MAX_PAGE_BYTES: usize = 2_000_000;
/// The maximum number of addresses to try.
const MAX_TRIES: usize = 6;
const MAX_URL_BYTES: usize = 2_048;
const TRY_TIMEOUT: Duration = Duration::from_secs(5);

/// An icon with its HTTP validator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IconFile {
    pub mime: String,
    pub data: Vec<u8>,
    pub etag: String,
}

/// An HTML page that may name feeds and icons.
#[derive(Debug, Clone)]
pub(crate) struct HtmlPage {
    pub url: Url,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
}

/// Where to look for the icon of a feed.
#[derive(Debug, Clone, Default)]
pub(crate) struct IconPlaces {
    /// The page that led to the feed, which saves a request.
    pub page: Option<HtmlPage>,
    /// The icons that the page of the site names, if it was already read.
    pub on_page: Option<Vec<Url>>,
    pub named: Option<Url>,
    /// The site, or the front page of the feed's host.
    pub site: Option<Url>,
}

/// How a search for an icon ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IconSearch {
    Found(icons::Icon),
    /// Every address was tried.
    Nothing,
    /// The time was up.
    Unfinished,
}

impl Reader {
    /// The icon of a feed that the user subscribes to.
    pub async fn get_icon(&self, user: UserId, feed: FeedId) -> store::Result<Option<IconFile>> {
        let icon = icons::get(&self.db, user, feed).await?;
        Ok(icon.map(|icon| IconFile { etag: etag(&icon.data), mime: icon.mime, data: icon.data }))
    }

    /// Looks for an icon until `deadline`. Stores the icons of the site's page in `places`, so that a later search does not
    /// fetch the page again.
    pub(crate) async fn find_icon(&self, places: &mut IconPlaces, urgency: Urgency, deadline: Instant) -> IconSearch {
        places.read_page().await;
        let search = async {
            let candidates = self.icon_candidates(places, urgency).await;
            for url in candidates.into_iter().take(MAX_TRIES) {
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
            places.on_page = Some(page.unwrap_or_else(|| HtmlPage::empty(site.clone())).icons().await);
        }
        let mut urls = places.on_page.clone().unwrap_or_default();
        // The picture that the feed names is often large. It is tried just before the last resort, `/favicon.ico`.
        let before_last = urls.len().min(MAX_TRIES).saturating_sub(1);
        urls.truncate(before_last + 1);
        if let Some(named) = places.named.as_ref().filter(|named| !urls.contains(named)) {
            urls.insert(before_last, named.clone());
        }
        urls
    }

    async fn get_page(&self, url: Url, urgency: Urgency) -> Option<HtmlPage> {
        let request = Request::get(url).urgency(urgency).max_wait(TRY_TIMEOUT).timeout(TRY_TIMEOUT);
        let response = self.net.send(request.max_body_bytes(MAX_PAGE_BYTES)).await.ok()?;
        let is_page = response.status.is_success();
        is_page.then(|| HtmlPage {
            url: response.url,
            content_type: response.content_type,
            body: response.body.to_vec(),
        })
    }

    async fn try_icon(&self, url: Url, urgency: Urgency) -> Option<icons::Icon> {
        let request = Request::get(url).urgency(urgency).max_wait(TRY_TIMEOUT).timeout(TRY_TIMEOUT);
        let response = self.net.send(request.max_body_bytes(MAX_ICON_BYTES)).await.ok()?;
        if !response.status.is_success() {
            return None;
        }
        let mime = sniff::image_type(&response.body)?;
        Some(icons::Icon { mime: mime.to_owned(), data: response.body.to_vec() })
    }
}

impl IconPlaces {
    /// The places that a fetched feed names.
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

    /// Reads the icons that the page names.
    pub async fn read_page(&mut self) {
        if let Some(page) = self.page.take() {
            self.on_page = Some(page.icons().await);
        }
    }
}

impl HtmlPage {
    /// Stands for a page that could not be read: its site may still have a `/favicon.ico`.
    fn empty(url: Url) -> HtmlPage {
        HtmlPage { url, content_type: None, body: Vec::new() }
    }

    /// The icons that the page names, best first, then `/favicon.ico`.
    pub async fn icons(self) -> Vec<Url> {
        // Parsing a large page would block the async threads.
        let read = move || feed::discover::icons(&self.body, self.content_type.as_deref(), &self.url);
        let found = tokio::task::spawn_blocking(read).await.unwrap_or_default();
        found.into_iter().map(|icon| icon.url).filter(|url| url.as_str().len() <= MAX_URL_BYTES).collect()
    }
}

fn etag(data: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(data)[..16]))
}
