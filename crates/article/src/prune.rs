//! Drops what is inside an article but is not part of it.

mod boilerplate;
mod conditions;
mod tables;

use crate::{
    dom::{NodeId, Tag},
    hints::Hints,
    measure::Measures,
    page::Page,
    select::Selection,
};
pub(crate) use boilerplate::drop_boilerplate;
use conditions::Kind;
pub(crate) use tables::DataTables;

/// Longer elements are not buttons, whatever their class says.
const MAX_SHARE_CHARS: u32 = 500;

/// How thoroughly to prune.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pruning {
    /// Drop elements by what they contain.
    pub(crate) by_content: bool,
    /// Let class and id decide too.
    pub(crate) by_hints: bool,
}

/// Prunes the selected part of a page.
pub(crate) fn prune(page: &mut Page<'_, '_>, selection: &Selection, measures: &mut Measures, pruning: Pruning) {
    let tables = DataTables::find(page, selection.root);
    if pruning.by_content {
        for kind in [Kind::Form, Kind::Fieldset] {
            conditions::apply(page, selection, measures, &tables, kind, pruning.by_hints);
        }
    }
    drop_furniture(page, selection);
    drop_share_buttons(page, selection, measures);
    drop_headings(page, selection, pruning.by_hints);
    if pruning.by_content {
        for kind in [Kind::Table, Kind::List, Kind::Division] {
            conditions::apply(page, selection, measures, &tables, kind, pruning.by_hints);
        }
    }
}

/// Drops elements that are never text, and those around an article.
fn drop_furniture(page: &mut Page<'_, '_>, selection: &Selection) {
    use Tag::*;
    for id in page.document.descendants(selection.root) {
        if page.is_dropped(id) {
            continue;
        }
        let is_furniture = match page.document.tag(id) {
            Input | Textarea | Select | Button | Link | Datalist => true,
            Footer | Aside => !selection.has_part(id),
            Object | Embed | Iframe => !page.is_video(id),
            _ => false,
        };
        if is_furniture {
            page.drop_node(id);
        }
    }
}

fn drop_share_buttons(page: &mut Page<'_, '_>, selection: &Selection, measures: &mut Measures) {
    measures.measure(page, selection.root, |page, id, stats| {
        if id != selection.root
            && stats.chars < MAX_SHARE_CHARS
            && page.hints(id).has(Hints::SHARE)
            && !selection.has_part(id)
        {
            page.drop_node(id);
        }
    });
}

/// Drops headings that their class or id speaks against.
fn drop_headings(page: &mut Page<'_, '_>, selection: &Selection, by_hints: bool) {
    for id in page.document.descendants(selection.root) {
        let is_heading = matches!(page.document.tag(id), Tag::H1 | Tag::H2);
        if is_heading && by_hints && page.hints(id).weight() < 0.0 {
            page.drop_node(id);
        }
    }
}

/// The number of characters of what is left.
pub(crate) fn remaining_chars(page: &mut Page<'_, '_>, root: NodeId, measures: &mut Measures) -> u32 {
    measures.measure(page, root, |_, _, _| {});
    measures.get(root).chars
}
