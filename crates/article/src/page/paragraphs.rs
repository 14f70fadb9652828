//! Which elements act as paragraphs: `p`, but also texts between blocks, and `div` without blocks.

use super::{
    Page,
    blocks::{Blocks, blocks_of},
};
use crate::{
    dom::{NodeId, Tag},
    measure::{Measures, Stats},
};

/// What an element acts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    /// What its tag says.
    #[default]
    Plain,
    /// A paragraph, though it is a `div`.
    Paragraph,
    /// A `div` around one paragraph, as if it were not there.
    Wrapper,
    /// An element with texts of its own between its blocks: so many paragraphs without a tag.
    Mixed(u16),
}

/// A text to score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paragraph {
    /// The element that gets most of the score.
    pub(crate) parent: NodeId,
    pub(crate) chars: u32,
    pub(crate) commas: u32,
}

impl Page<'_, '_> {
    pub(crate) fn role(&self, id: NodeId) -> Role {
        self.roles.get(id.index()).copied().unwrap_or_default()
    }

    /// How many paragraphs a node is, apart from those in its elements.
    pub(crate) fn paragraphs_of(&self, id: NodeId) -> u32 {
        match (self.role(id), self.document.tag(id)) {
            (Role::Mixed(texts), _) => texts.into(),
            (Role::Paragraph, _) | (_, Tag::P) => 1,
            _ => 0,
        }
    }

    /// Whether cleaning treats a node as a `div`.
    pub(crate) fn is_division(&self, id: NodeId) -> bool {
        matches!(self.document.tag(id), Tag::Div) && matches!(self.role(id), Role::Plain | Role::Mixed(_))
            || self.document.tag(id) == Tag::P && matches!(self.role(id), Role::Mixed(_))
    }

    /// The element around a node, without wrappers.
    pub(crate) fn scored_parent(&self, id: NodeId) -> Option<NodeId> {
        let mut parent = self.document.parent(id)?;
        while self.role(parent) == Role::Wrapper {
            parent = self.document.parent(parent)?;
        }
        Some(parent)
    }

    /// Finds the paragraphs of a page.
    pub(crate) fn find_paragraphs(&mut self, measures: &Measures) -> Vec<Paragraph> {
        let mut found = Vec::new();
        let blocks = self.find_blocks();
        self.roles.fill(Role::Plain);
        for id in self.document.nodes() {
            if self.is_dropped(id) {
                continue;
            }
            let stats = measures.get(id);
            match self.document.tag(id) {
                Tag::Div => self.divide(id, &stats, &blocks, measures, &mut found),
                Tag::P if self.has_double_break(id) => self.mix(id, &blocks, measures, &mut found),
                Tag::P | Tag::Section | Tag::Td | Tag::Pre => self.add(id, &stats, &mut found),
                tag if tag.is_heading() && tag != Tag::H1 => self.add(id, &stats, &mut found),
                Tag::Article | Tag::Main | Tag::Body | Tag::Blockquote | Tag::Center | Tag::Font | Tag::Form => {
                    self.mix(id, &blocks, measures, &mut found);
                }
                _ => {}
            }
        }
        found
    }

    fn add(&self, id: NodeId, stats: &Stats, found: &mut Vec<Paragraph>) {
        if let Some(parent) = self.scored_parent(id) {
            found.push(Paragraph { parent, chars: stats.chars, commas: stats.commas });
        }
    }

    fn divide(
        &mut self,
        id: NodeId,
        stats: &Stats,
        blocks: &[Blocks],
        measures: &Measures,
        found: &mut Vec<Paragraph>,
    ) {
        let mut shape = Shape::default();
        for child in self.children(id) {
            shape.add(self, child, blocks_of(blocks, child).is_inline);
        }
        let role = match shape {
            Shape { texts: 1, elements: 0, .. } if stats.link_density() < 0.25 => Role::Paragraph,
            Shape { texts: 0, elements: 1, paragraphs: 1, .. } if stats.link_density() < 0.25 => Role::Wrapper,
            Shape { texts: 0, .. } if !blocks_of(blocks, id).contains_block => Role::Paragraph,
            Shape { texts: 0, .. } => Role::Plain,
            _ => return self.mix(id, blocks, measures, found),
        };
        self.set_role(id, role);
        if role == Role::Paragraph {
            self.add(id, stats, found);
        }
    }

    /// Finds the texts between the blocks of an element.
    fn mix(&mut self, id: NodeId, blocks: &[Blocks], measures: &Measures, found: &mut Vec<Paragraph>) {
        let mut texts: u16 = 0;
        let mut text = Paragraph { parent: id, chars: 0, commas: 0 };
        let mut is_open = false;
        let mut breaks = 0;
        for child in self.children(id) {
            let tag = self.document.tag(child);
            breaks = if tag == Tag::Br { breaks + 1 } else { breaks };
            if !blocks_of(blocks, child).is_inline || breaks > 1 {
                if is_open {
                    found.push(text);
                    texts = texts.saturating_add(1);
                }
                (is_open, text.chars, text.commas) = (false, 0, 0);
                if breaks < 2 || tag != Tag::Br {
                    breaks = 0;
                }
                continue;
            }
            let inner = measures.get(child);
            if inner.chars > 0 || tag == Tag::Img {
                (is_open, breaks) = (true, 0);
                text.chars += inner.chars;
                text.commas += inner.commas;
            }
        }
        if is_open {
            found.push(text);
            texts = texts.saturating_add(1);
        }
        if texts > 0 {
            self.set_role(id, Role::Mixed(texts));
        }
    }

    fn has_double_break(&self, id: NodeId) -> bool {
        let mut breaks = 0;
        for child in self.children(id) {
            match self.document.tag(child) {
                Tag::Br => breaks += 1,
                Tag::Text if self.document.text(child).trim().is_empty() => {}
                _ => breaks = 0,
            }
            if breaks > 1 {
                return true;
            }
        }
        false
    }

    fn set_role(&mut self, id: NodeId, role: Role) {
        if let Some(slot) = self.roles.get_mut(id.index()) {
            *slot = role;
        }
    }
}

/// What the children of an element are.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    texts: u32,
    elements: u32,
    paragraphs: u32,
    is_in_text: bool,
}

impl Shape {
    fn add(&mut self, page: &Page<'_, '_>, child: NodeId, is_inline: bool) {
        let tag = page.document.tag(child);
        if !is_inline {
            self.elements += 1;
            self.paragraphs += u32::from(tag == Tag::P);
            self.is_in_text = false;
        } else if !self.is_in_text && tag != Tag::Br && !(tag == Tag::Text && page.text_size(child).chars == 0) {
            self.texts += 1;
            self.is_in_text = true;
        }
    }
}
