//! A file can be read in a minute: at most 500 lines a file and 80 a function, tests aside.

use syn::{
    Block, ImplItemFn, Item, ItemFn, Signature, TraitItemFn,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 80;

/// What is longer, and how long it is: `path` for a file, `path name` for a function. This list only shrinks: an entry
/// that has become shorter is written anew, one that fits is removed.
const LONGER: &[(&str, usize)] = &[];

/// A file or function and its length in lines.
struct Length {
    place: String,
    lines: usize,
    limit: usize,
}

fn lengths(file: &SourceFile) -> Result<Vec<Length>, Breach> {
    if file.is_test() {
        return Ok(Vec::new());
    }
    let tests: usize = file.items()?.iter().filter_map(inline_test_module).sum();
    let whole = Length { place: file.path.clone(), lines: file.text.lines().count() - tests, limit: FILE_LINES };
    let mut functions = Functions { path: &file.path, found: vec![whole] };
    file.items_without_tests()?.iter().for_each(|item| functions.visit_item(item));
    Ok(functions.found)
}

/// The lines of a module `tests` inside a file, which do not count.
fn inline_test_module(item: &Item) -> Option<usize> {
    match item {
        Item::Mod(module) if module.ident == "tests" => Some(module.span().end().line - module.span().start().line + 1),
        _ => None,
    }
}

struct Functions<'a> {
    path: &'a str,
    found: Vec<Length>,
}

impl Functions<'_> {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        self.found.push(Length { place: format!("{} {}", self.path, signature.ident), lines, limit: FUNCTION_LINES });
    }
}

impl Visit<'_> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

fn too_long(lengths: &[Length], longer: &[(&str, usize)]) -> Vec<Breach> {
    let recorded = |place: &str| longer.iter().find(|(listed, _)| *listed == place).map(|(_, lines)| *lines);
    let over = lengths.iter().filter(|length| length.lines > length.limit).filter_map(|length| {
        match recorded(&length.place) {
            None => Some(Breach::new(
                &length.place,
                format!("{} lines, {} is the most: split it", length.lines, length.limit),
            )),
            Some(lines) if lines != length.lines => Some(Breach::new(
                &length.place,
                format!("{} lines now, {lines} in LONGER: it may only shrink, and then the list with it", length.lines),
            )),
            Some(_) => None,
        }
    });
    let stale = longer
        .iter()
        .filter(|(listed, _)| !lengths.iter().any(|length| length.place == *listed && length.lines > length.limit))
        .map(|(listed, _)| Breach::new(*listed, "fits now, or is gone: remove it from LONGER"));
    over.chain(stale).collect()
}

#[test]
fn files_and_functions_are_short() {
    let (mut all, mut breaches) = (Vec::new(), Vec::new());
    for file in tree::rust_files() {
        match lengths(&file) {
            Ok(found) => all.extend(found),
            Err(breach) => breaches.push(breach),
        }
    }
    breaches.extend(too_long(&all, LONGER));
    assert_kept(&breaches);
}

#[test]
fn lines_are_counted_without_tests() {
    let text = "fn one() {}\n\nimpl S {\n    fn three(\n    ) {\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\n";
    let found = lengths(&SourceFile::new("crates/a/src/b.rs", text)).unwrap();
    let found: Vec<(&str, usize)> = found.iter().map(|length| (length.place.as_str(), length.lines)).collect();
    assert_eq!(found, [("crates/a/src/b.rs", 8), ("crates/a/src/b.rs one", 1), ("crates/a/src/b.rs three", 3)]);
    assert!(lengths(&SourceFile::new("crates/a/tests/b.rs", text)).unwrap().is_empty());
}

#[test]
fn what_is_too_long_is_seen() {
    let length = |place: &str, lines| Length { place: place.to_owned(), lines, limit: 80 };
    assert!(too_long(&[length("fits", 80)], &[]).is_empty());
    assert!(too_long(&[length("listed", 90)], &[("listed", 90)]).is_empty());
    let lengths = [length("long", 81), length("grown", 91), length("shrunk", 89), length("fits", 80)];
    let listed = [("grown", 90), ("shrunk", 90), ("fits", 90), ("gone", 90)];
    assert_eq!(places(&too_long(&lengths, &listed)), ["long", "grown", "shrunk", "fits", "gone"]);
}
