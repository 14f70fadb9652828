//! The elements that can be open in the output, and when their tags are written: before their first content.

use super::{Gap, MAX_COPIES, MAX_ELEMENTS, Mode, Writer, push::push_attribute};

/// The direct parent of inline text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Leaf {
    /// Directly in an item, a quote or the body.
    Bare,
    /// `p`.
    Paragraph,
    /// `pre`.
    Preformatted,
}

/// Elements that contain paragraphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ContainerKind {
    /// The body itself.
    Root,
    /// `blockquote`.
    Quote,
    /// `ul`.
    Bullets,
    /// `ol`.
    Numbers,
    /// `li`.
    Item,
}

impl ContainerKind {
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Quote => "blockquote",
            Self::Bullets => "ul",
            Self::Numbers => "ol",
            Self::Item => "li",
        }
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Bullets | Self::Numbers)
    }
}

pub(super) struct Container {
    pub(super) kind: ContainerKind,
    pub(super) is_written: bool,
    // An item added for text directly in a list.
    pub(super) is_automatic: bool,
    // It ends with text without a paragraph: such text after a boundary would be joined to it.
    pub(super) ends_bare: bool,
}

impl Container {
    pub(super) fn new(kind: ContainerKind) -> Self {
        Self { kind, is_written: false, is_automatic: false, ends_bare: false }
    }

    pub(super) fn root() -> Self {
        Self { is_written: true, ..Self::new(ContainerKind::Root) }
    }
}

/// Inline markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum InlineKind {
    /// `a`.
    Anchor,
    /// `strong`.
    Strong,
    /// `em`.
    Emphasis,
    /// `code`.
    Code,
}

impl InlineKind {
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Anchor => "a",
            Self::Strong => "strong",
            Self::Emphasis => "em",
            Self::Code => "code",
        }
    }
}

pub(super) struct Inline {
    pub(super) kind: InlineKind,
    pub(super) href: String,
    pub(super) copies: u8,
}

impl Writer {
    /// Writes pending tags and the gap before content with `elements` more elements; false if the output is full.
    pub(super) fn prepare(&mut self, elements: usize) -> bool {
        if self.is_full || self.out.len() >= self.limit {
            self.is_full = true;
            return false;
        }
        let (mut index, written) = (0, self.inlines_written);
        self.inlines.retain(|inline| {
            index += 1;
            index <= written || inline.copies < MAX_COPIES
        });
        if self.mode == Mode::Text {
            self.prepare_text();
            return true;
        }
        if !self.is_flat {
            self.need_item();
            let must_be_paragraph = !self.is_running && self.containers.last().is_some_and(|top| top.ends_bare);
            if self.leaf == Leaf::Bare && must_be_paragraph {
                self.leaf = Leaf::Paragraph;
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

    /// Writes the line end between blocks of text.
    fn prepare_text(&mut self) {
        let has_line = self.gap >= Gap::Break(1) && self.gap != Gap::Cell || self.preformatted_gap.contains('\n');
        if !self.out.is_empty() && (!self.is_running || has_line) {
            self.out.push('\n');
        } else if self.is_running && self.gap == Gap::Cell {
            self.out.push_str(" | ");
        } else if self.is_running && (self.gap > Gap::None || !self.preformatted_gap.is_empty()) {
            self.out.push(' ');
        }
        self.gap = Gap::None;
        self.preformatted_gap.clear();
        self.is_running = true;
    }

    fn pending_elements(&self) -> usize {
        let containers = self.containers.iter().rev().take_while(|container| !container.is_written).count();
        let leaf = usize::from(self.leaf != Leaf::Bare && !self.is_leaf_written);
        let breaks = match self.gap {
            Gap::Break(count) if self.is_running => usize::from(count),
            _ => 0,
        };
        containers + leaf + breaks + self.inlines.len() - self.inlines_written
    }

    fn write_pending(&mut self) {
        self.write_containers();
        if self.leaf != Leaf::Bare && !self.is_leaf_written {
            self.is_leaf_written = true;
            self.start_tag(if self.leaf == Leaf::Paragraph { "p" } else { "pre" });
        }
        if let Some(top) = self.containers.last_mut() {
            top.ends_bare = self.leaf == Leaf::Bare;
        }
        if self.leaf == Leaf::Preformatted && !self.is_running {
            // Blank lines at the start are removed, as browsers remove one; the indentation of the first line stays.
            self.write_inlines();
            let indentation = self.preformatted_gap.rsplit('\n').next().unwrap_or_default();
            self.out.push_str(indentation);
            return;
        }
        if self.is_running {
            self.write_gap();
        }
        self.write_inlines();
    }

    fn write_containers(&mut self) {
        let waiting = self.containers.iter().rev().take_while(|container| !container.is_written).count();
        let first = self.containers.len() - waiting;
        for index in first..self.containers.len() {
            if let Some(parent) = self.containers.get_mut(index.saturating_sub(1)) {
                parent.ends_bare = false;
            }
            if let Some(container) = self.containers.get_mut(index) {
                container.is_written = true;
                let tag = container.kind.tag();
                self.start_tag(tag);
            }
        }
    }

    fn write_gap(&mut self) {
        self.out.push_str(&self.preformatted_gap);
        match self.gap {
            Gap::None => {}
            Gap::Space => self.out.push(' '),
            Gap::Cell => self.out.push_str(" | "),
            Gap::Break(count) => {
                for _ in 0..count {
                    self.start_tag("br");
                }
            }
        }
    }

    fn write_inlines(&mut self) {
        while let Some(inline) = self.inlines.get_mut(self.inlines_written) {
            self.inlines_written += 1;
            let kind = inline.kind;
            if kind != InlineKind::Anchor {
                self.start_tag(kind.tag());
                continue;
            }
            inline.copies += 1;
            self.elements += 1;
            self.out.push_str("<a");
            push_attribute(&mut self.out, "href", &inline.href);
            self.out.push_str(" target=\"_blank\" rel=\"noopener noreferrer\">");
        }
    }

    /// Switches to flat mode: only text follows.
    fn flatten(&mut self) {
        self.boundary();
        while self.containers.last().is_some_and(|top| !top.is_written || top.kind.is_list()) {
            self.close_to(self.containers.len() - 1);
        }
        self.is_running = self.containers.last().is_some_and(|top| top.ends_bare);
        self.gap = Gap::Space;
        self.inlines.clear();
        self.is_flat = true;
    }

    fn start_tag(&mut self, tag: &str) {
        self.elements += 1;
        self.out.push('<');
        self.out.push_str(tag);
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
