//! How much text, links, images and so on are inside each element.

use crate::{
    dom::{NodeId, Tag},
    page::Page,
};

/// Counts for a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextSize {
    pub(crate) chars: u32,
    pub(crate) commas: u32,
}

impl TextSize {
    /// Counts the characters of a text, with each run of white space as one.
    pub(crate) fn of(text: &str) -> TextSize {
        let mut size = TextSize::default();
        let mut was_space = true;
        for c in text.chars() {
            let is_space = c.is_whitespace();
            if !(is_space && was_space) {
                size.chars += 1;
            }
            was_space = is_space;
            if is_comma(c) {
                size.commas += 1;
            }
        }
        if was_space {
            size.chars = size.chars.saturating_sub(1);
        }
        size
    }
}

/// Marks that separate parts of sentences, and the full stop of Chinese and Japanese.
fn is_comma(c: char) -> bool {
    match c {
        ',' => true,
        c if c.is_ascii() => false,
        c => matches!(
            c,
            '、' | '。' | '，' | '､' | '｡' | '،' | '﹐' | '︐' | '︑' | '\u{2e41}' | '\u{2e34}' | '\u{2e32}'
        ),
    }
}

/// What is inside a node, as far as it is not dropped.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stats {
    pub(crate) chars: u32,
    pub(crate) commas: u32,
    /// Characters inside links. Links within the page count for less.
    pub(crate) link_chars: f32,
    pub(crate) heading_chars: u32,
    pub(crate) list_chars: u32,
    /// Characters inside blocks, cells, items and spans.
    pub(crate) inner_chars: u32,
    pub(crate) paragraphs: u32,
    pub(crate) images: u32,
    pub(crate) items: u32,
    pub(crate) inputs: u32,
    pub(crate) embeds: u32,
    pub(crate) videos: u32,
}

impl Stats {
    fn add(&mut self, inner: &Stats) {
        self.chars += inner.chars;
        self.commas += inner.commas;
        self.link_chars += inner.link_chars;
        self.heading_chars += inner.heading_chars;
        self.list_chars += inner.list_chars;
        self.inner_chars += inner.inner_chars;
        self.paragraphs += inner.paragraphs;
        self.images += inner.images;
        self.items += inner.items;
        self.inputs += inner.inputs;
        self.embeds += inner.embeds;
        self.videos += inner.videos;
    }

    /// The share of the text that is links, 0 to 1.
    pub(crate) fn link_density(&self) -> f32 {
        if self.chars == 0 { 0.0 } else { (self.link_chars / self.chars as f32).min(1.0) }
    }

    /// The share of the text that is headings.
    pub(crate) fn heading_density(&self) -> f32 {
        if self.chars == 0 { 0.0 } else { self.heading_chars as f32 / self.chars as f32 }
    }
}

/// The stats of all nodes, by their position.
#[derive(Debug, Default)]
pub(crate) struct Measures {
    stats: Vec<Stats>,
}

impl Measures {
    pub(crate) fn new(nodes: usize) -> Measures {
        Measures { stats: vec![Stats::default(); nodes] }
    }

    pub(crate) fn get(&self, id: NodeId) -> Stats {
        self.stats.get(id.index()).copied().unwrap_or_default()
    }

    /// Measures a node and its descendants. `on_measured` is told of each, the innermost first, and may drop it.
    pub(crate) fn measure(
        &mut self,
        page: &mut Page<'_, '_>,
        root: NodeId,
        mut on_measured: impl FnMut(&mut Page<'_, '_>, NodeId, &Stats),
    ) {
        let range = page.document.range(root);
        if let Some(stats) = self.stats.get_mut(range.clone()) {
            stats.fill(Stats::default());
        }
        for id in range.rev().map(NodeId::at) {
            if page.is_dropped(id) {
                continue;
            }
            let mut stats = self.get(id);
            on_measured(page, id, &stats);
            if page.is_dropped(id) {
                continue;
            }
            count_itself(page, id, &mut stats);
            if let Some(slot) = self.stats.get_mut(id.index()) {
                if page.document.tag(id) == Tag::Text {
                    *slot = stats;
                } else {
                    slot.link_chars = slot.link_chars.min(slot.chars as f32);
                }
            }
            let parent = page.document.parent(id).filter(|_| id != root);
            if let Some(slot) = parent.and_then(|parent| self.stats.get_mut(parent.index())) {
                slot.add(&stats);
            }
        }
    }
}

/// Adds to the stats of the content of a node what the node itself is for its parent.
fn count_itself(page: &Page<'_, '_>, id: NodeId, stats: &mut Stats) {
    use Tag::*;
    let tag = page.document.tag(id);
    match tag {
        Text => {
            let size = page.text_size(id);
            (stats.chars, stats.commas) = (size.chars, size.commas);
            return;
        }
        A => stats.link_chars = stats.chars as f32 * page.link_weight(id),
        Img => stats.images += 1,
        Li => stats.items += 1,
        Input => stats.inputs += 1,
        Ul | Ol => stats.list_chars = stats.chars,
        Iframe | Embed | Object if page.is_video(id) => stats.videos += 1,
        Iframe | Embed | Object => stats.embeds += 1,
        H1 | H2 | H3 | H4 | H5 | H6 => stats.heading_chars = stats.chars,
        _ => {}
    }
    stats.paragraphs += page.paragraphs_of(id);
    if matches!(tag, Span | Li | Td | Blockquote | Dl | Div | Img | Ol | P | Pre | Table | Ul) {
        stats.inner_chars = stats.chars;
    }
}
