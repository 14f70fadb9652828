//! The stack of open elements while a page is parsed.

use super::tag::Tag;

/// The elements that the next node is inside of, the outermost first.
#[derive(Debug)]
pub(super) struct OpenElements {
    stack: Vec<(u32, Tag)>,
    // How often each tag is open, so that most searches end before they start.
    counts: [u16; Tag::COUNT],
}

impl OpenElements {
    pub(super) fn new() -> Self {
        let mut open = Self { stack: Vec::new(), counts: [0; Tag::COUNT] };
        open.push(0, Tag::Document);
        open
    }

    pub(super) fn push(&mut self, id: u32, tag: Tag) {
        self.stack.push((id, tag));
        self.count(tag, 1);
    }

    /// Puts an element into the middle of the stack.
    pub(super) fn insert(&mut self, index: usize, id: u32, tag: Tag) {
        self.stack.insert(index.min(self.stack.len()), (id, tag));
        self.count(tag, 1);
    }

    /// Takes an element out of the stack. Those inside it stay open.
    pub(super) fn remove(&mut self, index: usize) {
        if index < self.stack.len() {
            let (_, tag) = self.stack.remove(index);
            self.count(tag, -1);
        }
    }

    /// Closes all elements from this index on.
    pub(super) fn close_from(&mut self, index: usize) {
        while self.stack.len() > index.max(1)
            && let Some((_, tag)) = self.stack.pop()
        {
            self.count(tag, -1);
        }
    }

    fn count(&mut self, tag: Tag, change: i16) {
        if let Some(count) = self.counts.get_mut(tag as usize) {
            *count = count.saturating_add_signed(change);
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<(u32, Tag)> {
        self.stack.get(index).copied()
    }

    /// The innermost element.
    pub(super) fn current(&self) -> (u32, Tag) {
        self.stack.last().copied().unwrap_or((0, Tag::Document))
    }

    /// Whether an element with this tag is open anywhere.
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.counts.get(tag as usize).is_some_and(|count| *count > 0)
    }

    /// The index of the innermost element with this tag, unless an element that `stops` the search is inside it.
    pub(super) fn find(&self, tag: Tag, stops: impl Fn(Tag) -> bool) -> Option<usize> {
        if !self.has(tag) {
            return None;
        }
        self.find_any(|known| known == tag, stops)
    }

    /// The same for any of several tags.
    pub(super) fn find_any(&self, wanted: impl Fn(Tag) -> bool, stops: impl Fn(Tag) -> bool) -> Option<usize> {
        for (index, (_, tag)) in self.stack.iter().enumerate().rev() {
            if wanted(*tag) {
                return Some(index);
            }
            if stops(*tag) {
                return None;
            }
        }
        None
    }

    /// The first element after this index that has the given property.
    pub(super) fn first_after(&self, index: usize, is_wanted: impl Fn(Tag) -> bool) -> Option<usize> {
        let inside = self.stack.iter().enumerate().skip(index + 1);
        { inside }.find(|(_, (_, tag))| is_wanted(*tag)).map(|(index, _)| index)
    }
}
