use proptest::prelude::*;

use super::*;

mod selectors;
mod trees;

/// The tree below `body`, such as `p('a' b('c'))`.
fn outline(html: &str) -> String {
    let document = Document::parse(html);
    let body = document.first(Tag::Body).unwrap_or(NodeId::ROOT);
    let mut out = String::new();
    let mut open: Vec<usize> = Vec::new();
    for id in document.descendants(body) {
        while open.last().is_some_and(|end| *end <= id.index()) {
            open.pop();
            out.push(')');
        }
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        if document.tag(id) == Tag::Text {
            out.push_str(&format!("'{}'", document.text(id)));
        } else {
            out.push_str(&document.name(id).to_lowercase());
            if document.range(id).len() > 1 {
                out.push('(');
                open.push(document.range(id).end);
            }
        }
    }
    out + &")".repeat(open.len())
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(outline(html), expected, "{html}");
    check_links(html);
}

/// The links between nodes agree with each other, and ids are in document order.
#[track_caller]
fn check_links(html: &str) {
    let document = Document::parse(html);
    let mut seen = vec![NodeId::ROOT];
    for id in document.nodes() {
        let mut last = id.index();
        for child in document.children(id) {
            assert_eq!(document.parent(child), Some(id), "{html}");
            assert_eq!(last + 1, child.index(), "siblings follow each other: {html}");
            last = document.range(child).end - 1;
            seen.push(child);
        }
        assert_eq!(document.range(id).end, last + 1, "{html}");
    }
    assert_eq!(seen.len(), document.len(), "every node is in the tree: {html}");
}

proptest! {
    #[test]
    fn any_text_is_a_tree(html in "\\PC{0,200}") {
        check_links(&html);
    }

    #[test]
    fn any_tags_are_a_tree(tags in proptest::collection::vec(
        prop::sample::select(vec![
            "<a>", "</a>", "<b>", "</b>", "<p>", "</p>", "<div>", "</div>", "<table>", "</table>", "<tr>", "<td>", "</td>", "x",
            " ", "<li>", "<ul>", "</ul>", "<svg>", "</svg>", "<form>", "</form>", "<h1>", "</h2>", "<x-y>", "</x-y>", "<br>",
            "</br>", "<noscript>", "</noscript>", "<body>", "<head>", "<title>t</title>", "<template>", "</template>", "<i>",
            "</i>", "<button>", "<option>", "<rt>", "<math>", "<mi>", "&amp;", "<script></script>", "</body>", "<dd>",
        ]),
        0..60,
    )) {
        check_links(&tags.concat());
    }
}
