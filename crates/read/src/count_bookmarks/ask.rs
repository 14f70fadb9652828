//! One call to Hatena: which addresses fit into it, and what its answer says about each.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use net::{Request, Trust, Url};
use store::{ItemId, bookmarks::UncountedItem};

/// The most addresses in a call.
const MOST_URLS: usize = 50;
/// The longest address of a call: what other clients found to be accepted.
const MOST_BYTES: usize = 4_096;
/// The longest `Retry-After` that is honoured.
const LONGEST_REST: TimeDelta = TimeDelta::hours(24);

/// What one call asks about.
#[derive(Debug)]
pub struct Batch {
    url: Url,
    asked: Vec<Asked>,
}

/// An address, and the items that have it.
#[derive(Debug)]
struct Asked {
    link: Url,
    items: Vec<ItemId>,
}

/// Why a call brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// There was no answer, or one with an error status.
    #[error(transparent)]
    Net(#[from] net::Error),
    /// The answer is not what it should be.
    #[error("the answer is not a list of counts")]
    Answer(#[from] serde_json::Error),
}

impl Failure {
    /// How long the server wants to be left alone.
    pub fn retry_after(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        let Failure::Net(net::Error::Status { retry_after: Some(wanted), .. }) = self else { return None };
        let rest = TimeDelta::from_std(wanted.wait(now)).unwrap_or(LONGEST_REST).min(LONGEST_REST);
        (!rest.is_zero()).then_some(rest)
    }
}

impl Batch {
    fn new(api_url: &Url) -> Batch {
        let mut url = api_url.clone();
        // An http address has a path to extend; one without could not have been configured.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["count", "entries"]);
        }
        Batch { url, asked: Vec::new() }
    }

    /// How many addresses it asks about.
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// The call's address with one more link in it; none if that is too much.
    fn with(&self, link: &Url) -> Option<Url> {
        let mut url = self.url.clone();
        url.query_pairs_mut().append_pair("url", link.as_str());
        (self.asked.len() < MOST_URLS && url.as_str().len() <= MOST_BYTES).then_some(url)
    }
}

/// Makes calls of items, in their order; apart, those that nobody can be asked about.
pub fn batches(api_url: &Url, items: Vec<UncountedItem>) -> (Vec<Batch>, Vec<ItemId>) {
    let (by_link, mut unaskable) = group(items);
    let mut batches = Vec::new();
    let mut batch = Batch::new(api_url);
    for asked in by_link {
        let url = match batch.with(&asked.link) {
            Some(url) => url,
            None => {
                let full = std::mem::replace(&mut batch, Batch::new(api_url));
                batches.extend((full.len() > 0).then_some(full));
                let Some(url) = batch.with(&asked.link) else {
                    unaskable.extend(asked.items);
                    continue;
                };
                url
            }
        };
        batch.url = url;
        batch.asked.push(asked);
    }
    batches.extend((batch.len() > 0).then_some(batch));
    (batches, unaskable)
}

/// Items by their links, in the order in which these come first: several feeds may have the same article.
fn group(items: Vec<UncountedItem>) -> (Vec<Asked>, Vec<ItemId>) {
    let mut places: HashMap<Url, usize> = HashMap::new();
    let (mut by_link, mut unaskable): (Vec<Asked>, _) = (Vec::new(), Vec::new());
    for item in items {
        // As a browser writes it: that is what people bookmark.
        let link = item.link.as_deref().and_then(|link| Url::parse(link).ok());
        let Some(link) = link.filter(|link| matches!(link.scheme(), "http" | "https")) else {
            unaskable.push(item.id);
            continue;
        };
        match places.get(&link).and_then(|&place| by_link.get_mut(place)) {
            Some(asked) => asked.items.push(item.id),
            None => {
                places.insert(link.clone(), by_link.len());
                by_link.push(Asked { link, items: vec![item.id] });
            }
        }
    }
    (by_link, unaskable)
}

/// Makes the call; the counts of all items it was about.
pub async fn ask(net: &net::Client, batch: &Batch) -> Result<Vec<(ItemId, i64)>, Failure> {
    let response = net.send(Request::get(batch.url.clone()).trust(Trust::Operator)).await?.error_for_status()?;
    Ok(read(batch, &response.body)?)
}

fn read(batch: &Batch, body: &[u8]) -> serde_json::Result<Vec<(ItemId, i64)>> {
    let answer: HashMap<String, u32> = serde_json::from_slice(body)?;
    let mut counts: HashMap<String, u32> = HashMap::new();
    for (key, count) in answer {
        let as_asked = Url::parse(&key).map_or(key, String::from);
        // Two spellings of one address: the larger count is the entry that people use.
        let known = counts.entry(as_asked).or_default();
        *known = count.max(*known);
    }
    let asked: HashSet<&str> = batch.asked.iter().map(|asked| asked.link.as_str()).collect();
    let of = |link: &Url| {
        // A key that was asked for by itself belongs to nobody else.
        let others = others(link).into_iter().filter(|other| !asked.contains(other.as_str()));
        let mut found = std::iter::once(link.clone()).chain(others).filter_map(|key| counts.get(key.as_str()));
        // What is not in the answer has no bookmarks.
        i64::from(found.next().copied().unwrap_or(0))
    };
    let counted = batch.asked.iter().flat_map(|asked| {
        let count = of(&asked.link);
        asked.items.iter().map(move |&item| (item, count))
    });
    Ok(counted.collect())
}

/// What the answer may call an address instead: with the other scheme, without its query, or both.
fn others(link: &Url) -> [Url; 3] {
    let mut bare = link.clone();
    bare.set_query(None);
    [flipped(link), bare.clone(), flipped(&bare)]
}

fn flipped(link: &Url) -> Url {
    let mut url = link.clone();
    let scheme = if link.scheme() == "https" { "http" } else { "https" };
    // From one web scheme to the other is always possible.
    let _ = url.set_scheme(scheme);
    url
}

#[cfg(test)]
mod tests;
