//! Elements with text or HTML: escaped, inline, in CDATA or in base64, whether the format allows it or not.

use std::borrow::Cow;

use super::{base64, plain_text};
use crate::xml::{InnerKind, InnerXml, XmlReader, XmlScanner, XmlTag, XmlToken, attributes};

/// The declared type of an element's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentMode {
    Text,
    /// Not declared, so text by default.
    Unspecified,
    /// HTML, escaped or not.
    Html,
    /// Inline XHTML.
    Xhtml,
    /// Base64 of one of the others.
    Base64 {
        html: bool,
    },
}

/// The content of the element that has just started, as HTML.
pub(super) fn html<'a>(reader: &mut XmlReader<'a>, tag: &XmlTag<'a>, atom: bool) -> Cow<'a, str> {
    let mode = mode(tag, atom);
    let kind = if mode == ContentMode::Xhtml { InnerKind::Foreign } else { InnerKind::Body };
    let inner = reader.inner(tag, kind);
    match mode {
        ContentMode::Xhtml => {
            let mut inner = inner;
            // Only Atom 1.0 has a `div` that is not part of the content.
            if tag.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("xhtml")) {
                inner.source = inside_div(inner.source).unwrap_or(inner.source);
            }
            inline(reader, inner, true)
        }
        ContentMode::Html => escaped_or_inline(reader, inner),
        ContentMode::Text | ContentMode::Unspecified if inner.markup => escaped_or_inline(reader, inner),
        ContentMode::Text => escape(reader.text_of(inner)),
        ContentMode::Unspecified => {
            let text = reader.text_of(inner);
            if plain_text::looks_like_html(&text) { text } else { escape(text) }
        }
        ContentMode::Base64 { html } => {
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
pub(super) fn text<'a>(reader: &mut XmlReader<'a>, tag: &XmlTag<'a>, atom: bool) -> String {
    let mode = mode(tag, atom);
    match mode {
        ContentMode::Text | ContentMode::Unspecified => {
            let text = reader.line(tag);
            plain_text::collapse(&text)
        }
        ContentMode::Xhtml => {
            let inner = reader.inner(tag, InnerKind::Line);
            plain_text::strip(&inline(reader, inner, true))
        }
        ContentMode::Html => {
            let inner = reader.inner(tag, InnerKind::Line);
            let text = reader.text_of(inner);
            plain_text::title(&text)
        }
        ContentMode::Base64 { .. } => {
            let text = reader.line(tag);
            let decoded = base64::decode(&text).and_then(|bytes| String::from_utf8(bytes).ok());
            plain_text::title(decoded.as_deref().unwrap_or(&text))
        }
    }
}

fn mode(tag: &XmlTag<'_>, atom: bool) -> ContentMode {
    let kind = tag.filled("type").map(str::to_ascii_lowercase);
    let kind = kind.as_deref().map(|kind| kind.split(';').next().unwrap_or_default().trim());
    let html = kind.is_some_and(|kind| kind.contains("html"));
    if tag.attr("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("base64")) {
        return ContentMode::Base64 { html: html || !kind.is_some_and(|kind| kind.starts_with("text")) };
    }
    if !atom {
        return if kind == Some("xhtml") { ContentMode::Xhtml } else { ContentMode::Html };
    }
    let escaped = tag.attr("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("escaped"));
    match kind {
        None if escaped => ContentMode::Html,
        None => ContentMode::Unspecified,
        Some("text" | "text/plain" | "plain") => ContentMode::Text,
        Some("html" | "text/html") => ContentMode::Html,
        Some("xhtml" | "application/xhtml+xml") if escaped => ContentMode::Html,
        Some(kind) if kind == "xhtml" || kind.ends_with("+xml") || kind.ends_with("/xml") => ContentMode::Xhtml,
        Some(kind) if kind.starts_with("text/") => ContentMode::Text,
        Some(kind) if kind.contains('/') => ContentMode::Base64 { html: true },
        Some(_) => ContentMode::Html,
    }
}

/// HTML that is escaped, inline, or partly each.
fn escaped_or_inline<'a>(reader: &mut XmlReader<'a>, inner: InnerXml<'a>) -> Cow<'a, str> {
    if !inner.markup {
        return reader.text_of(inner);
    }
    // Tags beside escaped tags are unescaped by mistake. Tags beside plain text are inline XHTML.
    let escaped = inner.cdata || plain_text::looks_like_html(&reader.text_of(inner));
    inline(reader, inner, !escaped)
}

/// Tags as written; text as written in XHTML, or decoded if it was escaped HTML.
fn inline<'a>(reader: &mut XmlReader<'a>, inner: InnerXml<'a>, xhtml: bool) -> Cow<'a, str> {
    if xhtml && is_plain_html(inner, reader) {
        return Cow::Borrowed(inner.source);
    }
    let mut scanner = XmlScanner::new(inner.source);
    let mut out = String::with_capacity(inner.source.len());
    while let Some(token) = scanner.next() {
        match token {
            XmlToken::Text(text) if xhtml && reader.entities.declares() => {
                out.push_str(&plain_text::escape(&reader.entities.decode(text)));
            }
            XmlToken::Text("<") if xhtml => out.push_str("&lt;"),
            XmlToken::Text(text) if xhtml => out.push_str(text),
            XmlToken::Text(text) => out.push_str(&reader.entities.decode(text)),
            XmlToken::CData(text) if xhtml && !plain_text::looks_like_html(text) => {
                out.push_str(&plain_text::escape(text))
            }
            XmlToken::CData(text) => out.push_str(text),
            XmlToken::Open(tag) => {
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
            XmlToken::Close(name) => {
                out.push_str("</");
                out.push_str(bare(name));
                out.push('>');
            }
            XmlToken::Doctype(_) | XmlToken::Other => {}
        }
    }
    Cow::Owned(out)
}

/// Whether inline XHTML is valid as HTML.
fn is_plain_html(inner: InnerXml<'_>, reader: &XmlReader<'_>) -> bool {
    if inner.cdata || reader.entities.declares() {
        return false;
    }
    let mut scanner = XmlScanner::new(inner.source);
    while let Some(token) = scanner.next() {
        let fits = match token {
            XmlToken::Open(tag) if tag.attributes.contains("xmlns") => false,
            XmlToken::Open(tag) => !tag.name.contains(':') && (!tag.empty || is_void(tag.name)),
            XmlToken::Close(name) => !name.contains(':'),
            XmlToken::Text(text) => !text.starts_with('<'),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Attributes as written, without namespace declarations.
fn push_attributes(out: &mut String, written: &str) {
    if !written.contains("xmlns") {
        return out.push_str(written);
    }
    for (name, value) in attributes(written).take(64).filter(|(name, _)| !name.starts_with("xmlns")) {
        let quote = if value.contains('"') { '\'' } else { '"' };
        out.push_str(&format!(" {name}={quote}{value}{quote}"));
    }
}

/// A name without its prefix.
fn bare(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

fn is_void(name: &str) -> bool {
    ["br", "img", "hr", "input", "wbr", "source", "embed", "col", "area", "base", "link", "meta", "param", "track"]
        .iter()
        .any(|void| void.eq_ignore_ascii_case(name))
}

/// The content of the `div` that wraps XHTML in Atom.
fn inside_div(html: &str) -> Option<&str> {
    let html = html.trim();
    let mut scanner = XmlScanner::new(html);
    let XmlToken::Open(tag) = scanner.next()? else { return None };
    if !bare(tag.name).eq_ignore_ascii_case("div") || has_base(tag.attributes) {
        return None;
    }
    let start = scanner.position();
    let (mut depth, mut end) = (1usize, None);
    loop {
        let before = scanner.position();
        match scanner.next() {
            Some(XmlToken::Open(tag)) if bare(tag.name).eq_ignore_ascii_case("div") && !tag.empty => depth += 1,
            Some(XmlToken::Close(name)) if bare(name).eq_ignore_ascii_case("div") => {
                depth = depth.saturating_sub(1);
                if depth == 0 && end.is_none() {
                    end = Some(before);
                }
            }
            Some(XmlToken::Text(text)) if end.is_some() && text.trim().is_empty() => {}
            Some(_) if end.is_some() => return None,
            Some(_) => {}
            None => break,
        }
    }
    html.get(start..end.unwrap_or(html.len()))
}

/// Whether the wrapper has a base; then it stays, because its base is needed to resolve addresses.
fn has_base(attributes: &str) -> bool {
    attributes.contains("xml:base")
}

fn escape(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => plain_text::escape(text),
        Cow::Owned(text) => Cow::Owned(plain_text::escape(&text).into_owned()),
    }
}
