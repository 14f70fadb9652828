//! The tools that building and testing need: the check for them, the documents and the manifests say the same.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Output},
};

use crate::{
    Breach, assert_kept, places,
    tree::{self, SourceFile},
};

/// Names of cargo's folder that hold only where `CARGO_TARGET_DIR` is not set.
const FIXED_FOLDERS: &[&str] = &["target/debug", "target/release"];

fn fixed_folders(file: &SourceFile) -> Vec<Breach> {
    let lines = file.text.lines().enumerate();
    let fixed = lines.filter(|(_, line)| FIXED_FOLDERS.iter().any(|folder| line.contains(folder)));
    fixed
        .map(|(at, _)| Breach::new(format!("{}:{}", file.path, at + 1), "ask scripts/target-dir where cargo builds"))
        .collect()
}

fn read(path: &str) -> SourceFile {
    SourceFile::new(path, &fs::read_to_string(tree::root().join(path)).unwrap())
}

#[test]
fn scripts_ask_cargo_where_it_builds() {
    let mut files = tree::files_below("e2e", &["ts"]);
    for entry in fs::read_dir(tree::root().join("scripts")).unwrap() {
        files.push(read(&format!("scripts/{}", entry.unwrap().file_name().to_string_lossy())));
    }
    files.push(read("Makefile"));
    assert!(files.iter().any(|file| file.path == "scripts/target-dir"), "looked in the wrong folder");
    assert_kept(&files.iter().flat_map(fixed_folders).collect::<Vec<_>>());
}

#[test]
fn a_fixed_folder_is_seen() {
    let file = SourceFile::new("scripts/x", "cd target\nexec target/debug/kawaraban\n");
    assert_eq!(places(&fixed_folders(&file)), ["scripts/x:2"]);
}

/// The versions of Node that a package asks for, as npm writes ranges.
fn node_range(manifest: &str) -> &str {
    let (_, rest) = manifest.split_once("\"node\": \"").unwrap();
    rest.split_once('"').unwrap().0
}

/// The lowest version of each series in a range, without its last zeros: `20.19`, `24`.
fn lowest(range: &str) -> Vec<&str> {
    range.split("||").map(|part| part.trim().trim_start_matches(['^', '>', '=']).trim_end_matches(".0")).collect()
}

#[test]
fn node_versions_agree() {
    let (ui, e2e) = (read("ui/package.json"), read("e2e/package.json"));
    let range = node_range(&ui.text);
    assert_eq!(range, node_range(&e2e.text));
    let document = read("README.md");
    let unnamed = lowest(range).into_iter().filter(|version| !document.text.contains(version));
    assert_eq!(unnamed.collect::<Vec<_>>(), [""; 0], "README.md does not name them");
    assert_eq!(lowest("^20.19.0 || >=24.0.0"), ["20.19", "24"]);
}

/// A folder that stands for `PATH`: what scripts call besides the tools that they look for.
fn bare_path() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bash", "cat", "cut", "dirname", "env", "head", "id", "readlink", "sed", "sort", "tr"] {
        let found =
            ["/bin", "/usr/bin"].map(|place| Path::new(place).join(name)).into_iter().find(|path| path.exists());
        symlink(found.unwrap(), folder.path().join(name)).unwrap();
    }
    folder
}

fn check_tools(path: &Path, tools: &[&str]) -> Output {
    let mut command = Command::new(tree::root().join("scripts/check-tools"));
    command.args(tools).env_clear().env("PATH", path).output().unwrap()
}

#[test]
fn all_missing_tools_are_in_one_message() {
    let folder = bare_path();
    let output = check_tools(folder.path(), &["rust", "node", "python", "chromium"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    let wanted = ["Rust ", "a C compiler", "Node ^", "Python 3", "Chromium", "Debian ", "Ubuntu ", "Fedora ", "macOS "];
    for word in wanted {
        assert!(message.contains(&format!("    {word}")), "no {word:?} in:\n{message}");
    }
}

#[test]
fn node_is_judged_by_its_range() {
    let folder = bare_path();
    for (version, enough) in [
        ("v18.20.0", false),
        ("v20.18.3", false),
        ("v20.19.0", true),
        ("v21.9.0", false),
        ("v22.11.0", false),
        ("v22.12.1", true),
        ("v23.5.0", false),
        ("v24.0.0", true),
        ("v26.1.0", true),
    ] {
        for name in ["node", "npm"] {
            let script = folder.path().join(name);
            fs::write(&script, format!("#!/bin/sh\necho {version}\n")).unwrap();
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let output = check_tools(folder.path(), &["node"]);
        assert_eq!(output.status.success(), enough, "{version}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
