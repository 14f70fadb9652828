//! Elements that carry text or HTML: escaped, inline, in CDATA, in base64, as their format has it or not.

use std::borrow::Cow;

use super::{base64, plain};
use crate::xml::{Inner, Kind, Reader, Scanner, Tag, Token, attributes};

/// How an element says its content is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Text, nothing else.
    Text,
    /// Text by default: nobody said so.
    Unsaid,
    /// HTML, escaped or not.
    Html,
    /// Inline XHTML.
    Xhtml,
    /// Base64 of one of the others.
    Base64 { html: bool },
}

/// The content of the element that has just started, as HTML.
pub(super) fn html<'a>(reader: &mut Reader<'a>, tag: &Tag<'a>, atom: bool) -> Cow<'a, str> {
    let mode = mode(tag, atom);
    let kind = if mode == Mode::Xhtml { Kind::Foreign } else { Kind::Body };
    let inner = reader.inner(tag, kind);
    match mode {
        Mode::Xhtml => {
            let mut inner = inner;
            // Only Atom 1.0 has a `div` that is no part of the content.
            if tag.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("xhtml")) {
                inner.source = inside_div(inner.source).unwrap_or(inner.source);
            }
            inline(reader, inner, true)
        }
        Mode::Html => either(reader, inner),
        Mode::Text | Mode::Unsaid if inner.markup => either(reader, inner),
        Mode::Text => escape(reader.text_of(inner)),
        Mode::Unsaid => {
            let text = reader.text_of(inner);
            if plain::looks_like_html(&text) { text } else { escape(text) }
        }
        Mode::Base64 { html } => {
            let text = reader.text_of(inner);
            match base64::decode(&text).and_then(|bytes| String::from_utf8(bytes).ok()) {
                Some(decoded) if html => Cow::Owned(decoded),
                Some(decoded) => escape(Cow::Owned(decoded)),
                None => text,
            }
        }
    }
}

/// The content of the element that has just started, as text.
pub(super) fn text<'a>(reader: &mut Reader<'a>, tag: &Tag<'a>, atom: bool) -> String {
    let mode = mode(tag, atom);
    match mode {
        Mode::Text | Mode::Unsaid => {
            let text = reader.line(tag);
            plain::collapse(&text)
        }
        Mode::Xhtml => {
            let inner = reader.inner(tag, Kind::Line);
            plain::strip(&inline(reader, inner, true))
        }
        Mode::Html => {
            let inner = reader.inner(tag, Kind::Line);
            let text = reader.text_of(inner);
            plain::title(&text)
        }
        Mode::Base64 { .. } => {
            let text = reader.line(tag);
            let decoded = base64::decode(&text).and_then(|bytes| String::from_utf8(bytes).ok());
            plain::title(decoded.as_deref().unwrap_or(&text))
        }
    }
}

fn mode(tag: &Tag<'_>, atom: bool) -> Mode {
    let kind = tag.filled("type").map(str::to_ascii_lowercase);
    let kind = kind.as_deref().map(|kind| kind.split(';').next().unwrap_or_default().trim());
    let html = kind.is_some_and(|kind| kind.contains("html"));
    if tag.attr("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("base64")) {
        return Mode::Base64 { html: html || !kind.is_some_and(|kind| kind.starts_with("text")) };
    }
    if !atom {
        return if kind == Some("xhtml") { Mode::Xhtml } else { Mode::Html };
    }
    let escaped = tag.attr("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("escaped"));
    match kind {
        None if escaped => Mode::Html,
        None => Mode::Unsaid,
        Some("text" | "text/plain" | "plain") => Mode::Text,
        Some("html" | "text/html") => Mode::Html,
        Some("xhtml" | "application/xhtml+xml") if escaped => Mode::Html,
        Some(kind) if kind == "xhtml" || kind.ends_with("+xml") || kind.ends_with("/xml") => Mode::Xhtml,
        Some(kind) if kind.starts_with("text/") => Mode::Text,
        Some(kind) if kind.contains('/') => Mode::Base64 { html: true },
        Some(_) => Mode::Html,
    }
}

/// HTML that is escaped, or inline, or a bit of both.
fn either<'a>(reader: &mut Reader<'a>, inner: Inner<'a>) -> Cow<'a, str> {
    if !inner.markup {
        return reader.text_of(inner);
    }
    // Tags beside escaped tags: somebody forgot to escape a `<br>`. Tags beside plain text: inline XHTML.
    let escaped = inner.cdata || plain::looks_like_html(&reader.text_of(inner));
    inline(reader, inner, !escaped)
}

/// Tags as they are; text as it is in XHTML, or decoded where it was escaped HTML.
fn inline<'a>(reader: &mut Reader<'a>, inner: Inner<'a>, xhtml: bool) -> Cow<'a, str> {
    if xhtml && is_plain_html(inner, reader) {
        return Cow::Borrowed(inner.source);
    }
    let mut scanner = Scanner::new(inner.source);
    let mut out = String::with_capacity(inner.source.len());
    while let Some(token) = scanner.next() {
        match token {
            Token::Text(text) if xhtml && reader.entities.declares() => {
                out.push_str(&plain::escape(&reader.entities.decode(text)));
            }
            Token::Text("<") if xhtml => out.push_str("&lt;"),
            Token::Text(text) if xhtml => out.push_str(text),
            Token::Text(text) => out.push_str(&reader.entities.decode(text)),
            Token::CData(text) if xhtml && !plain::looks_like_html(text) => out.push_str(&plain::escape(text)),
            Token::CData(text) => out.push_str(text),
            Token::Open(tag) => {
                let name = bare(tag.name);
                out.push('<');
                out.push_str(name);
                push_attributes(&mut out, tag.attributes);
                out.push_str(if tag.empty && is_void(name) { "/>" } else { ">" });
                if tag.empty && !is_void(name) {
                    out.push_str("</");
                    out.push_str(name);
                    out.push('>');
                }
            }
            Token::Close(name) => {
                out.push_str("</");
                out.push_str(bare(name));
                out.push('>');
            }
            Token::Doctype(_) | Token::Other => {}
        }
    }
    Cow::Owned(out)
}

/// Whether inline XHTML is HTML as it stands.
fn is_plain_html(inner: Inner<'_>, reader: &Reader<'_>) -> bool {
    if inner.cdata || reader.entities.declares() {
        return false;
    }
    let mut scanner = Scanner::new(inner.source);
    while let Some(token) = scanner.next() {
        let fits = match token {
            Token::Open(tag) if tag.attributes.contains("xmlns") => false,
            Token::Open(tag) => !tag.name.contains(':') && (!tag.empty || is_void(tag.name)),
            Token::Close(name) => !name.contains(':'),
            Token::Text(text) => !text.starts_with('<'),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Attributes as they are written, without declarations of namespaces: HTML has none.
fn push_attributes(out: &mut String, written: &str) {
    if !written.contains("xmlns") {
        return out.push_str(written);
    }
    for (name, value) in attributes(written).take(64).filter(|(name, _)| !name.starts_with("xmlns")) {
        let quote = if value.contains('"') { '\'' } else { '"' };
        out.push_str(&format!(" {name}={quote}{value}{quote}"));
    }
}

/// A name without its prefix: HTML has none.
fn bare(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

fn is_void(name: &str) -> bool {
    ["br", "img", "hr", "input", "wbr", "source", "embed", "col", "area", "base", "link", "meta", "param", "track"]
        .iter()
        .any(|void| void.eq_ignore_ascii_case(name))
}

/// What is inside the `div` that Atom wraps XHTML in.
fn inside_div(html: &str) -> Option<&str> {
    let html = html.trim();
    let mut scanner = Scanner::new(html);
    let Token::Open(tag) = scanner.next()? else { return None };
    if !bare(tag.name).eq_ignore_ascii_case("div") || has_base(tag.attributes) {
        return None;
    }
    let start = scanner.position();
    let (mut depth, mut end) = (1usize, None);
    loop {
        let before = scanner.position();
        match scanner.next() {
            Some(Token::Open(tag)) if bare(tag.name).eq_ignore_ascii_case("div") && !tag.empty => depth += 1,
            Some(Token::Close(name)) if bare(name).eq_ignore_ascii_case("div") => {
                depth = depth.saturating_sub(1);
                if depth == 0 && end.is_none() {
                    end = Some(before);
                }
            }
            Some(Token::Text(text)) if end.is_some() && text.trim().is_empty() => {}
            Some(_) if end.is_some() => return None,
            Some(_) => {}
            None => break,
        }
    }
    html.get(start..end.unwrap_or(html.len()))
}

/// A wrapper with a base stays: the base is taken up when addresses are resolved.
fn has_base(attributes: &str) -> bool {
    attributes.contains("xml:base")
}

fn escape(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => plain::escape(text),
        Cow::Owned(text) => Cow::Owned(plain::escape(&text).into_owned()),
    }
}
