//! Drops what is around an article before it is looked for: navigation, comments, the title and the author's name.

use crate::{
    dom::{NodeId, Tag},
    hints::Hints,
    page::Page,
};

/// A longer text is not a name.
const MAX_BYLINE_CHARS: usize = 100;

const ROLES: &[&str] = &["menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"];

/// The title of the article, and which elements to drop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stripping<'s> {
    pub(crate) title: Option<&'s str>,
    /// Look for the author's name on the page.
    pub(crate) wants_byline: bool,
    /// Drop elements with an unlikely class, id or role.
    pub(crate) drops_unlikely: bool,
    /// Drop comments and the like.
    pub(crate) drops_furniture: bool,
}

/// Drops those elements. Returns the author's name if it was looked for.
pub(crate) fn strip(page: &mut Page<'_, '_>, stripping: Stripping<'_>) -> Option<String> {
    let mut byline = None;
    let mut at = 0;
    while at < page.document.len() {
        let id = NodeId::at(at);
        let is_element = !matches!(page.document.tag(id), Tag::Text | Tag::Document);
        let is_stripped = !page.is_dropped(id) && is_element && {
            if stripping.wants_byline && byline.is_none() {
                byline = find_byline(page, id);
                byline.is_some() || is_around(page, id, stripping)
            } else {
                is_around(page, id, stripping)
            }
        };
        if is_stripped {
            page.drop_node(id);
            at = page.document.range(id).end.max(at + 1);
        } else {
            at += 1;
        }
    }
    byline
}

fn is_around(page: &Page<'_, '_>, id: NodeId, stripping: Stripping<'_>) -> bool {
    stripping.drops_unlikely && is_unlikely(page, id)
        || stripping.drops_furniture && is_furniture(page, id)
        || stripping.title.is_some_and(|title| repeats_title(page, id, title))
}

fn is_unlikely(page: &Page<'_, '_>, id: NodeId) -> bool {
    let hints = page.hints(id);
    let tag = page.document.tag(id);
    if hints.has(Hints::UNLIKELY)
        && !hints.has(Hints::MAYBE)
        && !matches!(tag, Tag::Body | Tag::Html | Tag::A)
        && !page.is_in_table(id)
        && !page.is_in_code(id)
    {
        return true;
    }
    page.document.raw_attribute(id, "role").is_some_and(|role| ROLES.contains(&role))
}

/// Whether an element is the place for comments, or for what other sites put into a page.
fn is_furniture(page: &Page<'_, '_>, id: NodeId) -> bool {
    let hints = page.hints(id);
    page.document.tag(id) != Tag::Body
        && (hints.has(Hints::FURNITURE) && !hints.has(Hints::MAYBE)
            || page.document.raw_attribute(id, "id").is_some_and(|id| matches!(id, "comments" | "respond")))
}

fn repeats_title(page: &Page<'_, '_>, id: NodeId, title: &str) -> bool {
    matches!(page.document.tag(id), Tag::H1 | Tag::H2)
        && page.document.range(id).len() < 50
        && is_similar(title, &page.line(id))
}

/// Whether at least three quarters of a text are words of a title.
fn is_similar(title: &str, text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let known = words(title);
    let found = words(text);
    let length =
        |words: &mut dyn Iterator<Item = &String>| -> usize { words.map(|word| word.chars().count() + 1).sum() };
    let all = length(&mut found.iter());
    let new = length(&mut found.iter().filter(|word| !known.contains(word)));
    all > 0 && !known.is_empty() && new * 4 < all
}

/// The author's name in an element that is marked as such.
fn find_byline(page: &Page<'_, '_>, id: NodeId) -> Option<String> {
    let is_marked = page.hints(id).has(Hints::BYLINE)
        || page.document.raw_attribute(id, "rel") == Some("author")
        || page.document.raw_attribute(id, "itemprop").is_some_and(|kind| kind.contains("author"));
    if !is_marked || page.document.range(id).len() > 60 {
        return None;
    }
    let text = page.line(id);
    (!text.is_empty() && text.chars().count() < MAX_BYLINE_CHARS).then_some(text)
}
