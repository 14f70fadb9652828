//! Drops what a reader does not see.

use super::Page;
use crate::dom::{NodeId, Tag};

impl Page<'_, '_> {
    pub(super) fn drop_invisible(&mut self) {
        let mut at = 0;
        while at < self.document.len() {
            let id = NodeId::at(at);
            if self.is_dropped(id) || !self.is_invisible(id) {
                at += 1;
                continue;
            }
            self.drop_node(id);
            at = self.document.range(id).end.max(at + 1);
        }
        let copies: Vec<NodeId> = self.document.all(Tag::Noscript).collect();
        for noscript in copies {
            self.resolve_noscript(noscript);
        }
    }

    fn is_invisible(&self, id: NodeId) -> bool {
        use Tag::*;
        match self.document.tag(id) {
            Head | Script | Style | Template | Link | Meta | Title | Noembed | Noframes | Canvas | Dialog => true,
            Text | Document | Html | Body => false,
            _ => self.is_hidden(id),
        }
    }

    fn is_hidden(&self, id: NodeId) -> bool {
        let mut is_dialog = (false, false);
        for (name, value) in self.document.attributes(id) {
            if name.eq_ignore_ascii_case("style") && hides(value) || name.eq_ignore_ascii_case("hidden") {
                return true;
            }
            if name.eq_ignore_ascii_case("aria-hidden") && value == "true" && !self.is_fallback_image(id) {
                return true;
            }
            is_dialog.0 |= name.eq_ignore_ascii_case("role") && value == "dialog";
            is_dialog.1 |= name.eq_ignore_ascii_case("aria-modal") && value == "true";
        }
        is_dialog == (true, true)
    }

    /// Images for formulas are hidden from screen readers only.
    fn is_fallback_image(&self, id: NodeId) -> bool {
        self.document.tag(id) == Tag::Math
            || self.document.raw_attribute(id, "class").is_some_and(|class| class.contains("fallback-image"))
    }

    /// Keeps the image of a `noscript` instead of the placeholder before it. Anything else in a `noscript` is dropped.
    fn resolve_noscript(&mut self, noscript: NodeId) {
        if self.is_dropped(noscript) {
            return;
        }
        let mut images = 0;
        let mut has_text = false;
        for id in self.kept(noscript) {
            match self.document.tag(id) {
                Tag::Img => images += 1,
                Tag::Text => has_text |= !self.document.text(id).trim().is_empty(),
                _ => {}
            }
        }
        if images != 1 || has_text {
            return self.drop_node(noscript);
        }
        if let Some(before) = self.element_before(noscript)
            && self.is_only_image(before)
        {
            self.drop_node(before);
        }
    }

    fn element_before(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.document.parent(id)?;
        // The sibling before ends where this one starts, except for white space: no search through all siblings.
        let mut at = id.index().checked_sub(1)?;
        if self.document.tag(NodeId::at(at)) == Tag::Text {
            if !self.document.text(NodeId::at(at)).trim().is_empty() {
                return None;
            }
            at = at.checked_sub(1)?;
        }
        let mut before = NodeId::at(at);
        while self.document.parent(before)? != parent {
            before = self.document.parent(before)?;
        }
        Some(before).filter(|before| *before > parent)
    }

    fn is_only_image(&self, id: NodeId) -> bool {
        let range = self.document.range(id);
        range.len() <= 8
            && range.clone().any(|at| self.document.tag(NodeId::at(at)) == Tag::Img)
            && range.map(NodeId::at).all(|node| self.document.text(node).trim().is_empty())
    }
}

/// Whether a `style` hides its element.
fn hides(style: &str) -> bool {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    { declarations }.any(|(name, value)| {
        let (name, value) = (name.trim(), value.trim());
        name.eq_ignore_ascii_case("display") && starts_with(value, "none")
            || name.eq_ignore_ascii_case("visibility") && starts_with(value, "hidden")
    })
}

fn starts_with(value: &str, start: &str) -> bool {
    value.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}
