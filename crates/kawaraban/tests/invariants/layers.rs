//! Dependencies between crates, read from the manifests.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::{Breach, assert_kept, places, tree};

/// The workspace's crates, from the bottom up, and the crates that each may use. Dev-dependencies are free.
/// Add a new crate here and in ARCHITECTURE.md, and an ADR for a new arrow.
const MAY_USE: &[(&str, &[&str])] = &[
    ("store", &[]),
    ("net", &[]),
    ("config_file", &[]),
    ("feed", &[]),
    ("article", &["feed"]),
    ("posts", &["feed", "article"]),
    ("queue", &["store"]),
    ("ai", &["net"]),
    ("read", &["store", "net", "feed", "article", "queue", "ai"]),
    ("accounts", &["store", "net", "queue"]),
    ("watch", &["store", "net", "config_file", "feed", "article", "posts", "queue", "ai", "read"]),
    ("summarise", &["store", "net", "feed", "queue", "ai", "read"]),
    ("post", &["store", "net", "feed", "queue", "ai", "read", "summarise"]),
    ("illustrate", &["store", "net", "feed", "queue", "ai", "read"]),
    ("web", &["store", "net", "feed", "queue", "ai", "read", "accounts", "watch", "summarise", "post", "illustrate"]),
    (
        "kawaraban",
        &[
            "store",
            "net",
            "config_file",
            "feed",
            "article",
            "posts",
            "queue",
            "ai",
            "read",
            "accounts",
            "watch",
            "summarise",
            "post",
            "illustrate",
            "web",
        ],
    ),
    (
        TESTKIT,
        &["store", "net", "feed", "queue", "ai", "read", "accounts", "watch", "summarise", "post", "illustrate", "web"],
    ),
];

/// The crate for tests: only a dev-dependency, and without restrictions.
pub const TESTKIT: &str = "testkit";

/// Libraries that only one crate may use.
pub const OWNERS: &[(&str, &str)] = &[("sqlx", "store"), ("axum", "web"), ("reqwest", "net")];

/// Libraries that do input and output, which `feed`, `article` and `posts` must not depend on.
const IO_LIBRARIES: &[&str] =
    &["tokio", "tokio-util", "reqwest", "hyper", "hyper-util", "sqlx", "axum", "mio", "socket2", "tempfile"];

/// A dependency outside tests, from one of our crates.
struct Arrow {
    from: String,
    to: String,
    ours: bool,
}

impl Arrow {
    fn breach(&self, advice: impl Into<String>) -> Breach {
        Breach::new(format!("crates/{} -> {}", self.from, self.to), advice)
    }
}

fn unknown_crates<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Breach> {
    names
        .filter(|name| MAY_USE.iter().all(|(known, _)| known != name))
        .map(|name| {
            Breach::new(
                format!("crates/{name}"),
                "a new crate: say in MAY_USE here and in ARCHITECTURE.md what it may use",
            )
        })
        .collect()
}

fn wrong_direction(arrows: &[Arrow]) -> Vec<Breach> {
    arrows
        .iter()
        .filter(|arrow| arrow.ours)
        .filter(|arrow| MAY_USE.iter().all(|(from, to)| *from != arrow.from || !to.contains(&arrow.to.as_str())))
        .map(|arrow| {
            arrow.breach(if arrow.to == TESTKIT {
                "testkit is a dev-dependency only"
            } else {
                "this direction is not allowed: see ARCHITECTURE.md, \"Crates\""
            })
        })
        .collect()
}

fn owned_by_another(arrows: &[Arrow]) -> Vec<Breach> {
    arrows
        .iter()
        .filter(|arrow| arrow.from != TESTKIT)
        .filter_map(|arrow| {
            let (library, owner) =
                OWNERS.iter().find(|(library, owner)| *library == arrow.to && *owner != arrow.from)?;
            Some(arrow.breach(format!("only {owner} may depend on {library}")))
        })
        .collect()
}

fn io_in_feed(arrows: &[Arrow]) -> Vec<Breach> {
    arrows
        .iter()
        .filter(|arrow| {
            matches!(arrow.from.as_str(), "feed" | "article" | "posts") && IO_LIBRARIES.contains(&arrow.to.as_str())
        })
        .map(|arrow| arrow.breach(format!("{} does no IO: bytes in, values out", arrow.from)))
        .collect()
}

/// The manifests of our crates.
pub fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(tree::root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn arrows(metadata: &Metadata) -> Vec<Arrow> {
    let dependencies =
        metadata.packages.iter().flat_map(|package| package.dependencies.iter().map(move |to| (package, to)));
    dependencies
        .filter(|(_, to)| to.kind != DependencyKind::Development)
        .map(|(from, to)| Arrow { from: from.name.to_string(), to: to.name.clone(), ours: to.path.is_some() })
        .collect()
}

#[test]
fn every_crate_has_its_place() {
    let metadata = metadata();
    assert_kept(&unknown_crates(metadata.packages.iter().map(|package| package.name.as_str())));
}

#[test]
fn dependencies_point_one_way() {
    assert_kept(&wrong_direction(&arrows(&metadata())));
}

#[test]
fn owned_libraries_stay_with_their_owner() {
    assert_kept(&owned_by_another(&arrows(&metadata())));
}

#[test]
fn feed_depends_on_nothing_that_does_io() {
    assert_kept(&io_in_feed(&arrows(&metadata())));
}

/// Every folder below crates/ is a member, so the rules cover every crate.
#[test]
fn the_metadata_knows_every_crate() {
    let mut folders: Vec<String> = std::fs::read_dir(tree::root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let mut members: Vec<String> = metadata().packages.iter().map(|package| package.name.to_string()).collect();
    folders.sort();
    members.sort();
    assert_eq!(folders, members);
}

fn ours(from: &str, to: &str) -> Arrow {
    Arrow { from: from.to_owned(), to: to.to_owned(), ours: true }
}

fn library(from: &str, to: &str) -> Arrow {
    Arrow { ours: false, ..ours(from, to) }
}

#[test]
fn a_wrong_direction_is_seen() {
    let arrows = [
        ours("web", "store"),
        ours("store", "queue"),
        ours("watch", "post"),
        ours("web", TESTKIT),
        ours("nowhere", "store"),
        ours("ai", "store"),
    ];
    assert_eq!(
        places(&wrong_direction(&arrows)),
        [
            "crates/store -> queue",
            "crates/watch -> post",
            "crates/web -> testkit",
            "crates/nowhere -> store",
            "crates/ai -> store"
        ]
    );
    assert_eq!(places(&unknown_crates(["store", "utils"].into_iter())), ["crates/utils"]);
}

#[test]
fn a_library_in_the_wrong_crate_is_seen() {
    let arrows = [
        library("store", "sqlx"),
        library("web", "sqlx"),
        library(TESTKIT, "sqlx"),
        library("queue", "axum"),
        library("ai", "reqwest"),
    ];
    assert_eq!(
        places(&owned_by_another(&arrows)),
        ["crates/web -> sqlx", "crates/queue -> axum", "crates/ai -> reqwest"]
    );
    let arrows = [library("feed", "tokio"), library("feed", "quick-xml"), library("read", "tokio")];
    assert_eq!(places(&io_in_feed(&arrows)), ["crates/feed -> tokio"]);
}
