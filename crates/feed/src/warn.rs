//! What was wrong with a document, each kind said once.

use crate::Warning;

/// The most kinds of trouble that are told apart; there are fewer, so this is only a guard.
const MOST: usize = 48;

/// Collects warnings; the first of a kind speaks for all of its kind.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Notes a kind of trouble.
    pub(crate) fn add(&mut self, code: &'static str, message: impl FnOnce() -> String) {
        if self.list.len() < MOST && !self.list.iter().any(|known| known.code == code) {
            self.list.push(Warning { code, message: message() });
        }
    }

    /// Hands out what was noted, in the order it was met.
    pub(crate) fn into_list(self) -> Vec<Warning> {
        self.list
    }
}
