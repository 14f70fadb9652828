//! Public items of libraries have a document. Not their fields: rustc's `missing_docs` demands those too, cannot be told
//! otherwise, and made us write documents that repeat the field's name.

use syn::{
    Attribute, ImplItemFn, Item, ItemImpl, TraitItemFn, Variant, Visibility,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

/// The lines of public items, methods and variants without a document.
#[derive(Default)]
struct Undocumented(Vec<usize>);

impl Undocumented {
    fn look(&mut self, is_public: bool, attributes: &[Attribute], named: impl Spanned) {
        if is_public && !attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
            self.0.push(named.span().start().line);
        }
    }
}

impl Visit<'_> for Undocumented {
    fn visit_item(&mut self, item: &Item) {
        let is_public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
        match item {
            Item::Const(item) => self.look(is_public(&item.vis), &item.attrs, &item.ident),
            Item::Enum(item) => {
                self.look(is_public(&item.vis), &item.attrs, &item.ident);
                if !is_public(&item.vis) {
                    return;
                }
            }
            Item::Fn(item) => self.look(is_public(&item.vis), &item.attrs, &item.sig.ident),
            Item::Struct(item) => self.look(is_public(&item.vis), &item.attrs, &item.ident),
            Item::Trait(item) => {
                self.look(is_public(&item.vis), &item.attrs, &item.ident);
                if !is_public(&item.vis) {
                    return;
                }
            }
            Item::Type(item) => self.look(is_public(&item.vis), &item.attrs, &item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, block: &ItemImpl) {
        // The trait has the documents of what it demands.
        if block.trait_.is_none() {
            visit::visit_item_impl(self, block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        self.look(matches!(function.vis, Visibility::Public(_)), &function.attrs, &function.sig.ident);
    }

    fn visit_trait_item_fn(&mut self, function: &TraitItemFn) {
        self.look(true, &function.attrs, &function.sig.ident);
    }

    fn visit_variant(&mut self, variant: &Variant) {
        self.look(true, &variant.attrs, &variant.ident);
    }
}

fn undocumented(file: &SourceFile) -> Vec<Breach> {
    // The program is no library: nothing of it is public.
    if file.krate() == "kawaraban" {
        return Vec::new();
    }
    let mut found = Undocumented::default();
    match file.items_without_tests() {
        Ok(items) => items.iter().for_each(|item| found.visit_item(item)),
        Err(breach) => return vec![breach],
    }
    let breach = |line: &usize| Breach::new(format!("{}:{line}", file.path), "say in one sentence what it is");
    found.0.iter().map(breach).collect()
}

#[test]
fn public_items_are_documented() {
    assert_kept(&tree::rust_files().iter().flat_map(undocumented).collect::<Vec<_>>());
}

#[test]
fn an_undocumented_item_is_seen() {
    let text = "pub struct A { pub field: u8 }\n/// B.\npub enum B {\nC }\npub(crate) fn d() {}\nimpl A {\npub fn e() {}\nfn f() {} }\n\
                impl T for A {\nfn g() {} }\n/// T.\npub trait T {\nfn g(); }\nenum H { I }";
    let lines = undocumented(&SourceFile::new("crates/net/src/a.rs", text));
    let expected = [1, 4, 7, 13].map(|line| format!("crates/net/src/a.rs:{line}"));
    assert_eq!(places(&lines), expected);
    assert_eq!(undocumented(&SourceFile::new("crates/kawaraban/src/a.rs", text)), []);
}
