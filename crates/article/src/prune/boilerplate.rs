//! Drops short pieces that say nothing of the article: dates, names of authors, advertisements, links to other articles.

use crate::{
    dom::{NodeId, Tag},
    hints::Hints,
    measure::{Measures, Stats},
    page::Page,
    select::Selection,
};

/// Longer elements are text.
const MAX_CHARS: u32 = 200;
/// A longer text with a date is not only a date.
const MAX_DATE_CHARS: u32 = 60;
/// Elements with more nodes are not short.
const MAX_NODES: usize = 60;

/// Drops those pieces, the innermost first.
pub(crate) fn drop_boilerplate(page: &mut Page<'_, '_>, selection: &Selection, measures: &mut Measures) {
    measures.measure(page, selection.root, |page, id, stats| {
        if id != selection.root && !page.is_in_code(id) && is_boilerplate(page, id, stats) {
            page.drop_node(id);
        }
    });
}

fn is_boilerplate(page: &Page<'_, '_>, id: NodeId, stats: &Stats) -> bool {
    let tag = page.document.tag(id);
    if stats.chars == 0 || stats.chars > MAX_CHARS || !is_piece(tag) || page.document.range(id).len() > MAX_NODES {
        return false;
    }
    is_dated(page, id, stats) || is_phrase(&page.line(id), stats)
}

/// An element that can be left out without a hole in a sentence.
fn is_piece(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        P | Div
            | Li
            | Ul
            | Section
            | Header
            | Address
            | Time
            | H2
            | H3
            | H4
            | H5
            | H6
            | Span
            | Figure
            | Center
            | Strong
            | A
    )
}

/// Whether an element is the date of the article or the name of its author.
fn is_dated(page: &Page<'_, '_>, id: NodeId, stats: &Stats) -> bool {
    let is_block = page.document.tag(id).is_block();
    let hints = page.hints(id);
    is_block && stats.images == 0 && stats.chars < 150 && (hints.has(Hints::BYLINE) || hints.has(Hints::DATE))
        || stats.chars < MAX_DATE_CHARS && is_block && page.kept(id).any(|node| page.document.tag(node) == Tag::Time)
}

/// Whether a text is one of the phrases around articles.
fn is_phrase(text: &str, stats: &Stats) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    WHOLE.contains(&text.as_str()) || stats.link_density() > 0.5 && LINKED.iter().any(|start| text.starts_with(start))
}

/// Texts that are never part of an article.
const WHOLE: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "advertising",
    "sponsored",
    "continue reading below",
    "skip to content",
    "story continues below advertisement",
    "story continues below",
    "article continues below",
    "loading",
    "share",
    "tweet",
    "share this",
    "share this article",
    "print",
    "read more",
    "広告",
    "スポンサーリンク",
    "スポンサードリンク",
    "シェア",
    "ツイート",
    "もっと見る",
    "続きを読む",
    "anzeige",
    "werbung",
    "publicité",
    "publicidad",
    "publicidade",
    "реклама",
];

/// Starts of links to other articles.
const LINKED: &[&str] = &[
    "related",
    "read more",
    "read also",
    "read next",
    "also read",
    "see also",
    "see more",
    "more from",
    "more on",
    "more:",
    "don't miss",
    "don’t miss",
    "you may also like",
    "you might also like",
    "recommended",
    "watch:",
    "click here",
    "subscribe",
    "sign up",
    "関連記事",
    "あわせて読みたい",
    "合わせて読みたい",
    "おすすめ",
    "次の記事",
    "前の記事",
    "lire aussi",
    "lea también",
    "leia também",
    "leia mais",
    "mehr zum thema",
    "lesen sie auch",
    "читайте также",
];
