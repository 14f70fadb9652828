//! The packages set only variables that exist, pass on every sign-in setting, check each container in its own way, and need
//! no very new Docker. docs/configuration.md, generated from the code, has all settings.

use std::fs;

use crate::{Breach, assert_kept, places, tree};

/// Files that set our variables, and their syntax.
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

/// Unknown variables. `X_FILE` is the file variant of a secret `X`; variables of the database image are skipped.
fn unread(path: &str, text: &str, style: Style, documented: &str) -> Vec<Breach> {
    let known = |name: &str| documented.contains(&format!("`{name}`")) || name.starts_with("POSTGRES_");
    let unread = variables(text, style).into_iter().filter(|name| !known(name));
    unread.map(|name| Breach::new(format!("{path} {name}"), "no such setting in docs/configuration.md")).collect()
}

/// Features that need a newer Docker or Compose than packaging/README.md requires, with their version.
const TOO_NEW: &[(&str, &str)] = &[
    ("start_interval:", "Engine 25"),
    ("--start-interval", "Engine 25"),
    ("required:", "Compose 2.20"),
    ("- path:", "env_file with a path: Compose 2.24"),
    ("include:", "Compose 2.20"),
    ("develop:", "Compose 2.22"),
    ("content:", "configs with content: Compose 2.23"),
    ("subpath:", "Engine 26"),
    ("post_start:", "Compose 2.30"),
    ("pre_stop:", "Compose 2.30"),
    ("gpus:", "Compose 2.30"),
    ("label_file:", "Compose 2.32"),
    ("provider:", "Compose 2.36"),
    ("models:", "Compose 2.38"),
    ("!reset", "Compose 2.18"),
    ("!override", "Compose 2.24"),
    ("--parents", "a frontend that is not in dockerfile:1 of 2023"),
    ("--exclude", "a frontend that is not in dockerfile:1 of 2023"),
];

/// Features in a package that are too new. Comments may mention them.
fn too_new(path: &str, text: &str) -> Vec<Breach> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let is_used = |line: &str, word: &str| match word.ends_with(':') {
        true => line.strip_prefix("- ").unwrap_or(line).starts_with(word),
        false => line.contains(word),
    };
    let found = lines.flat_map(|line| TOO_NEW.iter().filter(move |(word, _)| is_used(line, word)));
    found.map(|(word, since)| Breach::new(format!("{path} {word}"), format!("needs {since}"))).collect()
}

/// The lines of one service of a compose file.
fn service<'a>(compose: &'a str, name: &str) -> Vec<&'a str> {
    let head = format!("  {name}:");
    let body = compose.lines().skip_while(move |line| *line != head).skip(1);
    body.take_while(|line| line.is_empty() || line.starts_with("    ")).collect()
}

/// The settings of one chapter of docs/configuration.md.
fn settings<'a>(documented: &'a str, chapter: &str) -> Vec<&'a str> {
    let head = format!("## {chapter}");
    let body = documented.lines().skip_while(move |line| *line != head).skip(1);
    let rows = body.take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split_once('`')).map(|(name, _)| name).collect()
}

/// The settings of a chapter that the lines of a service do not set, themselves or as a file.
fn not_passed<'a>(documented: &'a str, chapter: &str, service: &[&str]) -> Vec<&'a str> {
    let text = service.join("\n");
    let passed = variables(&text, Style::Mapping);
    let is_passed = |name: &&str| passed.iter().any(|found| found.strip_suffix("_FILE").unwrap_or(found) == *name);
    settings(documented, chapter).into_iter().filter(|name| !is_passed(name)).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(tree::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn compose_passes_every_sign_in_setting() {
    let (documented, compose) = (read("docs/configuration.md"), read("packaging/compose.yaml"));
    assert!(settings(&documented, "Sign-in").len() >= 17, "the chapter is found");
    assert_eq!(not_passed(&documented, "Sign-in", &service(&compose, "api")), Vec::<&str>::new());
}

/// The words of the command that checks the health of a service, or of the image.
fn check_of<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let command = lines.iter().find_map(|line| {
        let line = line.trim();
        let listed =
            line.strip_prefix("test: [CMD,").or_else(|| line.strip_prefix("CMD [").filter(|_| line.contains("health")));
        listed?.strip_suffix(']')
    })?;
    Some(command.split(',').map(|word| word.trim().trim_matches('"')).collect())
}

/// Health checks that do not fit what their container runs.
fn unfit_checks(dockerfile: &str, compose: &str) -> Vec<Breach> {
    let image: Vec<&str> = dockerfile.lines().collect();
    let cases = [
        ("image", image, vec!["kawaraban", "healthcheck", "--any"]),
        ("api", service(compose, "api"), vec!["kawaraban", "healthcheck"]),
        ("worker", service(compose, "worker"), vec!["kawaraban", "healthcheck", "--worker"]),
    ];
    let unfit = cases.into_iter().filter(|(_, lines, wanted)| check_of(lines).as_ref() != Some(wanted));
    unfit.map(|(name, _, wanted)| Breach::new(name, format!("is checked with `{}`", wanted.join(" ")))).collect()
}

#[test]
fn health_checks_fit_what_runs() {
    assert_kept(&unfit_checks(&read("packaging/Dockerfile"), &read("packaging/compose.yaml")));
}

#[test]
fn a_health_check_that_does_not_fit_is_seen() {
    let dockerfile = "HEALTHCHECK --interval=10s \\\n    CMD [\"kawaraban\", \"healthcheck\"]\nCMD [\"serve\"]\n";
    let check = "    healthcheck:\n      test: [CMD, kawaraban, healthcheck]\n";
    let same = format!("services:\n  api:\n{check}\n  worker:\n{check}");
    assert_eq!(places(&unfit_checks(dockerfile, &same)), ["image", "worker"]);
    let none = format!("services:\n  api:\n{check}\n  worker:\n    command: [worker]\n");
    assert_eq!(places(&unfit_checks(&dockerfile.replace("check\"]", "check\", \"--any\"]"), &none)), ["worker"]);
}

/// Secrets that a service gets in the open and not as a file, and that the document does not name.
fn secrets_in_the_open<'a>(documented: &'a str, service: &[&str], document: &str) -> Vec<&'a str> {
    let text = service.join("\n");
    let passed = variables(&text, Style::Mapping);
    let secrets = documented.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` *secret*"));
    let in_the_open = secrets.map(|(name, _)| name).filter(|name| passed.contains(name));
    in_the_open.filter(|name| !document.contains(&format!("`{name}`"))).collect()
}

#[test]
fn the_document_names_the_secrets_that_are_no_files() {
    let (documented, compose) = (read("docs/configuration.md"), read("packaging/compose.yaml"));
    let document = read("packaging/README.md");
    assert_eq!(secrets_in_the_open(&documented, &service(&compose, "api"), &document), Vec::<&str>::new());
    let documented = "| `A_KEY` *secret* | – |\n| `B_KEY` *secret* | – |\n| `C_ID` | – |\n";
    let service = ["A_KEY: x", "B_KEY_FILE: y", "C_ID: z"];
    assert_eq!(secrets_in_the_open(documented, &service, "as files"), ["A_KEY"]);
    assert_eq!(secrets_in_the_open(documented, &service, "not `A_KEY`"), Vec::<&str>::new());
}

#[test]
fn packages_need_no_very_new_docker() {
    let breaches = ["packaging/compose.yaml", "packaging/Dockerfile"].map(|path| too_new(path, &read(path)));
    assert_kept(&breaches.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn what_is_missing_or_too_new_in_packages_is_seen() {
    let compose = "services:\n  api:\n    environment:\n      A_ID: x\n      B_KEY_FILE: y\n\n    healthcheck:\n      start_interval: 1s\n  db:\n    C_ID: z\n";
    let documented = "## Data\n| `D_ID` | – |\n## Sign-in\n| Variable |\n| `A_ID` | – |\n| `B_KEY` *secret* | – |\n| `C_ID` | – |\n## Log\n";
    assert_eq!(not_passed(documented, "Sign-in", &service(compose, "api")), ["C_ID"]);
    assert_eq!(places(&too_new("f", compose)), ["f start_interval:"]);
    assert_eq!(
        places(&too_new("f", "# start_interval: 1s\nHEALTHCHECK --start-interval=1s CMD x")),
        ["f --start-interval"]
    );
}

#[test]
fn packages_set_variables_that_exist() {
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
fn unknown_variable_is_detected() {
    let text = "LOG_DIR=/x\nLOG_DIRECTORY=/x\nPOSTGRES_USER=a";
    assert_eq!(places(&unread("env", text, Style::Assignment, "| `LOG_DIR` | where |")), ["env LOG_DIRECTORY"]);
}
