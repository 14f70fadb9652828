//! Feeds that the shape of an address gives away.

mod code;
mod japanese;
mod social;

use url::Url;

use super::{Candidate, Kind, Source};

/// The feeds that a known shape of address has, without asking anybody.
pub fn from_address(url: &Url) -> Vec<Candidate> {
    let Some(place) = Place::of(url) else { return Vec::new() };
    let found = [social::feeds, code::feeds, japanese::feeds].iter().flat_map(|feeds| feeds(&place)).take(MOST);
    let candidate = |(address, kind): (String, Kind)| {
        let url = Url::parse(&address).ok()?;
        Some(Candidate { url, title: None, kind, source: Source::Pattern })
    };
    let mut candidates: Vec<Candidate> = found.filter_map(candidate).collect();
    candidates.retain(|candidate| candidate.url != *url);
    candidates
}

/// What a page's source gives away that its address does not.
pub fn from_source(html: &str, page_url: &Url) -> Option<Candidate> {
    let place = Place::of(page_url)?;
    let address = social::youtube_channel_in(html, &place)?;
    Some(Candidate { url: Url::parse(&address).ok()?, title: None, kind: Kind::Atom, source: Source::Pattern })
}

/// More than any pattern has.
const MOST: usize = 8;

/// A feed: its address and kind.
type Found = (String, Kind);

/// An address taken apart for the patterns.
struct Place<'a> {
    url: &'a Url,
    /// Without `www.`.
    host: &'a str,
    /// The parts of the path, empty ones left out.
    parts: Vec<&'a str>,
}

impl<'a> Place<'a> {
    fn of(url: &'a Url) -> Option<Place<'a>> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let host = url.host_str()?.trim_end_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        let parts = url.path().split('/').filter(|part| !part.is_empty()).take(20).collect();
        Some(Place { url, host, parts })
    }

    /// The name before a domain: `me` of `me.example.com` for `example.com`.
    fn name_under(&self, domain: &str) -> Option<&'a str> {
        let name = self.host.strip_suffix(domain)?.strip_suffix('.')?;
        (!name.is_empty()).then_some(name)
    }

    fn parameter(&self, wanted: &str) -> Option<String> {
        self.url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    }
}

fn atom(address: String) -> Found {
    (address, Kind::Atom)
}

fn rss(address: String) -> Found {
    (address, Kind::Rss)
}
