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

use std::collections::BTreeMap;

use kinds::Kind;
use settings::{Setting, Source};
use text::{Origin, Text};

/// What came of reading the settings.
pub struct Loaded {
    /// The settings, if they can all be used.
    pub config: Result<Config, Vec<String>>,
    /// What looks like a slip but stops nothing.
    pub warnings: Vec<String>,
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
    let mut problems = Vec::new();
    let texts = text::collect(environment, &mut problems);
    let mut reader = Reader { texts: &texts, problems, unusable_default: None };
    let config = Config::read(&mut reader);
    let Reader { mut problems, unusable_default, .. } = reader;
    if problems.is_empty() {
        problems.extend(unusable_default);
    }
    let mut warnings = unknown::warnings(environment);
    if let Some(config) = &config {
        rules::check(config, needs, &mut problems);
        warnings.extend(rules::warnings(config, needs));
    }
    let config = match config {
        Some(config) if problems.is_empty() => Ok(config),
        _ => Err(problems),
    };
    Loaded { config, warnings, texts }
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
    texts: &'a BTreeMap<&'static str, Text>,
    problems: Vec<String>,
    /// The first default that cannot be used. A wrong setting spoils the defaults that follow from it, so it is told
    /// only when nothing else is wrong.
    unusable_default: Option<String>,
}

impl Source for Reader<'_> {
    fn value<K: Kind>(&mut self, name: &'static str, kind: &K) -> Option<K::Value> {
        let Some(Text { text, origin }) = self.texts.get(name) else {
            let absent = kind.absent();
            if absent.is_none() {
                let problem = || format!("{name} is not set and has no default here: write {}", kind.how());
                self.unusable_default.get_or_insert_with(problem);
            }
            return absent;
        };
        let problem = match kind.parse(text) {
            Ok(value) => return Some(value),
            Err(problem) => problem,
        };
        match origin {
            Origin::File(path) => self.problems.push(format!("{name}_FILE={path}: {problem}")),
            Origin::Environment if kind.is_secret() => self.problems.push(format!("{name}: {problem}")),
            Origin::Environment => self.problems.push(format!("{name}={}: {problem}", printable(text))),
            Origin::Default => drop(self.unusable_default.get_or_insert(format!("{name}: {problem}"))),
        }
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
