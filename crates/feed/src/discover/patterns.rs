//! Finds feeds by the form of an address.

mod code;
mod japanese;
mod social;

use url::Url;

use super::{Candidate, CandidateKind, CandidateSource};

/// The feeds of an address with a known form, without a request.
pub fn from_address(url: &Url) -> Vec<Candidate> {
    let Some(address) = SiteAddress::of(url) else { return Vec::new() };
    let found = [social::feeds, code::feeds, japanese::feeds].iter().flat_map(|feeds| feeds(&address)).take(MAX_FEEDS);
    let candidate = |(url, kind): (String, CandidateKind)| {
        let url = Url::parse(&url).ok()?;
        Some(Candidate { url, title: None, kind, source: CandidateSource::Pattern })
    };
    let mut candidates: Vec<Candidate> = found.filter_map(candidate).collect();
    candidates.retain(|candidate| candidate.url != *url);
    candidates
}

/// The feed that the source of a page names but its address does not.
pub fn from_source(html: &str, page_url: &Url) -> Option<Candidate> {
    let address = SiteAddress::of(page_url)?;
    let address = social::youtube_channel_in(html, &address)?;
    Some(Candidate {
        url: Url::parse(&address).ok()?,
        title: None,
        kind: CandidateKind::Atom,
        source: CandidateSource::Pattern,
    })
}

const MAX_FEEDS: usize = 8;

/// A feed: its address and kind.
type FoundFeed = (String, CandidateKind);

/// The parts of an address.
struct SiteAddress<'a> {
    url: &'a Url,
    /// Without `www.`.
    host: &'a str,
    /// The segments of the path, without empty ones.
    parts: Vec<&'a str>,
}

impl<'a> SiteAddress<'a> {
    fn of(url: &'a Url) -> Option<SiteAddress<'a>> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let host = url.host_str()?.trim_end_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        let parts = url.path().split('/').filter(|part| !part.is_empty()).take(20).collect();
        Some(SiteAddress { url, host, parts })
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

fn atom(address: String) -> FoundFeed {
    (address, CandidateKind::Atom)
}

fn rss(address: String) -> FoundFeed {
    (address, CandidateKind::Rss)
}
