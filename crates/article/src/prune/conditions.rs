//! Drops elements that look like navigation, forms or advertisements, by what is in them.

use super::DataTables;
use crate::{
    dom::{NodeId, Tag},
    measure::{Measures, Stats},
    page::Page,
    select::Selection,
};

/// Elements with so many commas are text.
const MANY_COMMAS: u32 = 10;

/// The elements that are looked at in one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Form,
    Fieldset,
    Table,
    List,
    Division,
}

impl Kind {
    fn includes(self, page: &Page<'_, '_>, selection: &Selection, id: NodeId) -> bool {
        let tag = page.document.tag(id);
        match self {
            Kind::Form => tag == Tag::Form,
            Kind::Fieldset => tag == Tag::Fieldset,
            Kind::Table => tag == Tag::Table,
            Kind::List => tag == Tag::Ul,
            Kind::Division => page.is_division(id) || becomes_division(tag) && selection.has_part(id),
        }
    }
}

/// A part of an article with an unusual tag is treated as a `div`.
fn becomes_division(tag: Tag) -> bool {
    use Tag::*;
    !matches!(tag, Div | Article | Section | P | Ol | Ul | Text)
}

/// Drops all elements of a kind that are probably not part of the article, the innermost first.
pub(super) fn apply(
    page: &mut Page<'_, '_>,
    selection: &Selection,
    measures: &mut Measures,
    tables: &DataTables,
    kind: Kind,
    by_hints: bool,
) {
    measures.measure(page, selection.root, |page, id, stats| {
        if id == selection.root || !kind.includes(page, selection, id) || tables.protects(id) || page.is_in_code(id) {
            return;
        }
        let weight = if by_hints { page.hints(id).weight() } else { 0.0 };
        let element = Element { kind, weight, stats, is_in_figure: page.is_in_figure(id) };
        if weight < 0.0 || stats.commas < MANY_COMMAS && element.is_doubtful() && !is_gallery(page, id, &element) {
            page.drop_node(id);
        }
    });
}

struct Element<'s> {
    kind: Kind,
    weight: f32,
    stats: &'s Stats,
    is_in_figure: bool,
}

impl Element<'_> {
    fn is_list(&self) -> bool {
        self.kind == Kind::List || self.stats.chars > 0 && self.stats.list_chars as f32 / self.stats.chars as f32 > 0.9
    }

    fn is_doubtful(&self) -> bool {
        let stats = self.stats;
        if stats.videos > 0 {
            return false;
        }
        let is_list = self.is_list();
        let density = stats.link_density();
        let max_density = if self.weight < 25.0 { 0.2 } else { 0.5 };
        !self.is_in_figure && stats.images > 1 && stats.paragraphs * 2 < stats.images
            || !is_list && stats.items > stats.paragraphs + 100
            || stats.inputs > stats.paragraphs / 3
            || !is_list && !self.is_in_figure && self.is_short_link()
            || !(is_list && self.weight < 25.0) && density > max_density
            || stats.embeds == 1 && stats.chars < 75
            || stats.embeds > 1
            || stats.images == 0 && stats.inner_chars == 0
    }

    fn is_short_link(&self) -> bool {
        let stats = self.stats;
        stats.chars < 25
            && stats.link_chars > 0.0
            && stats.heading_density() < 0.9
            && (stats.images == 0 || stats.images > 2)
    }
}

/// Whether an element is a list with one image in each item.
fn is_gallery(page: &Page<'_, '_>, id: NodeId, element: &Element<'_>) -> bool {
    element.is_list()
        && element.stats.images == element.stats.items
        && page
            .children(id)
            .all(|item| page.children(item).filter(|c| page.document.tag(*c) != Tag::Text).take(2).count() < 2)
}
