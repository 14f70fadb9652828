//! Handles start tags.

use super::{HtmlReader, MAX_OPEN, OpenElement, Shape};
use crate::sanitize::{
    address,
    attribute::Attributes,
    element::Element,
    image::{Picture, picture, sign},
    media::media_link,
    tokenize::{Start, Tokenizer},
    writer::{ContainerKind, InlineKind, Leaf, Mode},
};

impl HtmlReader<'_> {
    /// Handles a start tag.
    pub(super) fn start<'t>(&mut self, start: &Start<'t>, tokens: &mut Tokenizer<'t>) {
        match start.element {
            Element::Paragraph | Element::Block => self.boxed(start.element, Leaf::Paragraph, None),
            Element::Heading => self.boxed(start.element, Leaf::Paragraph, Some(InlineKind::Strong)),
            Element::Caption => self.boxed(start.element, Leaf::Paragraph, Some(InlineKind::Emphasis)),
            Element::Preformatted => self.boxed(start.element, Leaf::Preformatted, None),
            Element::Quote => self.container(start.element, ContainerKind::Quote),
            Element::Bullets => self.container(start.element, ContainerKind::Bullets),
            Element::Numbers => self.container(start.element, ContainerKind::Numbers),
            Element::Item => {
                self.leave(&[Element::Item], &[Element::Bullets, Element::Numbers, Element::Cell, Element::HeadCell]);
                self.container(start.element, ContainerKind::Item);
            }
            Element::Break => self.writer.line_break(),
            Element::Rule => {
                self.boxed(Element::Rule, Leaf::Paragraph, None);
                self.end(Element::Rule);
            }
            Element::Anchor => self.anchor(&start.attributes),
            Element::Strong => self.inline(start.element, InlineKind::Strong, String::new()),
            Element::Emphasis => self.inline(start.element, InlineKind::Emphasis, String::new()),
            Element::Code => self.inline(start.element, InlineKind::Code, String::new()),
            Element::InlineQuote => self.enclosed(start.element, "“", "”"),
            Element::Reading => {
                self.leave(&[Element::Reading], &[]);
                self.enclosed(start.element, "（", "）");
            }
            Element::ReadingFallback => {
                self.leave(&[Element::Reading], &[]);
                self.skips_text = true;
            }
            Element::Image => self.image(&start.attributes),
            Element::NoScript => self.is_in_noscript = true,
            Element::Source | Element::Transparent => {}
            _ => self.start_of_table_or_media(start, tokens),
        }
    }

    fn start_of_table_or_media<'t>(&mut self, start: &Start<'t>, tokens: &mut Tokenizer<'t>) {
        const IN_TABLE: &[Element] = &[Element::Table];
        match start.element {
            Element::Definitions | Element::Table => self.boxed(start.element, Leaf::Paragraph, None),
            Element::Term | Element::Definition => {
                self.leave(&[Element::Term, Element::Definition], &[Element::Definitions, Element::Cell]);
                let inline = (start.element == Element::Term).then_some(InlineKind::Strong);
                self.boxed(start.element, Leaf::Paragraph, inline);
            }
            Element::HeadRows | Element::Rows => {
                self.leave(&[Element::HeadRows, Element::Rows], IN_TABLE);
                self.boxed(start.element, Leaf::Paragraph, None);
            }
            Element::Row => {
                self.leave(&[Element::Row], IN_TABLE);
                self.boxed(start.element, Leaf::Paragraph, None);
            }
            Element::Cell | Element::HeadCell => self.cell(start.element),
            Element::Media | Element::Frame => {
                let is_empty = start.is_self_closing && start.element == Element::Frame;
                let content = if is_empty { None } else { tokens.content_of(start.name) };
                if content.is_none() && !is_empty && start.element == Element::Frame {
                    tokens.take_rest();
                }
                self.media(&start.attributes, content.unwrap_or_default());
            }
            Element::Embed | Element::Object => self.media(&start.attributes, ""),
            Element::Verbatim => {
                let text = tokens.content_of(start.name).unwrap_or_else(|| tokens.take_rest());
                self.boxed(Element::Verbatim, Leaf::Preformatted, None);
                self.writer.text(text);
                self.end(Element::Verbatim);
            }
            Element::PlainText => self.writer.text(tokens.take_rest()),
            Element::Raw => {
                let is_open = tokens.content_of(start.name).is_none() && !start.is_self_closing;
                if is_open {
                    tokens.take_rest();
                }
            }
            Element::Dropped if !start.is_self_closing => {
                tokens.content_of(start.name);
            }
            _ => {}
        }
    }

    fn boxed(&mut self, element: Element, leaf: Leaf, inline: Option<InlineKind>) {
        let _is_box = self.block(element, leaf, inline);
    }

    fn container(&mut self, element: Element, kind: ContainerKind) {
        if !self.block(element, Leaf::Bare, None) {
            return;
        }
        let container = self.writer.open(kind);
        if let Some(open) = self.open.last_mut() {
            open.container = container;
            if container.is_none() && kind == ContainerKind::Item {
                // An item outside a list.
                open.shape = Shape::Block(Leaf::Paragraph);
                self.writer.set_leaf(Leaf::Paragraph);
            }
        }
    }

    fn anchor(&mut self, attributes: &Attributes<'_>) {
        if let Some(index) = self.find(|open| open.element == Element::Anchor, |_| false) {
            self.close_one(index);
        }
        let [href] = attributes.values(["href"]);
        if let Some(href) = href.and_then(|href| address::link(&href, self.base)) {
            self.inline(Element::Anchor, InlineKind::Anchor, href);
        }
    }

    /// Opens inline text with a character before and after it.
    fn enclosed(&mut self, element: Element, opening: &str, closing: &'static str) {
        if self.open.len() < MAX_OPEN {
            self.writer.text(opening);
            self.open.push(OpenElement { element, shape: Shape::Inline, container: None, inline: None, closing });
        }
    }

    fn cell(&mut self, element: Element) {
        self.leave(&[Element::Cell, Element::HeadCell], &[Element::Row, Element::Table]);
        self.end_paragraph();
        if self.preformatted > 0 {
            self.writer.text(" ");
        } else {
            self.writer.next_cell();
        }
        let is_head = element == Element::HeadCell
            || self.find(|open| open.element == Element::HeadRows, |open| open.element == Element::Table).is_some();
        let inline = is_head.then_some(InlineKind::Strong);
        self.push(element, Shape::Inline, inline);
    }

    fn image(&mut self, attributes: &Attributes<'_>) {
        if self.writer.mode() == Mode::Text {
            if let Some(sign) = sign(attributes) {
                self.writer.text(&sign);
            }
            return;
        }
        match picture(attributes, self.base) {
            Picture::Shown { src, tag } => {
                // Pages with lazy loading repeat images in `noscript`.
                if !self.is_in_noscript || self.last_image.as_ref() != Some(&src) {
                    self.writer.image(&tag);
                    self.last_image = Some(src);
                }
            }
            Picture::Linked { href, label } => self.writer.link(href, &label),
            Picture::Text(text) => self.writer.text(&text),
            Picture::Nothing => {}
        }
    }

    fn media(&mut self, attributes: &Attributes<'_>, content: &str) {
        if self.writer.mode() == Mode::Text {
            return;
        }
        // An `object` often contains an `embed` of the same video.
        if let Some(link) = media_link(attributes, content, self.base)
            && link.href != self.last_media
        {
            self.writer.new_line();
            self.writer.link(link.href.clone(), &link.label);
            self.writer.new_line();
            self.last_media = link.href;
        }
    }
}
