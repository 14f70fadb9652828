//! Writes the output, and tracks its open elements.
//!
//! Tags are written when there is content for them, and spaces and breaks when more content follows. So no element is empty,
//! begins or ends with a space. Inline markup is inside one paragraph, and paragraphs are inside items and quotes: a browser
//! moves nothing, and sanitising the output again does not change it.

mod open;
mod push;

use open::{Container, Inline};
pub(super) use open::{ContainerKind, InlineKind, Leaf};
pub(super) use push::push_attribute;

// Deeper lists and quotes are merged into the enclosing one.
const MAX_CONTAINERS: usize = 64;
// After this many elements the rest is text.
const MAX_ELEMENTS: usize = 20_000;
// A link around several paragraphs is repeated in each. The limit prevents excessive output for long addresses.
const MAX_COPIES: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Html,
    /// Text with a line for each block.
    Text,
}

pub(super) struct Written {
    pub(super) out: String,
    /// Whether the output was cut.
    pub(super) is_cut: bool,
}

/// The separator between two parts of inline text, from weakest to strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Break(u8),
    Cell,
}

pub(super) struct Writer {
    out: String,
    mode: Mode,
    limit: usize,
    containers: Vec<Container>,
    inlines: Vec<Inline>,
    inlines_written: usize,
    leaf: Leaf,
    is_leaf_written: bool,
    // Whether the leaf has content, so that `gap` will be written.
    is_running: bool,
    gap: Gap,
    // Pending white space inside a `pre`.
    preformatted_gap: String,
    elements: usize,
    // The limit of elements is reached: only text follows.
    is_flat: bool,
    is_full: bool,
}

impl Writer {
    /// Starts an output of about `limit` bytes: elements begun before the limit are finished.
    pub(super) fn new(mode: Mode, limit: usize) -> Self {
        Self {
            out: String::new(),
            mode,
            limit,
            containers: vec![Container::root()],
            inlines: Vec::new(),
            inlines_written: 0,
            leaf: Leaf::Bare,
            is_leaf_written: false,
            is_running: false,
            gap: Gap::None,
            preformatted_gap: String::new(),
            elements: 0,
            is_flat: false,
            is_full: false,
        }
    }

    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether nothing more will be written.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Closes all open elements.
    pub(super) fn finish(mut self) -> Written {
        self.boundary();
        self.is_flat = false;
        self.close_to(1);
        Written { out: self.out, is_cut: self.is_full }
    }

    /// Ends the paragraph or other inline text.
    pub(super) fn boundary(&mut self) {
        if self.is_flat {
            self.gap = self.gap.max(Gap::Space);
            return;
        }
        self.close_inlines_to(0);
        if self.is_leaf_written {
            self.end_tag(match self.leaf {
                Leaf::Preformatted => "pre",
                _ => "p",
            });
        }
        self.leaf = Leaf::Bare;
        self.is_leaf_written = false;
        self.is_running = false;
        self.gap = Gap::None;
        self.preformatted_gap.clear();
    }

    /// Sets the leaf for text after a boundary.
    pub(super) fn set_leaf(&mut self, leaf: Leaf) {
        if !self.is_flat {
            self.leaf = leaf;
        }
    }

    /// Opens a list, item or quote after a boundary. Returns the depth for [`Writer::close_to`], or `None` if it is not allowed
    /// here.
    pub(super) fn open(&mut self, kind: ContainerKind) -> Option<usize> {
        if self.is_flat {
            return None;
        }
        if kind == ContainerKind::Item {
            if self.containers.last().is_some_and(|top| top.is_automatic) {
                self.close_to(self.containers.len() - 1);
            }
            if !self.is_in_list() {
                return None;
            }
        } else {
            let needed = usize::from(self.is_in_list()) + if kind == ContainerKind::Quote { 1 } else { 2 };
            if self.containers.len() + needed > MAX_CONTAINERS {
                return None;
            }
            self.need_item();
        }
        self.containers.push(Container::new(kind));
        Some(self.containers.len() - 1)
    }

    /// Closes lists, items and quotes after a boundary, down to a depth returned by [`Writer::open`].
    pub(super) fn close_to(&mut self, depth: usize) {
        // In flat mode nothing is closed: text outside its item would be invalid in the list.
        while !self.is_flat
            && self.containers.len() > depth.max(1)
            && let Some(container) = self.containers.pop()
        {
            if container.is_written {
                self.end_tag(container.kind.tag());
            }
        }
    }

    /// Whether inline markup of this kind is open.
    pub(super) fn has(&self, kind: InlineKind) -> bool {
        self.inlines.iter().any(|inline| inline.kind == kind)
    }

    /// Opens inline markup that is not yet open; `href` is for links.
    pub(super) fn open_inline(&mut self, kind: InlineKind, href: String) {
        self.inlines.push(Inline { kind, href, copies: 0 });
    }

    /// Closes inline markup. Markup that was opened inside it stays open.
    pub(super) fn close_inline(&mut self, kind: InlineKind) {
        if let Some(index) = self.inlines.iter().position(|inline| inline.kind == kind) {
            self.close_inlines_to(index);
            self.inlines.remove(index);
        }
    }

    /// Adds a line break.
    pub(super) fn line_break(&mut self) {
        if self.leaf == Leaf::Preformatted {
            self.preformatted_gap.push('\n');
            return;
        }
        self.gap = match self.gap {
            Gap::Cell => Gap::Cell,
            Gap::Break(_) => Gap::Break(2),
            _ => Gap::Break(1),
        };
    }

    /// Starts a new line unless the output is at the start of one.
    pub(super) fn new_line(&mut self) {
        if self.leaf == Leaf::Preformatted {
            if !self.preformatted_gap.ends_with('\n') {
                self.preformatted_gap.push('\n');
            }
        } else {
            self.gap = self.gap.max(Gap::Break(1));
        }
    }

    /// Separates two cells of a row.
    pub(super) fn next_cell(&mut self) {
        self.gap = if self.is_flat { self.gap.max(Gap::Space) } else { Gap::Cell };
    }

    /// Adds text without character references.
    pub(super) fn text(&mut self, mut text: &str) {
        if self.leaf == Leaf::Preformatted {
            return self.preformatted_text(text);
        }
        while !text.is_empty() && !self.is_full {
            let word = text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
            let (before, after) = text.split_at(word);
            self.running_word(before);
            text = after.trim_ascii_start();
            self.space_if(text.len() < after.len());
        }
    }

    /// Adds the tag of an image, in HTML mode.
    pub(super) fn image(&mut self, tag: &str) {
        if self.mode == Mode::Html && self.elements < MAX_ELEMENTS && self.prepare(1) {
            self.elements += 1;
            self.out.push_str(tag);
        }
    }

    /// Adds a link with its text; inside another link only the text.
    pub(super) fn link(&mut self, href: String, label: &str) {
        if self.has(InlineKind::Anchor) {
            return self.text(label);
        }
        self.open_inline(InlineKind::Anchor, href);
        self.text(label);
        self.close_inline(InlineKind::Anchor);
    }

    fn is_in_list(&self) -> bool {
        self.containers.last().is_some_and(|top| top.kind.is_list())
    }

    fn need_item(&mut self) {
        if self.is_in_list() {
            self.containers.push(Container { is_automatic: true, ..Container::new(ContainerKind::Item) });
        }
    }

    fn close_inlines_to(&mut self, index: usize) {
        while self.inlines_written > index {
            self.inlines_written -= 1;
            if let Some(inline) = self.inlines.get(self.inlines_written) {
                let tag = inline.kind.tag();
                self.end_tag(tag);
            }
        }
    }
}
