//! Blocks of code: their language, and line numbers beside them, which are left out.

use std::{borrow::Cow, rc::Rc};

use super::HtmlReader;
use crate::sanitize::{
    attribute::Attributes,
    tokenize::{Start, Tokenizer},
    writer::{Tag, push_attribute},
};

/// Words in the classes of line numbers.
const LINE_NUMBERS: &[&str] =
    &["gutter", "linenos", "lineno", "line-number", "linenumber", "blob-num", "hljs-ln", "nums"];
/// Whole classes of line numbers.
const SHORT_LINE_NUMBERS: &[&str] = &["ln", "lnt", "lntd"];

impl<'a> HtmlReader<'a> {
    pub(super) fn start_code(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) {
        if self.skips_line_numbers(start, tokens) {
            return;
        }
        let attributes = language(&start.attributes);
        self.block(start.element, Tag { name: "pre", attributes, id: self.id(start) });
    }

    /// The `code` in a `pre` often has the class.
    pub(super) fn start_code_inside(&mut self, attributes: &Attributes<'_>) {
        if self.preformatted > 0
            && let Some(language) = language(attributes)
        {
            self.writer.set_leaf_attributes(language);
        }
    }

    /// Skips an element that has nothing but line numbers, if its class says so.
    pub(super) fn skips_line_numbers(&mut self, start: &Start<'a>, tokens: &mut Tokenizer<'a>) -> bool {
        if start.attributes.is_empty() {
            return false;
        }
        let [class] = start.attributes.values(["class"]);
        let is_named = |class: &str| {
            let has_word = || LINE_NUMBERS.iter().any(|word| class.contains(word));
            SHORT_LINE_NUMBERS.contains(&class) || !class.starts_with("language-") && has_word()
        };
        class.is_some_and(|class| class.split_ascii_whitespace().any(is_named))
            && tokens.element_of(start.name, is_numbers).is_some()
    }
}

/// Whether the text of some markup is numbers only.
fn is_numbers(html: &str) -> bool {
    let mut is_in_tag = false;
    html.bytes().all(|byte| {
        is_in_tag = (is_in_tag || byte == b'<') && byte != b'>';
        is_in_tag || byte == b'>' || byte.is_ascii_digit() || byte.is_ascii_whitespace() || matches!(byte, b'.' | b':')
    })
}

/// The class with the language of some code as it is written: `language-rust`.
fn language(attributes: &Attributes<'_>) -> Option<Rc<str>> {
    if attributes.is_empty() {
        return None;
    }
    let [class, language, lang, code_lang] = attributes.values(["class", "data-language", "data-lang", "lang"]);
    let by_class = class.as_deref().and_then(language_of_class).map(|name| Cow::Owned(name.to_owned()));
    let name = by_class.or(language).or(lang).or(code_lang)?.trim_ascii().to_ascii_lowercase();
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'-' | b'_'));
    if name.is_empty() || name.len() > 20 || !is_name(&name) {
        return None;
    }
    let mut out = String::new();
    push_attribute(&mut out, "class", &format!("language-{name}"));
    Some(out.into())
}

fn language_of_class(class: &str) -> Option<&str> {
    let mut words = class.split(|c: char| c.is_ascii_whitespace() || c == ';').peekable();
    while let Some(word) = words.next() {
        // `brush: js` of SyntaxHighlighter.
        if let Some(brush) = word.strip_prefix("brush:") {
            return if brush.is_empty() { words.next() } else { Some(brush) };
        }
        let prefixes = ["language-", "lang-", "highlight-source-", "sourceCode-", "brush-"];
        if let Some(name) = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)) {
            return Some(name).filter(|name| !matches!(*name, "none" | "plaintext" | "text"));
        }
    }
    None
}
