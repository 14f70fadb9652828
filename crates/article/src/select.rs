//! Decides which parts of a page are the article.

use crate::{
    dom::{NodeId, Tag},
    measure::{Measures, Stats},
    page::{Page, Role},
    score::Scores,
};

/// The part of a page with the article in it. Whatever else is in that part is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    /// Everything of the article is inside.
    pub(crate) root: NodeId,
    /// The chosen children of the root.
    pub(crate) parts: Vec<NodeId>,
}

/// Keeps the best element, and those of its siblings that continue its text.
pub(crate) fn select(page: &mut Page<'_, '_>, scores: &Scores, measures: &Measures) -> Option<Selection> {
    let body = page.document.first(Tag::Body)?;
    let best = scores.best(page).filter(|best| page.document.tag(*best) != Tag::Body);
    let (Some(best), Some(root)) = (best, best.and_then(|best| page.document.parent(best))) else {
        return Some(Selection { root: body, parts: page.children(body).collect() });
    };
    let best_score = scores.get(best).unwrap_or_default();
    let best_class = page.document.raw_attribute(best, "class").unwrap_or_default();
    let is_mixed = matches!(page.role(root), Role::Mixed(_));
    let mut parts = Vec::new();
    let children: Vec<NodeId> = page.children(root).collect();
    for child in children {
        let is_part = child == best || {
            let class = page.document.raw_attribute(child, "class").unwrap_or_default();
            let bonus = if !class.is_empty() && class == best_class { best_score * 0.2 } else { 0.0 };
            let is_scored = scores.get(child).is_some_and(|score| score + bonus >= f32::max(10.0, best_score * 0.2));
            is_scored || continues(page, child, &measures.get(child), is_mixed)
        };
        if is_part {
            parts.push(child);
        } else {
            page.drop_node(child);
        }
    }
    Some(Selection { root, parts })
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
