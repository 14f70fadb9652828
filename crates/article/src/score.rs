//! Scores elements by the paragraphs in them, and finds the best.

use crate::{
    dom::{NodeId, Tag},
    measure::Measures,
    page::{Page, Paragraph, Role},
};

/// Shorter paragraphs have no score.
const MIN_CHARS: u32 = 25;
/// How many elements around a paragraph share its score.
const LEVELS: usize = 5;
/// How many elements compete.
const BEST: usize = 5;
/// How many of the best must be in a common element for it to be better.
const MIN_SHARED: usize = 3;

/// The scores of elements, by their position.
#[derive(Debug)]
pub(crate) struct Scores {
    scores: Vec<Option<f32>>,
    uses_hints: bool,
}

impl Scores {
    /// Scores all elements around paragraphs.
    pub(crate) fn new(page: &Page<'_, '_>, paragraphs: &[Paragraph], measures: &Measures, uses_hints: bool) -> Scores {
        let mut scores = Scores { scores: vec![None; page.document.len()], uses_hints };
        for paragraph in paragraphs.iter().filter(|paragraph| paragraph.chars >= MIN_CHARS) {
            scores.add(page, paragraph);
        }
        for id in page.document.nodes() {
            if let Some(Some(score)) = scores.scores.get_mut(id.index()) {
                *score *= 1.0 - measures.get(id).link_density();
            }
        }
        scores
    }

    fn add(&mut self, page: &Page<'_, '_>, paragraph: &Paragraph) {
        let score = 2.0 + paragraph.commas as f32 + (paragraph.chars / 100).min(3) as f32;
        let mut around = Some(paragraph.parent);
        for level in 0..LEVELS {
            let Some(id) = around.filter(|id| !matches!(page.document.tag(*id), Tag::Html | Tag::Document)) else {
                return;
            };
            let start = self.start(page, id);
            let divider = match level {
                0 => 1.0,
                1 => 2.0,
                level => level as f32 * 3.0,
            };
            if let Some(slot) = self.scores.get_mut(id.index()) {
                *slot.get_or_insert(start) += score / divider;
            }
            around = page.scored_parent(id);
        }
    }

    /// The score of an element before its paragraphs count.
    fn start(&self, page: &Page<'_, '_>, id: NodeId) -> f32 {
        use Tag::*;
        let by_tag = match page.document.tag(id) {
            Div => 5.0,
            Pre | Td | Blockquote => 3.0,
            Address | Ol | Ul | Dl | Dd | Dt | Li | Form => -3.0,
            H1 | H2 | H3 | H4 | H5 | H6 | Th => -5.0,
            _ => 0.0,
        };
        by_tag + if self.uses_hints { page.hints(id).weight() } else { 0.0 }
    }

    pub(crate) fn get(&self, id: NodeId) -> Option<f32> {
        self.scores.get(id.index()).copied().flatten()
    }

    /// The element that contains the article, or at least most of it.
    pub(crate) fn best(&self, page: &Page<'_, '_>) -> Option<NodeId> {
        let ranked = self.ranked(page);
        let (best, score) = ranked.first().copied()?;
        if page.document.tag(best) == Tag::Body {
            return Some(best);
        }
        let shared = self.shared(page, &ranked);
        let start = shared.unwrap_or(best);
        let start_score = self.get(start).unwrap_or(score);
        let climbed = self.climb(page, start, start_score);
        Some(leave_only_children(page, climbed))
    }

    /// The elements with the highest scores, the best first.
    fn ranked(&self, page: &Page<'_, '_>) -> Vec<(NodeId, f32)> {
        let mut ranked: Vec<(NodeId, f32)> = Vec::new();
        for id in page.document.nodes() {
            let Some(score) = self.get(id) else { continue };
            let place = ranked.iter().position(|(_, other)| score > *other).unwrap_or(ranked.len());
            if place < BEST {
                ranked.insert(place, (id, score));
                ranked.truncate(BEST);
            }
        }
        ranked
    }

    /// An element around several of the best, if they are about equally good.
    fn shared(&self, page: &Page<'_, '_>, ranked: &[(NodeId, f32)]) -> Option<NodeId> {
        let (best, score) = *ranked.first()?;
        let rivals: Vec<NodeId> =
            ranked.iter().skip(1).filter(|(_, other)| *other >= score * 0.75).map(|(id, _)| *id).collect();
        if rivals.len() < MIN_SHARED {
            return None;
        }
        page.document.ancestors(best).take_while(|around| page.document.tag(*around) != Tag::Body).find(|around| {
            rivals.iter().filter(|rival| *rival != around && page.document.contains(*around, **rival)).count()
                >= MIN_SHARED
        })
    }

    /// Goes outwards as long as the score rises: there may be more of the article around.
    fn climb(&self, page: &Page<'_, '_>, start: NodeId, score: f32) -> NodeId {
        let mut last = score;
        for around in page.document.ancestors(start) {
            if page.document.tag(around) == Tag::Body {
                break;
            }
            let Some(outer) = self.get(around) else { continue };
            if outer < score / 3.0 {
                break;
            }
            if outer > last {
                return around;
            }
            last = outer;
        }
        start
    }
}

/// An element that is alone in its parent has no siblings, but its parent may.
fn leave_only_children(page: &Page<'_, '_>, start: NodeId) -> NodeId {
    let mut best = start;
    while let Some(parent) = page.document.parent(best) {
        let is_alone =
            page.children(parent).filter(|child| page.document.tag(*child) != Tag::Text).take(2).count() == 1;
        let has_texts = matches!(page.role(parent), Role::Mixed(_));
        if !is_alone || has_texts || matches!(page.document.tag(parent), Tag::Body | Tag::Html | Tag::Document) {
            break;
        }
        best = parent;
    }
    best
}
