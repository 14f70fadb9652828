//! Which elements contain blocks, and which can be part of a line of text.

use super::Page;
use crate::dom::{NodeId, Tag};

/// Whether an element is inline, and which blocks are inside it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Blocks {
    /// It can be part of a line of text.
    pub(super) is_inline: bool,
    has_outline_child: bool,
    pub(super) contains_block: bool,
}

pub(super) fn blocks_of(blocks: &[Blocks], id: NodeId) -> Blocks {
    blocks.get(id.index()).copied().unwrap_or_default()
}

impl Page<'_, '_> {
    /// Which elements contain blocks.
    pub(super) fn find_blocks(&self) -> Vec<Blocks> {
        let mut blocks = vec![Blocks::default(); self.document.len()];
        for id in self.document.nodes().rev() {
            if self.is_dropped(id) {
                continue;
            }
            let tag = self.document.tag(id);
            let Some(own) = blocks.get_mut(id.index()) else { continue };
            own.is_inline = match tag {
                Tag::A | Tag::Del | Tag::Ins => !own.has_outline_child,
                tag => is_phrasing(tag),
            };
            let own = *own;
            let parent = self.document.parent(id);
            if let Some(parent) = parent.and_then(|parent| blocks.get_mut(parent.index())) {
                parent.has_outline_child |= !own.is_inline;
                parent.contains_block |= own.contains_block || divides(tag);
            }
        }
        blocks
    }
}

/// An element that is never inside a paragraph.
fn divides(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Blockquote | Dl | Div | Img | Ol | P | Pre | Table | Ul)
}

/// An element that is part of a line of text.
fn is_phrasing(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Text | Abbr
            | Acronym
            | Audio
            | B
            | Bdi
            | Bdo
            | Big
            | Br
            | Button
            | Cite
            | Code
            | Data
            | Datalist
            | Dfn
            | Em
            | Embed
            | Font
            | I
            | Img
            | Input
            | Kbd
            | Label
            | Mark
            | Math
            | Meter
            | Nobr
            | Noscript
            | Object
            | Output
            | Picture
            | Progress
            | Q
            | Ruby
            | S
            | Samp
            | Select
            | Small
            | Span
            | Strike
            | Strong
            | Sub
            | Sup
            | Textarea
            | Time
            | Tt
            | U
            | Var
            | Wbr
    )
}
