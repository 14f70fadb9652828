//! Documents are consistent: every dependency has a reason, every link and every mentioned file exists.

use std::{collections::BTreeSet, fs};

use cargo_metadata::Metadata;

use crate::{
    Breach, assert_kept, layers, places,
    tree::{self, SourceFile},
};

/// The names in the first column of a document's tables, written as code.
fn first_column(text: &str) -> BTreeSet<String> {
    text.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0.to_owned())).collect()
}

fn unjustified(document: &str, used: &BTreeSet<String>) -> Vec<Breach> {
    let listed = first_column(document);
    let missing = used.difference(&listed).map(|name| Breach::new(name, "say in docs/dependencies.md why it is here"));
    let gone =
        listed.difference(used).map(|name| Breach::new(name, "it is not used: remove it from docs/dependencies.md"));
    missing.chain(gone).collect()
}

fn libraries(metadata: &Metadata) -> BTreeSet<String> {
    let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
    dependencies.filter(|dependency| dependency.path.is_none()).map(|dependency| dependency.name.clone()).collect()
}

/// The targets of a document's links, except web links and anchors.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let inside = targets.map(|target| target.split('#').next().unwrap_or_default());
    inside.filter(|target| !target.is_empty() && !target.contains(':'))
}

fn dead_links(file: &SourceFile, exists: impl Fn(&str) -> bool) -> Vec<Breach> {
    let folder = file.path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let dead = links(&file.text).filter(|target| !exists(&format!("{folder}{target}")));
    dead.map(|target| Breach::new(format!("{} -> {target}", file.path), "leads nowhere")).collect()
}

/// The files of this repository that a document names as code, patterns such as `crates/<name>/` and `a/*/b` aside.
fn named_files(text: &str) -> impl Iterator<Item = &str> {
    let outside_blocks = text.split("```").step_by(2);
    let code = outside_blocks.flat_map(|part| part.split('`').skip(1).step_by(2));
    let ours =
        |word: &&str| ["crates/", "docs/", "packaging/", "scripts/"].iter().any(|folder| word.starts_with(folder));
    code.filter_map(|code| code.split_whitespace().next())
        .filter(ours)
        .filter(|word| !word.contains(['<', '*', '{', '…']))
}

fn missing_files(file: &SourceFile, exists: impl Fn(&str) -> bool) -> Vec<Breach> {
    let missing = named_files(&file.text).filter(|path| !exists(path) && !path.contains("NNNN"));
    missing.map(|path| Breach::new(format!("{} `{path}`", file.path), "no such file")).collect()
}

fn documents() -> Vec<SourceFile> {
    let at_root = fs::read_dir(tree::root()).unwrap().map(|entry| entry.unwrap().path());
    let at_root = at_root.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let mut files: Vec<SourceFile> = at_root
        .map(|path| SourceFile::new(&path.file_name().unwrap().to_string_lossy(), &fs::read_to_string(&path).unwrap()))
        .collect();
    for folder in ["docs", "packaging"] {
        files.extend(tree::files_below(folder, &["md"]));
    }
    files
}

#[test]
fn every_dependency_is_justified() {
    let document = fs::read_to_string(tree::root().join("docs/dependencies.md")).unwrap();
    assert_kept(&unjustified(&document, &libraries(&layers::metadata())));
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    assert!(documents.iter().any(|file| file.path == "README.md"), "looked in the wrong folder");
    let exists = |path: &str| tree::root().join(path).exists();
    assert_kept(&documents.iter().flat_map(|file| dead_links(file, exists)).collect::<Vec<_>>());
}

/// Except decisions and the changelog, which describe the past.
#[test]
fn every_file_named_is_there() {
    let of_today = |file: &&SourceFile| !file.path.starts_with("docs/adr/") && file.path != "CHANGELOG.md";
    let exists = |path: &str| tree::root().join(path).exists();
    assert_kept(&documents().iter().filter(of_today).flat_map(|file| missing_files(file, exists)).collect::<Vec<_>>());
}

#[test]
fn a_missing_file_is_seen() {
    let text =
        "`crates/a.rs` `crates/b.rs` `crates/<name>/c.rs` `docs/x --flag`\n```sh\n`crates/d.rs`\n```\n`scripts/e`";
    let file = SourceFile::new("a.md", text);
    assert_eq!(
        places(&missing_files(&file, |path| path == "crates/a.rs")),
        ["a.md `crates/b.rs`", "a.md `docs/x`", "a.md `scripts/e`"]
    );
}

#[test]
fn a_dependency_without_a_reason_is_seen() {
    let used = ["tokio", "left-pad"].map(str::to_owned).into();
    let document =
        "| dependency | why |\n|---|---|\n| `tokio` | the runtime |\n| `gone` | was good |\n| the guard | `x` |\n";
    assert_eq!(places(&unjustified(document, &used)), ["left-pad", "gone"]);
}

#[test]
fn a_dead_link_is_seen() {
    let file = SourceFile::new("docs/a.md", "[a](b.md#part) [b](../c.md) [c](https://example.org) [d](#here) f(x)");
    assert_eq!(places(&dead_links(&file, |path| path == "docs/b.md")), ["docs/a.md -> ../c.md"]);
}
