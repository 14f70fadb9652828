//! The tools for building and testing: the check script, the documents and the manifests agree.

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

/// Paths of cargo's folder that are wrong if `CARGO_TARGET_DIR` is set.
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

#[test]
fn target_dir_follows_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let mut script = Command::new(tree::root().join("scripts/target-dir"));
    let output = script.env("CARGO_TARGET_DIR", folder.path()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), folder.path().to_str().unwrap());
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

/// Whether a text has these words, and not only as a part of longer ones: `24` is not in `1.24` or `24.1`.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let mut rest = text[at + words.len()..].chars();
        let continues = match (rest.next(), rest.next()) {
            (Some('.'), Some(next)) => next.is_ascii_digit(),
            (next, _) => next.is_some_and(|next| next.is_ascii_alphanumeric()),
        };
        !continues && !text[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || before == '.')
    })
}

#[test]
fn part_of_a_version_is_another_version() {
    assert!(has_words("from 24 on", "24") && has_words("Node 24. Then", "24"));
    for text in ["from 24.1 on", "from 1.24 on", "from 240 on", "from 124 on"] {
        assert!(!has_words(text, "24"), "{text}");
    }
}

#[test]
fn node_versions_agree() {
    let (ui, e2e) = (read("ui/package.json"), read("e2e/package.json"));
    let range = node_range(&ui.text);
    assert_eq!(range, node_range(&e2e.text));
    let document = read("README.md");
    let unnamed = lowest(range).into_iter().filter(|version| !has_words(&document.text, version));
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

/// The script in a copy of what it reads, beside searches that find neither a server, nor its client, nor a browser:
/// these look in fixed folders too, which `PATH` does not hide.
fn bare_tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in ["Cargo.toml", "ui/package.json", "scripts/check-tools"] {
        let copy = folder.path().join(path);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(tree::root().join(path), copy).unwrap();
    }
    for name in ["find-postgres", "find-psql", "find-chromium"] {
        add_script(&folder.path().join("scripts"), name, "exit 1");
    }
    folder
}

fn add_script(folder: &Path, name: &str, body: &str) {
    let script = folder.join(name);
    fs::write(&script, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
}

fn check_tools_in(root: &Path, path: &Path, tools: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(root.join("scripts/check-tools"));
    command.args(tools).env_clear().env("PATH", path).envs(variables.iter().copied()).output().unwrap()
}

fn check_tools(path: &Path, tools: &[&str]) -> Output {
    check_tools_in(&tree::root(), path, tools, &[])
}

/// The tools that `make test` looks for.
fn test_tools(makefile: &str) -> Vec<&str> {
    let (_, recipe) = makefile.split_once("test-tools:\n\t@scripts/check-tools ").unwrap();
    recipe.lines().next().unwrap().split(' ').collect()
}

#[test]
fn all_missing_tools_are_in_one_message() {
    let (bin, root) = (bare_path(), bare_tree());
    let makefile = read("Makefile");
    let tools = test_tools(&makefile.text);
    let output = check_tools_in(root.path(), bin.path(), &tools, &[]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    let wanted = ["Rust ", "a C compiler", "Node ^", "Python 3.", "a PostgreSQL server", "Chromium"];
    for word in wanted.into_iter().chain(["Debian ", "Ubuntu ", "Fedora ", "macOS "]) {
        assert!(message.contains(&format!("    {word}")), "no {word:?} in:\n{message}");
    }
    assert!(message.contains("Tried on Debian alone"), "{message}");

    let own_server = [("KAWARABAN_TEST_POSTGRES", "postgres://somewhere/postgres")];
    let output = check_tools_in(root.path(), bin.path(), &tools, &own_server);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("    psql") && !message.contains("a PostgreSQL server"), "{message}");
}

#[test]
fn tests_look_for_tools_before_they_compile() {
    let makefile = read("Makefile").text;
    let line = makefile.lines().find(|line| line.starts_with("test:")).unwrap();
    let first = line.trim_start_matches("test:").split_whitespace().next();
    assert_eq!(first, Some("test-tools"), "{line}");
    let needed = ["rust", "node", "python", "postgres", "psql", "chromium"];
    assert_eq!(test_tools(&makefile), needed);
}

/// The value of a variable of scripts/check-tools.
fn wanted<'a>(script: &'a str, name: &str) -> &'a str {
    let line = script.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    line.unwrap_or_else(|| panic!("no {name} in scripts/check-tools"))
}

#[test]
fn python_is_judged_by_its_version() {
    let (script, document) = (read("scripts/check-tools").text, read("README.md").text);
    for (what, variable) in [("Python", "python_wanted"), ("pip", "pip_wanted")] {
        let words = format!("{what} {}", wanted(&script, variable));
        assert!(has_words(&document, &words), "README.md does not name {words}");
    }
    let (bin, root) = (bare_path(), bare_tree());
    for (python, pip, enough) in [
        ("3.11.2", "23.0.1", true),
        ("3.14.0", "22.3", true),
        ("3.10.12", "22.3", false),
        ("3.9.2", "26.0", false),
        ("3.12.3", "22.2.2", false),
    ] {
        let body = format!("[ \"$1\" = --version ] && echo Python {python} || echo pip {pip} from here");
        add_script(bin.path(), "python3", &body);
        let output = check_tools_in(root.path(), bin.path(), &["python"], &[]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), enough, "{python} {pip}: {message}");
        assert!(enough || message.contains(&format!("this one is {python}, with pip {pip}")), "{message}");
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
            add_script(folder.path(), name, &format!("echo {version}"));
        }
        let output = check_tools(folder.path(), &["node"]);
        assert_eq!(output.status.success(), enough, "{version}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn chromium_of_a_snap_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    for (place, name, is_used) in
        [("opt", "chrome", true), ("snap/chromium/1", "chrome", false), ("bin", "snap", false)]
    {
        let bin = bare_path();
        let place = folder.path().join(place);
        fs::create_dir_all(&place).unwrap();
        add_script(&place, name, "echo Chromium 140.0");
        let link = bin.path().join("chromium");
        symlink(place.join(name), &link).unwrap();
        let mut script = Command::new(tree::root().join("scripts/find-chromium"));
        let output = script.env_clear().env("PATH", bin.path()).output().unwrap();
        let found = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            (output.status.success(), found.trim_end() == link.to_str().unwrap()),
            (is_used, is_used),
            "{found}"
        );
    }
}
