//! Resolves the relative addresses in HTML. A body without any is not copied.

use std::borrow::Cow;

use url::Url;

use super::address;
use crate::{
    entity,
    xml::{XmlScanner, XmlToken, attributes},
};

/// Attributes whose value is an address.
const ADDRESSES: &[&str] = &["href", "src", "poster", "cite", "action", "longdesc", "data", "background", "usemap"];

/// Resolves the relative addresses of a body; `base` is only called if there is one.
pub(super) fn resolve_in(html: Cow<'_, str>, base: impl FnOnce() -> Option<Url>) -> Cow<'_, str> {
    match resolve(&html, base) {
        Some(resolved) => Cow::Owned(resolved),
        None => html,
    }
}

fn resolve(html: &str, base: impl FnOnce() -> Option<Url>) -> Option<String> {
    let mut base = Some(base);
    let mut known: Option<Url> = None;
    let mut inner = memchr::memmem::find(html.as_bytes(), b"xml:base").map(|_| InnerBases::default());
    let mut out = String::new();
    let mut copied = 0;
    let mut scanner = XmlScanner::new(html);
    while let Some(token) = scanner.next() {
        if let Some(inner) = &mut inner {
            if let Some(get_base) = base.take() {
                known = get_base();
            }
            inner.follow(token, known.as_ref());
        }
        let XmlToken::Open(tag) = token else { continue };
        if memchr::memchr(b'=', tag.attributes.as_bytes()).is_none() {
            continue;
        }
        for (name, value) in attributes(tag.attributes).take(32) {
            let many = name.eq_ignore_ascii_case("srcset");
            let one = !many && ADDRESSES.iter().any(|known| known.eq_ignore_ascii_case(name));
            if !(many && has_relative(value) || one && is_relative(value)) {
                continue;
            }
            if let Some(get_base) = base.take() {
                known = get_base();
            }
            let url = inner.as_ref().and_then(InnerBases::current).or(known.as_ref())?;
            let start = value.as_ptr().addr().checked_sub(html.as_ptr().addr())?;
            let resolved = if many { resolve_srcset(value, url) } else { resolve_one(value, url) };
            out.push_str(html.get(copied..start)?);
            out.push_str(&resolved);
            copied = start + value.len();
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(html.get(copied..)?);
    Some(out)
}

/// The open elements of a body with `xml:base`: name, number of open elements of that name inside, and base.
#[derive(Default)]
struct InnerBases<'a> {
    stack: Vec<(&'a str, usize, Url)>,
}

impl<'a> InnerBases<'a> {
    fn current(&self) -> Option<&Url> {
        self.stack.last().map(|(_, _, url)| url)
    }

    fn follow(&mut self, token: XmlToken<'a>, around: Option<&Url>) {
        match token {
            XmlToken::Open(tag) if !tag.empty => {
                let mut all = attributes(tag.attributes).take(32);
                let raw = all.find(|(name, _)| name.eq_ignore_ascii_case("xml:base"));
                let found = raw.and_then(|(_, raw)| address::rebase(&entity::decode(raw), self.current().or(around)));
                if let Some(url) = found.filter(|_| self.stack.len() < 32) {
                    self.stack.push((tag.name, 0, url));
                } else if let Some((name, nested, _)) = self.stack.last_mut()
                    && name.eq_ignore_ascii_case(tag.name)
                {
                    *nested += 1;
                }
            }
            XmlToken::Close(closed) => {
                let Some((name, nested, _)) = self.stack.last_mut() else { return };
                if !name.eq_ignore_ascii_case(closed) {
                    return;
                }
                match nested.checked_sub(1) {
                    Some(fewer) => *nested = fewer,
                    None => drop(self.stack.pop()),
                }
            }
            _ => {}
        }
    }
}

/// A place in the article itself is not relative: a footnote stays in the article wherever the article is read.
fn is_relative(value: &str) -> bool {
    let value = value.trim_ascii_start();
    !value.is_empty() && !value.starts_with('#') && !address::is_web(value) && !address::is_absolute(value)
}

fn resolve_one(value: &str, base: &Url) -> String {
    let decoded = entity::decode(value);
    let resolved = base.join(decoded.trim()).map_or_else(|_| decoded.trim().to_owned(), String::from);
    resolved
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The candidates of a `srcset`: an address, perhaps followed by a width or density.
fn candidates(value: &str) -> impl Iterator<Item = &str> {
    value.split(", ").flat_map(|part| part.split(",\n")).map(|part| part.trim().trim_end_matches(','))
}

fn has_relative(value: &str) -> bool {
    candidates(value).any(is_relative)
}

fn resolve_srcset(value: &str, base: &Url) -> String {
    let parts: Vec<String> = candidates(value)
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (url, size) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            let url = if is_relative(url) { resolve_one(url, base) } else { url.to_owned() };
            if size.is_empty() { url } else { format!("{url} {}", size.trim()) }
        })
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let base = || Url::parse("https://example.jp/blog/post.html").ok();
        assert_eq!(resolve_in(Cow::Borrowed(html), base), expected, "{html}");
    }

    #[test]
    fn relative_addresses_become_absolute() {
        check("<a href=\"b.html\">x</a>", "<a href=\"https://example.jp/blog/b.html\">x</a>");
        check("<img src='/i.png' alt='/no'>", "<img src='https://example.jp/i.png' alt='/no'>");
        check("<IMG SRC=i.png>", "<IMG SRC=https://example.jp/blog/i.png>");
        check("<a href=\"?a=1&amp;b=2\">", "<a href=\"https://example.jp/blog/post.html?a=1&amp;b=2\">");
        check("<a href=\"#n1\">", "<a href=\"#n1\">");
        check("<a href=\"//cdn.example/x\">", "<a href=\"https://cdn.example/x\">");
        check(
            "<img srcset=\"a.png 1x, https://c.example/b.png 2x\">",
            "<img srcset=\"https://example.jp/blog/a.png 1x, https://c.example/b.png 2x\">",
        );
    }

    #[test]
    fn elements_inside_may_have_a_base() {
        check(
            "<div xml:base='http://b.example/c/'><div><a href='d'>x</a></div><a href='e'>y</a></div><a href='f'>z</a>",
            "<div xml:base='http://b.example/c/'><div><a href='http://b.example/c/d'>x</a></div>\
             <a href='http://b.example/c/e'>y</a></div><a href='https://example.jp/blog/f'>z</a>",
        );
    }

    #[test]
    fn bodies_without_relative_addresses_are_borrowed() {
        let html = "<p title='x'>1 < 2 <a href='https://a.example/'>b</a> <a href=''>c</a> <a href='mailto:x@y'>d</a>";
        assert!(matches!(resolve_in(Cow::Borrowed(html), || None), Cow::Borrowed(_)));
        assert!(matches!(resolve_in(Cow::Borrowed("<a href='b'>"), || None), Cow::Borrowed(_)));
    }
}
