//! The output: which elements are open in it, and when a tag is really written.
//!
//! Nothing is written before there is something to show in it, and spaces and breaks wait for what follows them, so no
//! element comes out empty and none begins or ends in a space. Four kinds of running markup lie inside one paragraph,
//! paragraphs inside items and quotes: a browser finds nothing to move, and reading the output again writes it again.

mod open;
mod push;

use open::{Container, Inline};
pub(super) use open::{ContainerKind, InlineKind, Leaf};
pub(super) use push::push_attribute;

// Deeper lists and quotes are written into the one around them.
const MOST_CONTAINERS: usize = 64;
// After so many elements the rest is text.
const MOST_ELEMENTS: usize = 20_000;
// A link around many paragraphs is written into each: so often, or a long address would come out without end.
const MOST_COPIES: u8 = 8;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Markup.
    Html,
    /// Text with a line for each block.
    Text,
}

/// What was written in the end.
pub(super) struct Written {
    pub(super) out: String,
    /// Whether some was left out for its length.
    pub(super) is_cut: bool,
}

/// What stands between two pieces of a running text, the stronger later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Break(u8),
    Cell,
}

/// Writes the output.
pub(super) struct Writer {
    out: String,
    mode: Mode,
    limit: usize,
    containers: Vec<Container>,
    inlines: Vec<Inline>,
    inlines_written: usize,
    leaf: Leaf,
    is_leaf_written: bool,
    // Whether the leaf has content, so that what waits in `gap` comes between two things.
    is_running: bool,
    gap: Gap,
    // What waits inside a `pre`, character by character.
    preformatted_gap: String,
    elements: usize,
    // Too many elements were written: only text follows.
    is_flat: bool,
    is_full: bool,
}

impl Writer {
    /// Starts an output of about `limit` bytes at most: what is begun before the limit is finished.
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

    /// What is written.
    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether nothing more will be written.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Closes what is open.
    pub(super) fn finish(mut self) -> Written {
        self.boundary();
        self.is_flat = false;
        self.close_to(1);
        Written { out: self.out, is_cut: self.is_full }
    }

    /// Ends the paragraph, or whatever running text there is.
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

    /// Says what the running text after a boundary lies in.
    pub(super) fn set_leaf(&mut self, leaf: Leaf) {
        if !self.is_flat {
            self.leaf = leaf;
        }
    }

    /// Opens a list, item or quote after a boundary: to what depth to close in the end; none if it cannot be here.
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
            if self.containers.len() + needed > MOST_CONTAINERS {
                return None;
            }
            self.need_item();
        }
        self.containers.push(Container::new(kind));
        Some(self.containers.len() - 1)
    }

    /// Closes lists, items and quotes after a boundary, down to a depth that `open` gave.
    pub(super) fn close_to(&mut self, depth: usize) {
        // The text that follows stays where it began: outside of its item it could not be in the list.
        while !self.is_flat
            && self.containers.len() > depth.max(1)
            && let Some(container) = self.containers.pop()
        {
            if container.is_written {
                self.end_tag(container.kind.tag());
            }
        }
    }

    /// Whether running markup of a kind is open.
    pub(super) fn has(&self, kind: InlineKind) -> bool {
        self.inlines.iter().any(|inline| inline.kind == kind)
    }

    /// Opens running markup that is not open yet; `href` is for links.
    pub(super) fn open_inline(&mut self, kind: InlineKind, href: String) {
        self.inlines.push(Inline { kind, href, copies: 0 });
    }

    /// Closes running markup, whatever was opened inside it and stays open.
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

    /// Puts what follows on a line of its own.
    pub(super) fn new_line(&mut self) {
        if self.leaf == Leaf::Preformatted {
            if !self.preformatted_gap.ends_with('\n') {
                self.preformatted_gap.push('\n');
            }
        } else {
            self.gap = self.gap.max(Gap::Break(1));
        }
    }

    /// Divides two cells of a row.
    pub(super) fn next_cell(&mut self) {
        self.gap = if self.is_flat { self.gap.max(Gap::Space) } else { Gap::Cell };
    }

    /// Adds text, its character references replaced.
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

    /// Adds an image, its tag written out; text has none.
    pub(super) fn image(&mut self, tag: &str) {
        if self.mode == Mode::Html && self.elements < MOST_ELEMENTS && self.prepare(1) {
            self.elements += 1;
            self.out.push_str(tag);
        }
    }

    /// Adds a link with its text; inside a link only the text.
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
