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

/// The tags of articles, and the root of a parsed fragment.
const ALLOWED: &str = "html p br hr wbr div span h2 h3 h4 h5 h6 a ul ol li dl dt dd blockquote pre code strong b em i u s del \
    ins mark small sub sup kbd samp var cite q abbr dfn time bdi bdo ruby rb rt rp figure figcaption \
    details summary table caption thead tbody tfoot tr th td img";
/// The tags of formulas.
const FORMULA: &str = "math mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover \
    mmultiscripts mprescripts none mtable mtr mtd mspace mi mo mn ms mtext";

fn check_tree(html: &Html, input: &str) {
    // Only the nodes below the root: the context element has no parent.
    for node in html.tree.root().descendants().map(|node| node.value()) {
        match node {
            Node::Element(element) => {
                let name = element.name();
                let attributes: Vec<(&str, &str)> = element.attrs().collect();
                if element.name.ns == ns!(mathml) {
                    assert!(has(FORMULA, name), "{name} of MathML from {input:?}");
                    check_formula(&attributes, input);
                    continue;
                }
                assert!(element.name.ns == ns!(html), "{name} of a foreign namespace from {input:?}");
                assert!(has(ALLOWED, name), "{name} from {input:?}");
                check_attributes(name, &attributes, input);
            }
            Node::Text(_) | Node::Document | Node::Fragment => {}
            other => panic!("{other:?} from {input:?}"),
        }
    }
}

fn has(tags: &str, name: &str) -> bool {
    tags.split(' ').any(|tag| tag == name)
}

fn check_formula(attributes: &[(&str, &str)], input: &str) {
    for (attribute, value) in attributes {
        let is_short = value.len() <= 20 && !value.contains([':', '/', '(', ' ']);
        assert!(*attribute == "alttext" || is_short, "{attribute}={value:?} in a formula from {input:?}");
        assert!(
            !attribute.contains("href") && !attribute.starts_with("on") && *attribute != "style",
            "{attribute} from {input:?}"
        );
    }
}

fn check_attributes(name: &str, attributes: &[(&str, &str)], input: &str) {
    let is_place = |value: &str| value.starts_with("article-") && !value.contains(char::is_whitespace);
    for (attribute, value) in attributes {
        let is_number = || value.len() <= 7 && value.bytes().all(|byte| byte.is_ascii_digit());
        let is_fine = match (name, *attribute) {
            ("a", "href") if value.starts_with('#') => is_place(&value[1..]) && attributes.len() <= 4,
            ("a", "href") => ["http://", "https://", "mailto:"].iter().any(|start| value.starts_with(start)),
            ("a", "target") => *value == "_blank",
            ("a", "rel") => *value == "noopener noreferrer",
            ("img", "src") => value.starts_with("https://"),
            ("img", "srcset") => value.split(", ").all(|one| one.starts_with("https://")),
            ("img", "alt" | "title" | "sizes") | ("abbr" | "dfn", "title") => true,
            ("img", "width" | "height") | ("td" | "th", "colspan" | "rowspan") => is_number(),
            ("ol", "start") | ("li", "value") => is_number(),
            ("ol", "reversed") => value.is_empty(),
            ("ol", "type") => value.len() == 1,
            ("th", "scope") => ["row", "col", "rowgroup", "colgroup"].contains(value),
            ("time", "datetime") => value.len() <= 64,
            ("pre", "class") => value.starts_with("language-") && value.len() <= 29,
            (_, "id") => is_place(value),
            (_, "lang") => value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
            (_, "dir") => ["ltr", "rtl", "auto"].contains(value),
            _ => false,
        };
        assert!(is_fine, "{name} {attribute}={value:?} from {input:?}");
    }
    let is_outside = attributes.iter().any(|(attribute, value)| *attribute == "href" && !value.starts_with('#'));
    let expected = match name {
        "a" if is_outside => 3,
        "a" | "img" => 1,
        _ => 0,
    };
    assert!(attributes.len() >= expected, "{name} with {attributes:?} from {input:?}");
}
