//! Start tags of blocks: paragraphs, headings, lists, tables and other containers.

use std::rc::Rc;

use super::{HtmlReader, Shape};
use crate::sanitize::{
    attribute::Attributes,
    element::Element,
    survey::position,
    tokenize::{Start, Tokenizer},
    writer::{Mode, Tag, push_attribute},
};

const MAX_SPAN: u32 = 100;
const MAX_NUMBER: u32 = 1_000_000;
/// Containers in which a block without a tag needs no paragraph.
const PHRASES: &[&str] = &["figure", "figcaption", "caption", "summary", "dt"];

impl<'a> HtmlReader<'a> {
    pub(super) fn start_block(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        match start.element {
            Element::Leaf("pre") => self.start_code(start, tokens),
            Element::Verbatim => {
                let text = tokens.content_of(start.name).unwrap_or_else(|| tokens.take_rest());
                self.block(Element::Verbatim, Tag::new("pre"));
                self.writer.text(text);
                self.end(Element::Verbatim);
            }
            Element::Rule => {
                self.end_paragraph();
                if self.preformatted > 0 {
                    return self.writer.new_line();
                }
                self.writer.boundary();
                self.writer.rule();
                self.writer.set_leaf(self.leaf());
            }
            Element::Leaf(name) => {
                let is_below = self.survey.has_first_heading && !start.name.eq_ignore_ascii_case("h1");
                let name = if is_below { next_heading(name) } else { name };
                let attributes = direction(&start.attributes);
                self.block(start.element, Tag { name, attributes, id: self.id(start) });
            }
            Element::Container(name) => self.start_container(name, start, tokens),
            _ => self.start_division(start, tokens),
        }
    }

    /// A block without a tag of its own, unless it says in which language or direction its text is.
    fn start_division(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        if self.skips_line_numbers(start, tokens) {
            return;
        }
        let attributes = direction(&start.attributes);
        if attributes.is_some() {
            return self.container(start.element, Tag { name: "div", attributes, id: self.id(start) });
        }
        self.add_anchor(start);
        let leaf = if self.is_in_phrase() { Tag::default() } else { Tag::new("p") };
        self.block(start.element, leaf);
    }

    fn is_in_phrase(&self) -> bool {
        let container = self.open.iter().rev().find(|open| matches!(open.element, Element::Container(_)));
        container.is_some_and(|open| {
            open.container.is_some() && matches!(open.element, Element::Container(name) if PHRASES.contains(&name))
        })
    }

    fn start_container(&mut self, name: &'static str, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        const SECTIONS: &[Element] = &[
            Element::Container("thead"),
            Element::Container("tbody"),
            Element::Container("tfoot"),
            Element::Container("caption"),
        ];
        const CELLS: &[Element] = &[Element::Container("td"), Element::Container("th")];
        let table = Element::Container("table").key();
        match name {
            "li" => self.leave(&[start.element], |open| open.is_list || open.is_cell),
            "dt" | "dd" => {
                let terms = [Element::Container("dt"), Element::Container("dd")];
                self.leave(&terms, |open| open.key == Element::Container("dl").key() || open.is_cell);
            }
            "caption" | "thead" | "tbody" | "tfoot" => self.leave(SECTIONS, |open| open.key == table),
            "tr" => {
                self.leave(&[start.element], |open| open.key == table);
                self.leave(&[Element::Container("caption")], |open| open.key == table);
            }
            "td" | "th" => {
                if self.skips_line_numbers(start, tokens) {
                    return;
                }
                self.leave(CELLS, |open| open.key == table || open.key == Element::Container("tr").key());
                if self.preformatted > 0 || self.writer.mode() == Mode::Text {
                    self.end_paragraph();
                    self.writer.next_cell();
                    self.push(start.element, Shape::Inline);
                    return;
                }
            }
            _ => {}
        }
        if !self.has_container(name, start) {
            self.add_anchor(start);
            self.block(start.element, Tag::new("p"));
            return;
        }
        let tag = Tag { name, attributes: attributes_of(name, &start.attributes), id: self.id(start) };
        self.container(start.element, tag);
    }

    /// False for a table that places blocks on a page, and for its parts.
    fn has_container(&self, name: &str, start: &Start<'a>) -> bool {
        if name == "table" {
            return self.survey.is_data(position(self.html, start));
        }
        if !start.element.is_part_of_table() {
            return true;
        }
        let table = self.open.iter().rev().find(|open| open.key == Element::Container("table").key());
        table.is_some_and(|table| table.container.is_some())
    }

    /// Opens a container, or a paragraph if it is not allowed here.
    fn container(&mut self, element: Element, tag: Tag) {
        if !self.block(element, Tag::default()) {
            return;
        }
        let (direction, id) = (tag.attributes.clone().filter(|_| tag.name == "div"), tag.id.clone());
        let container = self.writer.open(tag);
        if let Some(open) = self.open.last_mut() {
            open.container = container;
            if container.is_none() {
                let leaf = Tag { name: "p", attributes: direction, id };
                open.shape = Shape::Block(Tag { id: None, ..leaf.clone() });
                self.writer.set_leaf(leaf);
            }
        }
    }

    /// Opens a block; false if it is too deep or inside a `pre`.
    pub(super) fn block(&mut self, element: Element, leaf: Tag) -> bool {
        self.end_paragraph();
        if self.preformatted > 0 {
            self.writer.new_line();
            self.push(element, Shape::Line);
            return false;
        }
        self.writer.boundary();
        // The id is written once, the rest again after a block inside.
        let is_open = self.push(element, Shape::Block(Tag { id: None, ..leaf.clone() }));
        self.writer.set_leaf(if is_open { leaf } else { self.leaf() });
        is_open
    }
}

/// The heading one level below; other names stay.
fn next_heading(name: &'static str) -> &'static str {
    match name {
        "h2" => "h3",
        "h3" => "h4",
        "h4" => "h5",
        "h5" => "h6",
        other => other,
    }
}

/// The attributes of a container as they are written.
fn attributes_of(name: &str, attributes: &Attributes<'_>) -> Option<Rc<str>> {
    if attributes.is_empty() {
        return None;
    }
    let mut out = String::new();
    let mut number = |name: &'static str, least: u32, most: u32| {
        let [value] = attributes.values([name]);
        let value = value.and_then(|value| value.trim_ascii().parse::<u32>().ok());
        if let Some(value) = value.filter(|value| (least..=most).contains(value)) {
            push_attribute(&mut out, name, &value.to_string());
        }
    };
    match name {
        "td" | "th" => {
            number("colspan", 2, MAX_SPAN);
            number("rowspan", 2, MAX_SPAN);
        }
        "ol" => number("start", 0, MAX_NUMBER),
        "li" => number("value", 0, MAX_NUMBER),
        _ => {}
    }
    let [scope, kind, reversed] = attributes.values(["scope", "type", "reversed"]);
    if name == "th"
        && let Some(scope) = scope.filter(|scope| matches!(&**scope, "row" | "col" | "rowgroup" | "colgroup"))
    {
        push_attribute(&mut out, "scope", &scope);
    }
    if name == "ol" {
        if let Some(kind) = kind.filter(|kind| matches!(&**kind, "1" | "a" | "A" | "i" | "I")) {
            push_attribute(&mut out, "type", &kind);
        }
        if reversed.is_some() {
            push_attribute(&mut out, "reversed", "");
        }
    }
    out.push_str(direction(attributes).as_deref().unwrap_or_default());
    (!out.is_empty()).then(|| out.into())
}

/// The language and direction of an element as they are written.
pub(super) fn direction(attributes: &Attributes<'_>) -> Option<Rc<str>> {
    if attributes.is_empty() {
        return None;
    }
    let [lang, xml_lang, dir] = attributes.values(["lang", "xml:lang", "dir"]);
    let mut out = String::new();
    let is_language = |lang: &str| {
        (2..=35).contains(&lang.len()) && lang.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if let Some(lang) = lang.or(xml_lang).filter(|lang| is_language(lang)) {
        push_attribute(&mut out, "lang", &lang);
    }
    let dir = dir.map(|dir| dir.to_ascii_lowercase());
    if let Some(dir) = dir.filter(|dir| matches!(&**dir, "ltr" | "rtl" | "auto")) {
        push_attribute(&mut out, "dir", &dir);
    }
    (!out.is_empty()).then(|| out.into())
}
