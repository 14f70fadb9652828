//! Which elements are open in the input, and what each start and end tag means for the output.

mod tags;

use url::Url;

use super::{
    element::Element,
    tokenize::{Token, Tokenizer},
    unescape::unescape,
    writer::{InlineKind, Leaf, Mode, Writer, Written},
};

// Deeper elements are read as if they were not there.
const MOST_OPEN: usize = 128;

/// An element that is open in the input.
struct Open {
    element: Element,
    shape: Shape,
    // What it opened in the output, to be closed with it.
    container: Option<usize>,
    inline: Option<InlineKind>,
    // What is written at its end.
    closing: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A box whose own text lies in this.
    Block(Leaf),
    /// A box inside a `pre`, where it is but a line.
    Line,
    /// A part of a running text.
    Inline,
}

/// Reads a body.
pub(super) struct Reader<'a> {
    base: Option<&'a Url>,
    writer: Writer,
    open: Vec<Open>,
    preformatted: usize,
    // The next text is what browsers without ruby would show.
    skips_text: bool,
    is_in_noscript: bool,
    last_image: Option<Url>,
    last_media: String,
}

impl<'a> Reader<'a> {
    /// Starts a body.
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

    /// Reads all of it, or as much as there is room for.
    pub(super) fn read(&mut self, html: &str) {
        let mut tokens = Tokenizer::new(html);
        while !self.writer.is_full()
            && let Some(token) = tokens.next()
        {
            match token {
                Token::Text(text) if !self.skips_text => self.writer.text(&unescape(text, false)),
                Token::Text(_) => {}
                Token::Start(start) => {
                    self.skips_text = false;
                    self.start(&start, &mut tokens);
                }
                Token::End(element) => {
                    self.skips_text = false;
                    self.end(element);
                }
            }
        }
    }

    /// Closes what is open.
    pub(super) fn finish(self) -> Written {
        self.writer.finish()
    }

    fn end(&mut self, element: Element) {
        if element == Element::Break {
            // Browsers read `</br>` as a break.
            return self.writer.line_break();
        }
        if element == Element::NoScript {
            self.is_in_noscript = false;
        }
        let stops = |open: &Open| match element {
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

    /// Opens a box; false if it is not one here: too deep, or inside a `pre`.
    fn block(&mut self, element: Element, leaf: Leaf, inline: Option<InlineKind>) -> bool {
        self.leave_paragraph();
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

    /// Opens running markup, unless it is open already.
    fn inline(&mut self, element: Element, kind: InlineKind, href: String) {
        if self.open.len() >= MOST_OPEN {
            return;
        }
        let is_new = !self.writer.has(kind);
        if is_new {
            self.writer.open_inline(kind, href);
        }
        self.open.push(Open {
            element,
            shape: Shape::Inline,
            container: None,
            inline: is_new.then_some(kind),
            closing: "",
        });
    }

    fn push(&mut self, element: Element, shape: Shape, inline: Option<InlineKind>) -> bool {
        if self.open.len() >= MOST_OPEN {
            return false;
        }
        let inline = inline.filter(|kind| !self.writer.has(*kind));
        if let Some(kind) = inline {
            self.writer.open_inline(kind, String::new());
        }
        self.preformatted += usize::from(shape == Shape::Block(Leaf::Preformatted));
        self.open.push(Open { element, shape, container: None, inline, closing: "" });
        true
    }

    /// What text here lies in.
    fn leaf(&self) -> Leaf {
        let shape = self.open.iter().rev().map(|open| open.shape).find(|shape| matches!(shape, Shape::Block(_)));
        if let Some(Shape::Block(leaf)) = shape { leaf } else { Leaf::Bare }
    }

    /// Ends a `p` that a box begins in; what is open in it goes on in the box.
    fn leave_paragraph(&mut self) {
        let last = self.open.iter().rposition(|open| open.shape != Shape::Inline);
        if let Some(index) = last
            && self.open.get(index).is_some_and(|open| open.element == Element::Paragraph)
        {
            self.open.remove(index);
        }
    }

    /// Ends the innermost of some elements, and all in it, unless something else lies between.
    fn leave(&mut self, elements: &[Element], between: &[Element]) {
        let found = self.find(|open| elements.contains(&open.element), |open| between.contains(&open.element));
        if let Some(index) = found {
            self.close_to(index);
        }
    }

    fn find(&self, is_it: impl Fn(&Open) -> bool, stops: impl Fn(&Open) -> bool) -> Option<usize> {
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

    fn close(&mut self, open: &Open) {
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
