//! The tree of a page, in one vector.
//!
//! [`Document::parse`] builds it in linear time from any text, with the implied end tags of HTML. Depth, nodes and attributes
//! have limits, and no function here recurses, so no page can overflow a stack or fill the memory. Ids of nodes are in
//! document order: a node and its descendants are a range of ids.

mod build;
mod open_elements;
mod selector;
mod tag;
#[cfg(test)]
mod tests;
mod text;

use std::{borrow::Cow, iter::successors, ops::Range};

pub use selector::{Selector, SelectorError};
pub use tag::Tag;
pub use text::fold_spaces;

/// A node of a [`Document`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every page.
    pub const ROOT: NodeId = NodeId(0);

    /// The position of the node in document order, for tables with a value for each node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node at a position in document order.
    pub fn at(index: usize) -> NodeId {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// No node.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct Node<'a> {
    tag: Tag,
    attribute_count: u8,
    first_attribute: u32,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next: u32,
    /// The id after the last descendant.
    end: u32,
    /// The text, or the name of an element that has no tag of its own.
    text: Cow<'a, str>,
}

/// An attribute as written.
#[derive(Debug, Clone, Copy)]
struct Attribute<'a> {
    name: &'a str,
    value: &'a str,
}

/// A page as a tree.
#[derive(Debug)]
pub struct Document<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Document<'a> {
    /// Builds the tree of a page. Any text is a page.
    pub fn parse(html: &'a str) -> Document<'a> {
        build::build(html)
    }

    /// The number of nodes, for tables with a value for each node.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the page has neither elements nor text.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// All nodes in document order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::at)
    }

    /// The tag of a node.
    pub fn tag(&self, id: NodeId) -> Tag {
        self.node(id).map_or(Tag::Text, |node| node.tag)
    }

    /// The name of an element. Unknown names are as written.
    pub fn name(&self, id: NodeId) -> &str {
        match self.node(id) {
            Some(Node { tag: Tag::Other, text, .. }) => text,
            Some(node) => node.tag.name(),
            None => "",
        }
    }

    /// The text of a text node, as written on the page but with references decoded. Nothing for elements.
    pub fn text(&self, id: NodeId) -> &str {
        self.node(id).filter(|node| node.tag == Tag::Text).map_or("", |node| &node.text)
    }

    /// The element around a node.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).and_then(|node| link(node.parent))
    }

    /// The first node inside an element.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).and_then(|node| link(node.first_child))
    }

    /// The node after this one in the same element.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).and_then(|node| link(node.next))
    }

    /// The nodes directly inside an element.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The elements around a node, the nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        successors(self.parent(id), |parent| self.parent(*parent))
    }

    /// The nodes inside a node, in document order.
    pub fn descendants(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let Range { start, end } = self.range(id);
        (start + 1..end).map(NodeId::at)
    }

    /// The positions of a node and its descendants.
    pub fn range(&self, id: NodeId) -> Range<usize> {
        let end = self.node(id).map_or(0, |node| node.end as usize);
        id.index()..end.max(id.index())
    }

    /// Whether a node is inside another, or the same.
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        self.range(outer).contains(&inner.index())
    }

    /// The value of an attribute with references decoded. Of duplicates, the first counts.
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<Cow<'a, str>> {
        self.raw_attribute(id, name).map(feed::html::unescape)
    }

    /// The value of an attribute as written: cheaper, and enough for classes, ids and the like.
    pub fn raw_attribute(&self, id: NodeId, name: &str) -> Option<&'a str> {
        self.attributes_of(id).iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|known| known.value)
    }

    /// The names and values of all attributes as written.
    pub fn attributes(&self, id: NodeId) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.attributes_of(id).iter().map(|attribute| (attribute.name, attribute.value))
    }

    /// The first element with this tag.
    pub fn first(&self, tag: Tag) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.tag == tag).map(NodeId::at)
    }

    /// The elements with this tag.
    pub fn all(&self, tag: Tag) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().enumerate().filter(move |(_, node)| node.tag == tag).map(|(index, _)| NodeId::at(index))
    }

    fn node(&self, id: NodeId) -> Option<&Node<'a>> {
        self.nodes.get(id.index())
    }

    fn attributes_of(&self, id: NodeId) -> &[Attribute<'a>] {
        let Some(node) = self.node(id) else { return &[] };
        let first = node.first_attribute as usize;
        self.attributes.get(first..first + usize::from(node.attribute_count)).unwrap_or_default()
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}
