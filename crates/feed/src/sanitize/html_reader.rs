//! Tracks the open elements of the input, and translates start and end tags for the writer.

mod tags;

use url::Url;

use super::{
    element::Element,
    tokenize::{HtmlToken, Tokenizer},
    unescape::unescape,
    writer::{InlineKind, Leaf, Mode, Writer, Written},
};

// Deeper elements are ignored, but not their content.
const MAX_OPEN: usize = 128;

/// An element that is open in the input.
struct OpenElement {
    element: Element,
    shape: Shape,
    // What it opened in the output.
    container: Option<usize>,
    inline: Option<InlineKind>,
    // Text to write at its end.
    closing: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A block whose own text is in this leaf.
    Block(Leaf),
    /// A block inside a `pre`, where it is only a line.
    Line,
    /// Inline markup.
    Inline,
}

pub(super) struct HtmlReader<'a> {
    base: Option<&'a Url>,
    writer: Writer,
    open: Vec<OpenElement>,
    preformatted: usize,
    // The next text is the fallback for browsers without ruby.
    skips_text: bool,
    is_in_noscript: bool,
    last_image: Option<Url>,
    last_media: String,
}

impl<'a> HtmlReader<'a> {
    pub(super) fn new(mode: Mode, limit: usize, base: Option<&'a Url>) -> Self {
        Self {
            base,
            writer: Writer::new(mode, limit),
            open: Vec::new(),
            preformatted: 0,
            skips_text: false,
            is_in_noscript: false,
            last_image: None,
            last_media: String::new(),
        }
    }

    /// Reads the body until its end or until the output is full.
    pub(super) fn read(&mut self, html: &str) {
        let mut tokens = Tokenizer::new(html);
        while !self.writer.is_full()
            && let Some(token) = tokens.next()
        {
            match token {
                HtmlToken::Text(text) if !self.skips_text => self.writer.text(&unescape(text, false)),
                HtmlToken::Text(_) => {}
                HtmlToken::Start(start) => {
                    self.skips_text = false;
                    self.start(&start, &mut tokens);
                }
                HtmlToken::End(element) => {
                    self.skips_text = false;
                    self.end(element);
                }
            }
        }
    }

    /// Closes all open elements.
    pub(super) fn finish(self) -> Written {
        self.writer.finish()
    }

    fn end(&mut self, element: Element) {
        if element == Element::Break {
            // Browsers read `</br>` as a line break.
            return self.writer.line_break();
        }
        if element == Element::NoScript {
            self.is_in_noscript = false;
        }
        let stops = |open: &OpenElement| match element {
            Element::Item => open.element.is_list(),
            _ => open.element.is_cell() && !element.is_part_of_table(),
        };
        let Some(index) = self.find(|open| open.element == element, stops) else { return };
        if element.is_inline() {
            self.close_one(index);
        } else {
            self.close_to(index);
        }
    }

    /// Opens a block; false if it is too deep or inside a `pre`.
    fn block(&mut self, element: Element, leaf: Leaf, inline: Option<InlineKind>) -> bool {
        self.end_paragraph();
        if self.preformatted > 0 {
            self.writer.new_line();
            self.push(element, Shape::Line, None);
            return false;
        }
        self.writer.boundary();
        let is_open = self.push(element, Shape::Block(leaf), inline);
        self.writer.set_leaf(self.leaf());
        is_open
    }

    /// Opens inline markup, unless it is already open.
    fn inline(&mut self, element: Element, kind: InlineKind, href: String) {
        if self.open.len() >= MAX_OPEN {
            return;
        }
        let is_new = !self.writer.has(kind);
        if is_new {
            self.writer.open_inline(kind, href);
        }
        self.open.push(OpenElement {
            element,
            shape: Shape::Inline,
            container: None,
            inline: is_new.then_some(kind),
            closing: "",
        });
    }

    fn push(&mut self, element: Element, shape: Shape, inline: Option<InlineKind>) -> bool {
        if self.open.len() >= MAX_OPEN {
            return false;
        }
        let inline = inline.filter(|kind| !self.writer.has(*kind));
        if let Some(kind) = inline {
            self.writer.open_inline(kind, String::new());
        }
        self.preformatted += usize::from(shape == Shape::Block(Leaf::Preformatted));
        self.open.push(OpenElement { element, shape, container: None, inline, closing: "" });
        true
    }

    /// The leaf of text at this point.
    fn leaf(&self) -> Leaf {
        let shape = self.open.iter().rev().map(|open| open.shape).find(|shape| matches!(shape, Shape::Block(_)));
        if let Some(Shape::Block(leaf)) = shape { leaf } else { Leaf::Bare }
    }

    /// Ends a `p` in which a block begins; its open inline markup continues in the block.
    fn end_paragraph(&mut self) {
        let last = self.open.iter().rposition(|open| open.shape != Shape::Inline);
        if let Some(index) = last
            && self.open.get(index).is_some_and(|open| open.element == Element::Paragraph)
        {
            self.open.remove(index);
        }
    }

    /// Ends the innermost of `elements` and all inside it, unless one of `between` is open inside it.
    fn leave(&mut self, elements: &[Element], between: &[Element]) {
        let found = self.find(|open| elements.contains(&open.element), |open| between.contains(&open.element));
        if let Some(index) = found {
            self.close_to(index);
        }
    }

    fn find(&self, is_it: impl Fn(&OpenElement) -> bool, stops: impl Fn(&OpenElement) -> bool) -> Option<usize> {
        for (index, open) in self.open.iter().enumerate().rev() {
            if is_it(open) {
                return Some(index);
            }
            if stops(open) {
                return None;
            }
        }
        None
    }

    fn close_to(&mut self, index: usize) {
        while self.open.len() > index
            && let Some(open) = self.open.pop()
        {
            self.close(&open);
        }
    }

    fn close_one(&mut self, index: usize) {
        if index < self.open.len() {
            let open = self.open.remove(index);
            self.close(&open);
        }
    }

    fn close(&mut self, open: &OpenElement) {
        self.writer.text(open.closing);
        if let Some(kind) = open.inline {
            self.writer.close_inline(kind);
        }
        match open.shape {
            Shape::Inline => {}
            Shape::Line => self.writer.new_line(),
            Shape::Block(leaf) => {
                self.preformatted -= usize::from(leaf == Leaf::Preformatted);
                self.writer.boundary();
                if let Some(depth) = open.container {
                    self.writer.close_to(depth);
                }
                self.writer.set_leaf(self.leaf());
            }
        }
    }
}
