//! A text that must not be seen.

use std::fmt;

/// A secret. Printing it in any way shows only that it is there.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: String) -> Self {
        Secret(text)
    }

    /// The text itself, for whoever has a use for it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// What is shown instead of a secret.
pub const HIDDEN: &str = "(hidden)";

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}
