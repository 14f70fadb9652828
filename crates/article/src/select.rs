//! Decides which parts of a page are the article.

use crate::{
    dom::{NodeId, Tag},
    measure::{Measures, Stats},
    page::{Page, Role},
    score::Scores,
};

/// A piece of an article has at least this share of the score of the best piece.
const MIN_TWIN_SCORE: f32 = 0.2;
/// Pieces with more links are lists of articles.
const MAX_LINK_DENSITY: f32 = 0.2;
/// An article has at most so many pieces.
const MAX_TWINS: usize = 32;

/// The part of a page with the article in it. Whatever else is in that part is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    /// Everything of the article is inside.
    pub(crate) root: NodeId,
    /// The chosen nodes in document order.
    pub(crate) parts: Vec<NodeId>,
}

impl Selection {
    /// Whether a node is one of the chosen.
    pub(crate) fn has_part(&self, id: NodeId) -> bool {
        self.parts.binary_search(&id).is_ok()
    }
}

/// Keeps the best element, elements like it, and those of their siblings that continue the text.
pub(crate) fn select(page: &mut Page<'_, '_>, scores: &Scores, measures: &Measures) -> Option<Selection> {
    let body = page.document.first(Tag::Body)?;
    let best = scores.best(page).filter(|best| page.document.tag(*best) != Tag::Body);
    let Some(best) = best else {
        return Some(Selection { root: body, parts: page.children(body).collect() });
    };
    let mut parts = Vec::new();
    let mut done = Vec::new();
    for element in twins(page, scores, measures, best) {
        let Some(parent) = page.document.parent(element) else { continue };
        if !done.contains(&parent) {
            done.push(parent);
            parts.extend(with_siblings(page, scores, measures, element, parent));
        }
    }
    parts.sort_unstable();
    let root = common_ancestor(page, &parts).unwrap_or(body);
    keep_only(page, root, &parts);
    Some(Selection { root, parts })
}

/// The best element and others of the same kind with almost as much text: an article in several pieces.
fn twins(page: &Page<'_, '_>, scores: &Scores, measures: &Measures, best: NodeId) -> Vec<NodeId> {
    let class = page.document.raw_attribute(best, "class").unwrap_or_default();
    let (tag, parent) = (page.document.tag(best), page.document.parent(best));
    let Some(score) = scores.get(best).filter(|_| !class.is_empty()) else { return vec![best] };
    let mut found = vec![best];
    for id in page.document.all(tag) {
        let is_twin = !page.is_dropped(id)
            && page.document.parent(id) != parent
            && scores.get(id).is_some_and(|other| other >= score * MIN_TWIN_SCORE)
            && page.document.raw_attribute(id, "class") == Some(class)
            && measures.get(id).link_density() < MAX_LINK_DENSITY
            && !found.iter().any(|known| page.document.contains(*known, id) || page.document.contains(id, *known));
        if is_twin {
            found.push(id);
        }
        if found.len() == MAX_TWINS {
            break;
        }
    }
    found
}

/// An element and those of its siblings that belong to it.
fn with_siblings(
    page: &Page<'_, '_>,
    scores: &Scores,
    measures: &Measures,
    best: NodeId,
    parent: NodeId,
) -> Vec<NodeId> {
    let best_score = scores.get(best).unwrap_or_default();
    let best_class = page.document.raw_attribute(best, "class").unwrap_or_default();
    let is_mixed = matches!(page.role(parent), Role::Mixed(_));
    let is_part = |child: &NodeId| {
        let class = page.document.raw_attribute(*child, "class").unwrap_or_default();
        let bonus = if !class.is_empty() && class == best_class { best_score * 0.2 } else { 0.0 };
        let is_scored = scores.get(*child).is_some_and(|score| score + bonus >= f32::max(10.0, best_score * 0.2));
        *child == best || is_scored || continues(page, *child, &measures.get(*child), is_mixed)
    };
    page.children(parent).filter(is_part).collect()
}

/// The innermost element around all of some nodes.
fn common_ancestor(page: &Page<'_, '_>, parts: &[NodeId]) -> Option<NodeId> {
    let (first, last) = (*parts.first()?, *parts.last()?);
    page.document.ancestors(first).find(|around| page.document.contains(*around, last))
}

/// Drops everything in an element but some parts and the elements around them.
fn keep_only(page: &mut Page<'_, '_>, root: NodeId, parts: &[NodeId]) {
    let mut at = root.index() + 1;
    let end = page.document.range(root).end;
    let mut next = parts.iter().copied().peekable();
    while at < end {
        let id = NodeId::at(at);
        let after = page.document.range(id).end.max(at + 1);
        while next.peek().is_some_and(|part| *part < id) {
            next.next();
        }
        match next.peek() {
            Some(part) if *part == id => at = after,
            Some(part) if part.index() < after => at += 1,
            _ => {
                page.drop_node(id);
                at = after;
            }
        }
    }
}

/// Whether a sibling is a paragraph of running text.
fn continues(page: &Page<'_, '_>, id: NodeId, stats: &Stats, is_mixed: bool) -> bool {
    let tag = page.document.tag(id);
    let is_text = tag == Tag::P
        || matches!(page.role(id), Role::Paragraph | Role::Wrapper)
        || is_mixed && (tag == Tag::Text || !tag.is_block());
    if !is_text {
        return false;
    }
    let density = stats.link_density();
    stats.chars > 80 && density < 0.25
        || stats.chars > 0 && stats.chars <= 80 && density == 0.0 && has_sentence(&page.line(id))
}

/// Whether a sentence ends in a text.
pub(crate) fn has_sentence(text: &str) -> bool {
    text.ends_with('.') || text.contains(". ") || text.contains('。')
}
