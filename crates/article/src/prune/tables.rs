//! Tables with data, as opposed to tables for layout.

use crate::{
    dom::{NodeId, Tag},
    page::Page,
};

const IN: u8 = 1;
const AROUND: u8 = 2;

/// Which nodes are in tables with data, or have one inside.
#[derive(Debug)]
pub(crate) struct DataTables {
    marks: Vec<u8>,
}

impl DataTables {
    /// Finds the tables in a part of a page.
    pub(crate) fn find(page: &Page<'_, '_>, root: NodeId) -> DataTables {
        let mut tables = DataTables { marks: vec![0; page.document.len()] };
        for id in page.kept(root) {
            if page.document.tag(id) == Tag::Table && tables.is_free(id) && has_data(page, id) {
                tables.mark(page, id);
            }
        }
        tables
    }

    /// Whether a node is such a table, in one, or around one.
    pub(crate) fn protects(&self, id: NodeId) -> bool {
        !self.is_free(id)
    }

    fn is_free(&self, id: NodeId) -> bool {
        self.marks.get(id.index()).is_none_or(|marks| *marks == 0)
    }

    fn mark(&mut self, page: &Page<'_, '_>, id: NodeId) {
        if let Some(inside) = self.marks.get_mut(page.document.range(id)) {
            inside.fill(IN);
        }
        for around in page.document.ancestors(id) {
            match self.marks.get_mut(around.index()) {
                Some(marks) if *marks & AROUND == 0 => *marks |= AROUND,
                _ => return,
            }
        }
    }
}

fn has_data(page: &Page<'_, '_>, table: NodeId) -> bool {
    let document = page.document;
    if document.raw_attribute(table, "role") == Some("presentation")
        || document.raw_attribute(table, "datatable") == Some("0")
    {
        return false;
    }
    if document.raw_attribute(table, "summary").is_some_and(|summary| !summary.is_empty()) {
        return true;
    }
    let (mut rows, mut columns, mut cells) = (0u32, 0u32, 0u32);
    let mut is_nested = false;
    for id in page.kept(table).skip(1) {
        match document.tag(id) {
            Tag::Col | Tag::Colgroup | Tag::Tfoot | Tag::Thead | Tag::Th => return true,
            Tag::Caption if document.first_child(id).is_some() => return true,
            Tag::Table => is_nested = true,
            Tag::Tr => {
                rows += span(page, id, "rowspan");
                cells = 0;
            }
            Tag::Td => {
                cells += span(page, id, "colspan");
                columns = columns.max(cells);
            }
            _ => {}
        }
        if is_nested {
            return false;
        }
    }
    rows > 1 && columns > 1 && (rows >= 10 || columns > 4 || rows * columns > 10)
}

fn span(page: &Page<'_, '_>, id: NodeId, name: &str) -> u32 {
    page.document.raw_attribute(id, name).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, 1000)
}
