//! Which links are in the middle of a sentence.

use article::dom::{Document, NodeId, Tag};

use crate::{dates::is_date, text::width};

/// The columns of text directly inside each element, counted once for the whole page.
pub(crate) struct Prose<'d> {
    document: &'d Document<'d>,
    /// For an element: the columns of its own text.
    own: Vec<usize>,
    /// For a node: the columns of its parent's own text before it.
    before: Vec<usize>,
}

impl<'d> Prose<'d> {
    pub(crate) fn of(document: &'d Document<'d>) -> Prose<'d> {
        let mut prose = Prose { document, own: vec![0; document.len()], before: vec![0; document.len()] };
        for id in document.nodes() {
            let Some(parent) = document.parent(id) else { continue };
            let Some(own) = prose.own.get_mut(parent.index()) else { continue };
            if let Some(before) = prose.before.get_mut(id.index()) {
                *before = *own;
            }
            if document.tag(id) == Tag::Text && !is_date(document.text(id)) {
                *own += width(document.text(id));
            }
        }
        prose
    }

    /// Whether a link is in the middle of a sentence.
    pub(crate) fn contains(&self, anchor: NodeId) -> bool {
        let mut child = anchor;
        for around in self.document.ancestors(anchor) {
            let tag = self.document.tag(around);
            if tag.is_block() {
                let (before, own) = (self.before.get(child.index()), self.own.get(around.index()));
                let is_text = matches!(tag, Tag::P | Tag::Blockquote | Tag::Dd | Tag::Li | Tag::Td | Tag::Div);
                return is_text && before.is_some_and(|before| *before > 16) && own.is_some_and(|own| *own > 40);
            }
            child = around;
        }
        false
    }
}
