//! The links of a page, one entry for each target.

use std::collections::HashMap;

use article::dom::{Document, NodeId, Tag};
use url::Url;

use crate::{
    address::{Address, Role, bare_host},
    dates::is_date,
};

/// Longer addresses are not those of posts.
pub(crate) const MAX_ADDRESS_BYTES: usize = 2_000;

/// Where links lead to.
#[derive(Debug)]
pub(crate) struct Target {
    /// As on the page, without a fragment.
    pub(crate) url: Url,
    pub(crate) address: Address,
    pub(crate) role: Role,
    /// The links to it, in document order.
    pub(crate) anchors: Vec<NodeId>,
}

impl Target {
    /// Whether it can be a post: then it separates the blocks of others.
    pub(crate) fn is_candidate(&self) -> bool {
        matches!(self.role, Role::Page | Role::Period | Role::Fixed)
    }
}

/// All targets of a page.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub(crate) targets: Vec<Target>,
    /// Each link to a candidate with the index of its target, in document order.
    pub(crate) candidates: Vec<(NodeId, usize)>,
}

impl Links {
    /// Reads the links of a page.
    pub(crate) fn of(document: &Document<'_>, page: &Url) -> Links {
        let base = base(document, page);
        let here = Address::of(page);
        let mut links = Links::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        for anchor in document.all(Tag::A) {
            let Some(url) = address(document, anchor, &base) else { continue };
            let key = feed::link::normalise(url.as_str());
            let index = *known.entry(key).or_insert_with(|| {
                let mut target = target(url, page, &here);
                // `/2026/03` with the text "March 2026".
                if target.role == Role::Period && is_date(&document.text_of(anchor)) {
                    target.role = Role::Listing;
                }
                links.targets.push(target);
                links.targets.len() - 1
            });
            if let Some(target) = links.targets.get_mut(index) {
                target.anchors.push(anchor);
                if target.is_candidate() {
                    links.candidates.push((anchor, index));
                }
            }
        }
        links
    }
}

/// The address that relative links are relative to.
fn base(document: &Document<'_>, page: &Url) -> Url {
    let written = document.first(Tag::Base).and_then(|base| document.attribute(base, "href"));
    written.and_then(|written| page.join(written.trim()).ok()).unwrap_or_else(|| page.clone())
}

fn address(document: &Document<'_>, anchor: NodeId, base: &Url) -> Option<Url> {
    let href = document.attribute(anchor, "href")?;
    let href = href.trim();
    if href.is_empty() || href.starts_with('#') || href.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    let mut url = base.join(href).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    // A fragment that begins with a slash is the route of a script.
    if url.fragment().is_some_and(|fragment| !fragment.starts_with('/') && !fragment.starts_with("!/")) {
        url.set_fragment(None);
    }
    Some(url)
}

fn target(url: Url, page: &Url, here: &Address) -> Target {
    let address = Address::of(&url);
    let role = role(&url, &address, page, here);
    Target { url, address, role, anchors: Vec::new() }
}

/// The role of an address for a page, with its host.
pub(crate) fn role(url: &Url, address: &Address, page: &Url, here: &Address) -> Role {
    let (host, own) = (bare_host(url), bare_host(page));
    let is_own = host == own || host.strip_suffix(own).is_some_and(|rest| rest.ends_with('.'));
    match address.role(here) {
        _ if !is_own => Role::Elsewhere,
        Role::Itself | Role::Above if host != own => Role::Fixed,
        // A route behind a fragment is another page.
        Role::Itself if url.fragment().is_some() => Role::Page,
        role => role,
    }
}
