//! The text of HTML, for titles: tags removed, references decoded, white space collapsed.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::entry_draft::words_of_address;
use crate::{
    entity,
    xml::{XmlScanner, XmlToken, attributes},
};

/// Tags that are always formatting.
const FORMATTING: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdo", "big", "br", "cite", "code", "del", "div", "em", "font", "h1", "h2", "h3",
    "h4", "i", "img", "ins", "kbd", "li", "mark", "nobr", "ol", "p", "q", "rb", "rp", "rt", "ruby", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "ul", "var", "wbr",
];
/// Tags that end a word.
const BREAKING: &[&str] = &[
    "br",
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "tr",
    "td",
    "th",
    "table",
    "blockquote",
    "hr",
    "pre",
    "dt",
    "dd",
    "section",
    "article",
    "figure",
    "figcaption",
    "header",
    "footer",
];
/// Tags whose content is not shown.
const HIDDEN: &[&str] = &["script", "style", "head", "template"];

fn among(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The text of a title that may be HTML or text.
pub(crate) fn title(text: &str) -> String {
    let has_tags = memchr::memchr(b'<', text.as_bytes()).is_some() && looks_like_html(text);
    let has_references = memchr::memchr(b'&', text.as_bytes()).is_some();
    match (has_tags, has_references) {
        (true, _) => Some(strip(text)).filter(|text| !text.is_empty()).unwrap_or_else(|| image_text(text)),
        (false, true) => collapse(&entity::decode(text)),
        (false, false) => collapse(text),
    }
}

/// Whether a text has formatting tags, or any tag with its end tag.
pub(crate) fn looks_like_html(text: &str) -> bool {
    let mut scanner = XmlScanner::new(text);
    let mut opened: Vec<&str> = Vec::new();
    while let Some(token) = scanner.next() {
        match token {
            XmlToken::Open(tag) if among(FORMATTING, tag.name) => return true,
            XmlToken::Open(tag) if opened.len() < 16 => opened.push(tag.name),
            XmlToken::Close(name) if opened.iter().any(|open| open.eq_ignore_ascii_case(name)) => return true,
            XmlToken::CData(_) => return true,
            _ => {}
        }
    }
    false
}

/// The text of a title that is only an image: its alternative text, or the name of its file.
fn image_text(html: &str) -> String {
    let mut scanner = XmlScanner::new(html);
    while let Some(token) = scanner.next() {
        let XmlToken::Open(tag) = token else { continue };
        if !tag.name.eq_ignore_ascii_case("img") {
            continue;
        }
        let value = |wanted: &str| {
            let mut all = attributes(tag.attributes).take(32).filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            all.next().map(|(_, value)| collapse(&entity::decode(value))).filter(|value| !value.is_empty())
        };
        let named = value("alt").or_else(|| value("title"));
        return named.or_else(|| value("src").as_deref().and_then(words_of_address)).unwrap_or_default();
    }
    String::new()
}

/// The text of HTML.
pub(crate) fn strip(html: &str) -> String {
    strip_up_to(html, usize::MAX)
}

/// The text of HTML, until there are about `enough` bytes.
fn strip_up_to(html: &str, enough: usize) -> String {
    let mut scanner = XmlScanner::new(html);
    let mut out = String::new();
    let mut hidden: Option<&str> = None;
    while let Some(token) = scanner.next() {
        match token {
            XmlToken::Text(text) if hidden.is_none() => out.push_str(&entity::decode(text)),
            XmlToken::CData(text) if hidden.is_none() => out.push_str(text),
            XmlToken::Open(tag) if hidden.is_none() && !tag.empty && among(HIDDEN, tag.name) => hidden = Some(tag.name),
            XmlToken::Open(tag) if among(BREAKING, tag.name) => out.push(' '),
            XmlToken::Close(name) => {
                if hidden.is_some_and(|open| open.eq_ignore_ascii_case(name)) {
                    hidden = None;
                }
                if among(BREAKING, name) {
                    out.push(' ');
                }
            }
            _ => {}
        }
        if out.len() > enough {
            break;
        }
    }
    collapse(&out)
}

/// Replaces each run of white space by a space, and trims.
pub(crate) fn collapse(text: &str) -> String {
    let text = text.trim();
    let tidy = !text.bytes().any(|byte| matches!(byte, b'\n' | b'\t' | b'\r')) && !text.contains("  ");
    if tidy && !text.bytes().any(|byte| byte == 0xe2 || byte == 0xc2) {
        return text.to_owned();
    }
    let is_blank = |c: char| c.is_whitespace() && c != '\u{a0}' && c != '\u{3000}';
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

const MAX_STAND_IN_CHARS: usize = 80;

/// The first words of a body, used as a title.
pub(crate) fn first_words(html: &str) -> Option<String> {
    let text = strip_up_to(html, MAX_STAND_IN_CHARS * 16);
    if text.is_empty() {
        return None;
    }
    let mut ends = text.grapheme_indices(true).map(|(at, _)| at).skip(MAX_STAND_IN_CHARS);
    let Some(end) = ends.next() else { return Some(text) };
    let head = text.get(..end).unwrap_or(&text);
    // Cut between words if there are spaces.
    let cut = head.rfind(' ').filter(|&at| at > head.len() / 2).and_then(|at| head.get(..at)).unwrap_or(head);
    Some(format!("{}…", cut.trim_end_matches([' ', ',', '、', '.'])))
}

/// Escapes text for HTML.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'&', b'<', b'>', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(title(input), expected, "{input}");
    }

    #[test]
    fn titles_become_text() {
        check("  two\n words ", "two words");
        check("1 < 2", "1 < 2");
        check("AT&T R & D", "AT&T R & D");
        check("Vec<T> and the <video> element", "Vec<T> and the <video> element");
        check("<b>Bold</b> &amp; plain", "Bold & plain");
        check("<p>One</p><p>Two</p>", "One Two");
        check("x<script>alert(1)</script>y", "xy");
        check("It&#8217;s", "It’s");
        check("全角\u{3000}空白", "全角\u{3000}空白");
    }

    #[test]
    fn stand_ins_are_cut_between_graphemes() {
        assert_eq!(first_words("<p></p>"), None);
        assert_eq!(first_words("<p>Short &amp; sweet</p>").as_deref(), Some("Short & sweet"));
        let long = first_words(&"言葉".repeat(100)).expect("words");
        assert_eq!(long.chars().count(), 81);
        let words = first_words(&"word ".repeat(100)).expect("words");
        assert!(words.ends_with("word…") && words.chars().count() <= 81);
    }
}
