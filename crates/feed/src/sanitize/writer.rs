//! Writes the output, and tracks its open elements.
//!
//! Tags are written when there is content for them, and spaces and breaks when more content follows. So no element is empty,
//! begins or ends with a space. Inline markup is inside one paragraph, and paragraphs are inside items and quotes: a browser
//! moves nothing, and sanitising the output again does not change it.

mod open;
mod push;

use std::rc::Rc;

pub(super) use open::Tag;
use open::{Container, Inline};
pub(super) use push::{push_attribute, push_escaped};

use super::element::{automatic_child, between};

// Deeper containers are merged into the enclosing one.
const MAX_CONTAINERS: usize = 64;
// Each paragraph repeats the inline markup around it.
const MAX_INLINES: usize = 12;
// Empty cells in a row. A row with more is no table that a person reads.
const MAX_EMPTY_CELLS: usize = 100;
// Targets of links that wait for an element.
const MAX_ANCHORS: usize = 8;
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
    /// A line may break here.
    WordBreak,
    Space,
    Break(u8),
    /// Between two cells of a row, in text.
    Cell,
}

pub(super) struct Writer {
    out: String,
    mode: Mode,
    limit: usize,
    containers: Vec<Container>,
    inlines: Vec<Inline>,
    inlines_written: usize,
    // The direct parent of inline text. Without a name the text is directly in its container.
    leaf: Tag,
    is_leaf_written: bool,
    // Whether the leaf has content, so that `gap` will be written.
    is_running: bool,
    gap: Gap,
    // Pending white space inside a `pre`.
    preformatted_gap: String,
    // Ids of elements that are not written; the next element gets them.
    anchors: Vec<String>,
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
            leaf: Tag::default(),
            is_leaf_written: false,
            is_running: false,
            gap: Gap::None,
            preformatted_gap: String::new(),
            anchors: Vec::new(),
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
            self.end_tag(self.leaf.name);
        }
        if let Some(id) = self.leaf.id.take() {
            self.add_anchor(id);
        }
        self.leaf = Tag::default();
        self.is_leaf_written = false;
        self.is_running = false;
        self.gap = Gap::None;
        self.preformatted_gap.clear();
    }

    /// Sets the leaf for text after a boundary.
    pub(super) fn set_leaf(&mut self, leaf: Tag) {
        if !self.is_flat {
            self.leaf = leaf;
        }
    }

    /// Adds a class to the `pre` that is open, unless it has one or its tag is written.
    pub(super) fn set_leaf_attributes(&mut self, attributes: Rc<str>) {
        if !self.is_leaf_written {
            self.leaf.attributes.get_or_insert(attributes);
        }
    }

    /// Remembers a target of links, for the next element.
    pub(super) fn add_anchor(&mut self, id: String) {
        if self.mode == Mode::Html && !self.is_flat && self.anchors.len() < MAX_ANCHORS {
            self.anchors.push(id);
        }
    }

    /// Opens a container after a boundary. Returns the depth for [`Writer::close_to`], or `None` if it is not allowed here.
    pub(super) fn open(&mut self, tag: Tag) -> Option<usize> {
        if self.is_flat {
            return None;
        }
        let added = loop {
            let top = self.containers.last()?;
            match between(top.tag.name, tag.name) {
                Some(added) => break added,
                None if top.is_automatic => self.close_to(self.containers.len() - 1),
                None => return None,
            }
        };
        // Text inside needs automatic containers too.
        if self.containers.len() + added.len() + 5 > MAX_CONTAINERS {
            return None;
        }
        self.containers.extend(added.into_iter().map(Container::automatic));
        self.containers.push(Container::new(tag));
        Some(self.containers.len() - 1)
    }

    /// Closes containers after a boundary, down to a depth returned by [`Writer::open`].
    pub(super) fn close_to(&mut self, depth: usize) {
        // In flat mode nothing is closed: text outside its item would be invalid in the list.
        while !self.is_flat
            && self.containers.len() > depth.max(1)
            && let Some(mut container) = self.containers.pop()
        {
            if container.is_written {
                self.write_empty_cells(container.empty_cells);
                self.end_tag(container.tag.name);
                continue;
            }
            if let Some(id) = container.tag.id.take() {
                self.add_anchor(id);
            }
            let is_cell = matches!(container.tag.name, "td" | "th") && !container.is_automatic;
            if let Some(row) = self.containers.last_mut()
                && is_cell
                && row.empty_cells.len() < MAX_EMPTY_CELLS
            {
                row.empty_cells.push(container.tag);
            }
        }
    }

    /// Whether inline markup of this kind is open.
    pub(super) fn has(&self, name: &str) -> bool {
        self.inlines.iter().any(|inline| inline.tag.name == name)
    }

    /// Opens inline markup; false if there is enough of it.
    pub(super) fn open_inline(&mut self, tag: Tag) -> bool {
        let has_room = self.inlines.len() < MAX_INLINES && self.mode == Mode::Html;
        if has_room {
            self.inlines.push(Inline { tag, copies: 0 });
        } else if let Some(id) = tag.id {
            self.add_anchor(id);
        }
        has_room
    }

    /// Closes the innermost inline markup of this kind. Markup that was opened inside it stays open.
    pub(super) fn close_inline(&mut self, name: &str) {
        if let Some(index) = self.inlines.iter().rposition(|inline| inline.tag.name == name) {
            self.close_inlines_to(index);
            if let Some(id) = self.inlines.remove(index).tag.id {
                self.add_anchor(id);
            }
        }
    }

    /// Writes a rule between two blocks, after a boundary.
    pub(super) fn rule(&mut self) {
        let is_allowed = self.mode == Mode::Html && !self.is_flat && self.elements < MAX_ELEMENTS;
        if let Some(top) = self.containers.last_mut()
            && is_allowed
            && top.is_written
            && top.has_content
            && automatic_child(top.tag.name).is_none()
            && !self.out.ends_with("<hr>")
            && self.out.len() < self.limit
        {
            top.ends_bare = false;
            self.elements += 1;
            self.out.push_str("<hr>");
        }
    }

    /// Adds a line break.
    pub(super) fn line_break(&mut self) {
        if self.leaf.name == "pre" {
            self.preformatted_gap.push('\n');
            return;
        }
        self.gap = match self.gap {
            Gap::Cell => Gap::Cell,
            Gap::Break(_) => Gap::Break(2),
            _ => Gap::Break(1),
        };
    }

    /// Lets a line break between the text before and after.
    pub(super) fn word_break(&mut self) {
        self.gap = self.gap.max(Gap::WordBreak);
    }

    /// Starts a new line unless the output is at the start of one.
    pub(super) fn new_line(&mut self) {
        if self.leaf.name == "pre" {
            if !self.preformatted_gap.ends_with('\n') {
                self.preformatted_gap.push('\n');
            }
        } else {
            self.gap = self.gap.max(Gap::Break(1));
        }
    }

    /// Separates two cells of a row, in text and inside a `pre`.
    pub(super) fn next_cell(&mut self) {
        if self.leaf.name == "pre" {
            if self.is_running && !self.preformatted_gap.ends_with('\n') {
                self.preformatted_gap.push(' ');
            }
        } else {
            self.gap = if self.is_flat { self.gap.max(Gap::Space) } else { Gap::Cell };
        }
    }

    /// Adds text without character references.
    pub(super) fn text(&mut self, mut text: &str) {
        if self.leaf.name == "pre" {
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

    /// Adds finished markup with this many elements, in HTML mode.
    pub(super) fn markup(&mut self, html: &str, elements: usize) {
        let is_allowed = self.mode == Mode::Html && self.elements + elements <= MAX_ELEMENTS;
        if !html.is_empty() && is_allowed && self.prepare(elements) {
            self.elements += elements;
            self.out.push_str(html);
        }
    }

    /// Adds a link with its text; inside another link only the text.
    pub(super) fn link(&mut self, tag: Tag, label: &str) {
        let is_open = !self.has("a") && self.open_inline(tag);
        self.text(label);
        if is_open {
            self.close_inline("a");
        }
    }

    fn close_inlines_to(&mut self, index: usize) {
        while self.inlines_written > index {
            self.inlines_written -= 1;
            if let Some(inline) = self.inlines.get(self.inlines_written) {
                self.end_tag(inline.tag.name);
            }
        }
    }
}
