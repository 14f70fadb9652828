//! Known attacks: bodies that try to run a script or to escape from their container, in many variants.

mod attributes;
mod structures;

use url::Url;

use attributes::{HANDLER_HOLDERS, HANDLERS, SCHEME_HOLDERS, SCHEMES};
use structures::STRUCTURES;

use super::checker::check_output;
use crate::sanitize;

fn check(payload: &str) {
    let base = Url::parse("https://desk.example/").unwrap();
    for base in [None, Some(&base)] {
        check_output(&sanitize(payload, base), payload);
    }
}

#[test]
fn disguised_addresses_are_removed() {
    for holder in SCHEME_HOLDERS {
        for scheme in SCHEMES {
            check(&holder.replace('@', scheme));
        }
    }
}

#[test]
fn handlers_and_other_attributes_are_removed() {
    for holder in HANDLER_HOLDERS {
        for handler in HANDLERS {
            check(&holder.replace('@', handler));
        }
    }
}

#[test]
fn structural_attacks_are_harmless() {
    for structure in STRUCTURES {
        check(structure);
        for (before, after) in [
            ("<p>", "</p>"),
            ("<svg>", "</svg>"),
            ("<math><mtext>", ""),
            ("<table><tr><td>", "</table>"),
            ("<pre>", "</pre>"),
            ("<a href=\"https://x.example/\">", "</a>"),
            ("<ul><li>", "</ul>"),
            ("<noscript>", "</noscript>"),
            ("<!--", "-->"),
            ("<b title='", "'>"),
        ] {
            check(&format!("{before}{structure}{after}"));
        }
        check(&structure.to_uppercase());
        check(&structure.replace('<', "&lt;"));
        check(&structure.replace("script", "scr\0ipt"));
        check(&structure.replace(' ', "\t/\n"));
    }
}

#[test]
fn truncated_and_combined_attacks_are_harmless() {
    for (index, structure) in STRUCTURES.iter().enumerate() {
        let next = STRUCTURES[(index * 7 + 3) % STRUCTURES.len()];
        check(&format!("{structure}{next}"));
        for (end, _) in structure.char_indices().step_by(3) {
            check(&format!("{}{next}", &structure[..end]));
        }
    }
}
