//! Settings: the environment, read once and checked as a whole. All problems are reported together.
//!
//! Start reading at [`settings`], the table; [`load`] is what the commands call.

mod defaults;
mod environment;
mod kinds;
mod markdown;
mod rules;
mod secret;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod unknown;

pub use defaults::CONFIG_FILE;
pub use environment::Environment;
pub use kinds::LogFormat;
pub use markdown::markdown;
pub use secret::Secret;
pub use settings::{Config, TABLE};

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use defaults::KnownSettings;
use kinds::SettingKind;
use settings::{Draft, Fallback, Setting, ValueSource};
use text::{SettingText, TextOrigin};

/// The result of reading the settings.
pub struct Loaded {
    /// The settings, or all problems.
    pub config: Result<Config, Vec<String>>,
    /// Likely mistakes that are not errors.
    pub warnings: Vec<String>,
    /// `LOG_DIR`, also when other settings are invalid.
    pub log_dir: Option<PathBuf>,
    texts: BTreeMap<&'static str, SettingText>,
}

/// The parts of the program that will run, which need different settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The API and a worker in one process.
    Serve,
    /// The API without a worker.
    Api,
    /// No API.
    Other,
}

/// Reads and checks all settings.
pub fn load(environment: &Environment, needs: Needs) -> Loaded {
    let (texts, unreadable) = text::collect(environment);
    let unusable = unreadable.keys().copied().collect();
    let problems = unreadable.into_values().collect();
    let mut reader = ValueReader { environment, texts: &texts, problems, unusable };
    let draft = Draft::read(&mut reader);
    let mut problems = reader.problems;
    rules::check(&draft, environment, needs, &mut problems);
    let mut warnings = unknown::warnings(environment);
    let log_dir = draft.log_dir.clone().flatten();
    let config = match draft.complete() {
        Some(config) if problems.is_empty() => {
            warnings.extend(rules::warnings(&config, needs));
            Ok(config)
        }
        _ => Err(problems),
    };
    Loaded { config, warnings, log_dir, texts }
}

impl Loaded {
    /// The effective value of a setting, with secrets hidden, and its origin.
    pub fn shown(&self, setting: &Setting) -> (String, String) {
        match self.texts.get(setting.name) {
            Some(text) => (setting.kind.shown(&text.text), text.origin.to_string()),
            None => (String::new(), "not set".to_owned()),
        }
    }
}

/// Parses the texts of settings and collects problems.
struct ValueReader<'a> {
    environment: &'a Environment,
    texts: &'a BTreeMap<&'static str, SettingText>,
    problems: Vec<String>,
    /// The invalid settings so far.
    unusable: BTreeSet<&'static str>,
}

impl ValueReader<'_> {
    /// Reports an invalid default, unless it depends on a setting that is reported already.
    fn reject_default(&mut self, name: &'static str, problem: String) {
        let known = KnownSettings::new(self.environment, self.texts);
        if let Some(Setting { fallback: Fallback::Derived(_, derive), .. }) = TABLE.iter().find(|row| row.name == name)
        {
            derive(&known);
        }
        if self.unusable.insert(name) && !known.used().iter().any(|used| self.unusable.contains(used)) {
            self.problems.push(problem);
        }
    }
}

impl ValueSource for ValueReader<'_> {
    fn value<K: SettingKind>(&mut self, name: &'static str, kind: &K) -> Option<K::Value> {
        let Some(SettingText { text, origin }) = self.texts.get(name) else {
            let absent = kind.absent();
            if absent.is_none() {
                self.reject_default(name, format!("{name} is not set and has no default here: write {}", kind.how()));
            }
            return absent;
        };
        let problem = match kind.parse(text) {
            Ok(value) => return Some(value),
            Err(problem) => problem,
        };
        let problem = match origin {
            TextOrigin::Default => {
                self.reject_default(name, format!("{name}: {problem}"));
                return None;
            }
            TextOrigin::File(path) => format!("{name}_FILE={path}: {problem}"),
            TextOrigin::Environment if kind.is_secret() => format!("{name}: {problem}"),
            TextOrigin::Environment => format!("{name}={}: {problem}", printable(text)),
        };
        self.unusable.insert(name);
        self.problems.push(problem);
        None
    }
}

/// An invalid value for an error message: short, on one line, and without a possible password.
fn printable(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    if text.contains('@') {
        return "…".to_owned();
    }
    let mut shown: String = text.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > MAX_CHARS {
        shown.push('…');
    }
    shown
}
