//! `licenses`: the licences of Kawaraban and of the packages in it.

use std::fmt::{self, Write};

use web::{Licenses, LicensesView, NoticesView, PackageView};

use crate::{failure::Failure, output};

const MIT: &str = include_str!("../../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../../LICENSE-APACHE");

/// Printed for a package without a licence text.
const NO_TEXT: &str = "[no licence text]";

/// The licences collected by the build script and by the build of the pages.
pub fn built_in() -> Licenses {
    Licenses::new(include_bytes!(concat!(env!("OUT_DIR"), "/notices.json.gz")))
}

/// Prints all licences.
pub fn print() -> Result<(), Failure> {
    let licenses = built_in().unpack().map_err(|error| Failure::because("cannot unpack the licences", &error))?;
    let mut text = String::new();
    write_all(&mut text, &licenses).map_err(|error| Failure::because("cannot write the licences", &error))?;
    output::print(&text)
}

fn write_all(out: &mut String, LicensesView { license, rust, javascript }: &LicensesView) -> fmt::Result {
    writeln!(out, "Kawaraban is licensed under {license}, at your option.\n")?;
    writeln!(out, "{MIT}\n{APACHE}")?;
    heading(out, "Rust packages in the program")?;
    write_notices(out, rust)?;
    heading(out, "JavaScript packages in the pages")?;
    match javascript {
        Some(notices) => write_notices(out, notices),
        None => writeln!(out, "None: this program was built without its pages."),
    }
}

/// The packages, then each text once, with its number.
fn write_notices(out: &mut String, notices: &NoticesView) -> fmt::Result {
    for PackageView { name, version, license, repository, texts } in &notices.packages {
        let repository = repository.as_deref().unwrap_or("no repository");
        let texts: Vec<String> = texts.iter().map(|place| format!("[{}]", place + 1)).collect();
        let texts = if texts.is_empty() { NO_TEXT.to_owned() } else { texts.join(" ") };
        writeln!(out, "{name} {version} ({license}), {repository} {texts}")?;
    }
    for (place, text) in notices.texts.iter().enumerate() {
        writeln!(out, "\n{:-^80}\n\n{text}", format!("[{}]", place + 1))?;
    }
    writeln!(out)
}

fn heading(out: &mut String, title: &str) -> fmt::Result {
    writeln!(out, "{line}\n{title}\n{line}\n", line = "=".repeat(80))
}
