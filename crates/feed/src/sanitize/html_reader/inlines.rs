//! Start tags inside a line: inline markup, links, ruby, images, formulas and media.

use std::{borrow::Cow, rc::Rc};

use super::{HtmlReader, MAX_OPEN, OpenElement, Shape, blocks::direction};
use crate::sanitize::{
    address,
    attribute::Attributes,
    element::Element,
    image::{Picture, folded, picture, sign},
    math,
    media::media_link,
    tokenize::{Start, Tokenizer},
    writer::{Mode, Tag, push_attribute},
};

/// Inline markup that means more inside itself: `x<sup>y<sup>z</sup></sup>`.
const NESTING: &[&str] = &["sub", "sup", "q", "span", "bdi", "bdo"];
pub(super) const RUBY_PARTS: &[Element] = &[Element::Inline("rb"), Element::Inline("rt"), Element::Inline("rp")];

impl<'a> HtmlReader<'a> {
    pub(super) fn start_inline(&mut self, name: &'static str, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        let is_text = self.writer.mode() == Mode::Text;
        match name {
            "a" => self.anchor(start, tokens),
            "span" => self.span(start, tokens),
            "q" if is_text => self.enclosed(start.element, "“", "”"),
            "rb" | "rt" | "rp" => self.ruby_part(name, start),
            "bdo" if direction(&start.attributes).is_none() => self.add_anchor(start),
            _ => {
                if name == "code" {
                    self.start_code_inside(&start.attributes);
                }
                self.inline(name, start, attributes_of(name, &start.attributes));
            }
        }
    }

    /// Opens inline markup, unless it is already open.
    fn inline(&mut self, name: &'static str, start: &Start<'_>, attributes: Option<Rc<str>>) {
        if self.open.len() >= MAX_OPEN {
            return self.add_anchor(start);
        }
        let is_new = NESTING.contains(&name) || !self.writer.has(name);
        let is_written = is_new && self.writer.open_inline(Tag { name, attributes, id: self.id(start) });
        if !is_new {
            self.add_anchor(start);
        }
        self.open.push(OpenElement { is_written, ..OpenElement::new(start.element, Shape::Inline) });
    }

    /// A `span` is written if it says in which language or direction its text is.
    fn span(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        let [class] = start.attributes.values(["class"]);
        // KaTeX draws each formula twice: for the eyes with spans, for machines as MathML.
        let is_drawing = |class: &str| class.split_ascii_whitespace().any(|class| class == "katex-html");
        if class.is_some_and(|class| is_drawing(&class)) && tokens.element_of(start.name, |_| true).is_some()
            || self.skips_line_numbers(start, tokens)
        {
            return;
        }
        let attributes = direction(&start.attributes);
        if attributes.is_some() {
            self.inline("span", start, attributes);
        } else {
            self.add_anchor(start);
            // Its end tag must not end the `span` around it.
            if self.writer.has("span") {
                self.push(start.element, Shape::Inline);
            }
        }
    }

    fn anchor(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        if let Some(index) = self.find(|open| open.key == Element::Inline("a").key(), |_| false) {
            self.close_one(index);
        }
        if self.skips_line_numbers(start, tokens) {
            return self.add_anchor(start);
        }
        let [href] = start.attributes.values(["href"]);
        match href.and_then(|href| self.link(&href)) {
            Some(attributes) => self.inline("a", start, Some(attributes)),
            None => self.add_anchor(start),
        }
    }

    /// The attributes of a link: to a place in the article, or to another page, which opens in a new tab.
    fn link(&self, href: &str) -> Option<Rc<str>> {
        if let Some(place) = self.survey.place(href, self.origin.page) {
            let mut out = String::new();
            push_attribute(&mut out, "href", &format!("#{place}"));
            return Some(out.into());
        }
        let base = if href.trim_ascii_start().starts_with('#') { self.origin.page } else { None };
        address::link(href, base.or(self.origin.base)).map(|href| outside(&href))
    }

    fn ruby_part(&mut self, name: &'static str, start: &Start<'_>) {
        self.leave(RUBY_PARTS, |_| false);
        if self.writer.mode() == Mode::Html && self.writer.has("ruby") {
            return self.inline(name, start, None);
        }
        match name {
            "rt" => self.enclosed(start.element, "（", "）"),
            // Parentheses for browsers without ruby.
            "rp" => self.skips_text = true,
            _ => {}
        }
    }

    /// Opens inline text with a character before and after it.
    fn enclosed(&mut self, element: Element, opening: &str, closing: &'static str) {
        if self.open.len() < MAX_OPEN {
            self.writer.text(opening);
            self.open.push(OpenElement { closing, ..OpenElement::new(element, Shape::Inline) });
        }
    }

    /// The box of a task list: a sign that cannot be clicked.
    pub(super) fn check_box(&mut self, attributes: &Attributes<'_>) {
        let [kind, checked] = attributes.values(["type", "checked"]);
        if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) {
            self.writer.text(if checked.is_some() { "☑ " } else { "☐ " });
        }
    }

    pub(super) fn math(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        let content = if start.is_self_closing { None } else { tokens.content_of(start.name) };
        let Some(content) = content else { return };
        let formula = math::formula(&start.attributes, content);
        match self.writer.mode() {
            Mode::Text => self.writer.text(&formula.text),
            Mode::Html => self.writer.markup(&formula.html, formula.elements),
        }
    }

    pub(super) fn source(&mut self, attributes: &Attributes<'_>) {
        let [set, lazy, media] = attributes.values(["srcset", "data-srcset", "media"]);
        // A source for some screens only shows a part of the picture.
        if self.picture_set.is_none() && media.is_none() {
            self.picture_set = set.or(lazy).map(Cow::into_owned);
        }
    }

    pub(super) fn image(&mut self, attributes: &Attributes<'_>) {
        let set = self.picture_set.take();
        if self.writer.mode() == Mode::Text {
            if let Some(sign) = sign(attributes) {
                self.writer.text(&sign);
            }
            return;
        }
        match picture(attributes, set.as_deref(), self.origin.base) {
            Picture::Shown { src, tag } => {
                // Pages with lazy loading repeat images in `noscript`.
                if !self.is_in_noscript || self.last_image.as_ref() != Some(&src) {
                    self.writer.markup(&tag, 1);
                    self.last_image = Some(src);
                }
            }
            Picture::Linked { href, label } => self.writer.link(tag_of(&href), &label),
            Picture::Text(text) => self.writer.text(&text),
            Picture::Nothing => {}
        }
    }

    pub(super) fn media(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        let is_frame = start.element == Element::Frame;
        let is_empty = start.element == Element::Embed || is_frame && start.is_self_closing;
        let content = if is_empty { None } else { tokens.content_of(start.name) };
        if content.is_none() && !is_empty && is_frame {
            tokens.take_rest();
        }
        if self.writer.mode() == Mode::Text {
            return;
        }
        // An `object` often contains an `embed` of the same video.
        if let Some(link) = media_link(&start.attributes, content.unwrap_or_default(), self.origin.base)
            && link.href != self.last_media
        {
            self.writer.new_line();
            self.writer.link(tag_of(&link.href), &link.label);
            self.writer.new_line();
            self.last_media = link.href;
        }
    }
}

fn tag_of(href: &str) -> Tag {
    Tag { attributes: Some(outside(href)), ..Tag::new("a") }
}

/// The attributes of a link to another page.
fn outside(href: &str) -> Rc<str> {
    let mut out = String::new();
    push_attribute(&mut out, "href", href);
    out.push_str(" target=\"_blank\" rel=\"noopener noreferrer\"");
    out.into()
}

/// The attributes of inline markup as they are written.
fn attributes_of(name: &str, attributes: &Attributes<'_>) -> Option<Rc<str>> {
    if attributes.is_empty() {
        return None;
    }
    let [title, datetime] = attributes.values(["title", "datetime"]);
    let mut out = String::new();
    let is_time = |time: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.' | b'+' | b' ');
        !time.is_empty() && time.len() <= 64 && time.bytes().all(is_part)
    };
    match name {
        "abbr" | "dfn" => {
            if let Some(title) = title.map(|title| folded(&title)).filter(|title| !title.is_empty()) {
                push_attribute(&mut out, "title", &title);
            }
        }
        "time" => {
            if let Some(datetime) = datetime.filter(|time| is_time(time)) {
                push_attribute(&mut out, "datetime", &datetime);
            }
        }
        _ => {}
    }
    out.push_str(direction(attributes).as_deref().unwrap_or_default());
    (!out.is_empty()).then(|| out.into())
}
