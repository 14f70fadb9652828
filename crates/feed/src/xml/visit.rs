//! XML for other crates: the parts of any document, in their order.

use std::ops::ControlFlow;

use super::{Event, XmlReader};
use crate::{decode::decode, warn::Warnings};

/// A part of an XML document. Each start has its end, unless the document ends before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XmlPart<'a> {
    /// The start of an element.
    Start {
        /// As written, empty if there is none.
        prefix: &'a str,
        /// The name without its prefix, in lower case.
        name: &'a str,
    },
    /// Text, references decoded, CDATA included.
    Text(&'a str),
    /// The innermost open element closes.
    End,
}

/// Reads an XML document in any encoding, also an invalid or truncated one, until `visit` breaks.
///
/// Elements named in `never_nest` close the open element of their name.
pub fn visit_xml(
    bytes: &[u8],
    never_nest: &'static [&'static str],
    mut visit: impl FnMut(XmlPart<'_>) -> ControlFlow<()>,
) {
    let text = decode(bytes, None, &mut Warnings::default());
    let mut reader = XmlReader::new(&text).never_nest(never_nest);
    while let Some(event) = reader.next().filter(|_| !reader.is_cut) {
        let flow = match &event {
            Event::Start(tag) => visit(XmlPart::Start { prefix: tag.prefix, name: &tag.local }),
            Event::Text(text) => visit(XmlPart::Text(text)),
            Event::End => visit(XmlPart::End),
        };
        if flow.is_break() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_truncated_document() {
        let mut parts = String::new();
        visit_xml(b"<A:One><two>x &amp; y<two><![CDATA[z]]>", &["two"], |part| {
            parts += &match part {
                XmlPart::Start { prefix, name } => format!("[{prefix}:{name}"),
                XmlPart::Text(text) => text.to_owned(),
                XmlPart::End => "]".to_owned(),
            };
            ControlFlow::Continue(())
        });
        assert_eq!(parts, "[A:one[:twox & y][:twoz");
    }

    #[test]
    fn reading_stops_early() {
        let mut count = 0;
        visit_xml(b"<a><b/><c/></a>", &[], |_| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!(count, 1);
    }
}
