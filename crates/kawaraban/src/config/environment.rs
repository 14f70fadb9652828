//! The environment as a value, read once. Tests create their own.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io::IsTerminal,
};

/// The variables of the process, and other inputs of defaults.
#[derive(Default)]
pub struct Environment {
    pub variables: BTreeMap<OsString, OsString>,
    pub stderr_is_terminal: bool,
}

impl Environment {
    /// The environment of this process.
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the environment")]
    pub fn of_process() -> Self {
        Environment { variables: std::env::vars_os().collect(), stderr_is_terminal: std::io::stderr().is_terminal() }
    }

    /// A variable. An empty one counts as unset.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The names of all variables that are text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().filter_map(|name| name.to_str())
    }
}
