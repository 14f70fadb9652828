//! docs/configuration.md, from the table.

use std::fmt::Write;

use super::settings::{Fallback, Setting, TABLE};

const INTRODUCTION: &str = "\
<!-- Written by `make docs` from crates/kawaraban/src/config/settings.rs. Do not edit. -->

# Configuration

Kawaraban is configured by environment variables alone. None is required: without any, `kawaraban serve` keeps an SQLite
database in the user's data folder and listens on port 8080. `kawaraban config` shows what is in effect and where it
comes from, with secrets hidden.

- All settings are read and checked once at the start, before a database, a log file or a socket is opened. All problems are
  reported at once, rules between settings included, and the program ends with code 2.
- An empty variable is an unset one. Durations are written `500ms`, `10s`, `5m`, `24h`; a bare number is seconds. Sizes
  are in bytes.
- A setting marked *secret* may be in a file instead: set the name with `_FILE` behind it to the file's path. A newline at
  the end of the file is ignored. Setting both is an error.
- A variable that looks like a misspelt setting is warned about.
- A chapter in brackets says which part of the product uses the setting, where that part is not built yet; it is
  checked all the same.

Programs end with code 0 when all went well, 1 when something failed while running, 2 when the command line or a setting
cannot be used. SIGTERM and SIGINT stop `serve`, `api` and `worker`: they take no more work. Requests get nine seconds to finish,
running jobs seven; then jobs are handed back. The process ends within ten seconds, with code 0, or with 1 if a part of it did
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
            page.push_str("| Variable | Default | Write | What for |\n|---|---|---|---|\n");
        }
        push(&mut page, format_args!("{}\n", row(setting)));
    }
    page
}

fn row(setting: &Setting) -> String {
    let name = if setting.kind.hides() {
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
