//! Every manifest names the licence, and `kawaraban licenses` names every package that is linked into the program.

use std::{collections::BTreeSet, fs, process::Command};

use cargo_metadata::{DependencyKind, Metadata};

use crate::{
    Breach, assert_kept,
    layers::{self, TESTKIT},
    places, tree,
};

const LICENSE: &str = "MIT OR Apache-2.0";

/// The packages that our crates use outside tests and build scripts.
fn linked(metadata: &Metadata) -> BTreeSet<&str> {
    let ours = metadata.packages.iter().filter(|package| package.name.as_str() != TESTKIT);
    let dependencies = ours.flat_map(|package| &package.dependencies);
    let linked = dependencies.filter(|one| one.kind == DependencyKind::Normal && one.path.is_none());
    linked.map(|dependency| dependency.name.as_str()).collect()
}

/// Packages that no line of the output begins with, and lines of packages without a text.
fn without_notice(packages: &BTreeSet<&str>, printed: &str) -> Vec<Breach> {
    let is_about = |line: &str, name: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
    let missing = packages.iter().filter(|name| !printed.lines().any(|line| is_about(line, name)));
    let missing = missing.map(|name| Breach::new(*name, "is not in `kawaraban licenses`"));
    let bare = printed.lines().filter(|line| line.ends_with("[no licence text]"));
    missing.chain(bare.map(|line| Breach::new(line, "has no licence text"))).collect()
}

#[test]
fn every_manifest_names_the_licence() {
    let metadata = layers::metadata();
    let crates = metadata.packages.iter().filter(|package| package.license.as_deref() != Some(LICENSE));
    assert_kept(
        &crates.map(|package| Breach::new(package.name.as_str(), "license.workspace = true")).collect::<Vec<_>>(),
    );
    for folder in ["ui", "e2e"] {
        let manifest = fs::read_to_string(tree::root().join(folder).join("package.json")).unwrap();
        assert!(manifest.contains(&format!("\"license\": \"{LICENSE}\"")), "{folder}/package.json");
    }
}

#[test]
fn every_linked_package_has_a_notice() {
    let output = Command::new(env!("CARGO_BIN_EXE_kawaraban")).arg("licenses").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("Kawaraban is licensed under MIT OR Apache-2.0, at your option."), "{printed:.200}");
    assert!(printed.contains("\nRust standard library "), "the standard library is linked too");
    assert!(printed.contains("Copyright (c) Tokio Contributors"), "texts are printed");
    assert_eq!(printed.matches("JavaScript packages in the pages").count(), 1);
    assert_kept(&without_notice(&linked(&layers::metadata()), &printed));
}

#[test]
fn a_missing_notice_is_seen() {
    let printed = "ink 1.0 (MIT), https://example.com/ink [1]\npaper-clip 2.0 (MIT), no repository [no licence text]\n";
    let breaches = without_notice(&["ink", "paper"].into(), printed);
    assert_eq!(places(&breaches), ["paper", "paper-clip 2.0 (MIT), no repository [no licence text]"]);
}
