//! End tags.

use super::{Builder, has_optional_end, is_special};
use crate::dom::tag::Tag;

/// How many blocks one end tag of misnested inline markup is repaired for.
const MAX_REPAIRS: usize = 8;

impl<'a> Builder<'a> {
    pub(super) fn end(&mut self, name: &'a str) {
        use Tag::*;
        let tag = Tag::named(name);
        if self.too_deep > 0 && !has_optional_end(tag) {
            self.too_deep -= 1;
            return;
        }
        match tag {
            Html | Head | Body => {}
            Br => {
                self.ensure_body();
                self.append(Br, "", &[]);
            }
            Other => self.end_other(name),
            Form => self.end_form(),
            Li => self.close(Li, |open| open.is_scope() || matches!(open, Ul | Ol | Menu)),
            P => self.close(P, |open| open.is_scope() || open == Button),
            Table | Tbody | Thead | Tfoot | Tr | Td | Th | Caption => {
                // Parts of a table reach across everything but another table.
                self.close(tag, |open| open == Template || open == Table && tag != Table);
            }
            heading if heading.is_heading() => {
                if let Some(index) = self.open.find_any(Tag::is_heading, Tag::is_scope) {
                    self.open.close_from(index);
                }
            }
            formatting if formatting.is_formatting() => self.end_formatting(formatting),
            block if block.is_block() || block.is_scope() || block == Button => self.close(block, Tag::is_scope),
            inline => self.close(inline, is_special),
        }
    }

    /// Closes an element with an unknown name.
    fn end_other(&mut self, name: &str) {
        if !self.open.has(Tag::Other) {
            return;
        }
        for index in (0..self.open.depth()).rev() {
            let Some((id, tag)) = self.open.get(index) else { return };
            if tag == Tag::Other && self.nodes.name(id).eq_ignore_ascii_case(name) {
                return self.open.close_from(index);
            }
            if tag.is_scope() {
                return;
            }
        }
    }

    /// Closes the form, but nothing that was left open in it: forms are often nested wrongly.
    fn end_form(&mut self) {
        let Some(index) = self.open.find(Tag::Form, Tag::is_scope) else { return };
        if index + 1 == self.open.depth() {
            self.open.close_from(index);
        } else {
            self.open.remove(index);
        }
    }

    /// Closes inline markup. A block that is still open inside it moves out of it, as in browsers: otherwise the rest of
    /// a page would be one link after `<a><div></a>`.
    pub(super) fn end_formatting(&mut self, tag: Tag) {
        for _ in 0..MAX_REPAIRS {
            let Some(index) = self.open.find(tag, Tag::is_scope) else { return };
            let Some(block_index) = self.open.first_after(index, is_special) else {
                return self.open.close_from(index);
            };
            let (Some((id, _)), Some((block, _))) = (self.open.get(index), self.open.get(block_index)) else { return };
            let Some((outer, _)) = self.open.get(index.wrapping_sub(1)) else { return };
            self.nodes.move_last(block, outer);
            let copy = self.nodes.copy(id);
            self.nodes.move_children(block, copy);
            self.nodes.attach(copy, block);
            self.open.insert(block_index + 1, copy, tag);
            // Other inline markup between the two is left behind with the first element.
            for between in (index..block_index).rev() {
                self.open.remove(between);
            }
        }
        // Still nested wrongly: the element stays open in the tree, but later end tags are for others.
        if let Some(index) = self.open.find(tag, Tag::is_scope) {
            self.open.remove(index);
        }
    }
}
