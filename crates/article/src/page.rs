//! A page while its article is looked for: the tree, what is dropped from it, and what acts as a paragraph.

mod blocks;
mod paragraphs;
mod visible;

use crate::{
    dom::{Document, NodeId, Tag},
    hints::{ElementHints, HintWords, Hints},
    measure::TextSize,
};
pub(crate) use paragraphs::{Paragraph, Role};

/// Facts about the elements around a node.
const IN_TABLE: u8 = 1;
const IN_CODE: u8 = 1 << 1;
const IN_FIGURE: u8 = 1 << 2;

/// The tree of a page with the size, role and hints of each node, and which nodes are dropped.
#[derive(Debug, Clone)]
pub(crate) struct Page<'d, 'a> {
    pub(crate) document: &'d Document<'a>,
    dropped: Vec<bool>,
    facts: Vec<u8>,
    sizes: Vec<TextSize>,
    roles: Vec<Role>,
    hints: Vec<ElementHints>,
}

impl<'d, 'a> Page<'d, 'a> {
    /// Prepares a page. Scripts, hidden elements and the like are dropped.
    pub(crate) fn new(document: &'d Document<'a>) -> Self {
        let nodes = document.len();
        let mut page = Page {
            document,
            dropped: vec![false; nodes],
            facts: vec![0; nodes],
            sizes: vec![TextSize::default(); nodes],
            roles: vec![Role::default(); nodes],
            hints: vec![ElementHints::default(); nodes],
        };
        page.drop_invisible();
        page.describe();
        page
    }

    pub(crate) fn is_dropped(&self, id: NodeId) -> bool {
        self.dropped.get(id.index()).copied().unwrap_or(true)
    }

    /// Drops a node and all inside it.
    pub(crate) fn drop_node(&mut self, id: NodeId) {
        if let Some(part) = self.dropped.get_mut(self.document.range(id)) {
            part.fill(true);
        }
    }

    /// What is dropped, to return to it later.
    pub(crate) fn save(&self) -> Vec<bool> {
        self.dropped.clone()
    }

    pub(crate) fn restore(&mut self, dropped: &[bool]) {
        self.dropped.clear();
        self.dropped.extend_from_slice(dropped);
    }

    pub(crate) fn text_size(&self, id: NodeId) -> TextSize {
        self.sizes.get(id.index()).copied().unwrap_or_default()
    }

    pub(crate) fn hints(&self, id: NodeId) -> ElementHints {
        self.hints.get(id.index()).copied().unwrap_or_default()
    }

    pub(crate) fn is_in_table(&self, id: NodeId) -> bool {
        self.has_fact(id, IN_TABLE)
    }

    pub(crate) fn is_in_code(&self, id: NodeId) -> bool {
        self.has_fact(id, IN_CODE)
    }

    pub(crate) fn is_in_figure(&self, id: NodeId) -> bool {
        self.has_fact(id, IN_FIGURE)
    }

    fn has_fact(&self, id: NodeId, fact: u8) -> bool {
        self.facts.get(id.index()).is_some_and(|facts| facts & fact != 0)
    }

    /// The children that are not dropped.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.document.children(id).filter(|child| !self.is_dropped(*child))
    }

    /// The nodes of a part of the page that are not dropped.
    pub(crate) fn kept(&self, root: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        self.document.range(root).map(NodeId::at).filter(|id| !self.is_dropped(*id))
    }

    /// The text of a node, without dropped parts, on one line.
    pub(crate) fn line(&self, id: NodeId) -> String {
        let mut out = String::new();
        for node in self.kept(id) {
            match self.document.tag(node) {
                Tag::Text => crate::dom::fold_spaces(self.document.text(node), &mut out),
                tag if (tag.is_block() || tag == Tag::Br) && !out.is_empty() && !out.ends_with(' ') => out.push(' '),
                _ => {}
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// Whether an element is the caption of an image: part of the article, but not of its running text.
    pub(crate) fn is_caption(&self, id: NodeId) -> bool {
        match self.document.tag(id) {
            Tag::Figcaption => true,
            Tag::P | Tag::Div | Tag::Span | Tag::Li | Tag::Small | Tag::Em | Tag::Dd => {
                self.hints(id).has(Hints::CAPTION) && self.document.range(id).len() < 40
            }
            _ => false,
        }
    }

    /// How much the text of a link counts. Links to a place on the same page are often footnotes.
    pub(crate) fn link_weight(&self, id: NodeId) -> f32 {
        let is_local =
            self.document.raw_attribute(id, "href").is_some_and(|href| href.len() > 1 && href.starts_with('#'));
        if is_local { 0.3 } else { 1.0 }
    }

    /// Whether an embedded frame is a video.
    pub(crate) fn is_video(&self, id: NodeId) -> bool {
        const HOSTS: &[&str] = &[
            "youtube.com/",
            "youtube-nocookie.com/",
            "player.vimeo.com/",
            "dailymotion.com/",
            "v.qq.com/",
            "bilibili.com/",
            "archive.org/embed/",
            "upload.wikimedia.org/",
            "player.twitch.tv/",
            "nicovideo.jp/",
        ];
        self.document.attributes(id).any(|(_, value)| HOSTS.iter().any(|host| value.contains(host)))
    }

    /// Collects sizes, hints and facts of all nodes.
    fn describe(&mut self) {
        let words = HintWords::new();
        for id in self.document.nodes() {
            let at = id.index();
            if self.is_dropped(id) {
                continue;
            }
            let tag = self.document.tag(id);
            if tag == Tag::Text {
                if let Some(size) = self.sizes.get_mut(at) {
                    *size = TextSize::of(self.document.text(id));
                }
            } else if let Some(hints) = self.hints.get_mut(at) {
                *hints = ElementHints::of(&words, self.document, id);
            }
            let Some(parent) = self.document.parent(id) else { continue };
            let around = self.facts.get(parent.index()).copied().unwrap_or_default();
            let added = match self.document.tag(parent) {
                Tag::Table => IN_TABLE,
                Tag::Code | Tag::Pre => IN_CODE,
                Tag::Figure => IN_FIGURE,
                _ => 0,
            };
            if let Some(facts) = self.facts.get_mut(at) {
                *facts = around | added;
            }
        }
    }
}
