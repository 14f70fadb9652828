//! The text of elements.

use super::{Document, NodeId, Tag};

impl Document<'_> {
    /// The text inside a node on one line, without scripts and styles. Blocks and line breaks are spaces.
    pub fn text_of(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.push_text(id, &mut out);
        out
    }

    /// Appends the text inside a node to a line.
    pub fn push_text(&self, id: NodeId, out: &mut String) {
        let range = self.range(id);
        let (mut at, end) = (range.start, range.end);
        while at < end {
            let node = NodeId::at(at);
            match self.tag(node) {
                Tag::Text => fold_spaces(self.text(node), out),
                Tag::Script | Tag::Style | Tag::Template if node != id => {
                    at = self.range(node).end;
                    continue;
                }
                tag if tag.is_block() || tag == Tag::Br => push_space(out),
                _ => {}
            }
            at += 1;
        }
        out.truncate(out.trim_end().len());
    }
}

/// Appends a text with each run of white space as one space. There are never two spaces in sequence, nor one at the start.
pub fn fold_spaces(text: &str, out: &mut String) {
    let mut words = text.split(is_space);
    if let Some(first) = words.next() {
        out.push_str(first);
    }
    for word in words {
        push_space(out);
        out.push_str(word);
    }
}

fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// White space that browsers fold, and the no-break space. Ideographic spaces are characters.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}')
}
