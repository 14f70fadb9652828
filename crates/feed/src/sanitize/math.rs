//! Formulas in MathML: the elements of MathML Core that draw, without links, styles and scripts.
//!
//! Only the elements that hold text get text, and nothing of HTML is written inside a formula. So a browser never leaves
//! MathML before the end of the formula.

use super::{
    attribute::Attributes,
    image::folded,
    tokenize::{HtmlToken, Start, Tokenizer},
    unescape::unescape,
    writer::{push_attribute, push_escaped},
};

/// Elements with other elements inside.
const GROUPS: &[&str] = &[
    "mrow",
    "mfrac",
    "msqrt",
    "mroot",
    "mstyle",
    "merror",
    "mpadded",
    "mphantom",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "none",
    "mtable",
    "mtr",
    "mtd",
    "mspace",
];
/// Elements with text inside.
const TOKENS: &[&str] = &["mi", "mo", "mn", "ms", "mtext"];
/// Elements that are removed with their content: the same formula in another notation.
const REMOVED: &[&str] = &["annotation", "annotation-xml", "script", "style"];
const ATTRIBUTES: [&str; 24] = [
    "accent",
    "accentunder",
    "columnspan",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];
// Deeper elements are left out, but not their content.
const MAX_DEPTH: usize = 48;
const MAX_ELEMENTS: usize = 2_000;
const MAX_VALUE_BYTES: usize = 20;

/// A formula as it is written. Without text all of it is empty.
#[derive(Default)]
pub(super) struct Formula {
    pub(super) html: String,
    /// Its alternative text, or else the text inside.
    pub(super) text: String,
    pub(super) elements: usize,
}

/// The formula between `<math …>` and `</math>`.
pub(super) fn formula(attributes: &Attributes<'_>, content: &str) -> Formula {
    let [alternative] = attributes.values(["alttext"]);
    let alternative = alternative.map(|text| folded(&text)).filter(|text| !text.is_empty());
    let mut writer = MathWriter { html: String::from("<math"), elements: 1, ..MathWriter::default() };
    push_attributes(&mut writer.html, attributes);
    if let Some(alternative) = &alternative {
        push_attribute(&mut writer.html, "alttext", alternative);
    }
    writer.html.push('>');
    let mut tokens = Tokenizer::new(content);
    while let Some(token) = tokens.next() {
        match token {
            HtmlToken::Text(text) => writer.text(&unescape(text, false)),
            HtmlToken::Start(start) => {
                let name = start.name.to_ascii_lowercase();
                if REMOVED.contains(&&*name) && !start.is_self_closing {
                    tokens.content_of(start.name);
                } else {
                    writer.start(&name, &start);
                }
            }
            HtmlToken::End { name, .. } => writer.end(&name.to_ascii_lowercase()),
        }
    }
    writer.finish(alternative)
}

#[derive(Default)]
struct MathWriter {
    html: String,
    text: String,
    elements: usize,
    open: Vec<&'static str>,
}

impl MathWriter {
    fn start(&mut self, name: &str, start: &Start<'_>) {
        let known = GROUPS.iter().chain(TOKENS).copied().find(|known| *known == name);
        let Some(name) = known else { return };
        self.end_token();
        if self.open.len() >= MAX_DEPTH || self.elements >= MAX_ELEMENTS {
            return;
        }
        self.elements += 1;
        self.html.push('<');
        self.html.push_str(name);
        push_attributes(&mut self.html, &start.attributes);
        self.html.push('>');
        self.open.push(name);
        if start.is_self_closing {
            self.pop();
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(index) = self.open.iter().rposition(|open| *open == name) {
            while self.open.len() > index {
                self.pop();
            }
        }
    }

    fn text(&mut self, text: &str) {
        let text = folded(text);
        if text.is_empty() {
            return;
        }
        let is_in_token = self.open.last().is_some_and(|open| TOKENS.contains(open));
        if !is_in_token && self.elements >= MAX_ELEMENTS {
            return;
        }
        if !is_in_token {
            self.elements += 1;
            self.html.push_str("<mtext>");
        }
        push_escaped(&mut self.html, &text);
        self.text.push_str(&text);
        if !is_in_token {
            self.html.push_str("</mtext>");
        }
    }

    /// Elements that hold text have nothing else inside.
    fn end_token(&mut self) {
        if self.open.last().is_some_and(|open| TOKENS.contains(open)) {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(name) = self.open.pop() {
            self.html.push_str("</");
            self.html.push_str(name);
            self.html.push('>');
        }
    }

    fn finish(mut self, alternative: Option<String>) -> Formula {
        while !self.open.is_empty() {
            self.pop();
        }
        if self.text.is_empty() {
            return Formula { text: alternative.unwrap_or_default(), ..Formula::default() };
        }
        self.html.push_str("</math>");
        Formula { html: self.html, text: alternative.unwrap_or(self.text), elements: self.elements }
    }
}

fn push_attributes(out: &mut String, attributes: &Attributes<'_>) {
    if attributes.is_empty() {
        return;
    }
    let is_fine = |value: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'%' | b'+' | b'-');
        !value.is_empty() && value.len() <= MAX_VALUE_BYTES && value.bytes().all(is_part)
    };
    for (name, value) in ATTRIBUTES.into_iter().zip(attributes.values(ATTRIBUTES)) {
        if let Some(value) = value.filter(|value| is_fine(value)) {
            push_attribute(out, name, &value);
        }
    }
}
