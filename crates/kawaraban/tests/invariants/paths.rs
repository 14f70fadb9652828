//! Libraries that a crate's source uses, also through re-exports.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    ItemExternCrate, ItemUse, Path, UseTree,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept,
    layers::{OWNERS, TESTKIT},
    places,
    tree::{self, SourceFile},
};

/// Input and output, which `feed` must not use.
const IO: &[&str] = &[
    "std::fs",
    "std::net",
    "std::os",
    "std::process",
    "std::env",
    "std::thread",
    "std::io::stdin",
    "std::io::stdout",
    "tokio",
];

/// The paths named outside tests, with their line: `use` trees spread out, macros and attributes looked into.
#[derive(Default)]
struct Named(Vec<(String, usize)>);

impl Visit<'_> for Named {
    fn visit_path(&mut self, path: &Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.0.push((segments.join("::"), path.span().start().line));
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        self.spread(&item.tree, "", item.span().start().line);
    }

    fn visit_item_extern_crate(&mut self, item: &ItemExternCrate) {
        self.0.push((item.ident.to_string(), item.span().start().line));
    }

    fn visit_token_stream(&mut self, tokens: &TokenStream) {
        let mut path = String::new();
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(ident) if path.is_empty() || path.ends_with("::") => {
                    path.push_str(&ident.to_string());
                    self.0.push((path.clone(), ident.span().start().line));
                }
                TokenTree::Ident(ident) => {
                    path = ident.to_string();
                    self.0.push((path.clone(), ident.span().start().line));
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => path.push(':'),
                TokenTree::Group(group) => {
                    path.clear();
                    self.visit_token_stream(&group.stream());
                }
                _ => path.clear(),
            }
        }
    }
}

impl Named {
    fn spread(&mut self, tree: &UseTree, before: &str, line: usize) {
        match tree {
            UseTree::Path(tree) => self.spread(&tree.tree, &format!("{before}{}::", tree.ident), line),
            UseTree::Name(tree) => self.0.push((format!("{before}{}", tree.ident), line)),
            UseTree::Rename(tree) => self.0.push((format!("{before}{}", tree.ident), line)),
            UseTree::Glob(_) => self.0.push((format!("{before}*"), line)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.spread(tree, before, line)),
        }
    }
}

fn named(file: &SourceFile) -> Result<Named, Breach> {
    let mut named = Named::default();
    file.items_without_tests()?.iter().for_each(|item| named.visit_item(item));
    Ok(named)
}

/// The places where a file names something of a list. `std::fs` is named by `std::fs`, `std::fs::File`, `use std::{fs}`.
fn naming(file: &SourceFile, forbidden: &[&str], advice: &str) -> Vec<Breach> {
    let named = match named(file) {
        Ok(named) => named,
        Err(breach) => return vec![breach],
    };
    let hit = |path: &str| {
        forbidden.iter().any(|name| path == *name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")))
    };
    let mut found: Vec<Breach> = named
        .0
        .iter()
        .filter(|(path, _)| hit(path))
        .map(|(path, line)| Breach::new(format!("{}:{line} {path}", file.path), advice))
        .collect();
    found.dedup();
    found
}

fn named_by_another(file: &SourceFile) -> Vec<Breach> {
    let others = OWNERS.iter().filter(|(_, owner)| file.krate() != TESTKIT && file.krate() != *owner);
    others.flat_map(|(library, owner)| naming(file, &[library], &format!("only {owner} may name {library}"))).collect()
}

fn io_in_feed(file: &SourceFile) -> Vec<Breach> {
    match file.krate() {
        "feed" | "article" | "posts" => naming(file, IO, "feed, article and posts do no IO: bytes in, values out"),
        _ => Vec::new(),
    }
}

#[test]
fn owned_libraries_are_named_by_their_owner() {
    assert_kept(&tree::rust_files().iter().flat_map(named_by_another).collect::<Vec<_>>());
}

#[test]
fn feed_names_nothing_that_does_io() {
    assert_kept(&tree::rust_files().iter().flat_map(io_in_feed).collect::<Vec<_>>());
}

#[test]
fn every_way_to_name_a_library_is_seen() {
    for text in [
        "use sqlx::Row;",
        "use {std::fmt, sqlx as database};",
        "extern crate sqlx;",
        "fn f() { sqlx::query(\"\"); }",
        "fn f(_: &::sqlx::PgPool) {}",
        "fn f() { g!(1, [sqlx::query]); }",
        "#[derive(sqlx::FromRow)] struct S;",
        "#[sqlx(transparent)] struct S;",
    ] {
        assert!(!named_by_another(&SourceFile::new("crates/queue/src/a.rs", text)).is_empty(), "not seen: {text}");
        assert!(
            named_by_another(&SourceFile::new("crates/store/src/a.rs", text)).is_empty(),
            "seen in its owner: {text}"
        );
        assert!(
            named_by_another(&SourceFile::new("crates/queue/tests/a.rs", text)).is_empty(),
            "seen in a test: {text}"
        );
    }
    let innocent = "/// Not sqlx.\nfn f() { g(\"sqlx\"); } #[cfg(test)] mod tests { use sqlx::Row; }";
    assert!(named_by_another(&SourceFile::new("crates/queue/src/a.rs", innocent)).is_empty());
}

#[test]
fn io_in_feed_is_seen() {
    let file = SourceFile::new(
        "crates/feed/src/a.rs",
        "use std::{fs::File, io::Read};\nfn f() { std::net::TcpStream::connect(\"\"); }",
    );
    assert_eq!(
        places(&io_in_feed(&file)),
        ["crates/feed/src/a.rs:1 std::fs::File", "crates/feed/src/a.rs:2 std::net::TcpStream::connect"]
    );
    assert!(io_in_feed(&SourceFile::new("crates/read/src/a.rs", "use std::fs::File;")).is_empty());
}
