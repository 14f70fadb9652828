//! Start tags, and the end tags that they imply.

use std::borrow::Cow;

use feed::html::{HtmlTokenizer, unescape};

use super::{Builder, is_special};
use crate::dom::tag::Tag;

impl<'a> Builder<'a> {
    pub(super) fn start(&mut self, name: &'a str, is_self_closing: bool, tokens: &mut HtmlTokenizer<'a>) {
        let tag = Tag::named(name);
        if self.is_page_part(tag, tokens) {
            return;
        }
        if self.is_foreign() {
            if !breaks_out(tag) {
                if is_self_closing {
                    self.append(tag, name, tokens.attributes());
                } else {
                    self.open_with_content(tag, name, tokens);
                }
                return;
            }
            self.close_foreign();
        }
        if self.body.is_none() && !self.is_inside_head_element() {
            if tag.is_of_head() {
                self.ensure_head();
            } else {
                self.ensure_body();
            }
        }
        if !self.close_implied(tag) {
            return;
        }
        let is_foreign_root = matches!(tag, Tag::Svg | Tag::Math);
        if tag.is_void() || is_foreign_root && is_self_closing {
            self.append(tag, name, tokens.attributes());
        } else {
            self.open_with_content(tag, name, tokens);
        }
    }

    /// Opens an element, or appends it at once with its content if that is not markup.
    fn open_with_content(&mut self, tag: Tag, name: &'a str, tokens: &mut HtmlTokenizer<'a>) {
        if !tag.is_raw() {
            self.open(tag, name, tokens.attributes());
            return;
        }
        let id = self.append(tag, name, tokens.attributes());
        let content = tokens.raw_text(name);
        let text = match tag {
            Tag::Title | Tag::Textarea => unescape(content),
            Tag::Script | Tag::Style | Tag::Xmp => Cow::Borrowed(content),
            _ => return,
        };
        if !text.is_empty() {
            self.nodes.append(id, Tag::Text, text, &[]);
        }
    }

    /// Handles `html`, `head` and `body`, which a page has once, whatever it writes.
    fn is_page_part(&mut self, tag: Tag, tokens: &HtmlTokenizer<'a>) -> bool {
        let id = match tag {
            Tag::Html => self.ensure_html(),
            Tag::Head if self.body.is_none() => self.ensure_head(),
            Tag::Head => return true,
            Tag::Body => self.ensure_body(),
            _ => return false,
        };
        if !tokens.attributes().is_empty() {
            self.nodes.set_attributes(id, tokens.attributes());
        }
        true
    }

    /// Whether the current element is inside `svg` or `math`, where other rules apply.
    fn is_foreign(&self) -> bool {
        if !self.open.has(Tag::Svg) && !self.open.has(Tag::Math) {
            return false;
        }
        let (current, tag) = self.open.current();
        let is_text = matches!(self.nodes.name(current), "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml");
        if tag == Tag::Other && is_text {
            return false;
        }
        self.open.find_any(|tag| matches!(tag, Tag::Svg | Tag::Math), |tag| tag == Tag::ForeignObject).is_some()
    }

    fn close_foreign(&mut self) {
        let root = self.open.find_any(|tag| matches!(tag, Tag::Svg | Tag::Math), |_| false);
        if let Some(root) = root {
            self.open.close_from(root);
        }
    }

    /// Closes the elements that a start tag ends. False if the tag itself is to be ignored.
    fn close_implied(&mut self, tag: Tag) -> bool {
        use Tag::*;
        if tag.ends_paragraph() {
            self.close_paragraph();
        }
        match tag {
            Li => self.close_item(|open| open == Li),
            Dd | Dt => self.close_item(|open| matches!(open, Dd | Dt)),
            Option if self.open.current().1 == Option => self.close_current(),
            Optgroup => {
                self.close_while(|open| matches!(open, Option | Optgroup));
            }
            Rt | Rp | Rb | Rtc => self.close_while(|open| matches!(open, Rt | Rp | Rb)),
            Table if matches!(self.open.current().1, Table | Tbody | Thead | Tfoot | Tr) => {
                self.close(Table, |_| false)
            }
            Caption | Colgroup | Col | Tbody | Thead | Tfoot | Tr | Td | Th => return self.start_table_part(tag),
            A => self.end_formatting(A),
            Button => self.close(Button, Tag::is_scope),
            Form => return !self.open.has(Form),
            heading if heading.is_heading() && self.open.current().1.is_heading() => self.close_current(),
            _ => {}
        }
        true
    }

    /// Closes an open `p`.
    fn close_paragraph(&mut self) {
        self.close(Tag::P, |open| open.is_scope() || open == Tag::Button);
    }

    /// Closes an open item of a list, unless a nested list is open inside it.
    fn close_item(&mut self, is_item: impl Fn(Tag) -> bool) {
        let stops = |open| is_special(open) && !matches!(open, Tag::Address | Tag::Div | Tag::P);
        if let Some(index) = self.open.find_any(is_item, stops) {
            self.open.close_from(index);
        }
        self.close_paragraph();
    }

    fn close_while(&mut self, is_closed: impl Fn(Tag) -> bool) {
        while is_closed(self.open.current().1) {
            self.close_current();
        }
    }

    fn close_current(&mut self) {
        self.open.close_from(self.open.depth() - 1);
    }

    pub(super) fn close(&mut self, tag: Tag, stops: impl Fn(Tag) -> bool) {
        if let Some(index) = self.open.find(tag, stops) {
            self.open.close_from(index);
        }
    }

    /// Closes cells, rows and sections, and opens those that are left out. False outside a table.
    fn start_table_part(&mut self, tag: Tag) -> bool {
        use Tag::*;
        let Some(table) = self.open.find(Table, |open| matches!(open, Template | Document)) else { return false };
        let keeps = |open: Tag| match tag {
            Td | Th => matches!(open, Tbody | Thead | Tfoot | Tr),
            Tr => matches!(open, Tbody | Thead | Tfoot),
            Col => open == Colgroup,
            _ => false,
        };
        let mut inside = table + 1;
        while self.open.get(inside).is_some_and(|(_, open)| keeps(open)) {
            inside += 1;
        }
        self.open.close_from(inside);
        if matches!(tag, Tr | Td | Th) && self.open.current().1 == Table {
            self.open(Tbody, "", &[]);
        }
        if matches!(tag, Td | Th) && self.open.current().1 != Tr {
            self.open(Tr, "", &[]);
        }
        true
    }
}

/// An element of HTML that ends `svg` or `math`.
fn breaks_out(tag: Tag) -> bool {
    use Tag::*;
    tag.ends_paragraph()
        || matches!(
            tag,
            B | Big
                | Body
                | Br
                | Code
                | Dd
                | Dt
                | Em
                | Embed
                | Head
                | I
                | Img
                | Li
                | Meta
                | Nobr
                | Ruby
                | S
                | Small
                | Span
                | Strong
                | Strike
                | Sub
                | Sup
                | Tt
                | U
                | Var
        )
}
