//! Conventions: names, module documents, no unfinished work. Clippy has no lint for these.

use syn::{
    Attribute, ItemMod,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

/// Names without meaning.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "manager", "misc"];

/// Marks of unfinished work, in pieces so that this file does not contain them.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("HA", "CK"), concat!("XX", "X")];

fn empty_names(file: &SourceFile) -> Vec<Breach> {
    let parts = file.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
    let in_path = parts.filter(|part| EMPTY_NAMES.contains(part));
    let in_path = in_path.map(|_| Breach::new(&file.path, "says nothing: name it after what it is about"));
    let inside = syntax(file).modules.into_iter().filter(|name| EMPTY_NAMES.contains(&name.as_str()));
    let inside = inside
        .map(|name| Breach::new(format!("{} mod {name}", file.path), "says nothing: name it after what it is about"));
    in_path.chain(inside).collect()
}

fn undocumented(file: &SourceFile) -> Option<Breach> {
    let documented = file.text.starts_with("//! ");
    (!documented && !file.is_test())
        .then(|| Breach::new(&file.path, "begins with `//!`: what the module is for, in one to five lines"))
}

fn marks(file: &SourceFile) -> Vec<Breach> {
    let has_mark = |line: &str| line.split(|c: char| !c.is_alphanumeric()).any(|word| MARKS.contains(&word));
    let lines = file.text.lines().enumerate().filter(|(_, line)| has_mark(line));
    lines
        .map(|(at, _)| {
            Breach::new(format!("{}:{}", file.path, at + 1), "finish it, or open an issue and delete the mark")
        })
        .collect()
}

fn ignored_tests(file: &SourceFile) -> Vec<Breach> {
    let ignored = syntax(file).attributes.into_iter().filter(|name| name == "ignore");
    ignored.map(|_| Breach::new(&file.path, "a test that never runs is a defect: run it or delete it")).collect()
}

/// The names of modules and attributes of a file, tests included.
#[derive(Default)]
struct Syntax {
    modules: Vec<String>,
    attributes: Vec<String>,
}

fn syntax(file: &SourceFile) -> Syntax {
    let mut syntax = Syntax::default();
    // A file that does not parse is reported by the other rules.
    file.items().unwrap_or_default().iter().for_each(|item| syntax.visit_item(item));
    syntax
}

impl Visit<'_> for Syntax {
    fn visit_item_mod(&mut self, module: &ItemMod) {
        self.modules.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        self.attributes.extend(attribute.path().segments.last().map(|segment| segment.ident.to_string()));
        visit::visit_attribute(self, attribute);
    }
}

#[test]
fn names_say_something() {
    assert_kept(&tree::rust_files().iter().flat_map(empty_names).collect::<Vec<_>>());
}

#[test]
fn every_module_says_what_it_is_for() {
    assert_kept(&tree::rust_files().iter().filter_map(undocumented).collect::<Vec<_>>());
}

#[test]
fn nothing_is_left_half_done() {
    let files = tree::files_below("crates", &["rs", "sql", "toml"]);
    assert_kept(&files.iter().flat_map(marks).collect::<Vec<_>>());
}

#[test]
fn every_test_runs() {
    assert_kept(&tree::rust_files().iter().flat_map(ignored_tests).collect::<Vec<_>>());
}

#[test]
fn bad_names_are_seen() {
    let found = |path, text| empty_names(&SourceFile::new(path, text)).len();
    assert_eq!(found("crates/net/src/guard.rs", "mod tests; pub mod ranges {}"), 0);
    assert_eq!(found("crates/net/src/utils.rs", ""), 1);
    assert_eq!(found("crates/common/src/lib.rs", ""), 1);
    assert_eq!(found("crates/net/src/guard.rs", "mod inner { mod helpers; }"), 1);
}

#[test]
fn a_missing_document_is_seen() {
    let missing = |path, text| undocumented(&SourceFile::new(path, text)).is_some();
    assert!(missing("crates/net/src/lib.rs", "use std::fmt;"));
    assert!(missing("crates/net/src/lib.rs", "#![warn(x)]\n//! Late."));
    assert!(!missing("crates/net/src/lib.rs", "//! The client.\n"));
    assert!(!missing("crates/net/src/guard/tests.rs", "use super::*;"));
}

#[test]
fn unfinished_work_is_seen() {
    let text = format!("fn f() {{}} // {}: later\n-- {}(me)\nlet autodo = 1; // fixmes\n", MARKS[0], MARKS[1]);
    assert_eq!(places(&marks(&SourceFile::new("a.rs", &text))), ["a.rs:1", "a.rs:2"]);
}

#[test]
fn a_test_that_never_runs_is_seen() {
    let text = "#[cfg(test)] mod tests { #[test] #[ignore = \"slow\"] fn a() {} #[test] fn b() {} }";
    assert_eq!(ignored_tests(&SourceFile::new("a.rs", text)).len(), 1);
}
