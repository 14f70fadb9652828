//! The packages set only variables that exist: docs/configuration.md, generated from the code, has them all.

use std::fs;

use crate::{Breach, assert_kept, places, tree};

/// Files that set variables of ours, and how a line of theirs does it.
const SETTERS: &[(&str, Style)] = &[
    ("packaging/Dockerfile", Style::Assignment),
    ("packaging/compose.yaml", Style::Mapping),
    ("packaging/systemd/kawaraban.service", Style::Assignment),
    ("packaging/systemd/kawaraban.env", Style::Assignment),
];

#[derive(Clone, Copy)]
enum Style {
    /// `NAME=value`, after words such as `ENV` and `Environment=`, or commented out as an offer.
    Assignment,
    /// `NAME: value`, a line of YAML.
    Mapping,
}

/// The variables a text sets. Only names with capitals and `_` or known single words count, so keys of the format do not.
fn variables(text: &str, style: Style) -> Vec<&str> {
    let separator = match style {
        Style::Assignment => '=',
        Style::Mapping => ':',
    };
    let words = text.lines().flat_map(|line| match style {
        Style::Assignment => line.trim_start_matches(['#', ' ']).split([' ', '"']).collect::<Vec<_>>(),
        Style::Mapping => vec![line.trim()],
    });
    let names = words.filter_map(|word| {
        let (head, _) = word.strip_prefix("Environment=").unwrap_or(word).split_once(separator)?;
        is_variable(head).then_some(head)
    });
    names.collect()
}

fn is_variable(word: &str) -> bool {
    word.contains('_') && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Variables that nobody reads. `X_FILE` is the file variant of a secret `X`; the database image's own are left aside.
fn unread(path: &str, text: &str, style: Style, documented: &str) -> Vec<Breach> {
    let known = |name: &str| documented.contains(&format!("`{name}`")) || name.starts_with("POSTGRES_");
    let unread = variables(text, style).into_iter().filter(|name| !known(name));
    unread.map(|name| Breach::new(format!("{path} {name}"), "no such setting in docs/configuration.md")).collect()
}

#[test]
fn packages_set_variables_that_exist() {
    let read =
        |path: &str| fs::read_to_string(tree::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let documented = read("docs/configuration.md");
    assert_kept(
        &SETTERS.iter().flat_map(|(path, style)| unread(path, &read(path), *style, &documented)).collect::<Vec<_>>(),
    );
}

#[test]
fn variables_are_found_in_each_style() {
    let docker = "FROM x\nENV LOG_DIR=/logs BASE_URL=http://a\nRUN --mount=type=cache,target=/x A=1";
    assert_eq!(variables(docker, Style::Assignment), ["LOG_DIR", "BASE_URL"]);
    assert_eq!(
        variables("# LOG_DIR=/x\nEnvironment=SERVER_PORT=1\nRestart=always", Style::Assignment),
        ["LOG_DIR", "SERVER_PORT"]
    );
    assert_eq!(variables("services:\n  api:\n    LOG_DIR: /x\n    image: a_B:1\n", Style::Mapping), ["LOG_DIR"]);
}

#[test]
fn a_variable_that_nobody_reads_is_seen() {
    let text = "LOG_DIR=/x\nLOG_DIRECTORY=/x\nPOSTGRES_USER=a";
    assert_eq!(places(&unread("env", text, Style::Assignment, "| `LOG_DIR` | where |")), ["env LOG_DIRECTORY"]);
}
