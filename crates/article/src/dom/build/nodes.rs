//! The nodes of a tree that is being built.

use std::borrow::Cow;

use crate::dom::{Attribute, Document, NONE, Node, NodeId, tag::Tag};

/// Further attributes are ignored.
const MAX_ATTRIBUTES: usize = 150_000;

pub(super) struct Nodes<'a> {
    nodes: Vec<Node<'a>>,
    // The sibling before each node.
    previous: Vec<u32>,
    attributes: Vec<Attribute<'a>>,
    // Ids are no longer in document order.
    is_reordered: bool,
}

impl<'a> Nodes<'a> {
    pub(super) fn with_capacity(nodes: usize) -> Self {
        let mut new = Self {
            nodes: Vec::with_capacity(nodes),
            previous: Vec::with_capacity(nodes),
            attributes: Vec::with_capacity(nodes),
            is_reordered: false,
        };
        new.push(Tag::Document, Cow::Borrowed(""), &[]);
        new
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn tag(&self, id: u32) -> Tag {
        self.nodes.get(id as usize).map_or(Tag::Text, |node| node.tag)
    }

    pub(super) fn name(&self, id: u32) -> &str {
        self.nodes.get(id as usize).map_or("", |node| &node.text)
    }

    pub(super) fn last_child(&self, id: u32) -> Option<u32> {
        self.nodes.get(id as usize).map(|node| node.last_child).filter(|id| *id != NONE)
    }

    /// Adds a node as the last child of another.
    pub(super) fn append(
        &mut self,
        parent: u32,
        tag: Tag,
        text: Cow<'a, str>,
        attributes: &[(&'a str, &'a str)],
    ) -> u32 {
        let id = self.push(tag, text, attributes);
        self.attach(id, parent);
        id
    }

    /// Adds an element like another one, without its content and not yet attached.
    pub(super) fn copy(&mut self, id: u32) -> u32 {
        let Some(node) = self.nodes.get(id as usize) else { return 0 };
        let (tag, text) = (node.tag, node.text.clone());
        let (first, count) = (node.first_attribute, node.attribute_count);
        let copy = self.push(tag, text, &[]);
        if let Some(node) = self.nodes.get_mut(copy as usize) {
            (node.first_attribute, node.attribute_count) = (first, count);
        }
        copy
    }

    /// Gives an element more attributes, if it has none: those of a second `html` or `body`.
    pub(super) fn set_attributes(&mut self, id: u32, attributes: &[(&'a str, &'a str)]) {
        let (first, count) = self.push_attributes(attributes);
        if let Some(node) = self.nodes.get_mut(id as usize)
            && node.attribute_count == 0
        {
            (node.first_attribute, node.attribute_count) = (first, count);
        }
    }

    /// Moves the last child of its parent to the end of another element.
    pub(super) fn move_last(&mut self, id: u32, parent: u32) {
        let old = self.nodes.get(id as usize).map_or(NONE, |node| node.parent);
        let before = self.previous.get(id as usize).copied().unwrap_or(NONE);
        if let Some(old) = self.nodes.get_mut(old as usize) {
            old.last_child = before;
            if before == NONE {
                old.first_child = NONE;
            }
        }
        if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next = NONE;
        }
        self.attach(id, parent);
        self.is_reordered = true;
    }

    /// Moves all children of an element into another that has none.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let Some(node) = self.nodes.get_mut(from as usize) else { return };
        let (first, last) = (node.first_child, node.last_child);
        (node.first_child, node.last_child) = (NONE, NONE);
        let mut next = first;
        while let Some(child) = self.nodes.get_mut(next as usize) {
            child.parent = to;
            next = child.next;
        }
        if let Some(node) = self.nodes.get_mut(to as usize) {
            (node.first_child, node.last_child) = (first, last);
        }
        self.is_reordered = true;
    }

    pub(super) fn attach(&mut self, id: u32, parent: u32) {
        let before = self.last_child(parent).unwrap_or(NONE);
        if let Some(node) = self.nodes.get_mut(id as usize) {
            (node.parent, node.next) = (parent, NONE);
        }
        if let Some(previous) = self.previous.get_mut(id as usize) {
            *previous = before;
        }
        if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next = id;
        }
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.last_child = id;
            if before == NONE {
                parent.first_child = id;
            }
        }
    }

    fn push(&mut self, tag: Tag, text: Cow<'a, str>, attributes: &[(&'a str, &'a str)]) -> u32 {
        let id = NodeId::at(self.nodes.len()).0;
        let (first_attribute, attribute_count) = self.push_attributes(attributes);
        let (parent, first_child, last_child, next) = (NONE, NONE, NONE, NONE);
        let node = Node { tag, attribute_count, first_attribute, parent, first_child, last_child, next, end: 0, text };
        self.nodes.push(node);
        self.previous.push(NONE);
        id
    }

    fn push_attributes(&mut self, attributes: &[(&'a str, &'a str)]) -> (u32, u8) {
        let first = NodeId::at(self.attributes.len()).0;
        let room = MAX_ATTRIBUTES.saturating_sub(self.attributes.len()).min(u8::MAX.into());
        let kept = attributes.iter().take(room).map(|(name, value)| Attribute { name, value });
        self.attributes.extend(kept);
        (first, u8::try_from(self.attributes.len() - first as usize).unwrap_or(0))
    }

    /// The finished tree, with ids in document order.
    pub(super) fn finish(self) -> Document<'a> {
        let mut nodes = if self.is_reordered { in_document_order(self.nodes) } else { self.nodes };
        for index in (0..nodes.len()).rev() {
            let Some(node) = nodes.get_mut(index) else { continue };
            node.end = node.end.max(NodeId::at(index + 1).0);
            let (end, parent) = (node.end, node.parent);
            if let Some(parent) = nodes.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        Document { nodes, attributes: self.attributes }
    }
}

/// Renumbers nodes. Nodes that are not attached to the root are dropped.
fn in_document_order(mut nodes: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let mut new_ids = vec![NONE; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut at = 0;
    while let Some(node) = nodes.get(at as usize) {
        if let Some(new_id) = new_ids.get_mut(at as usize) {
            *new_id = NodeId::at(order.len()).0;
        }
        order.push(at);
        at = node.first_child;
        if at == NONE {
            at = next_outside(&nodes, order.last().copied().unwrap_or(NONE));
        }
    }
    let new = |old: u32| new_ids.get(old as usize).copied().unwrap_or(NONE);
    let mut sorted = Vec::with_capacity(order.len());
    for old in order {
        let Some(node) = nodes.get_mut(old as usize) else { continue };
        sorted.push(Node {
            parent: new(node.parent),
            first_child: new(node.first_child),
            last_child: new(node.last_child),
            next: new(node.next),
            text: std::mem::take(&mut node.text),
            ..*node
        });
    }
    sorted
}

/// The node after another and its descendants.
fn next_outside(nodes: &[Node<'_>], mut id: u32) -> u32 {
    while let Some(node) = nodes.get(id as usize) {
        if node.next != NONE {
            return node.next;
        }
        id = node.parent;
    }
    NONE
}
