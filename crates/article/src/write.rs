//! Writes the kept nodes of a page as HTML and as text.

use crate::{
    dom::{Document, NodeId, Tag, fold_spaces},
    images,
    page::Page,
};

/// The rest of a longer article is left out: the sanitiser would cut it.
const MAX_BYTES: usize = 512 * 1024;

/// Attributes that carry meaning. Everything else is for looks or scripts.
const ATTRIBUTES: &[&str] = &[
    "href", "alt", "title", "width", "height", "datetime", "cite", "colspan", "rowspan", "scope", "start", "reversed",
    "type", "value", "lang", "dir", "id", "name", "controls", "poster", "open", "checked", "alttext", "display",
    "encoding",
];

/// The HTML of parts of a page, not yet safe to show.
pub(crate) fn html(page: &Page<'_, '_>, parts: &[NodeId]) -> String {
    let mut out = String::new();
    for part in parts {
        write_part(page, *part, &mut out);
    }
    out
}

fn write_part(page: &Page<'_, '_>, part: NodeId, out: &mut String) {
    let document = page.document;
    let mut open: Vec<(usize, &str)> = Vec::new();
    for id in page.kept(part) {
        while let Some((_, name)) = open.pop_if(|(end, _)| *end <= id.index()) {
            close(name, out);
        }
        if out.len() > MAX_BYTES {
            break;
        }
        match document.tag(id) {
            Tag::Text => escape(first_bytes(document.text(id)), out),
            Tag::Document | Tag::Html | Tag::Head | Tag::Noscript => {}
            tag => {
                let name = if tag == Tag::Body { "div" } else { document.name(id) };
                start(document, id, name, out);
                if !tag.is_void() {
                    open.push((document.range(id).end, name));
                }
            }
        }
    }
    for (_, name) in open.into_iter().rev() {
        close(name, out);
    }
}

fn start(document: &Document<'_>, id: NodeId, name: &str, out: &mut String) {
    let tag = document.tag(id);
    out.push('<');
    out.push_str(name);
    if tag == Tag::Img {
        if let Some(source) = images::source(document, id) {
            attribute("src", &source, out);
        }
    } else if let Some(source) = document.attribute(id, "src") {
        attribute("src", &source, out);
    }
    let has_class = matches!(tag, Tag::Pre | Tag::Code | Tag::Math);
    for (known, value) in document.attributes(id) {
        let is_kept = ATTRIBUTES.iter().any(|kept| known.eq_ignore_ascii_case(kept))
            || has_class && known.eq_ignore_ascii_case("class");
        if is_kept {
            attribute(known, &feed::html::unescape(value), out);
        }
    }
    out.push('>');
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
}

fn close(name: &str, out: &mut String) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Appends a text with its marks as references.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// The text of parts of a page: blocks are lines, paragraphs have an empty line between them.
///
/// Captions of images are left out, unless they are much of the article.
pub(crate) fn text(page: &Page<'_, '_>, parts: &[NodeId]) -> String {
    let without = joined(page, parts, false);
    let with = joined(page, parts, true);
    if without.len() * 3 < with.len() * 2 { with } else { without }
}

fn joined(page: &Page<'_, '_>, parts: &[NodeId], with_captions: bool) -> String {
    let mut out = String::new();
    for part in parts {
        write_text(page, *part, with_captions, &mut out);
        end_block(&mut out, 2);
        if out.len() > MAX_BYTES {
            break;
        }
    }
    out.trim().to_owned()
}

fn write_text(page: &Page<'_, '_>, part: NodeId, with_captions: bool, out: &mut String) {
    let document = page.document;
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut after_caption = 0;
    for id in page.kept(part) {
        if out.len() > MAX_BYTES {
            break;
        }
        if id.index() < after_caption {
            continue;
        }
        while let Some((_, lines)) = open.pop_if(|(end, _)| *end <= id.index()) {
            end_block(out, lines);
        }
        let tag = document.tag(id);
        if !with_captions && page.is_caption(id) {
            after_caption = document.range(id).end;
            continue;
        }
        match tag {
            Tag::Text if page.is_in_code(id) => out.push_str(first_bytes(document.text(id))),
            Tag::Text => push_folded(first_bytes(document.text(id)), out),
            Tag::Br => end_block(out, 1),
            Tag::Rp | Tag::Rt => {}
            _ if tag.is_block() => {
                let lines = lines_after(tag);
                end_block(out, lines);
                open.push((document.range(id).end, lines));
            }
            _ => {}
        }
    }
}

fn first_bytes(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or(text)
}

/// How many line breaks separate a block from the next.
fn lines_after(tag: Tag) -> usize {
    use Tag::*;
    match tag {
        Td | Th => 0,
        Li | Tr | Dt | Dd | Caption => 1,
        _ => 2,
    }
}

fn push_folded(text: &str, out: &mut String) {
    let mut line = String::from(if out.is_empty() || out.ends_with(['\n', ' ']) { "" } else { "." });
    let is_fresh = line.is_empty();
    fold_spaces(text, &mut line);
    out.push_str(if is_fresh { line.trim_start() } else { line.get(1..).unwrap_or_default() });
}

/// Ends a line, and adds empty ones, unless they are there already.
fn end_block(out: &mut String, lines: usize) {
    out.truncate(out.trim_end_matches([' ', '\t']).len());
    if out.is_empty() {
        return;
    }
    if lines == 0 {
        if !out.ends_with('\n') {
            out.push(' ');
        }
        return;
    }
    let present = out.bytes().rev().take_while(|byte| *byte == b'\n').count();
    for _ in present..lines {
        out.push('\n');
    }
}
