//! A secret text that `Debug` hides.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A secret of the protocol. `Debug` hides it; serde does not, so the output must be encrypted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpenIdSecret(String);

impl OpenIdSecret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OpenIdSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}
