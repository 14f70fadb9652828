//! A first look at a body: which links lead to a place in it, which tables hold data, and at which level its headings begin.
//!
//! All three depend on what comes later in the body, and the sanitiser itself reads it once, from the start to the end.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use memchr::{memchr, memmem};
use url::Url;

use super::{
    attribute::Attributes,
    element::Element,
    tokenize::{HtmlToken, Start, Tokenizer},
};

/// Before each id, so that an article cannot name an element of the page.
const PREFIX: &str = "article-";
const MAX_ID_CHARS: usize = 200;
const MAX_TARGETS: usize = 2_000;
const MAX_NESTED_TABLES: usize = 32;

/// What the sanitiser knows about a body before it reads it.
#[derive(Default)]
pub(super) struct Survey {
    /// Places in the body that a link of the body leads to.
    targets: HashSet<String>,
    /// Tables by the position of their tag; true for data, false for layout.
    tables: HashMap<usize, bool>,
    /// Whether it has an `h1`: then its other headings go down by one level too.
    pub(super) has_first_heading: bool,
}

impl Survey {
    pub(super) fn of(html: &str, page: Option<&Url>) -> Self {
        let has_links = memchr(b'#', html.as_bytes()).is_some();
        let has_tables =
            memmem::find(html.as_bytes(), b"<ta").is_some() || memmem::find(html.as_bytes(), b"<TA").is_some();
        let has_first_heading =
            memmem::find(html.as_bytes(), b"<h1").is_some() || memmem::find(html.as_bytes(), b"<H1").is_some();
        if !has_links && !has_tables {
            return Self { has_first_heading, ..Self::default() };
        }
        let mut surveyor = Surveyor { html, page, ..Surveyor::default() };
        let mut tokens = Tokenizer::new(html);
        while let Some(token) = tokens.next() {
            match token {
                HtmlToken::Start(start) => surveyor.start(&start, &mut tokens),
                HtmlToken::End { element, .. } => surveyor.end(element),
                HtmlToken::Text(text) => surveyor.text(text),
            }
        }
        Self { has_first_heading, ..surveyor.finish() }
    }

    /// The written id of an element, if a link leads to it.
    pub(super) fn id(&self, attributes: &Attributes<'_>, is_anchor: bool) -> Option<String> {
        if attributes.is_empty() {
            return None;
        }
        let [id, name] = attributes.values(["id", "name"]);
        let id = id.or_else(|| name.filter(|_| is_anchor))?;
        written(&id).or_else(|| self.target(&id))
    }

    /// The written id of the place in the body that an address leads to.
    pub(super) fn place(&self, href: &str, page: Option<&Url>) -> Option<String> {
        if let Some(written) = href.strip_prefix('#').and_then(written) {
            return Some(written);
        }
        if self.targets.is_empty() {
            return None;
        }
        self.target(&fragment(href, page)?)
    }

    fn target(&self, id: &str) -> Option<String> {
        let bare = bare(id);
        self.targets.contains(bare).then(|| format!("{PREFIX}{bare}"))
    }

    /// Whether the table with this tag holds data.
    pub(super) fn is_data(&self, position: usize) -> bool {
        self.tables.get(&position).copied().unwrap_or(true)
    }
}

#[derive(Default)]
struct Surveyor<'a> {
    html: &'a str,
    page: Option<&'a Url>,
    ids: HashSet<String>,
    linked: HashSet<String>,
    tables: HashMap<usize, bool>,
    open: Vec<OpenTable>,
}

/// A table of which the end has not been seen.
#[derive(Default)]
struct OpenTable {
    position: usize,
    is_written_by_us: bool,
    is_presentation: bool,
    has_presentation_attributes: bool,
    has_head: bool,
    has_blocks: bool,
    has_table: bool,
    is_in_head_cell: bool,
    rows: usize,
    cells: usize,
    most_cells: usize,
}

impl<'a> Surveyor<'a> {
    fn start(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        self.note_places(start);
        match start.element {
            Element::Container("table") => self.open_table(start, tokens),
            // Their content is not written.
            Element::Raw | Element::Frame | Element::Dropped | Element::Media | Element::Math
                if !start.is_self_closing =>
            {
                let has_end = tokens.content_of(start.name).is_some();
                if !has_end && matches!(start.element, Element::Raw | Element::Frame) {
                    tokens.take_rest();
                }
            }
            element => {
                if let Some(table) = self.open.last_mut() {
                    table.note(element);
                }
            }
        }
    }

    fn note_places(&mut self, start: &Start<'a>) {
        if start.attributes.is_empty() || self.ids.len() + self.linked.len() > MAX_TARGETS {
            return;
        }
        let is_anchor = start.element == Element::Inline("a");
        let [id, name, href] = start.attributes.values(["id", "name", "href"]);
        if let Some(id) = id.or_else(|| name.filter(|_| is_anchor)) {
            self.ids.insert(bare(&id).to_owned());
        }
        let href = href.filter(|_| is_anchor).unwrap_or_default();
        if let Some(fragment) = fragment(&href, self.page) {
            self.linked.insert(bare(&fragment).to_owned());
        }
    }

    fn open_table(&mut self, start: &Start<'a>, tokens: &Tokenizer<'a>) {
        if let Some(outer) = self.open.last_mut() {
            outer.has_table = true;
        }
        if self.open.len() >= MAX_NESTED_TABLES {
            return;
        }
        let [role, border, spacing, padding, width, align, color, style] = start.attributes.values([
            "role",
            "border",
            "cellspacing",
            "cellpadding",
            "width",
            "align",
            "bgcolor",
            "style",
        ]);
        let attributes = [spacing, padding, width, align, color, style];
        let has_presentation_attributes = attributes.iter().any(Option::is_some);
        self.open.push(OpenTable {
            position: position(self.html, start),
            // The sanitiser writes tables this way. They were judged before.
            is_written_by_us: role.is_none()
                && border.is_none()
                && !has_presentation_attributes
                && is_section(tokens.upcoming()),
            is_presentation: role.is_some_and(|role| matches!(&*role, "presentation" | "none")),
            has_presentation_attributes: has_presentation_attributes || border.is_some_and(|border| border == "0"),
            ..OpenTable::default()
        });
    }

    fn end(&mut self, element: Element) {
        match element {
            Element::Container("table") => self.close_table(),
            Element::Container("th") => {
                if let Some(table) = self.open.last_mut() {
                    table.is_in_head_cell = false;
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(table) = self.open.last_mut() {
            table.has_head |= table.is_in_head_cell && !text.trim_ascii().is_empty();
        }
    }

    fn close_table(&mut self) {
        if let Some(table) = self.open.pop() {
            self.tables.insert(table.position, table.is_data());
        }
    }

    fn finish(mut self) -> Survey {
        while !self.open.is_empty() {
            self.close_table();
        }
        let (ids, linked) = (self.ids, self.linked);
        let targets = ids.into_iter().filter(|id| is_id(id) && linked.contains(id)).collect();
        Survey { targets, tables: self.tables, has_first_heading: false }
    }
}

impl OpenTable {
    fn note(&mut self, element: Element) {
        match element {
            Element::Container("tr") => {
                self.rows += 1;
                self.cells = 0;
            }
            Element::Container(cell @ ("td" | "th")) => {
                self.rows = self.rows.max(1);
                self.cells += 1;
                self.most_cells = self.most_cells.max(self.cells);
                self.is_in_head_cell = cell == "th";
            }
            Element::Container("caption") => self.is_in_head_cell = true,
            Element::Image
            | Element::Block
            | Element::Leaf(_)
            | Element::Container("ul" | "ol" | "blockquote" | "figure") => {
                self.has_blocks = true;
            }
            _ => {}
        }
    }

    /// Tables of newsletters and old pages place blocks; they have no head, and say how wide they are.
    fn is_data(&self) -> bool {
        if self.is_written_by_us || self.is_presentation {
            return self.is_written_by_us;
        }
        let places_blocks = self.has_presentation_attributes && self.has_blocks;
        self.has_head || !self.has_table && self.rows > 1 && self.most_cells > 1 && !places_blocks
    }
}

/// The offset of a tag in the body.
pub(super) fn position(html: &str, start: &Start<'_>) -> usize {
    start.name.as_ptr().addr().saturating_sub(html.as_ptr().addr())
}

fn is_section(after: &str) -> bool {
    ["<tbody", "<thead", "<tfoot", "<caption"].iter().any(|section| after.starts_with(section))
}

/// The decoded fragment of an address that leads to the page itself.
fn fragment<'a>(href: &'a str, page: Option<&Url>) -> Option<Cow<'a, str>> {
    let (address, fragment) = href.trim_ascii().split_once('#')?;
    if !address.is_empty() {
        let (mut found, mut page) = (page?.join(address).ok()?, page?.clone());
        found.set_fragment(None);
        page.set_fragment(None);
        if found != page {
            return None;
        }
    }
    Some(percent_encoding::percent_decode_str(fragment).decode_utf8_lossy())
}

/// An id that the sanitiser has written before. It stays, even if the link or the place that belongs to it was left out.
fn written(id: &str) -> Option<String> {
    (id.starts_with(PREFIX) && is_id(bare(id))).then(|| id.to_owned())
}

/// An id without our prefix, as it was before the sanitiser wrote it.
fn bare(id: &str) -> &str {
    let id = id.trim_ascii();
    id.strip_prefix(PREFIX).unwrap_or(id)
}

/// Letters of any script and the marks that ids are made of. All of them stay as they are in an address.
fn is_id(id: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | ':');
    !id.is_empty() && id.chars().count() <= MAX_ID_CHARS && id.chars().all(is_part)
}
