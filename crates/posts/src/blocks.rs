//! The block of a link: the largest element around it that has no link to another candidate.

use article::dom::{Document, NodeId, Tag};

use crate::links::Links;

/// The blocks of all links to candidates.
pub(crate) struct Blocks<'d> {
    document: &'d Document<'d>,
    /// The position of each link, and of the nearest ones before and after it with another target.
    rows: Vec<Row>,
}

struct Row {
    at: usize,
    before: usize,
    after: usize,
}

impl<'d> Blocks<'d> {
    pub(crate) fn of(document: &'d Document<'d>, links: &Links) -> Blocks<'d> {
        let mut rows: Vec<Row> =
            links.candidates.iter().map(|(node, _)| Row { at: node.index(), before: 0, after: usize::MAX }).collect();
        let target = |at: usize| links.candidates.get(at).map(|(_, target)| *target);
        for at in 1..rows.len() {
            let (position, before) = rows.get(at - 1).map_or((0, 0), |row| (row.at, row.before));
            let is_same = target(at) == target(at - 1);
            if let Some(row) = rows.get_mut(at) {
                row.before = if is_same { before } else { position };
            }
        }
        for at in (1..rows.len()).rev() {
            let (position, after) = rows.get(at).map_or((0, usize::MAX), |row| (row.at, row.after));
            let is_same = target(at) == target(at - 1);
            if let Some(row) = rows.get_mut(at - 1) {
                row.after = if is_same { after } else { position };
            }
        }
        Blocks { document, rows }
    }

    /// The block around a link.
    pub(crate) fn around(&self, anchor: NodeId) -> NodeId {
        let Ok(at) = self.rows.binary_search_by_key(&anchor.index(), |row| row.at) else { return anchor };
        let Some(row) = self.rows.get(at) else { return anchor };
        let fits = |id: &NodeId| {
            let range = self.document.range(*id);
            (row.before == 0 || range.start > row.before)
                && range.end <= row.after
                && !matches!(self.document.tag(*id), Tag::Body | Tag::Html | Tag::Document | Tag::Main)
        };
        self.document.ancestors(anchor).take_while(fits).last().unwrap_or(anchor)
    }

    /// The nodes around a block that lie between its neighbours: where a date stands beside the link.
    pub(crate) fn gap(&self, anchor: NodeId) -> (usize, usize) {
        let Ok(at) = self.rows.binary_search_by_key(&anchor.index(), |row| row.at) else { return (0, 0) };
        self.rows.get(at).map_or((0, 0), |row| {
            // The text of the link before is not part of the gap.
            let before = if row.before == 0 { 0 } else { self.document.range(NodeId::at(row.before)).end };
            (before, row.after)
        })
    }
}
