use super::*;

/// Events as one line: `<name` for a start, `>` for an end, text in quotes.
fn shape(source: &str) -> String {
    let mut reader = XmlReader::new(source).never_nest(&["item"]);
    let mut out = String::new();
    while let Some(event) = reader.next() {
        match event {
            Event::Start(tag) => out.push_str(&format!("<{} ", tag.local)),
            Event::Text(text) if text.trim().is_empty() => {}
            Event::Text(text) => out.push_str(&format!("'{text}' ")),
            Event::End => out.push_str("> "),
        }
    }
    out.trim_end().to_owned()
}

fn start(event: Event<'_>) -> Option<XmlTag<'_>> {
    match event {
        Event::Start(tag) => Some(tag),
        Event::Text(_) | Event::End => None,
    }
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(shape(source), expected, "{source}");
}

#[test]
fn well_formed_documents_are_read() {
    check("<a><b>x &amp; y</b><c/></a>", "<a <b 'x & y' > <c > >");
    check("<?xml version='1.0'?><!-- c --><a><![CDATA[<b>]]></a>", "<a '<b>' >");
}

#[test]
fn damage_is_repaired() {
    check("<a><b>x</a>", "<a <b 'x' > >");
    check("<A><b>x</B></a>", "<a <b 'x' > >");
    check("<a></b>x</a>", "<a 'x' >");
    check("<a>1 < 2 <3</a>", "<a '1 ' '< 2 ' '<3' >");
    check("<a><b>x", "<a <b 'x' > >");
    check("<c><item><t>1<item><t>2</c>", "<c <item <t '1' > > <item <t '2' > > >");
    check("<a href='x><b c='y'>t</b></a>", "<a <b 't' > >");
    check("<a><![CDATA[x</a>", "<a 'x' >");
    check("<a><!-- x</a>", "<a ' x' >");
}

#[test]
fn attributes_of_every_shape() {
    let source = "<a One=1 two='2 &amp; 3' THREE=\"a>b\" four xml:base='u' two='x'/>";
    let tag = XmlReader::new(source).next().and_then(start).expect("a tag");
    assert_eq!(tag.attr("one"), Some("1"));
    assert_eq!(tag.attr("two"), Some("2 & 3"));
    assert_eq!(tag.attr("three"), Some("a>b"));
    assert_eq!(tag.attr("four"), Some(""));
    assert_eq!(tag.attr("xml:base"), Some("u"));
}

#[test]
fn namespaces_by_address_and_by_usual_prefix() {
    let source = "<r xmlns:c='http://purl.org/rss/1.0/modules/content/'><c:x/><dc:x/><unknown:x/></r>";
    let mut reader = XmlReader::new(source);
    let mut found = Vec::new();
    while let Some(event) = reader.next() {
        found.extend(start(event).map(|tag| tag.ns));
    }
    assert_eq!(found, [Ns::None, Ns::Content, Ns::Dc, Ns::Other]);
}

#[test]
fn depth_is_bounded() {
    let source = format!("<r>{}{}</r>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let (mut reader, mut deepest) = (XmlReader::new(&source), 0);
    while reader.next().is_some() {
        deepest = deepest.max(reader.stack.len());
    }
    assert_eq!(deepest, MAX_DEPTH);
}
