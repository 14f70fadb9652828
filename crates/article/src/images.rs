//! The addresses of images, also of those that a script would load later.

use std::borrow::Cow;

use crate::dom::{Document, NodeId};

/// Shorter addresses with the image itself in them are placeholders.
const MIN_DATA_BYTES: usize = 300;

/// The address of an image.
pub(crate) fn source<'a>(document: &Document<'a>, id: NodeId) -> Option<Cow<'a, str>> {
    let own = document.attribute(id, "src").filter(|src| !is_placeholder(src));
    let lazy = lazy_source(document, id);
    match (own, lazy) {
        (Some(own), Some((_, false))) => Some(own),
        (_, Some((lazy, _))) => Some(lazy),
        (own, None) => own.or_else(|| best_of_set(document, id, "srcset")).or_else(|| document.attribute(id, "src")),
    }
}

/// The address in an attribute for scripts, and whether the name of the attribute is one of those.
fn lazy_source<'a>(document: &Document<'a>, id: NodeId) -> Option<(Cow<'a, str>, bool)> {
    const NAMES: &[&str] = &["data-src", "data-original", "data-lazy-src", "data-lazy", "data-actualsrc", "data-url"];
    let named = NAMES.iter().find_map(|name| document.attribute(id, name).filter(|value| is_address(value)));
    if let Some(named) = named {
        return Some((named, true));
    }
    let sets = ["data-srcset", "data-lazy-srcset"];
    if let Some(best) = sets.iter().find_map(|name| best_of_set(document, id, name)) {
        return Some((best, true));
    }
    let mut others = document.attributes(id).filter(|(name, _)| !is_known(name));
    let (_, value) = others.find(|(_, value)| is_address(value) && is_image_file(value))?;
    Some((feed::html::unescape(value), false))
}

fn is_known(name: &str) -> bool {
    ["src", "srcset", "alt", "title", "class", "id", "style"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The largest image of a set.
fn best_of_set<'a>(document: &Document<'a>, id: NodeId, name: &str) -> Option<Cow<'a, str>> {
    let set = document.attribute(id, name)?;
    let candidates = set.split(", ").map(str::trim).filter_map(|candidate| {
        let mut words = candidate.trim_end_matches(',').split_ascii_whitespace();
        let address = words.next().filter(|address| is_address(address))?;
        let size = words.next().unwrap_or("1x").trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        Some((address.to_owned(), size))
    });
    let best: Option<(String, f32)> = candidates.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(address, _)| Cow::Owned(address))
}

fn is_placeholder(src: &str) -> bool {
    let src = src.trim();
    src.is_empty() || src.starts_with("data:") && src.len() < MIN_DATA_BYTES || src.starts_with("about:")
}

fn is_address(value: &str) -> bool {
    let value = value.trim();
    !value.is_empty() && !value.starts_with(['{', '[', '#']) && !value.starts_with("data:") && !value.contains(' ')
}

fn is_image_file(value: &str) -> bool {
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let end = path.rsplit('.').next().unwrap_or_default();
    ["jpg", "jpeg", "png", "webp", "gif", "avif"].iter().any(|known| end.eq_ignore_ascii_case(known))
}
