//! Unwanted dependencies, read from Cargo.lock. `make audit` checks more; this test always runs.

use std::fs;

use crate::{Breach, assert_kept, places, tree};

/// A second TLS library or HTTP client doubles the work of security updates.
const BANNED: &[&str] = &["openssl", "openssl-sys", "native-tls", "aws-lc-rs", "aws-lc-sys", "curl", "isahc", "ureq"];

/// Packages with one version only.
const SINGLE: &[&str] = &["reqwest", "sqlx-core", "axum", "rustls", "tokio"];

fn packages(lockfile: &str) -> Vec<&str> {
    lockfile.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).collect()
}

fn unwanted(lockfile: &str) -> Vec<Breach> {
    let packages = packages(lockfile);
    let count = |name: &&str| packages.iter().filter(|package| *package == name).count();
    let banned = BANNED
        .iter()
        .filter(|name| count(name) > 0)
        .map(|name| Breach::new(*name, "not in this tree: `cargo tree -i` tells who brings it"));
    let several = SINGLE
        .iter()
        .filter(|name| count(name) > 1)
        .map(|name| Breach::new(*name, "more than one version: `cargo tree -d` tells who brings it"));
    banned.chain(several).collect()
}

#[test]
fn the_tree_has_one_http_client_and_one_tls_library() {
    let lockfile = fs::read_to_string(tree::root().join("Cargo.lock")).unwrap();
    assert!(packages(&lockfile).contains(&"reqwest"), "the lock file is not read right");
    assert_kept(&unwanted(&lockfile));
}

#[test]
fn unwanted_packages_are_seen() {
    let lockfile = "[[package]]\nname = \"reqwest\"\n[[package]]\nname = \"openssl\"\n[[package]]\nname = \"reqwest\"\ndependencies = [\n \"curl\",\n]\n";
    assert_eq!(places(&unwanted(lockfile)), ["openssl", "reqwest"]);
}
