//! What a page shows about each link that may be a post.

use article::dom::{Document, NodeId};

use crate::{
    address::Role,
    blocks::Blocks,
    dates::mentions,
    frame::Place,
    links::{Links, Target},
    names::Names,
    prose::Prose,
    text::{has_price, is_more, is_pager, width},
    title,
};

/// Of a target with more links, only the first are looked at.
const MAX_ANCHORS: usize = 16;

/// How certain it is that the block of a link has a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DateSign {
    None,
    /// A heading above the list, or a date in running text.
    Far,
    /// A month, a time ago, a day without its year.
    Partial,
    /// A whole date beside the block.
    Beside,
    /// A whole date in the block.
    Own,
}

/// A link that may be a post, with what its block shows.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) target: usize,
    /// The link that names the post best.
    pub(crate) anchor: NodeId,
    /// The blocks of its links, that of `anchor` first.
    pub(crate) blocks: Vec<NodeId>,
    pub(crate) title: String,
    pub(crate) columns: usize,
    pub(crate) is_heading: bool,
    pub(crate) is_frame: bool,
    /// In a list of the posts that are read most.
    pub(crate) is_ranking: bool,
    pub(crate) is_main: bool,
    pub(crate) is_prose: bool,
    pub(crate) has_price: bool,
    /// The title is a date or a number, as in lists of months.
    pub(crate) is_period: bool,
    pub(crate) is_pager: bool,
    pub(crate) date_sign: DateSign,
    pub(crate) published: Option<chrono::DateTime<chrono::Utc>>,
    /// The whole template around the link.
    pub(crate) group: u64,
    /// The template of the nearest elements, if they have names.
    pub(crate) card: Option<u64>,
    /// An element around the link is named as a post.
    pub(crate) has_post_name: bool,
    pub(crate) is_in_article: bool,
}

/// The items of a page, in document order.
pub(crate) fn items<'d>(
    document: &'d Document<'d>,
    links: &Links,
    blocks: &'d Blocks<'d>,
    places: &'d [Place],
) -> Vec<Item> {
    let reader = Reader { document, blocks, places, names: Names::of(document), prose: Prose::of(document) };
    let candidates = links.targets.iter().enumerate().filter(|(_, target)| target.is_candidate());
    let mut items: Vec<Item> = candidates.filter_map(|(index, target)| reader.item(index, target)).collect();
    items.sort_by_key(|item| item.anchor);
    items
}

struct Reader<'d> {
    document: &'d Document<'d>,
    blocks: &'d Blocks<'d>,
    places: &'d [Place],
    names: Names<'d>,
    prose: Prose<'d>,
}

impl Reader<'_> {
    fn item(&self, index: usize, target: &Target) -> Option<Item> {
        let shown = target.anchors.iter().take(MAX_ANCHORS).copied().filter(|anchor| !self.place(*anchor).is_hidden);
        let mut anchors: Vec<NodeId> = shown.collect();
        // The sort keeps the order of equals.
        anchors.sort_by_key(|anchor| std::cmp::Reverse(self.rank(*anchor)));
        let anchor = *anchors.first()?;
        let mut own_blocks: Vec<NodeId> = Vec::new();
        for block in anchors.iter().map(|anchor| self.blocks.around(*anchor)) {
            if !own_blocks.contains(&block) {
                own_blocks.push(block);
            }
        }
        let block = *own_blocks.first()?;
        let place = self.place(anchor);
        let found = title::of(self.document, anchor, block, &anchors);
        let columns = width(&found.text);
        let text = self.document.text_of(block);
        Some(Item {
            target: index,
            anchor,
            columns,
            is_heading: place.heading || found.is_heading,
            is_frame: place.is_frame,
            is_ranking: place.is_ranking,
            is_main: place.is_main || place.is_entry,
            is_prose: self.prose.contains(anchor),
            has_price: has_price(&text),
            is_period: is_period(&found.text, target.role),
            is_pager: is_pager(&found.text),
            title: found.text,
            blocks: own_blocks,
            date_sign: DateSign::None,
            published: None,
            group: self.names.template(anchor),
            card: self.names.card(anchor),
            has_post_name: self.names.is_in_post(anchor),
            is_in_article: self.names.is_in_article(anchor),
        })
    }

    fn place(&self, node: NodeId) -> Place {
        self.places.get(node.index()).copied().unwrap_or_default()
    }

    /// Which link names the post best: outside of rankings and the frame, a heading, a text of its own.
    fn rank(&self, anchor: NodeId) -> (bool, bool, bool, bool, bool, bool, usize) {
        let place = self.place(anchor);
        let text = self.document.text_of(anchor);
        let is_heading =
            place.heading || self.document.descendants(anchor).any(|id| self.document.tag(id).is_heading());
        let is_text = !is_more(&text);
        (
            !place.is_ranking,
            !place.is_frame,
            is_heading && is_text,
            !self.prose.contains(anchor),
            is_text,
            self.names.is_title(anchor),
            width(&text).min(24),
        )
    }
}

/// Whether a text is a date or a number and nothing else.
fn is_period(text: &str, role: Role) -> bool {
    let rest: usize = mentions(text).iter().map(|mention| text.get(mention.range.clone()).map_or(0, width)).sum();
    let columns = width(text);
    let is_date = rest > 0 && columns.saturating_sub(rest) <= 6;
    is_date && (role == Role::Period || columns <= 9)
        || rest > 0 && role == Role::Period && columns <= 16
        || text.chars().all(|c| c.is_ascii_digit())
}
