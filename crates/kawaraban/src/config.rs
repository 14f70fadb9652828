//! Settings: the environment, read once, checked as a whole, all problems told at once.
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

pub use environment::Environment;
pub use kinds::LogFormat;
pub use markdown::markdown;
pub use secret::Secret;
pub use settings::{Config, TABLE};

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use defaults::Known;
use kinds::Kind;
use settings::{Draft, Fallback, Setting, Source};
use text::{Origin, Text};

/// What came of reading the settings.
pub struct Loaded {
    /// The settings, if they can all be used.
    pub config: Result<Config, Vec<String>>,
    /// What looks like a slip but stops nothing.
    pub warnings: Vec<String>,
    /// `LOG_DIR`, also when other settings cannot be used.
    pub log_dir: Option<PathBuf>,
    texts: BTreeMap<&'static str, Text>,
}

/// Which parts of the program will run; they need different settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The API beside a worker, on its own machine.
    Serve,
    /// The API by itself, one of several.
    Api,
    /// Anything that no browser talks to.
    Other,
}

/// Reads and checks all settings.
pub fn load(environment: &Environment, needs: Needs) -> Loaded {
    let (texts, unreadable) = text::collect(environment);
    let unusable = unreadable.keys().copied().collect();
    let problems = unreadable.into_values().collect();
    let mut reader = Reader { environment, texts: &texts, problems, unusable };
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
    /// A setting's effective value, fit to be shown, and where it comes from.
    pub fn shown(&self, setting: &Setting) -> (String, String) {
        match self.texts.get(setting.name) {
            Some(text) => (setting.kind.shown(&text.text), text.origin.to_string()),
            None => (String::new(), "not set".to_owned()),
        }
    }
}

/// Turns texts into values and collects what is wrong with them.
struct Reader<'a> {
    environment: &'a Environment,
    texts: &'a BTreeMap<&'static str, Text>,
    problems: Vec<String>,
    /// The settings above in the table that cannot be used.
    unusable: BTreeSet<&'static str>,
}

impl Reader<'_> {
    /// Reports a default that cannot be used, unless it follows from a setting that is reported already.
    fn reject_default(&mut self, name: &'static str, problem: String) {
        let known = Known::new(self.environment, self.texts);
        if let Some(Setting { fallback: Fallback::Derived(_, derive), .. }) = TABLE.iter().find(|row| row.name == name)
        {
            derive(&known);
        }
        if self.unusable.insert(name) && !known.used().iter().any(|used| self.unusable.contains(used)) {
            self.problems.push(problem);
        }
    }
}

impl Source for Reader<'_> {
    fn value<K: Kind>(&mut self, name: &'static str, kind: &K) -> Option<K::Value> {
        let Some(Text { text, origin }) = self.texts.get(name) else {
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
            Origin::Default => {
                self.reject_default(name, format!("{name}: {problem}"));
                return None;
            }
            Origin::File(path) => format!("{name}_FILE={path}: {problem}"),
            Origin::Environment if kind.is_secret() => format!("{name}: {problem}"),
            Origin::Environment => format!("{name}={}: {problem}", printable(text)),
        };
        self.unusable.insert(name);
        self.problems.push(problem);
        None
    }
}

/// A wrong value as it may be repeated: short, on one line, and without what may be a password.
fn printable(text: &str) -> String {
    const MOST: usize = 60;
    if text.contains('@') {
        return "…".to_owned();
    }
    let mut shown: String = text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}
