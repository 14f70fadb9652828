//! docs/configuration.md, from the table.

use std::fmt::Write;

use super::settings::{Fallback, Setting, TABLE};

const INTRODUCTION: &str = "\
<!-- Written by `make docs` from crates/kawaraban/src/config/settings.rs. Do not edit. -->

# Configuration

Kawaraban is configured with environment variables. None is required: without any, `kawaraban serve` stores an SQLite
database in the user's data folder and listens on port 8080. `kawaraban config` shows the values in effect and their
origin, with secrets hidden.

- All settings are read and checked once at the start, before a database, a log file or a socket is opened. All problems are
  reported at once, rules between settings included, and the program ends with code 2.
- An empty variable counts as unset. Durations are written `500ms`, `10s`, `5m`, `24h`; a bare number is seconds. Sizes
  are in bytes.
- A setting marked *secret* may be in a file instead: set the variable with the suffix `_FILE` to the file's path. A newline at
  the end of the file is ignored. Setting both is an error.
- A variable that looks like a misspelt setting causes a warning.
- A name in brackets is a part of the product that uses the setting and is not built yet. The setting is checked
  already.

Commands end with code 0 on success, 1 on a failure while running, 2 when the command line or a setting is
invalid. SIGTERM and SIGINT stop `serve`, `api` and `worker`: they take no more work. Requests get nine seconds to finish,
running jobs seven; then jobs return to the queue. The process ends within ten seconds, with code 0, or with 1 if a part of it did
not stop. A second signal ends it at once, with code 143 or 130.
";

/// The whole document.
pub fn markdown() -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut section = "";
    for setting in TABLE {
        if setting.section != section {
            section = setting.section;
            push(&mut page, format_args!("\n## {section}\n\nUsed by {}.\n\n", setting.used_by));
            page.push_str("| Variable | Default | Value | Purpose |\n|---|---|---|---|\n");
        }
        push(&mut page, format_args!("{}\n", row(setting)));
    }
    page
}

fn row(setting: &Setting) -> String {
    let name = if setting.kind.is_hidden() {
        format!("`{0}` *secret*, `{0}_FILE`", setting.name)
    } else {
        format!("`{}`", setting.name)
    };
    let default = match setting.fallback {
        Fallback::Nothing => "–".to_owned(),
        Fallback::Text(text) => format!("`{text}`"),
        Fallback::Derived(words, _) => words.to_owned(),
    };
    format!("| {name} | {default} | {} | {} |", setting.kind.words(), setting.doc.trim())
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = page.write_fmt(text);
}
