//! The source tree for the rules: files with their crate, and their syntax without tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Item};

use crate::Breach;

/// A text file below the workspace's root.
pub struct SourceFile {
    /// The path from the root, with `/`.
    pub path: String,
    pub text: String,
}

impl SourceFile {
    pub fn new(path: &str, text: &str) -> Self {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    /// The crate it belongs to, by its folder: `crates/<name>/…`.
    pub fn krate(&self) -> &str {
        self.path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
    }

    /// Whether all of it is test code: in a folder `tests`, `benches` or `examples`, or named `tests.rs`.
    pub fn is_test(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "tests" | "benches" | "examples" | "tests.rs"))
    }

    /// Its items. A file that does not parse breaks every rule.
    pub fn items(&self) -> Result<Vec<Item>, Breach> {
        let file =
            syn::parse_file(&self.text).map_err(|error| Breach::new(&self.path, format!("does not parse: {error}")))?;
        Ok(file.items)
    }

    /// Its items without what is compiled for tests only.
    pub fn items_without_tests(&self) -> Result<Vec<Item>, Breach> {
        Ok(if self.is_test() { Vec::new() } else { without_tests(self.items()?) })
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every Rust file of our crates.
pub fn rust_files() -> Vec<SourceFile> {
    let files = files_below("crates", &["rs"]);
    assert!(files.iter().any(|file| file.path == "crates/kawaraban/src/main.rs"), "looked in the wrong folder");
    files
}

/// Every file with one of these endings below a folder, sorted by path.
pub fn files_below(folder: &str, endings: &[&str]) -> Vec<SourceFile> {
    let mut found = Vec::new();
    collect(&root().join(folder), endings, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            collect(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            let shown = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            found.push(SourceFile { path: shown, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

fn without_tests(items: Vec<Item>) -> Vec<Item> {
    items
        .into_iter()
        .filter(|item| !attributes(item).iter().any(is_test_attribute))
        .map(|mut item| {
            if let Item::Mod(module) = &mut item
                && let Some((_, content)) = &mut module.content
            {
                *content = without_tests(std::mem::take(content));
            }
            item
        })
        .collect()
}

fn is_test_attribute(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last().map(|segment| segment.ident.to_string());
    match last.as_deref() {
        Some("test") => true,
        Some("cfg") => attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test")),
        _ => false,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[test]
fn tests_are_taken_out_and_the_rest_stays() {
    let text = "fn kept() {} #[test] fn a() {} #[tokio::test] async fn b() {} #[cfg(test)] mod tests { fn c() {} }
        #[cfg(unix)] mod inner { fn kept_too() {} #[cfg(test)] use x::y; }";
    let items = SourceFile::new("crates/store/src/lib.rs", text).items_without_tests().unwrap();
    assert_eq!(items.len(), 2);
    let Item::Mod(inner) = &items[1] else { panic!("the module is gone") };
    assert_eq!(inner.content.as_ref().unwrap().1.len(), 1);
}

#[test]
fn a_path_tells_the_crate_and_whether_it_is_a_test() {
    let is_test = |path| SourceFile::new(path, "").is_test();
    assert_eq!(SourceFile::new("crates/net/src/guard.rs", "").krate(), "net");
    assert!(
        is_test("crates/net/tests/it/main.rs")
            && is_test("crates/net/src/guard/tests.rs")
            && is_test("crates/queue/benches/queue.rs")
    );
    assert!(!is_test("crates/testkit/src/lib.rs"));
}
