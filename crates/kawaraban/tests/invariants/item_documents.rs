//! Exported items have a document. Fields need none: rustc's lint `missing_docs` cannot exempt them, and would demand documents that
//! repeat the field's name.

use std::collections::BTreeSet;

use syn::{
    Attribute, Ident, ImplItemFn, Item, ItemImpl, TraitItemFn, Type, UseTree, Variant, Visibility,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

/// The exports of a crate: its public modules, and the names in its `pub use`.
#[derive(Default)]
struct Exports {
    modules: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Exports {
    fn of(files: &[&SourceFile]) -> Exports {
        let mut exports = Exports::default();
        for item in files.iter().flat_map(|file| file.items_without_tests().unwrap_or_default()) {
            match &item {
                Item::Mod(module) if is_public(&module.vis) => drop(exports.modules.insert(module.ident.to_string())),
                Item::Use(item) if is_public(&item.vis) => exports.add_names(&item.tree),
                _ => {}
            }
        }
        exports
    }

    fn add_names(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(tree) => self.add_names(&tree.tree),
            UseTree::Name(tree) => drop(self.names.insert(tree.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_names(tree)),
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }

    /// Whether all items of a file are exported, not only those in a `pub use`.
    fn has_file(&self, file: &SourceFile) -> bool {
        let name = file.path.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).unwrap_or_default();
        name == "lib" || self.modules.contains(name)
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The exported items, methods and variants of a file that have no document.
struct Undocumented<'a> {
    exports: &'a Exports,
    whole_file: bool,
    lines: Vec<usize>,
}

impl Undocumented<'_> {
    fn look(&mut self, attributes: &[Attribute], name: &Ident) {
        if !attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
            self.lines.push(name.span().start().line);
        }
    }

    fn is_exported(&self, name: &Ident) -> bool {
        self.whole_file || self.exports.names.contains(&name.to_string())
    }
}

impl Visit<'_> for Undocumented<'_> {
    fn visit_item(&mut self, item: &Item) {
        let (visibility, attributes, name) = match item {
            Item::Const(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Enum(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Fn(item) => (&item.vis, &item.attrs, &item.sig.ident),
            Item::Struct(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Trait(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Type(item) => (&item.vis, &item.attrs, &item.ident),
            Item::Impl(block) => return self.visit_item_impl(block),
            _ => return,
        };
        if is_public(visibility) && self.is_exported(name) {
            self.look(attributes, name);
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, block: &ItemImpl) {
        let Type::Path(path) = &*block.self_ty else { return };
        let is_exported = path.path.segments.last().is_some_and(|last| self.is_exported(&last.ident));
        // A trait has the documents of its methods.
        if block.trait_.is_none() && is_exported {
            visit::visit_item_impl(self, block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        if is_public(&function.vis) {
            self.look(&function.attrs, &function.sig.ident);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &TraitItemFn) {
        self.look(&function.attrs, &function.sig.ident);
    }

    fn visit_variant(&mut self, variant: &Variant) {
        self.look(&variant.attrs, &variant.ident);
    }
}

fn undocumented(files: &[&SourceFile]) -> Vec<Breach> {
    let exports = Exports::of(files);
    let mut breaches = Vec::new();
    for file in files {
        let mut found = Undocumented { exports: &exports, whole_file: exports.has_file(file), lines: Vec::new() };
        match file.items_without_tests() {
            Ok(items) => items.iter().for_each(|item| found.visit_item(item)),
            Err(breach) => breaches.push(breach),
        }
        let places = found.lines.iter().map(|line| format!("{}:{line}", file.path));
        breaches.extend(places.map(|place| Breach::new(place, "say in one sentence what it is")));
    }
    breaches
}

#[test]
fn exported_items_are_documented() {
    let files = tree::rust_files();
    let crates: BTreeSet<&str> = files.iter().map(SourceFile::krate).filter(|name| *name != "kawaraban").collect();
    let of = |name: &str| files.iter().filter(|file| file.krate() == name).collect::<Vec<_>>();
    assert_kept(&crates.iter().flat_map(|name| undocumented(&of(name))).collect::<Vec<_>>());
}

#[test]
fn an_undocumented_item_is_seen() {
    let lib = "pub use a::{A, B, T};\npub mod c;\nmod a;";
    let a = "pub struct A { pub field: u8 }\n/// B.\npub enum B {\nC }\npub fn d() {}\nimpl A {\npub fn e() {}\nfn f() {} }\n\
             impl T for A {\nfn g() {} }\n/// T.\npub trait T {\nfn g(); }\npub enum H { I }";
    let c = "pub fn one() {}\nfn two() {}\n/// Three.\npub fn three() {}";
    let files = [("lib", lib), ("a", a), ("c", c)]
        .map(|(name, text)| SourceFile::new(&format!("crates/x/src/{name}.rs"), text));
    let expected = ["a.rs:1", "a.rs:4", "a.rs:7", "a.rs:13", "c.rs:1"].map(|place| format!("crates/x/src/{place}"));
    assert_eq!(places(&undocumented(&files.each_ref())), expected);
}
