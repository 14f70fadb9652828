//! Finds the icons of a site.

use url::Url;

use super::{
    html::{self, HtmlTag, HtmlToken, HtmlTokens},
    page_links::{Base, absolute},
};

const MAX_ICONS: usize = 16;
/// Icons of this size are sharp on every screen.
const WANTED_PIXELS: u32 = 32;

/// A possible icon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IconCandidate {
    pub url: Url,
    /// The largest declared width in pixels.
    pub size: Option<u32>,
    /// As declared.
    pub media_type: Option<String>,
}

/// The icons of a site in the order in which to try them: those of a suitable size, the touch icon, then `/favicon.ico`.
pub fn icons(html: &[u8], content_type: Option<&str>, page_url: &Url) -> Vec<IconCandidate> {
    let html = html::decode(html, content_type);
    let mut base = Base::new(page_url);
    let mut found: Vec<((u8, u32), IconCandidate)> = Vec::new();
    for token in HtmlTokens::of(&html) {
        let HtmlToken::Tag(tag) = token else { continue };
        match tag.name.as_str() {
            "base" => base.set(&tag),
            "link" if found.len() < MAX_ICONS * 4 => found.extend(icon(&tag, base.url())),
            _ => {}
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut icons: Vec<IconCandidate> = Vec::new();
    let usual = page_url.join("/favicon.ico").ok().map(|url| IconCandidate { url, size: None, media_type: None });
    for icon in found.into_iter().map(|(_, icon)| icon).take(MAX_ICONS).chain(usual) {
        if icons.iter().all(|known| known.url != icon.url) {
            icons.push(icon);
        }
    }
    icons
}

fn icon(tag: &HtmlTag, base: &Url) -> Option<((u8, u32), IconCandidate)> {
    let is_touch = tag.has_word("rel", "apple-touch-icon") || tag.has_word("rel", "apple-touch-icon-precomposed");
    if !is_touch && !tag.has_word("rel", "icon") {
        return None;
    }
    let url = absolute(&tag.get("href")?, base)?;
    let media_type = tag.get("type").filter(|media_type| !media_type.is_empty());
    let sizes = tag.get("sizes").unwrap_or_default();
    let size = sizes.split_ascii_whitespace().filter_map(width).max();
    let is_vector = media_type.as_deref() == Some("image/svg+xml") || url.path().ends_with(".svg");
    let rank = match size {
        _ if is_touch => (4, 0),
        _ if is_vector => (1, 0),
        Some(size) if size >= WANTED_PIXELS => (0, size),
        None => (2, 0),
        Some(size) => (3, WANTED_PIXELS - size.min(WANTED_PIXELS)),
    };
    Some((rank, IconCandidate { url, size, media_type }))
}

fn width(size: &str) -> Option<u32> {
    size.split(['x', 'X']).next()?.parse().ok()
}
