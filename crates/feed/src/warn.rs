//! Collects warnings, one of each kind.

use crate::Warning;

/// A safety limit: there are fewer kinds.
const MAX_WARNINGS: usize = 48;

/// Keeps the first warning of each kind.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Adds a warning unless there is one with this code.
    pub(crate) fn add(&mut self, code: &'static str, message: impl FnOnce() -> String) {
        if self.list.len() < MAX_WARNINGS && !self.list.iter().any(|known| known.code == code) {
            self.list.push(Warning { code, message: message() });
        }
    }

    /// The warnings in the order of the document.
    pub(crate) fn into_list(self) -> Vec<Warning> {
        self.list
    }
}
