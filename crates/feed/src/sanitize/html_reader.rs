//! Tracks the open elements of the input, and translates start and end tags for the writer.

mod blocks;
mod code;
mod inlines;

use url::Url;

use super::{
    element::Element,
    survey::Survey,
    tokenize::{HtmlToken, Start, Tokenizer},
    unescape::unescape,
    writer::{Mode, Tag, Writer, Written},
};

// Deeper elements are ignored, but not their content.
const MAX_OPEN: usize = 128;

/// Where a body comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Origin<'a> {
    /// Relative addresses are resolved against it.
    pub(super) base: Option<&'a Url>,
    /// The address of the article itself: links to places in it stay in it.
    pub(super) page: Option<&'a Url>,
}

/// An element that is open in the input.
struct OpenElement {
    element: Element,
    key: u64,
    is_list: bool,
    is_cell: bool,
    shape: Shape,
    // The depth of its container in the output.
    container: Option<usize>,
    // Whether it has opened inline markup in the output.
    is_written: bool,
    // Text to write at its end.
    closing: &'static str,
}

#[derive(Debug, Clone)]
enum Shape {
    /// A block whose own text is in this leaf.
    Block(Tag),
    /// A block inside a `pre`, where it is only a line.
    Line,
    /// Inline markup.
    Inline,
}

pub(super) struct HtmlReader<'a> {
    html: &'a str,
    origin: Origin<'a>,
    survey: Survey,
    writer: Writer,
    open: Vec<OpenElement>,
    preformatted: usize,
    // The next text is the fallback for browsers without ruby.
    skips_text: bool,
    is_in_noscript: bool,
    // The `srcset` of a `picture`, for its image.
    picture_set: Option<String>,
    last_image: Option<Url>,
    last_media: String,
}

impl OpenElement {
    fn new(element: Element, shape: Shape) -> Self {
        let (is_list, is_cell) = (element.is_list(), element.is_cell());
        Self { element, key: element.key(), is_list, is_cell, shape, container: None, is_written: false, closing: "" }
    }
}

impl<'a> HtmlReader<'a> {
    pub(super) fn new(mode: Mode, limit: usize, html: &'a str, origin: Origin<'a>) -> Self {
        Self {
            html,
            origin,
            survey: if mode == Mode::Html { Survey::of(html, origin.page) } else { Survey::default() },
            writer: Writer::new(mode, limit),
            open: Vec::new(),
            preformatted: 0,
            skips_text: false,
            is_in_noscript: false,
            picture_set: None,
            last_image: None,
            last_media: String::new(),
        }
    }

    /// Reads the body until its end or until the output is full.
    pub(super) fn read(&mut self) {
        let mut tokens = Tokenizer::new(self.html);
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
                HtmlToken::End { element, .. } => {
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

    fn start(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        match start.element {
            Element::Leaf(_) | Element::Block | Element::Container(_) | Element::Rule | Element::Verbatim => {
                self.start_block(start, tokens);
            }
            Element::Inline(name) => self.start_inline(name, start, tokens),
            Element::Break => self.writer.line_break(),
            Element::WordBreak => self.writer.word_break(),
            Element::Math => self.math(start, tokens),
            Element::Image => self.image(&start.attributes),
            Element::Input => self.check_box(&start.attributes),
            Element::NoScript => self.is_in_noscript = true,
            Element::Picture => self.picture_set = None,
            Element::Source => self.source(&start.attributes),
            Element::Media | Element::Frame | Element::Embed => self.media(start, tokens),
            Element::PlainText => self.writer.text(tokens.take_rest()),
            Element::Raw => {
                if tokens.content_of(start.name).is_none() && !start.is_self_closing {
                    tokens.take_rest();
                }
            }
            Element::Dropped if !start.is_self_closing => {
                tokens.content_of(start.name);
            }
            Element::Transparent | Element::Dropped => self.add_anchor(start),
        }
    }

    fn end(&mut self, element: Element) {
        match element {
            // Browsers read `</br>` as a line break.
            Element::Break => return self.writer.line_break(),
            Element::NoScript => self.is_in_noscript = false,
            Element::Picture => self.picture_set = None,
            Element::Inline("ruby") => self.leave(inlines::RUBY_PARTS, |_| false),
            _ => {}
        }
        let (key, is_item) = (element.key(), element == Element::Container("li"));
        let leaves_cells = element.is_part_of_table();
        let stops = |open: &OpenElement| if is_item { open.is_list } else { open.is_cell && !leaves_cells };
        let Some(index) = self.find(|open| key > 0 && open.key == key, stops) else { return };
        if matches!(element, Element::Inline(_)) {
            self.close_one(index);
        } else {
            self.close_to(index);
        }
    }

    /// The id of a start tag as it is written, if a link of the body leads to it.
    fn id(&self, start: &Start<'_>) -> Option<String> {
        self.survey.id(&start.attributes, start.element == Element::Inline("a"))
    }

    /// The next element gets the id of one that is not written.
    fn add_anchor(&mut self, start: &Start<'_>) {
        if let Some(id) = self.id(start) {
            self.writer.add_anchor(id);
        }
    }

    fn push(&mut self, element: Element, shape: Shape) -> bool {
        if self.open.len() >= MAX_OPEN {
            return false;
        }
        self.preformatted += usize::from(shape.is_preformatted());
        self.open.push(OpenElement::new(element, shape));
        true
    }

    /// The leaf of text at this point.
    fn leaf(&self) -> Tag {
        let leaf = self.open.iter().rev().find_map(|open| match &open.shape {
            Shape::Block(leaf) => Some(leaf.clone()),
            _ => None,
        });
        leaf.unwrap_or_default()
    }

    /// Ends a `p` in which a block begins; its open inline markup continues in the block.
    fn end_paragraph(&mut self) {
        let last = self.open.iter().rposition(|open| !matches!(open.shape, Shape::Inline));
        if let Some(index) = last
            && self.open.get(index).is_some_and(|open| open.element == Element::Leaf("p"))
        {
            self.open.remove(index);
        }
    }

    /// Ends the innermost of `elements` and all inside it, unless an element that `stops` is open inside it.
    fn leave(&mut self, elements: &[Element], stops: impl Fn(&OpenElement) -> bool) {
        let mut keys = [0; 4];
        for (key, element) in keys.iter_mut().zip(elements) {
            *key = element.key();
        }
        if let Some(index) = self.find(|open| open.key > 0 && keys.contains(&open.key), stops) {
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
        if let (true, Element::Inline(name)) = (open.is_written, open.element) {
            self.writer.close_inline(name);
        }
        match &open.shape {
            Shape::Inline => {}
            Shape::Line => self.writer.new_line(),
            Shape::Block(_) => {
                self.preformatted -= usize::from(open.shape.is_preformatted());
                self.writer.boundary();
                if let Some(depth) = open.container {
                    self.writer.close_to(depth);
                }
                self.writer.set_leaf(self.leaf());
            }
        }
    }
}

impl Shape {
    fn is_preformatted(&self) -> bool {
        matches!(self, Shape::Block(Tag { name: "pre", .. }))
    }
}
