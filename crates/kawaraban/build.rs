//! Tells the program which commit it was built from: `KAWARABAN_COMMIT` when set, else what git says, else "unknown".

use std::{path::Path, process::Command};

#[expect(clippy::disallowed_methods, reason = "a build script is configured by its environment")]
fn main() {
    println!("cargo:rerun-if-env-changed=KAWARABAN_COMMIT");
    let given = std::env::var("KAWARABAN_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "HEAD"])).unwrap_or_else(|| "unknown".to_owned());
    let short: String = commit.trim().chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    println!("cargo:rustc-env=KAWARABAN_COMMIT={short}");
    // The log of HEAD grows with every commit and checkout. A path that does not exist would mean building every time.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
