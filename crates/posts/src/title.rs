//! The title of a post, out of its links and its block.

use article::dom::{Document, NodeId, Tag};

use crate::{
    dates::is_date,
    names,
    text::{is_more, width},
};

/// A wider text of a link is a whole card.
const CARD_COLUMNS: usize = 160;

/// A title, and whether it is a heading.
pub(crate) struct Title {
    pub(crate) text: String,
    pub(crate) is_heading: bool,
}

/// The title of the post that `anchor` leads to.
pub(crate) fn of(document: &Document<'_>, anchor: NodeId, block: NodeId, anchors: &[NodeId]) -> Title {
    let heading = |text: String| Title { text, is_heading: true };
    let plain = |text: String| Title { text, is_heading: false };
    if let Some(text) = heading_in(document, anchor) {
        return heading(text);
    }
    let own = text_without_dates(document, anchor);
    if !is_more(&own) {
        let is_card = document.descendants(anchor).any(|id| document.tag(id).is_block()) || width(&own) > CARD_COLUMNS;
        let named =
            if is_card { named_title(document, anchor).or_else(|| first_block(document, anchor)) } else { None };
        return plain(named.unwrap_or(own));
    }
    if let Some(text) = heading_in(document, block) {
        return heading(text);
    }
    if let Some(text) = named_title(document, block) {
        return plain(text);
    }
    let attribute = anchors.iter().find_map(|anchor| attribute_of(document, *anchor));
    if let Some(text) = attribute {
        return plain(text);
    }
    let strong = document.descendants(block).find(|id| matches!(document.tag(*id), Tag::Strong | Tag::B));
    let strong = strong.map(|id| document.text_of(id)).filter(|text| width(text) >= 4 && !is_more(text));
    plain(strong.or_else(|| first_block(document, block)).unwrap_or(own))
}

/// The first heading that is not a date.
fn heading_in(document: &Document<'_>, id: NodeId) -> Option<String> {
    let headings = document.descendants(id).filter(|id| document.tag(*id).is_heading());
    { headings }.map(|id| text_without_dates(document, id)).find(|text| !is_more(text))
}

/// The first element that is named as a title.
fn named_title(document: &Document<'_>, id: NodeId) -> Option<String> {
    let is_title = |id: &NodeId| {
        let class = names::class(document, *id).to_ascii_lowercase();
        let property = document.raw_attribute(*id, "itemprop").unwrap_or_default();
        (class.contains("title") && !class.contains("subtitle"))
            || class.contains("headline")
            || matches!(property, "headline" | "name")
    };
    let named = document.descendants(id).filter(|id| document.tag(*id) != Tag::Text).filter(is_title);
    { named }.map(|id| text_without_dates(document, id)).find(|text| !is_more(text))
}

/// The first line of a card.
fn first_block(document: &Document<'_>, id: NodeId) -> Option<String> {
    let lines = document
        .descendants(id)
        .filter(|id| document.tag(*id) == Tag::Text && !is_date(document.text(*id)) && width(document.text(*id)) >= 4);
    { lines }
        .map(|text| {
            let line =
                document.parent(text).filter(|parent| *parent != id && document.contains(id, *parent)).unwrap_or(text);
            document.text_of(line)
        })
        .find(|text| !is_more(text))
}

fn attribute_of(document: &Document<'_>, anchor: NodeId) -> Option<String> {
    let images = document.descendants(anchor).filter(|id| document.tag(*id) == Tag::Img);
    let texts = ["title", "aria-label"].iter().filter_map(|name| document.attribute(anchor, name));
    let alternatives = images.filter_map(|image| document.attribute(image, "alt"));
    { texts }.chain(alternatives).map(|text| text.trim().to_owned()).find(|text| width(text) >= 4 && !is_more(text))
}

/// The text of an element, without dates that stand alone in it.
fn text_without_dates(document: &Document<'_>, id: NodeId) -> String {
    let mut out = String::new();
    let range = document.range(id);
    let (mut at, end) = (range.start, range.end);
    while at < end {
        let node = NodeId::at(at);
        let tag = document.tag(node);
        let is_left_out =
            matches!(tag, Tag::Time | Tag::Script | Tag::Style | Tag::Template | Tag::Svg | Tag::Noscript)
                || tag == Tag::Text && is_date(document.text(node));
        if is_left_out && node != id {
            at = document.range(node).end.max(at + 1);
            continue;
        }
        if tag == Tag::Text {
            article::dom::fold_spaces(document.text(node), &mut out);
        } else if (tag.is_block() || tag == Tag::Br) && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        at += 1;
    }
    let out = out.trim();
    if out.is_empty() { document.text_of(id) } else { out.to_owned() }
}
