//! Which elements belong to the frame of a page: navigation, sidebars, footers.

use article::dom::{Document, NodeId, Tag};

use crate::names::class;

/// Facts that an element passes on to all nodes inside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) is_frame: bool,
    pub(crate) is_main: bool,
    /// Inside an `article`, a list entry or a row.
    pub(crate) is_entry: bool,
    /// Inside a part of the content: its header is not that of the page.
    is_part: bool,
    pub(crate) is_hidden: bool,
    /// Inside a list of the posts that are read most: they are not new.
    pub(crate) is_ranking: bool,
    pub(crate) heading: bool,
}

/// The place of every node.
pub(crate) fn places(document: &Document<'_>, links: &[NodeId]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(document.len());
    for id in document.nodes() {
        let inherited = document.parent(id).and_then(|parent| places.get(parent.index())).copied().unwrap_or_default();
        places.push(if document.tag(id) == Tag::Text { inherited } else { place(document, id, inherited, links) });
    }
    places
}

fn place(document: &Document<'_>, id: NodeId, mut place: Place, links: &[NodeId]) -> Place {
    match document.tag(id) {
        Tag::Nav | Tag::Aside => place.is_frame = true,
        Tag::Footer | Tag::Header => place.is_frame |= !place.is_part && !holds_entries(document, id),
        Tag::Main => (place.is_main, place.is_part) = (true, true),
        Tag::Section => place.is_part = true,
        Tag::Article | Tag::Li | Tag::Tr => (place.is_entry, place.is_part) = (true, true),
        Tag::Script | Tag::Style | Tag::Template | Tag::Noscript | Tag::Head => place.is_hidden = true,
        Tag::Html | Tag::Body => return place,
        tag => place.heading |= tag.is_heading(),
    }
    let role = document.raw_attribute(id, "role").unwrap_or_default();
    place.is_frame |= matches!(role, "navigation" | "complementary" | "contentinfo" | "menu" | "menubar" | "search");
    place.is_main |= matches!(role, "main" | "feed");
    let has_ranking_id = || document.raw_attribute(id, "id").is_some_and(|id| id.len() < 60 && is_ranking_name(id));
    if !place.is_ranking && (is_ranking_name(class(document, id)) || has_ranking_id()) {
        place.is_ranking = !holds_most(document, id, links);
    }
    let has_frame_id = || document.raw_attribute(id, "id").is_some_and(|id| id.len() < 60 && is_frame_name(id));
    if !place.is_frame && (is_frame_name(class(document, id)) || has_frame_id()) {
        place.is_frame = !is_around_content(document, id) && !holds_most(document, id, links);
    }
    place
}

/// A header or footer with entries in it is the page's content.
fn holds_entries(document: &Document<'_>, id: NodeId) -> bool {
    document.descendants(id).take(400).filter(|inner| matches!(document.tag(*inner), Tag::Article | Tag::Main)).count()
        > 0
}

/// Whether the id says that it is the content, as in `<div id="content" class="sidebar-left">`.
fn is_around_content(document: &Document<'_>, id: NodeId) -> bool {
    matches!(document.raw_attribute(id, "id"), Some("content" | "main" | "main-content" | "page" | "wrapper"))
}

/// Names on elements around the whole content, such as `with-sidebar`, say nothing.
fn holds_most(document: &Document<'_>, id: NodeId, links: &[NodeId]) -> bool {
    let range = document.range(id);
    let start = links.partition_point(|link| link.index() < range.start);
    let end = links.partition_point(|link| link.index() < range.end);
    let inside = end.saturating_sub(start);
    inside >= 4 && inside * 10 > links.len() * 7
}

const NAMES: &[&str] = &[
    "nav",
    "navi",
    "navbar",
    "navigation",
    "gnav",
    "menu",
    "sidebar",
    "side",
    "aside",
    "footer",
    "foot",
    "breadcrumb",
    "breadcrumbs",
    "pagination",
    "pager",
    "paginator",
    "paginate",
    "toc",
    "tagcloud",
    "tag-cloud",
    "tags",
    "social",
    "sns",
    "share",
    "related",
    "widget",
    "drawer",
    "offcanvas",
    "dropdown",
    "copyright",
    "categories",
    "category-list",
    "taglist",
    "tag-list",
    "tocbot",
    "masthead",
    "topbar",
    "site-header",
];

/// Parts of an entry that are named after parts of a page.
const OF_ENTRIES: &[&str] = &["post", "entry", "card", "article", "item", "list"];

fn is_frame_name(value: &str) -> bool {
    value.split_ascii_whitespace().any(|name| {
        let name = name.to_ascii_lowercase();
        NAMES.iter().any(|known| match name.find(known) {
            None => false,
            Some(0) => name.len() == known.len() || is_joint(&name, known.len()) && *known != "side",
            Some(at) => {
                at + known.len() == name.len()
                    && is_joint(&name, at - 1)
                    && !OF_ENTRIES.iter().any(|entry| name.starts_with(entry))
                    && !matches!(name.get(..at - 1), Some("has" | "with" | "no" | "elementor" | "without"))
            }
        })
    })
}

const RANKINGS: &[&str] = &["ranking", "popular", "trending", "mostread", "mostviewed"];

fn is_ranking_name(value: &str) -> bool {
    let is = |word: &str, known: &str| word.eq_ignore_ascii_case(known);
    let mut before = "";
    value.split(|c: char| c.is_ascii_whitespace() || c == '_' || c == '-').any(|word| {
        let is_most = is(before, "most") && (is(word, "read") || is(word, "viewed"));
        before = word;
        is_most || RANKINGS.iter().any(|known| is(word, known))
    })
}

fn is_joint(name: &str, at: usize) -> bool {
    name.as_bytes().get(at).is_some_and(|byte| matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_frames() {
        for name in
            ["sidebar", "l-sidebar", "main_nav", "nav-links", "widget widget_recent", "site-footer", "Pagination"]
        {
            assert!(is_frame_name(name), "{name}");
        }
        for name in ["ranking", "widget_popular_posts", "l-most-read", "entries-access-ranking"] {
            assert!(is_ranking_name(name), "{name}");
        }
        assert!(!is_ranking_name("unpopular") && !is_ranking_name("most-important"));
        for name in
            ["post-footer", "with-sidebar", "elementor-widget", "navy", "post-list", "card-footer", "inside", "canvas"]
        {
            assert!(!is_frame_name(name), "{name}");
        }
    }
}
