//! The elements that can be open in the output, and when their tags are written: before their first content.

use std::{mem, rc::Rc};

use super::{Gap, MAX_COPIES, MAX_ELEMENTS, Mode, Writer, push::push_attribute};
use crate::sanitize::element::automatic_child;

/// A start tag.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Tag {
    pub(in super::super) name: &'static str,
    /// As they are written, without the id.
    pub(in super::super) attributes: Option<Rc<str>>,
    /// The id, until it is written.
    pub(in super::super) id: Option<String>,
}

impl Tag {
    pub(in super::super) fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }
}

/// Elements that contain paragraphs, or each other.
pub(super) struct Container {
    pub(super) tag: Tag,
    pub(super) is_written: bool,
    // Added around content that its parent may not have directly.
    pub(super) is_automatic: bool,
    pub(super) has_content: bool,
    // It ends with text without a paragraph: such text after a boundary would be joined to it.
    pub(super) ends_bare: bool,
    // Empty cells of a row that are written before the next cell with content, or at the end of the row.
    pub(super) empty_cells: Vec<Tag>,
}

impl Container {
    pub(super) fn new(tag: Tag) -> Self {
        Self {
            tag,
            is_written: false,
            is_automatic: false,
            has_content: false,
            ends_bare: false,
            empty_cells: Vec::new(),
        }
    }

    pub(super) fn root() -> Self {
        Self { is_written: true, ..Self::new(Tag::new("")) }
    }

    pub(super) fn automatic(name: &'static str) -> Self {
        Self { is_automatic: true, ..Self::new(Tag::new(name)) }
    }
}

/// Inline markup.
pub(super) struct Inline {
    pub(super) tag: Tag,
    pub(super) copies: u8,
}

impl Writer {
    /// Writes pending tags and the gap before content with `elements` more elements; false if the output is full.
    pub(super) fn prepare(&mut self, elements: usize) -> bool {
        if self.is_full || self.out.len() >= self.limit {
            self.is_full = true;
            return false;
        }
        if self.mode == Mode::Text {
            self.prepare_text();
            return true;
        }
        let is_written = |top: &Container| top.is_written;
        if self.is_running
            && !self.is_flat
            && matches!(self.gap, Gap::None | Gap::Space)
            && self.inlines_written == self.inlines.len()
            && self.anchors.is_empty()
            && self.elements + elements <= MAX_ELEMENTS
            && self.containers.last().is_some_and(is_written)
        {
            // The next word of a line: all tags are written.
            self.write_gap();
            self.gap = Gap::None;
            self.preformatted_gap.clear();
            return true;
        }
        let (mut index, written) = (0, self.inlines_written);
        self.inlines.retain(|inline| {
            index += 1;
            index <= written || inline.copies < MAX_COPIES
        });
        if !self.is_flat {
            self.add_automatic();
            let must_be_paragraph = !self.is_running && self.containers.last().is_some_and(|top| top.ends_bare);
            if self.leaf.name.is_empty() && must_be_paragraph {
                self.leaf.name = "p";
            }
            if self.elements + self.pending_elements() + elements > MAX_ELEMENTS {
                self.flatten();
            }
        }
        if self.is_flat && elements > 0 {
            return false;
        }
        if !self.is_flat {
            self.write_pending();
        } else if self.gap > Gap::None && self.is_running {
            self.out.push(' ');
        }
        self.gap = Gap::None;
        self.preformatted_gap.clear();
        self.is_running = true;
        true
    }

    /// Adds the containers without which the open one may not have text.
    pub(super) fn add_automatic(&mut self) {
        while let Some(child) = self.containers.last().and_then(|top| automatic_child(top.tag.name)) {
            self.containers.push(Container::automatic(child));
        }
    }

    /// Writes the line end between blocks of text.
    fn prepare_text(&mut self) {
        let has_line = matches!(self.gap, Gap::Break(_)) || self.preformatted_gap.contains('\n');
        if !self.out.is_empty() && (!self.is_running || has_line) {
            self.out.push('\n');
        } else if self.is_running && self.gap == Gap::Cell {
            self.out.push_str(" | ");
        } else if self.is_running && (self.gap == Gap::Space || !self.preformatted_gap.is_empty()) {
            self.out.push(' ');
        }
        self.gap = Gap::None;
        self.preformatted_gap.clear();
        self.is_running = true;
    }

    fn pending_elements(&self) -> usize {
        let unwritten = self.containers.iter().rev().take_while(|container| !container.is_written);
        let cells: usize = self.containers.iter().map(|container| container.empty_cells.len()).sum();
        let leaf = usize::from(!self.leaf.name.is_empty() && !self.is_leaf_written);
        let gap = match self.gap {
            Gap::Break(count) if self.is_running => usize::from(count),
            Gap::WordBreak if self.is_running => 1,
            _ => 0,
        };
        let inlines = self.inlines.len() - self.inlines_written;
        unwritten.count() + cells + leaf + gap + inlines + self.anchors.len()
    }

    fn write_pending(&mut self) {
        self.write_containers();
        if !self.leaf.name.is_empty() && !self.is_leaf_written {
            self.is_leaf_written = true;
            let mut leaf = mem::take(&mut self.leaf);
            self.start_tag(&mut leaf);
            self.leaf = leaf;
        }
        if let Some(top) = self.containers.last_mut() {
            top.ends_bare = self.leaf.name.is_empty();
            top.has_content = true;
        }
        if self.leaf.name == "pre" && !self.is_running {
            // Blank lines at the start are removed, as browsers remove one; the indentation of the first line stays.
            self.write_inlines();
            let indentation = self.preformatted_gap.rsplit('\n').next().unwrap_or_default();
            self.out.push_str(indentation);
        } else {
            if self.is_running {
                self.write_gap();
            }
            self.write_inlines();
        }
        self.write_anchors();
    }

    /// Writes the targets of links that no element has taken.
    fn write_anchors(&mut self) {
        for id in mem::take(&mut self.anchors) {
            self.start_tag(&mut Tag { id: Some(id), ..Tag::new("span") });
            self.end_tag("span");
        }
    }

    fn write_containers(&mut self) {
        let waiting = self.containers.iter().rev().take_while(|container| !container.is_written).count();
        let first = self.containers.len() - waiting;
        for index in first..self.containers.len() {
            if let Some(parent) = self.containers.get_mut(index.saturating_sub(1)) {
                parent.ends_bare = false;
                parent.has_content = true;
                let cells = mem::take(&mut parent.empty_cells);
                self.write_empty_cells(cells);
            }
            if let Some(container) = self.containers.get_mut(index) {
                container.is_written = true;
                let mut tag = mem::take(&mut container.tag);
                self.start_tag(&mut tag);
                if let Some(container) = self.containers.get_mut(index) {
                    container.tag = tag;
                }
            }
        }
    }

    pub(super) fn write_empty_cells(&mut self, cells: Vec<Tag>) {
        for mut cell in cells {
            self.start_tag(&mut cell);
            self.end_tag(cell.name);
        }
    }

    fn write_gap(&mut self) {
        self.out.push_str(&self.preformatted_gap);
        match self.gap {
            Gap::None => {}
            Gap::WordBreak => self.start_tag(&mut Tag::new("wbr")),
            Gap::Space | Gap::Cell => self.out.push(' '),
            Gap::Break(count) => {
                for _ in 0..count {
                    self.start_tag(&mut Tag::new("br"));
                }
            }
        }
    }

    fn write_inlines(&mut self) {
        while let Some(inline) = self.inlines.get_mut(self.inlines_written) {
            self.inlines_written += 1;
            // Only links have attributes of any length.
            inline.copies += u8::from(inline.tag.attributes.is_some());
            let mut tag = mem::take(&mut inline.tag);
            self.start_tag(&mut tag);
            if let Some(inline) = self.inlines.get_mut(self.inlines_written - 1) {
                inline.tag = tag;
            }
        }
    }

    /// Switches to flat mode: only text follows.
    fn flatten(&mut self) {
        self.boundary();
        self.anchors.clear();
        let may_have_text = |top: &Container| top.is_written && automatic_child(top.tag.name).is_none();
        while self.containers.last().is_some_and(|top| !may_have_text(top)) {
            self.close_to(self.containers.len() - 1);
        }
        for container in &mut self.containers {
            container.empty_cells.clear();
        }
        self.is_running = self.containers.last().is_some_and(|top| top.ends_bare);
        self.gap = Gap::Space;
        self.inlines.clear();
        self.is_flat = true;
    }

    /// Writes a start tag with its id, or with that of an element before it which is not written.
    fn start_tag(&mut self, tag: &mut Tag) {
        self.elements += 1;
        self.out.push('<');
        self.out.push_str(tag.name);
        let is_void = matches!(tag.name, "br" | "wbr");
        let waiting = |anchors: &mut Vec<String>| (!is_void && !anchors.is_empty()).then(|| anchors.remove(0));
        if let Some(id) = tag.id.take().or_else(|| waiting(&mut self.anchors)) {
            push_attribute(&mut self.out, "id", &id);
        }
        self.out.push_str(tag.attributes.as_deref().unwrap_or_default());
        self.out.push('>');
    }

    pub(super) fn end_tag(&mut self, tag: &str) {
        if self.mode == Mode::Html {
            self.out.push_str("</");
            self.out.push_str(tag);
            self.out.push('>');
        }
    }
}
