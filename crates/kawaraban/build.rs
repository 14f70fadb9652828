//! Sets the commit of the build, from `KAWARABAN_COMMIT`, else from git, else "unknown", and collects the licences of the linked
//! packages.

#[path = "build/notices.rs"]
mod notices;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=KAWARABAN_COMMIT");
    let given = environment("KAWARABAN_COMMIT").filter(|commit| !commit.trim().is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "HEAD"])).unwrap_or_else(|| "unknown".to_owned());
    let short: String = commit.trim().chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    println!("cargo:rustc-env=KAWARABAN_COMMIT={short}");
    // The log of HEAD grows with every commit and checkout. A missing path would cause a rebuild every time.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    let notices = notices::Build {
        workspace: Path::new(&required("CARGO_MANIFEST_DIR")?).join("../.."),
        cargo: required("CARGO")?,
        cargo_home: environment("CARGO_HOME").map_or_else(|| home().join(".cargo"), PathBuf::from),
        rustc: required("RUSTC")?,
        target: required("TARGET")?,
    };
    notices.write(&Path::new(&required("OUT_DIR")?).join("notices.json.gz"))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "a build script is configured by its environment")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn required(name: &str) -> Result<String, String> {
    environment(name).ok_or_else(|| format!("cargo did not set {name}"))
}

fn home() -> PathBuf {
    environment("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from)
}
