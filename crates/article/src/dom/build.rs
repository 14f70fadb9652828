//! Builds a tree from tokens: which element a tag opens or closes.

mod end;
mod nodes;
mod start;

use std::borrow::Cow;

use feed::html::{HtmlToken, HtmlTokenizer, unescape};

use super::{Document, open_elements::OpenElements, tag::Tag};
use nodes::Nodes;

/// Deeper elements become children of the deepest one.
const MAX_DEPTH: usize = 256;
/// The rest of the page is ignored.
const MAX_NODES: usize = 100_000;

struct Builder<'a> {
    nodes: Nodes<'a>,
    open: OpenElements,
    body: Option<u32>,
    head: Option<u32>,
    html: Option<u32>,
    // Elements that are too deep to be open, and whose end tags therefore close nothing.
    too_deep: usize,
}

/// Builds the tree of a page.
pub(super) fn build(html: &str) -> Document<'_> {
    let mut builder = Builder {
        nodes: Nodes::with_capacity((html.len() / 16).min(MAX_NODES)),
        open: OpenElements::new(),
        body: None,
        head: None,
        html: None,
        too_deep: 0,
    };
    let mut tokens = HtmlTokenizer::new(html);
    while builder.nodes.len() < MAX_NODES
        && let Some(token) = tokens.next()
    {
        match token {
            HtmlToken::Text(text) => builder.text(text),
            HtmlToken::Start { name, is_self_closing } => builder.start(name, is_self_closing, &mut tokens),
            HtmlToken::End { name } => builder.end(name),
        }
    }
    builder.nodes.finish()
}

impl<'a> Builder<'a> {
    fn text(&mut self, text: &'a str) {
        let is_blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        if self.body.is_none() && !self.is_inside_head_element() {
            if is_blank {
                return;
            }
            self.ensure_body();
        }
        let (parent, tag) = self.open.current();
        // Space at the edge of a block is not shown.
        if is_blank && tag.is_block() && !self.open.has(Tag::Pre) {
            let before = self.nodes.last_child(parent);
            if before.is_none_or(|before| self.nodes.tag(before).is_block()) {
                return;
            }
        }
        self.nodes.append(parent, Tag::Text, unescape(text), &[]);
    }

    /// Appends an element and opens it, unless it is too deep.
    fn open(&mut self, tag: Tag, name: &'a str, attributes: &[(&'a str, &'a str)]) {
        let id = self.append(tag, name, attributes);
        if self.open.depth() < MAX_DEPTH {
            self.open.push(id, tag);
        } else if !has_optional_end(tag) {
            self.too_deep += 1;
        }
    }

    fn append(&mut self, tag: Tag, name: &'a str, attributes: &[(&'a str, &'a str)]) -> u32 {
        let name = if tag == Tag::Other { Cow::Borrowed(name) } else { Cow::Borrowed("") };
        self.nodes.append(self.open.current().0, tag, name, attributes)
    }

    fn ensure_html(&mut self) -> u32 {
        if let Some(html) = self.html {
            return html;
        }
        self.open(Tag::Html, "", &[]);
        let html = self.open.current().0;
        self.html = Some(html);
        html
    }

    fn ensure_head(&mut self) -> u32 {
        self.ensure_html();
        if let Some(head) = self.head {
            return head;
        }
        self.open(Tag::Head, "", &[]);
        let head = self.open.current().0;
        self.head = Some(head);
        head
    }

    fn ensure_body(&mut self) -> u32 {
        self.ensure_html();
        if let Some(body) = self.body {
            return body;
        }
        // The root and `html` stay open.
        self.open.close_from(2);
        self.open(Tag::Body, "", &[]);
        let body = self.open.current().0;
        self.body = Some(body);
        body
    }

    /// Whether an element of the head that may contain markup is open.
    fn is_inside_head_element(&self) -> bool {
        self.open.has(Tag::Noscript) || self.open.has(Tag::Template)
    }
}

/// An element whose end tag is often left out, or that is often left open.
fn has_optional_end(tag: Tag) -> bool {
    use Tag::*;
    tag.is_formatting() || matches!(tag, P | Li | Dd | Dt | Option | Optgroup | Tr | Td | Th | Tbody | Thead | Tfoot)
}

/// An element that most end tags do not reach across.
fn is_special(tag: Tag) -> bool {
    use Tag::*;
    tag.is_scope() || tag.is_block() && tag != Noscript || matches!(tag, Body | Head | Button | Select | Iframe)
}
