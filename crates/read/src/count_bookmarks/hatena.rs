//! Calls to the Hatena API: batches of addresses, and the counts in the responses.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use net::{Request, Trust, Url};
use store::{ItemId, bookmarks::UncountedItem};

const MAX_URLS: usize = 50;
/// The maximum length of a request URL, by the experience of other clients.
const MAX_URL_BYTES: usize = 4_096;
const MAX_RETRY_AFTER: TimeDelta = TimeDelta::hours(24);

/// The addresses of one call.
#[derive(Debug)]
pub struct Batch {
    url: Url,
    links: Vec<LinkItems>,
}

/// An address and the items with it.
#[derive(Debug)]
struct LinkItems {
    link: Url,
    items: Vec<ItemId>,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// There was no response, or one with an error status.
    #[error(transparent)]
    Net(#[from] net::Error),
    #[error("the response is not a list of counts")]
    Response(#[from] serde_json::Error),
}

impl CallError {
    /// The pause that the server asks for, at most [`MAX_RETRY_AFTER`].
    pub fn retry_after(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        let CallError::Net(net::Error::Status { retry_after: Some(wanted), .. }) = self else { return None };
        let rest = TimeDelta::from_std(wanted.wait(now)).unwrap_or(MAX_RETRY_AFTER).min(MAX_RETRY_AFTER);
        (!rest.is_zero()).then_some(rest)
    }
}

impl Batch {
    fn new(api_url: &Url) -> Batch {
        let mut url = api_url.clone();
        // The settings only accept http addresses, which always have a path.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["count", "entries"]);
        }
        Batch { url, links: Vec::new() }
    }

    /// The number of addresses.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// The request URL with one more link, or `None` if the batch is full.
    fn with(&self, link: &Url) -> Option<Url> {
        let mut url = self.url.clone();
        url.query_pairs_mut().append_pair("url", link.as_str());
        (self.links.len() < MAX_URLS && url.as_str().len() <= MAX_URL_BYTES).then_some(url)
    }
}

/// Groups items into batches, in order. Also returns the items without a usable address.
pub fn batches(api_url: &Url, items: Vec<UncountedItem>) -> (Vec<Batch>, Vec<ItemId>) {
    let (by_link, mut unaskable) = group(items);
    let mut batches = Vec::new();
    let mut batch = Batch::new(api_url);
    for group in by_link {
        let url = match batch.with(&group.link) {
            Some(url) => url,
            None => {
                let full = std::mem::replace(&mut batch, Batch::new(api_url));
                batches.extend((full.len() > 0).then_some(full));
                let Some(url) = batch.with(&group.link) else {
                    unaskable.extend(group.items);
                    continue;
                };
                url
            }
        };
        batch.url = url;
        batch.links.push(group);
    }
    batches.extend((batch.len() > 0).then_some(batch));
    (batches, unaskable)
}

/// Groups items by their links, in order of first occurrence: several feeds may have the same article.
fn group(items: Vec<UncountedItem>) -> (Vec<LinkItems>, Vec<ItemId>) {
    let mut indexes: HashMap<Url, usize> = HashMap::new();
    let (mut by_link, mut unaskable): (Vec<LinkItems>, _) = (Vec::new(), Vec::new());
    for item in items {
        // Normalised as in a browser, because that is the bookmarked address.
        let link = item.link.as_deref().and_then(|link| Url::parse(link).ok());
        let Some(link) = link.filter(|link| matches!(link.scheme(), "http" | "https")) else {
            unaskable.push(item.id);
            continue;
        };
        match indexes.get(&link).and_then(|&index| by_link.get_mut(index)) {
            Some(group) => group.items.push(item.id),
            None => {
                indexes.insert(link.clone(), by_link.len());
                by_link.push(LinkItems { link, items: vec![item.id] });
            }
        }
    }
    (by_link, unaskable)
}

/// Fetches the counts of all items of a batch.
pub async fn fetch_counts(net: &net::Client, batch: &Batch) -> Result<Vec<(ItemId, i64)>, CallError> {
    let response = net.send(Request::get(batch.url.clone()).trust(Trust::Operator)).await?.error_for_status()?;
    Ok(parse_counts(batch, &response.body)?)
}

fn parse_counts(batch: &Batch, body: &[u8]) -> serde_json::Result<Vec<(ItemId, i64)>> {
    let response: HashMap<String, u32> = serde_json::from_slice(body)?;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for (key, count) in response {
        let normalised = Url::parse(&key).map_or(key, String::from);
        // Of two spellings of one address, the larger count is that of the entry in use.
        let largest = counts.entry(normalised).or_default();
        *largest = count.max(*largest);
    }
    let requested: HashSet<&str> = batch.links.iter().map(|group| group.link.as_str()).collect();
    let count_of = |link: &Url| {
        // A key that was requested itself is no alternative of another link.
        let others = alternative_keys(link).into_iter().filter(|other| !requested.contains(other.as_str()));
        let mut found = std::iter::once(link.clone()).chain(others).filter_map(|key| counts.get(key.as_str()));
        // An address that is missing from the response has no bookmarks.
        i64::from(found.next().copied().unwrap_or(0))
    };
    let counted = batch.links.iter().flat_map(|group| {
        let count = count_of(&group.link);
        group.items.iter().map(move |&item| (item, count))
    });
    Ok(counted.collect())
}

/// Other keys that the response may use for an address: with the other scheme, without its query, or both.
fn alternative_keys(link: &Url) -> [Url; 3] {
    let mut bare = link.clone();
    bare.set_query(None);
    [with_other_scheme(link), bare.clone(), with_other_scheme(&bare)]
}

fn with_other_scheme(link: &Url) -> Url {
    let mut url = link.clone();
    let scheme = if link.scheme() == "https" { "http" } else { "https" };
    // Changing between `http` and `https` always succeeds.
    let _ = url.set_scheme(scheme);
    url
}

#[cfg(test)]
mod tests;
