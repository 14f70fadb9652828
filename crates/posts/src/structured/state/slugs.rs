//! The addresses of slugs: a slug is the end of an address, and the links of the page show the folder before it.

use std::collections::HashMap;

use url::Url;

use crate::structured::PageFacts;

/// So many slugs have to be in one folder before others are expected there.
const LEAST_LINKED: usize = 2;

/// The links of a page by the last part of their path.
pub(super) struct Slugs {
    links: HashMap<String, Url>,
    site: Url,
}

impl Slugs {
    pub(super) fn of(page: &PageFacts<'_>) -> Slugs {
        let own = page.links.targets.iter().filter(|target| target.is_candidate());
        let last = |url: &Url| url.path().trim_end_matches('/').rsplit('/').next().map(str::to_owned);
        let mut links = HashMap::new();
        for target in own {
            if let Some(last) = last(&target.url).filter(|last| !last.is_empty()) {
                links.entry(last).or_insert_with(|| target.url.clone());
            }
        }
        Slugs { links, site: page.url.clone() }
    }

    /// The folder of all slugs, if the page links to some of them and these are in one folder.
    pub(super) fn folder<'s>(&self, slugs: impl Iterator<Item = &'s str>) -> Option<String> {
        let mut folders = slugs.filter_map(|slug| self.linked(slug)).map(|(_, folder)| folder);
        let first = folders.next()?;
        let mut count = 1;
        for folder in folders {
            if folder != first {
                return None;
            }
            count += 1;
        }
        (count >= LEAST_LINKED).then_some(first)
    }

    /// The address of a slug: the link of the page, or the address in this folder.
    pub(super) fn url(&self, slug: &str, folder: Option<&str>) -> Option<Url> {
        let linked = self.linked(slug).map(|(url, _)| url.clone());
        linked.or_else(|| self.site.join(&format!("{}{slug}", folder?)).ok())
    }

    /// The link to a slug, and the folder of it.
    fn linked(&self, slug: &str) -> Option<(&Url, String)> {
        // Escapes as in addresses.
        let path = self.site.join(&format!("/{slug}")).ok()?.path().to_owned();
        let url = self.links.get(path.rsplit('/').next()?)?;
        let folder = url.path().trim_end_matches('/').strip_suffix(&path)?;
        Some((url, format!("{}{folder}/", url.origin().ascii_serialization())))
    }
}
