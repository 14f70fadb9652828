//! Checks the output with the tree that a browser's parser builds.

use html5ever::{QualName, local_name, ns};
use scraper::{Html, Node};

use crate::sanitize;

/// Checks that an output is harmless in any context, and unchanged by a browser's parser and by sanitising it again.
pub(super) fn check_output(out: &str, input: &str) {
    check_harmless(out, input);
    let parsed = Html::parse_fragment(out).root_element().inner_html();
    assert_eq!(parsed, out, "a browser changes the output of {input:?}");
    assert_eq!(sanitize(out, None), out, "not idempotent for {input:?}");
}

/// Checks that an output is harmless in any context.
pub(super) fn check_harmless(out: &str, input: &str) {
    for context in ["div", "p", "li", "td"] {
        check_tree(&parse_in(context, out), input);
    }
    for (before, after) in [("<p>", "</p>"), ("<table><tr><td>", "</table>"), ("<ul><li>", "</ul>"), ("<pre>", "")] {
        check_tree(&Html::parse_fragment(&format!("{before}{out}{after}")), input);
    }
}

fn parse_in(context: &str, out: &str) -> Html {
    use html5ever::{driver::parse_fragment, tendril::TendrilSink, tree_builder::TreeBuilderOpts};
    let name = match context {
        "p" => local_name!("p"),
        "li" => local_name!("li"),
        "td" => local_name!("td"),
        _ => local_name!("div"),
    };
    let options = html5ever::ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: true, ..Default::default() },
        ..Default::default()
    };
    let sink = scraper::HtmlTreeSink::new(Html::new_fragment());
    parse_fragment(sink, options, QualName::new(None, ns!(html), name), Vec::new(), true).one(out)
}

fn check_tree(html: &Html, input: &str) {
    const AROUND: &[&str] = &["html", "table", "tbody", "tr", "td"];
    const ALLOWED: &[&str] = &["p", "br", "a", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em", "img"];
    // Only the nodes below the root: the context element has no parent.
    for node in html.tree.root().descendants().map(|node| node.value()) {
        match node {
            Node::Element(element) => {
                let name = element.name();
                assert!(element.name.ns == ns!(html), "{name} of a foreign namespace from {input:?}");
                assert!(ALLOWED.contains(&name) || AROUND.contains(&name), "{name} from {input:?}");
                let attributes: Vec<(&str, &str)> = element.attrs().collect();
                check_attributes(name, &attributes, input);
            }
            Node::Text(_) | Node::Document | Node::Fragment => {}
            other => panic!("{other:?} from {input:?}"),
        }
    }
}

fn check_attributes(name: &str, attributes: &[(&str, &str)], input: &str) {
    for (attribute, value) in attributes {
        let is_number = || value.len() <= 4 && value.bytes().all(|byte| byte.is_ascii_digit());
        let is_fine = match (name, *attribute) {
            ("a", "href") => ["http://", "https://", "mailto:"].iter().any(|start| value.starts_with(start)),
            ("a", "target") => *value == "_blank",
            ("a", "rel") => *value == "noopener noreferrer",
            ("img", "src") => value.starts_with("https://"),
            ("img", "alt" | "title") => true,
            ("img", "width" | "height") => is_number(),
            _ => false,
        };
        assert!(is_fine, "{name} {attribute}={value:?} from {input:?}");
    }
    let expected = match name {
        "a" => 3,
        "img" => 1,
        _ => 0,
    };
    assert!(attributes.len() >= expected, "{name} with {attributes:?} from {input:?}");
}
