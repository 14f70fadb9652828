//! Files have at most 500 lines without tests. Clippy checks functions (`too_many_lines`).

use syn::{Item, spanned::Spanned};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

const FILE_LINES: usize = 500;

fn too_long(file: &SourceFile) -> Option<Breach> {
    if file.is_test() {
        return None;
    }
    let tests: usize = match file.items() {
        Ok(items) => items.iter().filter_map(inline_test_module).sum(),
        Err(breach) => return Some(breach),
    };
    let lines = file.text.lines().count() - tests;
    (lines > FILE_LINES).then(|| Breach::new(&file.path, format!("{lines} lines, {FILE_LINES} is the most: split it")))
}

/// The lines of a module `tests` inside a file, which do not count.
fn inline_test_module(item: &Item) -> Option<usize> {
    match item {
        Item::Mod(module) if module.ident == "tests" => Some(module.span().end().line - module.span().start().line + 1),
        _ => None,
    }
}

#[test]
fn files_are_short() {
    assert_kept(&tree::rust_files().iter().filter_map(too_long).collect::<Vec<_>>());
}

#[test]
fn a_long_file_is_seen() {
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn t() {}\n".repeat(FILE_LINES));
    let found = |path, lines| too_long(&SourceFile::new(path, &("fn f() {}\n".repeat(lines) + &tests)));
    assert!(found("crates/a/src/b.rs", FILE_LINES).is_none(), "tests do not count");
    assert_eq!(
        places(&found("crates/a/src/b.rs", FILE_LINES + 1).into_iter().collect::<Vec<_>>()),
        ["crates/a/src/b.rs"]
    );
    assert!(found("crates/a/tests/b.rs", FILE_LINES + 1).is_none());
}
